"""Six learners on fifteen data sets, and whether their differences are real.

The study is in `fifteen_sets.toml`; its files are looked for in the folder that the
environment variable DISSENSUS_DATA names. Kill it and start it again: it goes on.

    python examples/fifteen_sets.py study.sqlite
    python examples/fifteen_sets.py other.sqlite serial
"""

import sys
from pathlib import Path

from dissensus.experiment import estimate, run_experiment
from dissensus.results import Results

SPEC = Path(__file__).with_suffix(".toml")


def show(results: Results) -> None:
    """Print the tables of the study."""
    for table in (
        results.means(),
        results.ranks(),
        results.win_draw_loss(),
        results.error_ratios(),
        results.against("DECORATE"),
    ):
        print(f"{table}\n")
    friedman, nemenyi = results.friedman(), results.nemenyi()
    print(f"Friedman: F = {friedman.statistic:.2f}, p = {friedman.pvalue:.2g}")
    print(f"Nemenyi: critical difference {nemenyi.critical_difference():.2f} at 95 %")


def main(store: str = "fifteen_sets.sqlite", executor: str = "processes") -> None:
    """Run the study, or what is missing of it, and print its tables."""
    print(estimate(SPEC, store, executor=executor))
    show(run_experiment(SPEC, store, executor=executor, progress=True))


if __name__ == "__main__":
    main(*sys.argv[1:])
