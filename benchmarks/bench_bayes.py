"""Benchmark of naive Bayes and AODE against numpy, scikit-learn and Weka.

Run it from the root of the repository, on a machine that does nothing else::

    python -m benchmarks.bench_bayes
    python -m benchmarks.bench_bayes --quick --only 'nb-fit'
    python -m benchmarks.bench_bayes --markdown

The options, and how times and ratios are measured, are those of
`benchmarks.bench_tree`.
"""

import sys

from benchmarks._bayes_cases import TITLES, all_cases
from benchmarks._main import run

if __name__ == "__main__":
    run("benchmarks.bench_bayes", all_cases, TITLES, sys.argv[1:])
