"""Files of format 2 stay readable: `format-2-c45.skops` is never written again."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dissensus.exceptions import ModelError
from dissensus.persistence import load_model, read_card
from dissensus.tree import C45Classifier, export_text

FILE = Path(__file__).parent / "format-2-c45.skops"

# What `C45Classifier().fit(X, y)` said of the fourteen days on which it was fitted.
TREE = """\
outlook = overcast: yes (4.0)
outlook = rainy
|   windy = no: yes (3.0)
|   windy = yes: no (2.0)
outlook = sunny
|   humidity <= 75: yes (2.0)
|   humidity > 75: no (3.0)

Number of leaves: 5
Size of the tree: 8"""


def test_file_of_format_2_gives_its_model() -> None:
    model = load_model(FILE)
    assert isinstance(model, C45Classifier)
    assert export_text(model) == TREE
    rows = [
        ["overcast", 20.0, 80.0, "no"],
        ["sunny", None, 75.5, "yes"],
        [None, 20.0, None, "yes"],
    ]
    answers = model.predict_proba(np.array(rows, dtype=object)).tolist()
    # To the last bit, as the version answered that wrote the file.
    assert answers == [[0.0, 1.0], [1.0, 0.0], [0.5714285714285714, 0.4285714285714286]]


def test_card_of_format_2_can_be_read() -> None:
    card = read_card(FILE)
    assert (card.format, card.kind, card.learner) == (2, "C45Classifier", "c45")
    assert (card.target, card.classes) == ("play", ("no", "yes"))
    assert card.schema is not None
    assert card.schema.names == ("outlook", "temperature", "humidity", "windy")
    assert card.schema[0].categories == ("overcast", "rainy", "sunny")
    assert not card.schema[2].is_nominal


@pytest.mark.parametrize("opened", [load_model, read_card])
def test_file_of_format_1_is_refused_in_one_sentence(opened: Any) -> None:
    old = Path(__file__).parent / "format-1-c45.skops"
    words = "has format 1, .* this version reads format 2. Fit the model again."
    with pytest.raises(ModelError, match=words):
        opened(old)


def test_file_names_no_private_module_of_ours() -> None:
    with zipfile.ZipFile(FILE) as archive:
        state = archive.read("schema.json").decode()
    assert "dissensus.tree" in state
    assert "dissensus.tree._" not in state
    assert "dissensus.table._" not in state
