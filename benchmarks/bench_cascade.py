"""Benchmark of cascades, discriminants and discretisers.

Run it from the root of the repository, on a machine that does nothing else::

    python -m benchmarks.bench_cascade
    python -m benchmarks.bench_cascade --quick --only cascade
    python -m benchmarks.bench_cascade --markdown

The options, and how times and ratios are measured, are those of
`benchmarks.bench_tree`.
"""

import sys

from benchmarks._cascade_cases import TITLES, all_cases
from benchmarks._main import run

if __name__ == "__main__":
    run("benchmarks.bench_cascade", all_cases, TITLES, sys.argv[1:])
