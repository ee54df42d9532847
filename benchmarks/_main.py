"""The command line of a benchmark: measure its cases and print what came out."""

import re
import shlex
import sys
from collections.abc import Callable

from benchmarks._problems import data_dir
from benchmarks._report import Line, as_markdown, as_text
from benchmarks._tree_cases import Case, Setup
from benchmarks.bench_tree import measure, parse_arguments


def run(
    module: str,
    all_cases: Callable[..., list[Case]],
    titles: dict[str, str],
    arguments: list[str],
) -> None:
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
        command = shlex.join(["python", "-m", module, *arguments])
        print(as_markdown(lines, titles, command))
