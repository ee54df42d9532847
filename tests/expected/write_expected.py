"""Write Weka's outputs on two generated data sets into this folder.

Run ``python -m tests.expected.write_expected`` in the root of the repository, where the
folder `shared` with Weka's outputs is at hand (see `tests/oracles.py`). Only trees,
distributions, cut points and fill values are kept: outputs on data that
`load_dataset` generates, none of it anyone's data.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from itertools import product
from pathlib import Path
from typing import Any

from tests.bayes.schemes import BAYES_SCHEMES
from tests.oracles import J48_SCHEMES, MDL_SCHEMES, PARTS, SHARED, read_json

FOLDER = Path(__file__).parent
DATA_SETS = ("monks-2", "balance-scale")
# The schemes in the files of each topic, and what made them.
KEYS = {
    "c45": (*J48_SCHEMES, *MDL_SCHEMES, "fill"),
    "bayes": tuple(BAYES_SCHEMES),
    "linear": ("mlr", "width10", "freq10"),
    "cascade": ("cascade-nbD-j48", "cascade-j48-nbD"),
}
SOURCES = {
    "c45": "J48, Discretize and ReplaceMissingValues of Weka 3.9.7",
    "bayes": "NaiveBayes of Weka 3.9.7 and AODE of Weka 3.6.14",
    "linear": "ClassificationViaRegression and Discretize of Weka 3.9.7",
    "cascade": "J48 and NaiveBayes -D of Weka 3.9.7, one after the other",
}
KEPT = ("leaves", "size", "tree", "text")


def path_of(name: str, topic: str = "c45") -> Path:
    """Return where the expected outputs on a data set lie."""
    return FOLDER / f"{topic}-{name}.json"


def expected_outputs(name: str, topic: str = "c45") -> dict[str, Any]:
    """Return the part of Weka's outputs on a data set that is kept here."""
    content = read_json(SHARED / "oracles" / f"{name}.json.gz")
    schemes = content["schemes"]
    if topic == "cascade":
        combined = read_json(SHARED / "oracles" / f"combo-{name}.json.gz")
        schemes = {
            key: {part: combined[part][key] for part in PARTS} for key in KEYS[topic]
        }
    return {
        "source": SOURCES[topic],
        "tolerance": 1e-6 if topic == "linear" else 1e-9,
        "script": "tests/expected/write_expected.py",
        "format": "dist: the different distributions, and the number of each row's",
        "data": content["data"],
        "classes": content["classes"],
        "attributes": content["attributes"],
        "schemes": {
            key: {part: _compact(schemes[key][part]) for part in PARTS}
            for key in KEYS[topic]
            if key in schemes  # there are no regressions on nominal attributes
        },
    }


def _compact(result: Any) -> Any:
    """Keep each distribution once; lists (of cut points, fill values) stay."""
    if not isinstance(result, Mapping):
        return result
    rows = [tuple(row) for row in result["dist"]]
    distinct = sorted(set(rows))
    numbers = {row: number for number, row in enumerate(distinct)}
    dist = {"distinct": distinct, "rows": [numbers[row] for row in rows]}
    return {**{key: result[key] for key in KEPT if key in result}, "dist": dist}


def expand(outputs: dict[str, Any]) -> dict[str, Any]:
    """Undo the compaction, so that the outputs read like Weka's."""
    for parts in outputs["schemes"].values():
        for result in parts.values():
            if isinstance(result, dict):
                dist = result["dist"]
                result["dist"] = [dist["distinct"][row] for row in dist["rows"]]
    return outputs


def main() -> None:
    """Write one file for each data set and topic."""
    for name, topic in product(DATA_SETS, KEYS):
        text = json.dumps(expected_outputs(name, topic), separators=(",", ":"))
        # A line for each scheme keeps differences readable.
        for key in KEYS[topic]:
            text = text.replace(f'"{key}":{{"all"', f'\n"{key}":{{"all"')
        path_of(name, topic).write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
