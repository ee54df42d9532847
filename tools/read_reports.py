"""Read what the sanitizers wrote: `python tools/read_reports.py FOLDER`.

A report of the leak sanitizer has one part per place that asked for memory. A part
counts if a kernel of ours is in its call stack; and each report must have the leak that
`tests/sanitizers.py` makes on purpose, or leaks would not have been seen. Any other
report is an error by itself. The exit code is 1 if there is anything to mend.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

OURS = "dissensus/_core/"
LEAK = re.compile(r" leak of (\d+) byte\(s\) in (\d+) object")
CANARY = 4242


def main() -> int:
    """Print what is to be mended, and return the exit code."""
    faults = find_faults(Path(sys.argv[1]))
    for fault in faults:
        print(fault, end="\n\n")
    print(f"== sanitizers: {len(faults)} faults")
    return int(bool(faults))


def find_faults(folder: Path) -> list[str]:
    """Return what is to be mended, each with the report's words."""
    texts = {path.name: path.read_text() for path in sorted(folder.iterdir())}
    leaks = {name: text for name, text in texts.items() if "LeakSanitizer" in text}
    faults = [f"{name}:\n{text}" for name, text in texts.items() if name not in leaks]
    for name, text in leaks.items():
        faults += [f"{name}: {part}" for part in kernel_leaks(text)]
        if not has_canary(text):
            faults.append(f"{name}: the leak made on purpose was not seen")
    if "address" in folder.name and not leaks:
        faults.append("no process has looked for leaks")
    return faults


def kernel_leaks(report: str) -> list[str]:
    """Return the parts of a report whose memory a kernel of ours has asked for."""
    parts = report.split("\n\n")
    return [part for part in parts if OURS in part and LEAK.search(part)]


def has_canary(report: str) -> bool:
    """Whether blocks that were leaked on purpose are in the report."""
    sizes = (map(int, match.groups()) for match in LEAK.finditer(report))
    return any(total == n_blocks * CANARY for total, n_blocks in sizes)


if __name__ == "__main__":
    sys.exit(main())
