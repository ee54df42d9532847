"""The picture of a tree: where its boxes stand and what is written in them."""

from __future__ import annotations

from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.exceptions import NotFittedError
from sklearn.tree import DecisionTreeClassifier

from dissensus import C45Classifier, CascadeClassifier, load_dataset
from dissensus.exceptions import ReportError
from dissensus.report import export_html
from dissensus.report._tree_layout import MAX_LINES, first_folded, place
from dissensus.report._tree_picture import draw_tree
from dissensus.tree._class_weights import from_matrix


@pytest.fixture(scope="module")
def monks() -> Any:
    data = load_dataset("monks-3")
    return C45Classifier().fit(data.X, data.y)


def test_parent_stands_in_the_middle_of_its_first_and_last_son() -> None:
    children = [[1, 2, 5], [], [3, 4], [], [], []]
    assert place(children, set()) == [1.5, 0.0, 1.5, 1.0, 2.0, 3.0]


def test_folded_branch_takes_one_line() -> None:
    children = [[1, 2, 5], [], [3, 4], [], [], []]
    assert place(children, {2}) == [1.0, 0.0, 1.0, None, None, 2.0]
    assert place(children, {0}) == [0.0, None, None, None, None, None]


def test_heaviest_branches_are_unfolded_first() -> None:
    # A root with two children, which have as many leaves as there are lines.
    half = list(range(3, 3 + MAX_LINES))
    other = list(range(3 + MAX_LINES, 3 + 2 * MAX_LINES))
    children = [[1, 2], half[: MAX_LINES - 1], other, *[[] for _ in (*half, *other)]]
    weights = [10.0, 6.0, 4.0] + [0.0] * (2 * MAX_LINES)
    assert first_folded(children, weights) == {2}


def test_small_tree_is_not_folded(monks: Any) -> None:
    assert not any(node["folded"] for node in draw_tree(monks)["nodes"])


def test_boxes_do_not_overlap() -> None:
    data = load_dataset("tic-tac-toe")
    tree = draw_tree(C45Classifier().fit(data.X, data.y))
    shown = [node for node in tree["nodes"] if node["visible"]]
    assert any(node["folded"] for node in shown)
    for one in shown:
        assert one["x"] >= 0
        assert one["x"] + one["width"] <= tree["width"]
        assert one["y"] + tree["box_height"] <= tree["height"]
        for other in shown:
            if one is not other and one["level"] == other["level"]:
                assert abs(one["y"] - other["y"]) >= tree["line"]


def test_every_node_is_described_in_words(monks: Any) -> None:
    nodes = draw_tree(monks)["nodes"]
    assert len(nodes) == monks.tree_.n_nodes
    root, first = nodes[0]["description"], nodes[1]["description"]
    assert root == "All rows: asks for a2; mostly 1 (53%); 432 rows: 0 204, 1 228"
    assert first.startswith("a2 = 1: asks for a5; mostly 1 (")


def test_thresholds_are_rounded_on_request() -> None:
    X = np.array([[1 / 3], [2 / 3], [1 / 3], [2 / 3]])
    model = C45Classifier().fit(X, [0, 1, 0, 1])
    assert "0.33" in draw_tree(model, decimals=2)["nodes"][1]["condition"]
    assert "x0 <= 0.33;" not in draw_tree(model)["nodes"][1]["description"]


def test_what_has_room_is_not_cut() -> None:
    data = load_dataset("monks-2")
    cascade = CascadeClassifier().fit(data.X, data.y)
    nodes = draw_tree(cascade.estimators_[-1], decimals=3)["nodes"]
    assert not [node["condition"] for node in nodes if "…" in node["condition"]]
    assert not [node["text"] for node in nodes if "…" in node["text"]]


def test_depth_can_be_limited(monks: Any) -> None:
    tree = draw_tree(monks, max_depth=1)
    assert len(tree["nodes"]) == 4
    assert tree["n_hidden"] == monks.tree_.n_nodes - 4
    assert "more nodes are not drawn" in tree["nodes"][1]["description"]


def test_tree_of_one_leaf_is_drawn(tmp_path: Path) -> None:
    model = C45Classifier().fit([[1.0], [2.0]], ["yes", "yes"])
    (node,) = draw_tree(model)["nodes"]
    assert node["description"] == "All rows: answers yes (100%); 2 rows: yes 2"
    export_html(model, tmp_path / "tree.html")


def test_leaf_that_no_row_reached_says_so() -> None:
    X = np.array([["a"], ["a"], ["b"], ["b"]], dtype=object)
    model = C45Classifier().fit(X, [0, 0, 1, 1])
    value, empty = model.tree_.value, model.tree_.empty.copy()
    value[1], empty[1] = 0.0, True
    model.tree_ = replace(model.tree_, class_weights=from_matrix(value), empty=empty)
    assert "no training row came here" in draw_tree(model)["nodes"][1]["description"]


class Collector(HTMLParser):
    """Collect the tags of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.tags.append(tag)


def test_names_are_never_read_as_html(tmp_path: Path) -> None:
    evil = "<img src=x onerror=alert(1)>"
    X = np.array([[f"{evil}a"], [f"{evil}b"]] * 3, dtype=object)
    frame = pd.DataFrame({f"</script>{evil}": X[:, 0]})
    model = C45Classifier().fit(frame, [f'"{evil}', f"'{evil}"] * 3)
    export_html(model, tmp_path / "tree.html", title=evil)
    page = Collector()
    page.feed((tmp_path / "tree.html").read_text())
    assert "img" not in page.tags
    assert page.tags.count("script") == 1


def test_only_fitted_trees_are_drawn(tmp_path: Path) -> None:
    with pytest.raises(NotFittedError):
        export_html(C45Classifier(), tmp_path / "tree.html")
    with pytest.raises(TypeError, match="no tree of dissensus"):
        export_html(DecisionTreeClassifier().fit([[0]], [0]), tmp_path / "tree.html")
    with pytest.raises(ValueError, match="max_depth must be"):
        export_html(C45Classifier(), tmp_path / "tree.html", max_depth=-1)


def test_file_that_cannot_be_written_is_an_error(monks: Any, tmp_path: Path) -> None:
    with pytest.raises(ReportError, match="cannot be written"):
        export_html(monks, tmp_path / "absent" / "tree.html")
