"""Benchmark of `C45Classifier` against scikit-learn's tree and Weka's J48.

Run it from the root of the repository, on a machine that does nothing else::

    python -m benchmarks.bench_tree
    python -m benchmarks.bench_tree --quick --only 'fit/(letter|numeric)'
    python -m benchmarks.bench_tree --markdown

Each ratio is the quotient of two medians of processor time, measured in turn in one
process; the spread is the smallest and the largest quotient of a single round. Files
of data are looked for in `--data-dir`, else in the folder that DISSENSUS_DATA names.
"""

import argparse
import re
import shlex
import sys
from dataclasses import replace
from pathlib import Path

from benchmarks._problems import data_dir
from benchmarks._report import Line, as_markdown, as_text
from benchmarks._tree_cases import TITLES, Case, CaseSkippedError, Setup, all_cases


def parse_arguments(arguments: list[str]) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.bench_tree", description="Time C45Classifier."
    )
    parser.add_argument("--quick", action="store_true", help="no 200,000-row tables")
    parser.add_argument(
        "--only",
        default="",
        metavar="PATTERN",
        help="cases whose name, such as fit/letter, has this regex",
    )
    parser.add_argument("--list", action="store_true", help="measure nothing")
    parser.add_argument(
        "--markdown",
        action="store_true",
        help="print tables for docs/benchmarks.md at the end",
    )
    parser.add_argument("--weka", choices=["auto", "off"], default="auto")
    parser.add_argument("--repeat", type=int, default=5, help="rounds per median")
    parser.add_argument("--data-dir", type=Path, help="folder of ARFF files")
    return parser.parse_args(arguments)


def measure(case: Case, setup: Setup) -> Line:
    """Run one case; a case that cannot be measured here keeps its line and says why."""
    try:
        return Line(case.group, case.problem, case.target, case.run(setup))
    except CaseSkippedError as reason:
        note = f"skipped: {reason}"
        return Line(case.group, case.problem, case.target, note=note)


def with_share(line: Line, growth: Line | None) -> Line:
    """Note which share of the ratio on complete rows of weight one is left."""
    if line.outcome is None or growth is None or growth.outcome is None:
        return line
    share = line.outcome.figure / growth.outcome.figure
    note = f"{line.outcome.note}; {share:.2f} of the ratio of fit"
    return replace(line, outcome=replace(line.outcome, note=note))


def main(arguments: list[str]) -> None:
    """Measure the chosen cases and print a line for each."""
    options = parse_arguments(arguments)
    setup = Setup(data_dir(options.data_dir), options.repeat, options.weka == "auto")
    lines: list[Line] = []
    growth: dict[str, Line] = {}
    for case in all_cases(quick=options.quick):
        if not re.search(options.only, case.name):
            continue
        if options.list:
            line = Line(case.group, case.problem, case.target, note="not measured")
        else:
            line = measure(case, setup)
        if case.group == "fit":
            growth[case.problem] = line
        elif case.group in {"missing", "weights"}:
            line = with_share(line, growth.get(case.problem))
        lines.append(line)
        print(as_text(line), file=sys.stderr if options.markdown else sys.stdout)
        sys.stdout.flush()
    if options.markdown:
        command = shlex.join(["python", "-m", "benchmarks.bench_tree", *arguments])
        print(as_markdown(lines, TITLES, command))


if __name__ == "__main__":
    main(sys.argv[1:])
