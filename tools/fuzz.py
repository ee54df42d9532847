"""Search for inputs that break the readers, guided by coverage (atheris).

    python tools/fuzz.py TARGET [options of libFuzzer]

`-runs=100000` and `-max_total_time=600` end the search; a failing input is written to
`crash-*` in this folder. Put it into tests/fuzz/corpus/TARGET when the fault is mended.
"""

from __future__ import annotations

import hashlib
import os
import sys
import tempfile
import traceback
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LIMITS = ["-timeout=20", "-rss_limit_mb=3000", "-max_len=600", "-print_final_stats=1"]


def keep_failures(target: Callable[[bytes], None]) -> Callable[[bytes], None]:
    """Return the target such that a failing input is written to a file.

    libFuzzer would write it too, but only after threads that may never end.
    """

    def run(content: bytes) -> None:
        try:
            target(content)
        except BaseException:  # noqa: BLE001 - whatever it is, it must not escape
            traceback.print_exc()
            path = Path(f"crash-{hashlib.sha256(content).hexdigest()[:16]}")
            path.write_bytes(content)
            print(f"\n{content!r}\nwas written to {path}", file=sys.stderr, flush=True)
            os._exit(1)

    return run


def main() -> None:
    """Fuzz the target that the first argument names."""
    try:
        import atheris
    except ImportError:
        sys.exit(
            "make fuzz needs atheris, which is made for CPython 3.11 to 3.13 on Linux: "
            f"pip install atheris (this is {sys.version.split()[0]})."
        )
    sys.path.insert(0, str(ROOT))
    with atheris.instrument_imports(
        include=["dissensus.table", "dissensus.persistence"]
    ):
        from tests.fuzz.targets import TARGETS
    if len(sys.argv) < 2 or sys.argv[1] not in TARGETS:
        sys.exit(f"Name a target: {', '.join(TARGETS)}.")
    target = sys.argv[1]
    seeds = ROOT / "tests" / "fuzz" / "corpus" / target
    with tempfile.TemporaryDirectory() as found:
        options = [*LIMITS, *sys.argv[2:]]
        arguments = [sys.argv[0], *options, found, str(seeds)]
        atheris.Setup(arguments, keep_failures(TARGETS[target]))
        atheris.Fuzz()


if __name__ == "__main__":
    main()
