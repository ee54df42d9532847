"""Benchmark of cascades, discriminants and discretisers.

Run it from the root of the repository, on a machine that does nothing else::

    python -m benchmarks.bench_cascade
    python -m benchmarks.bench_cascade --quick --only cascade
    python -m benchmarks.bench_cascade --markdown

The options, and how times and ratios are measured, are those of
`benchmarks.bench_tree`.
"""

import re
import shlex
import sys

from benchmarks._cascade_cases import TITLES, all_cases
from benchmarks._problems import data_dir
from benchmarks._report import Line, as_markdown, as_text
from benchmarks._tree_cases import Setup
from benchmarks.bench_tree import measure, parse_arguments


def main(arguments: list[str]) -> None:
    """Measure the chosen cases and print a line for each."""
    options = parse_arguments(arguments)
    setup = Setup(data_dir(options.data_dir), options.repeat, options.weka == "auto")
    lines: list[Line] = []
    for case in all_cases(quick=options.quick):
        if not re.search(options.only, case.name):
            continue
        if options.list:
            line = Line(case.group, case.problem, case.target, note="not measured")
        else:
            line = measure(case, setup)
        lines.append(line)
        print(as_text(line), file=sys.stderr if options.markdown else sys.stdout)
        sys.stdout.flush()
    if options.markdown:
        command = shlex.join(["python", "-m", "benchmarks.bench_cascade", *arguments])
        print(as_markdown(lines, TITLES, command))


if __name__ == "__main__":
    main(sys.argv[1:])
