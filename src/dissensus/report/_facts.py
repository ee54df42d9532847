"""What a page says about the study itself: enough to run it again."""

from __future__ import annotations

import platform
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import dissensus
from dissensus.report._tables import code_cell, make_table
from dissensus.store import FOLDS, TEST
from dissensus.utils._format import joined

PROTOCOLS = {
    "honest": "honest: whatever is learnt from data is learnt from training folds only",
    "paper": (
        "paper: missing values were filled in and numbers discretised over the whole "
        "file before it was divided into folds, as published studies did"
    ),
}
PACKAGES = ("numpy", "scipy", "scikit-learn", "polars")


def headline_facts(results: Any) -> list[str]:
    """Return the size of the study in a few words each."""
    content = results.spec
    facts = [_data_fact(results), _plural(len(results.learners), "learner")]
    facts.append(_resampling(results))
    facts.append(f"seed {content['seed']}")
    return facts


def _data_fact(results: Any) -> str:
    if len(results.datasets) > 1:
        return _plural(len(results.datasets), "data set")
    (line,) = results.described_data().frame.iter_rows(named=True)
    attributes = line["numeric"] + line["nominal"]
    return (
        f"{line['dataset']}: {_plural(line['rows'], 'row')}, "
        f"{_plural(attributes, 'attribute')}, {_plural(line['classes'], 'class')}"
    )


def _resampling(results: Any) -> str:
    folds, repeats = results.spec["folds"], results.spec["repeats"]
    if results.resampling == TEST:
        return "one fit for each learner, one test set"
    if results.resampling != FOLDS:
        return f"{repeats} training sets of one pool, one test set"
    if repeats == 1:
        return f"{folds}-fold cross-validation"
    return f"{repeats} times {folds}-fold cross-validation"


def _plural(number: int, word: str) -> str:
    ending = "" if number == 1 else "es" if word.endswith("s") else "s"
    return f"{number} {word}{ending}"


def settings(results: Any, command: str) -> list[dict[str, Any]]:
    """Return names and values: how the study was run, and with what."""
    content = results.spec
    done = results.n_cells - results.n_failed
    cells = f"{done} done, {results.n_failed} failed, {results.n_missing} not run"
    pairs = [
        ("Command", command),
        ("Resampling", f"{_resampling(results)}, the same rows for all learners"),
        ("Protocol", PROTOCOLS.get(content["protocol"], content["protocol"])),
        ("Seed", str(content["seed"])),
        ("Learnt from", _shares(content["fractions"], 1.0, "of each training fold")),
        ("Wrong labels", _shares(content["noise"], 0.0, "of the training labels")),
        ("Cells", cells),
        ("Begun", _time(results.started)),
        ("Run with", f"dissensus {results.version}"),
        ("Page made", _time(datetime.now(UTC).isoformat())),
        ("Page made with", _versions()),
    ]
    return [
        {"name": name, "value": value, "code": name == "Command"}
        for name, value in pairs
        if value
    ]


def _shares(values: list[float], usual: float, of: str) -> str:
    """Return the shares of a study, nothing if there is only the usual one."""
    if values == [usual]:
        return ""
    chosen = max(values) if usual else min(values)
    words = f"{joined([f'{100 * value:g} %' for value in values])} {of}"
    if len(values) == 1:
        return words
    return f"{words}; where nothing else is said, the page shows {100 * chosen:g} %"


def _time(text: str) -> str:
    return f"{text[:16].replace('T', ' ')} UTC"


def _versions() -> str:
    found = [
        f"dissensus {dissensus.__version__}",
        f"Python {platform.python_version()}",
    ]
    for package in PACKAGES:
        try:
            found.append(f"{package} {version(package)}")
        except PackageNotFoundError:
            continue
    return ", ".join(found)


def data_table(results: Any) -> dict[str, Any]:
    """Return the data sets with their digests."""
    described = results.spec["datasets"]
    rows = []
    for line in results.described_data().frame.iter_rows(named=True):
        dropped = described[line["dataset"]]["drop"]
        names = ("dataset", "rows", "numeric", "nominal", "classes")
        digest = code_cell(line["fingerprint"])
        rows.append([*(line[n] for n in names), joined(dropped) or "-", digest])
    columns = ["data set", "rows", "numeric", "nominal", "classes", "left out"]
    return make_table([*columns, "SHA-256 of the content"], rows)


def learner_table(results: Any) -> dict[str, Any]:
    """Return the learners as text that builds them again."""
    rows = [
        [name, code_cell(learner["text"]), learner["versions"] or "-"]
        for name, learner in results.spec["learners"].items()
    ]
    return make_table(["learner", "in full", "packages"], rows)
