"""Benchmark of MACLEN against its members alone, AODE, and scikit-learn inside it.

Run it from the root of the repository, on a machine that does nothing else::

    python -m benchmarks.bench_maclen
    python -m benchmarks.bench_maclen --quick --only bayes
    python -m benchmarks.bench_maclen --markdown

The options, and how times and ratios are measured, are those of
`benchmarks.bench_tree`.
"""

import sys

from benchmarks._maclen_cases import TITLES, all_cases
from benchmarks._main import run

if __name__ == "__main__":
    run("benchmarks.bench_maclen", all_cases, TITLES, sys.argv[1:])
