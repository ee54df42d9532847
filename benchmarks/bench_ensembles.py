"""Benchmark of bagging and DECORATE against their trees alone and against Weka.

Run it from the root of the repository, on a machine that does nothing else::

    python -m benchmarks.bench_ensembles
    python -m benchmarks.bench_ensembles --quick --only decorate
    python -m benchmarks.bench_ensembles --markdown

The options, and how times and ratios are measured, are those of
`benchmarks.bench_tree`.
"""

import sys

from benchmarks._ensemble_cases import TITLES, all_cases
from benchmarks._main import run

if __name__ == "__main__":
    run("benchmarks.bench_ensembles", all_cases, TITLES, sys.argv[1:])
