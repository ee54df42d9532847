from pathlib import Path

import pytest

from dissensus.exceptions import MemoryLimitError
from dissensus.utils import _memory_limit
from dissensus.utils._memory_limit import available_memory, check_memory, in_words

GIB = 2**30


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A made-up machine with 8 GiB, no control groups and no limits."""
    monkeypatch.setattr(_memory_limit, "PROC", tmp_path / "proc")
    monkeypatch.setattr(_memory_limit, "CGROUPS", tmp_path / "cgroup")
    monkeypatch.setattr(_memory_limit, "_of_process", lambda: iter(()))
    write(tmp_path / "proc/meminfo", f"MemAvailable:   {8 * GIB // 1024} kB\n")
    return tmp_path


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def test_this_machine_says_what_it_has() -> None:
    available = available_memory()
    assert available is not None
    assert available > 0


def test_machine_without_groups_has_what_it_has_available(machine: Path) -> None:
    assert available_memory() == 8 * GIB


def test_group_of_the_first_kind_limits_it(machine: Path) -> None:
    write(machine / "proc/self/cgroup", "5:cpu:/\n4:cpuset,memory:/a/b\n0::/\n")
    group = machine / "cgroup/memory/a/b"
    write(group / "memory.limit_in_bytes", f"{4 * GIB}\n")
    write(group / "memory.usage_in_bytes", f"{3 * GIB}\n")
    assert available_memory() == GIB
    write(group / "memory.stat", f"inactive_file 1\ntotal_inactive_file {GIB}\n")
    assert available_memory() == 2 * GIB


def test_outer_group_of_the_second_kind_limits_it(machine: Path) -> None:
    write(machine / "proc/self/cgroup", "0::/outer/inner\n")
    write(machine / "cgroup/outer/inner/memory.max", "max\n")
    write(machine / "cgroup/outer/inner/memory.current", "5\n")
    write(machine / "cgroup/outer/memory.max", f"{2 * GIB}\n")
    write(machine / "cgroup/outer/memory.current", f"{GIB}\n")
    assert available_memory() == GIB


def test_group_above_its_limit_leaves_nothing(machine: Path) -> None:
    write(machine / "proc/self/cgroup", "0::/\n")
    write(machine / "cgroup/memory.max", "5\n")
    write(machine / "cgroup/memory.current", "7\n")
    assert available_memory() == 0


def test_own_limit_of_the_process_counts() -> None:
    resource = pytest.importorskip("resource")
    soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
    resource.setrlimit(resource.RLIMIT_DATA, (1 << 40, hard))
    try:
        left = list(_memory_limit._of_process())
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))
    assert any(0 < n_bytes <= 1 << 40 for n_bytes in left)


def test_half_of_what_is_available_is_allowed(machine: Path) -> None:
    check_memory(4 * GIB, "A tree", "Plant fewer.")
    with pytest.raises(
        MemoryLimitError,
        match=r"A tree would need 4.1 GiB of memory, and 50% of the 8 GiB that this "
        r"process can still have is the limit. Plant fewer.",
    ):
        check_memory(int(4.1 * GIB), "A tree", "Plant fewer.")


def test_what_is_small_is_always_allowed(machine: Path) -> None:
    write(machine / "proc/meminfo", "MemAvailable: 1 kB\n")
    check_memory(1 << 26, "A tree", "Plant fewer.")
    with pytest.raises(MemoryError, match="A tree would need 64 MiB"):
        check_memory((1 << 26) + 1, "A tree", "Plant fewer.")


@pytest.mark.parametrize(
    ("n_bytes", "words"),
    [
        (7, "7 bytes"),
        (2048, "2 KiB"),
        (37.25 * GIB, "37.2 GiB"),
        (2**60, "1,048,576 TiB"),
    ],
)
def test_bytes_have_the_unit_that_suits_them(n_bytes: float, words: str) -> None:
    assert in_words(n_bytes) == words
