"""Read what the sanitizers wrote: `python tools/read_reports.py FOLDER`.

A report of the leak sanitizer has one part per place that asked for memory. A part
counts if a kernel of ours is in its call stack; and each report must have the leak that
`tests/sanitizers.py` makes on purpose, or leaks would not have been seen. Any other
report is an error by itself. The exit code is 1 if there is anything to mend.
"""

from __future__ import annotations

import sys
from pathlib import Path

OURS = "dissensus/_core/"
CANARY = "4242 byte(s)"


def main() -> int:
    """Print what is to be mended, and return the exit code."""
    folder = Path(sys.argv[1])
    texts = {path.name: path.read_text() for path in sorted(folder.iterdir())}
    leaks = {name: text for name, text in texts.items() if "LeakSanitizer" in text}
    faults = [f"{name}:\n{text}" for name, text in texts.items() if name not in leaks]
    for name, text in leaks.items():
        faults += [f"{name}: {part}" for part in kernel_leaks(text)]
        if not has_canary(text):
            faults.append(f"{name}: the leak made on purpose was not seen")
    print(*faults, sep="\n\n")
    print(f"== sanitizers: {len(leaks)} searches for leaks, {len(faults)} faults")
    return int(bool(faults))


def kernel_leaks(report: str) -> list[str]:
    """Return the parts of a report whose memory a kernel of ours has asked for."""
    return [part for part in report.split("\n\n") if OURS in part and " leak of " in part]


def has_canary(report: str) -> bool:
    """Whether the blocks that were leaked on purpose are in the report."""
    sizes = [line.split(" leak of ")[1] for line in report.splitlines() if " leak of " in line]
    return any(int(s.split()[0]) // 4242 == int(s.split()[3]) and int(s.split()[0]) % 4242 == 0 for s in sizes)


if __name__ == "__main__":
    sys.exit(main())
