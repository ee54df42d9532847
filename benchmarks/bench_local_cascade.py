"""Cost of local cascades relative to C4.5 and to their global twins.

    python -m benchmarks.bench_local_cascade [--only PATTERN] [--markdown] [--repeat N]

The figure is how many times longer the local cascade takes. Both sides are measured in
turn in one process, as processor time; each run encodes the frame afresh. The twin of a
local cascade is the paper's: one C4.5 tree after the same learners, fitted once on all
rows. Files of data are looked for in `--data-dir`, else in the folder that
DISSENSUS_DATA names.
"""

import argparse
import re
import shlex
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks._problems import data_dir
from benchmarks._report import Line, Outcome, as_markdown, as_text
from benchmarks._timing import compare, sampler
from dissensus import (
    C45Classifier,
    DiscriminantClassifier,
    LocalCascadeClassifier,
    NaiveBayesClassifier,
    read_table,
)
from dissensus.ensemble import after

DATA = ("vehicle", "heart-c", "segment", "waveform", "letter", "adult")
TITLES = {
    "c45": "Fitting a local cascade, against one C4.5 tree",
    "twin": "Fitting a local cascade, against its global twin",
    "predict": "Answers of a local cascade, against its global twin",
}


def twins() -> dict[str, Any]:
    """Return the global cascade that corresponds to each constructor."""
    bayes = NaiveBayesClassifier(numeric="equal-width", missing="value")
    plane, tree = DiscriminantClassifier(), C45Classifier()
    return {
        "bayes": after(tree, bayes),
        "discriminant": after(tree, plane),
        "bayes+discriminant": after(tree, plane, bayes),
    }


def ratio(
    group: str,
    name: str,
    ours: Callable[[], Any],
    other: Callable[[], Any],
    repeat: int,
) -> Line:
    """Measure how many times longer our side takes."""
    result = compare(sampler(other), sampler(ours), repeat=repeat)
    outcome = Outcome(
        ours=1000 * result.second,
        other=1000 * result.first,
        unit="ms",
        figure=result.ratio,
        low=result.low,
        high=result.high,
    )
    return Line(group, name, None, outcome)


def measure(path: Path, pattern: str, repeat: int) -> Iterator[Line]:
    """Measure all constructors on one data set."""
    data = read_table(path)
    y = np.asarray(data.y)
    for constructor, twin in twins().items():
        local = LocalCascadeClassifier(constructor)
        name = f"{path.stem} {constructor}"
        fits = {"c45": C45Classifier(), "twin": twin}
        for group, other in fits.items():
            if re.search(pattern, f"{group}/{name}"):
                ours, theirs = (partial(m.fit, data.X, y) for m in (local, other))
                yield ratio(group, name, ours, theirs, repeat)
        if re.search(pattern, f"predict/{name}"):
            local.fit(data.X, y)
            twin.fit(data.X, y)
            ours, theirs = (partial(m.predict_proba, data.X) for m in (local, twin))
            yield ratio("predict", name, ours, theirs, repeat)


def main(arguments: list[str]) -> None:
    """Measure the chosen cases and print a line for each."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.bench_local_cascade",
        description="Time local cascades.",
    )
    parser.add_argument("--only", default="", metavar="PATTERN")
    parser.add_argument("--markdown", action="store_true")
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--data-dir", type=Path)
    options = parser.parse_args(arguments)
    lines: list[Line] = []
    for name in DATA:
        path = data_dir(options.data_dir) / f"{name}.arff"
        if not path.is_file():
            print(f"{name}: skipped, there is no {path}", file=sys.stderr)
            continue
        for line in measure(path, options.only, options.repeat):
            lines.append(line)
            print(as_text(line), file=sys.stderr if options.markdown else sys.stdout)
            sys.stdout.flush()
    if options.markdown:
        command = shlex.join(
            ["python", "-m", "benchmarks.bench_local_cascade", *arguments]
        )
        print(as_markdown(lines, TITLES, command))


if __name__ == "__main__":
    main(sys.argv[1:])
