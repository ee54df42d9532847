"""How much memory this process may still have, and work that is refused beyond it.

A fit that needs more memory than there is ends in a swap storm or is killed without a
word. What asks for much says how much before it begins.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

from dissensus.exceptions import MemoryLimitError

# One piece of work may have this share of what is available when it begins.
SHARE = 0.5
# To ask the system takes 0.1 ms, a tenth of a small tree: what is smaller passes.
ALWAYS_ALLOWED = 1 << 26

PROC = Path("/proc")
CGROUPS = Path("/sys/fs/cgroup")


def check_memory(n_bytes: int, what: str, cure: str) -> None:
    """Refuse work that needs more than half of the memory that is available.

    Parameters
    ----------
    n_bytes : int
        Bytes that the work needs at its peak, beyond what is there already.
    what : str
        What needs them: the subject of a sentence, such as "A tree of 50,000 leaves".
    cure : str
        What to do about it: a sentence.

    Raises
    ------
    MemoryLimitError
        With the number of bytes, the rule and the cure.
    """
    if n_bytes <= ALWAYS_ALLOWED:
        return
    available = available_memory()
    if available is not None and n_bytes > SHARE * available:
        raise MemoryLimitError(
            f"{what} would need {in_words(n_bytes)} of memory, and {SHARE:.0%} of the "
            f"{in_words(available)} that this process can still have is the limit. "
            f"{cure}"
        )


def in_words(n_bytes: float) -> str:
    """Return a number of bytes with the unit that suits it."""
    for unit in ("bytes", "KiB", "MiB", "GiB", "TiB"):
        if n_bytes < 1000 or unit == "TiB":
            break
        n_bytes /= 1024
    return f"{n_bytes:,.3g} {unit}" if n_bytes < 1000 else f"{n_bytes:,.0f} {unit}"


def available_memory() -> int | None:
    """Return the bytes that this process can still have; None where nobody knows.

    The least of what the machine, each control group around the process and the
    process's own limits leave. Swap does not count.
    """
    limits = [*_of_machine(), *_of_cgroups(), *_of_process()]
    return max(0, min(limits)) if limits else None


def _of_machine() -> Iterator[int]:
    available = _read_kilobytes(PROC / "meminfo", "MemAvailable")
    if available is not None:
        yield available
        return
    try:  # where there is no /proc: all memory, rather than what is free
        yield os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, OSError, ValueError):
        return


def _of_cgroups() -> Iterator[int]:
    """Yield what each group around the process has left, for both kinds of groups."""
    for line in _read(PROC / "self" / "cgroup").splitlines():
        _, controllers, path = line.split(":", 2)
        if controllers == "":
            root, most, used = CGROUPS, "memory.max", "memory.current"
        elif "memory" in controllers.split(","):
            root = CGROUPS / "memory"
            most, used = "memory.limit_in_bytes", "memory.usage_in_bytes"
        else:
            continue
        group = root / path.strip("/")
        for folder in [group, *group.parents]:
            yield from _left(folder, most, used)
            if folder == root:
                break


def _left(folder: Path, most: str, used: str) -> Iterator[int]:
    """Yield the limit of a group less its use; cached files can be given back."""
    limit, usage = _read(folder / most).strip(), _read(folder / used).strip()
    if limit.isdigit() and usage.isdigit():
        cached = re.findall(
            r"^(?:total_)?inactive_file (\d+)$", _read(folder / "memory.stat"), re.M
        )
        yield int(limit) - int(usage) + max(map(int, cached), default=0)


def _of_process() -> Iterator[int]:
    try:
        import resource
    except ImportError:  # Windows
        return
    status = PROC / "self" / "status"
    for name, used in (("RLIMIT_AS", "VmSize"), ("RLIMIT_DATA", "VmData")):
        soft, _ = resource.getrlimit(getattr(resource, name))
        if soft != resource.RLIM_INFINITY:
            yield soft - (_read_kilobytes(status, used) or 0)


def _read_kilobytes(path: Path, name: str) -> int | None:
    match = re.search(rf"^{name}:\s*(\d+) kB", _read(path), re.MULTILINE)
    return int(match[1]) * 1024 if match else None


def _read(path: Path) -> str:
    """Return the text of a small file of the system; "" if it cannot be read."""
    try:
        return path.read_text()
    except OSError:
        return ""
