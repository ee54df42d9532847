"""Run a study that is described in a TOML file and print its tables as Markdown.

Run it from the root of the repository::

    python -m benchmarks.run_study benchmarks/maclen.toml maclen.sqlite --workers 2

Cells that the store has already are not run again.
"""

import argparse
import sys
from typing import Any

from benchmarks._report import markdown_table
from dissensus.experiment import ProcessExecutor, Results, run_experiment
from dissensus.experiment._tables import ResultTable


def as_markdown(table: ResultTable) -> str:
    """Return a table of results with its title and its remarks."""
    frame = table.frame
    lines = ([_text(value) for value in row] for row in frame.iter_rows())
    body = markdown_table(frame.columns, lines, slice(1, None))
    return "\n\n".join([f"### {table.title}", body, *table.remarks()])


def _text(value: Any) -> str:
    return f"{value:.4f}" if isinstance(value, float) else str(value)


def tables(results: Results) -> list[ResultTable]:
    """Return the tables of a comparison: means, significant wins, ranks."""
    return [results.means(), results.win_draw_loss(), results.ranks()]


def main(arguments: list[str]) -> None:
    """Run or resume the study."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.run_study")
    parser.add_argument("spec", help="a TOML file")
    parser.add_argument("store", help="an SQLite file for the results")
    parser.add_argument("--workers", type=int, default=1)
    options = parser.parse_args(arguments)
    executor = ProcessExecutor(options.workers)
    results = run_experiment(
        options.spec, options.store, executor=executor, progress=True
    )
    print("\n\n".join(as_markdown(table) for table in tables(results)))


if __name__ == "__main__":
    main(sys.argv[1:])
