"""Which reading of what the cascade paper leaves open gives the published means.

Run it from the root of the repository, with the folder of the paper's 26 data sets::

    python -m benchmarks.study_cascade_readings discriminant --data-dir ~/uci
    python -m benchmarks.study_cascade_readings local --repeats 3 --without letter adult

The groups are discriminant, bayes, tree and local. Every line is a learner: the mean
error in per cent over the data sets, the geometric mean over those on which no learner
of the group is without error, and the published means. `--cells` prints the errors on
single data sets too. Results are kept in `readings.sqlite`, to go on from there.
"""

import argparse
from dataclasses import replace
from pathlib import Path
from typing import Any

from benchmarks._readings import NATURAL, InputsOnly, NaturalBayes, SmoothlyPruned
from dissensus.experiment import run_experiment
from dissensus.papers import find_paper
from dissensus.papers.cascade._errors import Errors, read_errors

BAYES = "nb(numeric=equal-width, missing=value)"
PRUNING: dict[str, Any] = {"prune": False, "smoothing": "path"}
LOCAL = {
    "CGBtree": "constructor=bayes",
    "CGLtree": "constructor=discriminant",
    "CGBLtree": "constructor=bayes+discriminant",
}
OPTIONS = {
    "as it is": "",
    "confidence 0.25": "confidence=0.25",
    "confidence 0.05": "confidence=0.05",
    "confidence 0.01": "confidence=0.01",
    "original attributes counted": "counted_attributes=original",
    "N = 1": "min_class_ratio=1",
    "N = 5": "min_class_ratio=5",
    "N = 0": "min_class_ratio=0",
    "at the root only": "max_constructor_depth=1",
    "depth 2": "max_constructor_depth=2",
    "depth 3": "max_constructor_depth=3",
}


def discriminant_readings() -> dict[str, Any]:
    """Return cascades with a discriminant, for each treatment of nominal values."""
    learners: dict[str, Any] = {}
    for encode in ("none", "onehot", "ordinal"):
        plane = f"lda(encode='{encode}')"  # a bare none is no text
        cascades = {
            "Discrim": plane,
            "Dis/Dis": f"cascade({plane}, {plane})",
            "Dis/Bay": f"cascade({BAYES}, {plane})",
            "Dis/C4": f"cascade(c45, {plane})",
            "Bay/Dis": f"cascade({plane}, {BAYES})",
            "C4/Dis": f"cascade({plane}, c45)",
            "C4/Dis/Bay": f"cascade({BAYES}, {plane}, c45)",
            "C4/Bay/Dis": f"cascade({plane}, {BAYES}, c45)",
            "CGLtree": f"local(constructor=[{plane}])",
        }
        learners |= {f"{name}: {encode}": text for name, text in cascades.items()}
    return learners


def bayes_readings() -> dict[str, Any]:
    """Return naive Bayes with other estimates and intervals."""
    texts = {
        "alpha 1": BAYES,
        "alpha 0.1": "nb(numeric=equal-width, missing=value, alpha=0.1)",
        "alpha 0": "nb(numeric=equal-width, missing=value, alpha=0)",
        "missing values skipped": "nb(numeric=equal-width)",
        "MDL": "nb(missing=value)",
        "normal densities": "nb(numeric=gaussian)",
    }
    learners: dict[str, Any] = {f"Bayes: {name}": text for name, text in texts.items()}
    learners["Bayes: natural logarithm"] = NaturalBayes(
        numeric=NATURAL, missing="value"
    )
    return learners


def tree_readings() -> dict[str, Any]:
    """Return Dtree with and without what is open in it."""
    return {
        "C4.5: as it is": "c45",
        "Dtree: as it is": "dtree",
        "Dtree: no raising": "dtree(subtree_raising=false)",
        "Dtree: smoothed pruning": SmoothlyPruned(**PRUNING),
        "Dtree: the same, 0.1": SmoothlyPruned(0.1, **PRUNING),
    }


def local_readings() -> dict[str, Any]:
    """Return the local cascades with other rules, beside their global twins."""
    plane = "lda(encode=ordinal)"
    learners: dict[str, Any] = {
        "C4/Bay: twin": f"cascade({BAYES}, c45)",
        "C4/Dis: twin": f"cascade({plane}, c45)",
        "C4/Bay/Dis: twin": f"cascade({plane}, {BAYES}, c45)",
    }
    for name, constructor in LOCAL.items():
        for option, text in OPTIONS.items():
            words = ", ".join(filter(None, (constructor, text)))
            learners[f"{name}: {option}"] = f"local({words})"
    learners["CGBtree: models read inputs only"] = InputsOnly("bayes")
    both = LOCAL["CGBLtree"]
    learners["CGBLtree: Bayes on all"] = f"local({both}, bayes_on=all)"
    return learners


GROUPS = {
    "discriminant": discriminant_readings,
    "bayes": bayes_readings,
    "tree": tree_readings,
    "local": local_readings,
}


def show(found: Errors, *, cells: bool) -> None:
    """Print a line for each learner."""
    published = find_paper("cascade").published()
    kept = found.never_perfect()
    print(f"{len(found.datasets)} data sets; {kept.sum()} in the geometric mean")
    print(
        f"{'':40}{'arithmetic':>11}{'published':>11}{'geometric':>11}{'published':>11}"
    )
    for name in found.learners:
        line = f"{name:40}"
        for what, value in (
            ("arithmetic", found.arithmetic(name)),
            ("geometric", found.geometric(name, kept=kept)),
        ):
            number = published.get(f"{what} {name.partition(':')[0]}")
            line += f"{value:11.2f}{number.value if number else '':>11}"
        print(line)
    for row, dataset in enumerate(found.datasets if cells else ()):
        errors = (f"{error:7.2f}" for error in found.means[row])
        print(f"{dataset:14}" + "".join(errors))


def main() -> None:
    """Run the readings of a group and print their means."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("group", choices=GROUPS)
    parser.add_argument("--data-dir", type=Path)
    parser.add_argument("--repeats", type=int, default=1)
    parser.add_argument("--without", nargs="*", default=())
    parser.add_argument("--cells", action="store_true")
    options = parser.parse_args()
    paper = find_paper("cascade")
    studies = []
    for name in ("tables", "large"):
        spec = paper.specification(name)
        chosen = [d for d in spec.datasets if d not in options.without]
        if chosen:
            cut = replace(
                spec,
                datasets=chosen,
                learners=GROUPS[options.group](),
                repeats=min(options.repeats, spec.repeats),
                data_dir=options.data_dir,
            )
            studies.append(run_experiment(cut, "readings.sqlite"))
    show(read_errors(studies), cells=options.cells)


if __name__ == "__main__":
    main()
