"""Tests of `export_graphviz`."""

from __future__ import annotations

import json
import shutil
import subprocess
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from sklearn.exceptions import NotFittedError
from sklearn.naive_bayes import GaussianNB

from dissensus.tree._export_graphviz import export_graphviz
from tests.oracles import needs_oracles
from tests.tree.fitted import FittedTree, deep, fitted, read_outputs, weather

needs_dot = pytest.mark.skipif(
    shutil.which("dot") is None, reason="Graphviz is not installed"
)
SVG = "{http://www.w3.org/2000/svg}"
ODD_NAMES = [
    'a "quoted" name',
    r"C:\new\table\N\G",
    "ends in a backslash\\",
    "<b>bold</b>",
    "Tom & Jerry &amp; &lt; &#65;",
    "Größe 尺寸 🌳",
    "{a|b} -> c; // d",
    "= x",
]


def draw(dot: str, form: str) -> str:
    """Run Graphviz, which must not complain."""
    done = subprocess.run(
        ["dot", f"-T{form}"], input=dot.encode(), capture_output=True, check=True
    )
    assert done.stderr == b""
    return done.stdout.decode()


def drawn_texts(dot: str) -> list[str]:
    """Return the texts of the picture, as a reader sees them."""
    picture = ET.fromstring(draw(dot, "svg"))
    texts = ("".join(each.itertext()) for each in picture.iter(f"{SVG}text"))
    return [text.replace("\xa0", " ") for text in texts]


def test_the_drawing_has_a_line_for_each_node_and_branch() -> None:
    assert export_graphviz(weather(), max_depth=2, filled=False).splitlines() == [
        "digraph Tree {",
        '    graph [rankdir="TB"];',
        '    node [fontname="Helvetica"];',
        '    edge [fontname="Helvetica"];',
        '    N0 [label="outlook", shape=ellipse];',
        '    N1 [label="humidity", shape=ellipse];',
        '    N0 -> N1 [label="= sunny"];',
        '    N4 [label="yes (2.0)", shape=box];',
        '    N1 -> N4 [label="<= 75"];',
        '    N5 [label="no (5.25/1.25)", shape=box, style="dashed"];',
        '    N1 -> N5 [label="> 75"];',
        '    N2 [label="yes (0.0)", shape=box];',
        '    N0 -> N2 [label="= overcast"];',
        '    N3 [label="wind", shape=ellipse];',
        '    N0 -> N3 [label="= rainy"];',
        '    N6 [label="no (2.0)", shape=box];',
        '    N3 -> N6 [label="= strong"];',
        '    N7 [label="yes (7.33/1.33)", shape=box, style="dashed"];',
        '    N3 -> N7 [label="!= strong"];',
        "}",
    ]


def test_nodes_are_coloured_by_majority_and_purity() -> None:
    colours = {}
    for line in export_graphviz(weather()).splitlines():
        if "fillcolor" in line:
            colours[line.split()[0]] = line.split("fillcolor=")[1].strip('"];')
    assert colours["N4"] == colours["N10"]  # both pure, both "yes"
    assert colours["N4"] != colours["N6"]  # "yes" and "no"
    assert colours["N11"] != colours["N10"]  # "yes", but not pure
    assert colours["N2"] == colours["N0"]  # an empty leaf answers as its parent


def test_a_hundred_classes_have_a_hundred_colours() -> None:
    leaves = [
        {"c": [float(code == each) for each in range(100)]} for code in range(100)
    ]
    values = [f"v{code}" for code in range(100)]
    model = fitted({"a": 0, "k": "in", "s": leaves}, [["x", values]], list(range(100)))
    colours = {
        line.split("fillcolor=")[1]
        for line in export_graphviz(model).splitlines()
        if "shape=box" in line
    }
    assert len(colours) == 100


def test_a_single_leaf_of_a_single_class_is_drawn() -> None:
    dot = export_graphviz(fitted({"c": [3.0]}, [["x", "numeric"]], ["only"]))
    assert 'N0 [label="only (3.0)", shape=box' in dot


def test_a_tree_can_grow_to_the_right() -> None:
    down, right = export_graphviz(weather()), export_graphviz(weather(), rotate=True)
    assert 'rankdir="LR"' in right
    assert right == down.replace('rankdir="TB"', 'rankdir="LR"')


def test_decimals_shorten_the_thresholds() -> None:
    root = {"a": 0, "k": "le", "t": 2 / 3, "s": [{"c": [1, 0]}, {"c": [0, 1]}]}
    dot = export_graphviz(fitted(root, [["x", "numeric"]], [0, 1]), decimals=2)
    assert 'label="<= 0.67"' in dot
    assert 'label="> 0.67"' in dot


@needs_dot
@pytest.mark.parametrize("name", ODD_NAMES)
def test_odd_names_are_drawn_as_they_are(name: str) -> None:
    root = {"a": 0, "k": "eq", "t": 0, "s": [{"c": [1, 0]}, {"c": [0, 1]}]}
    dot = export_graphviz(fitted(root, [[name, [name, "other"]]], [name, "b"]))
    texts = drawn_texts(dot)
    assert sorted(texts) == sorted(
        [name, f"= {name}", f"!= {name}", f"{name} (1.0)", "b (1.0)"]
    )


@needs_dot
def test_a_line_end_in_a_name_is_drawn_as_its_escape() -> None:
    root = {"a": 0, "k": "le", "t": 0, "s": [{"c": [1, 0]}, {"c": [0, 1]}]}
    dot = export_graphviz(fitted(root, [["a\nb\x00", "numeric"]], [0, 1]))
    assert r"a\nb\x00" in drawn_texts(dot)


@needs_dot
@needs_oracles
@pytest.mark.parametrize("name", ["anneal", "soybean", "autos", "monks-2"])
def test_graphviz_finds_every_node_and_branch_of_an_oracle(
    name: str,
) -> None:
    oracle = read_outputs(name)
    weka = oracle["schemes"]["j48"]["all"]
    model = fitted(weka["tree"], oracle["attributes"], oracle["classes"]["all"])
    graph = json.loads(draw(export_graphviz(model), "dot_json"))
    assert len(graph["objects"]) == weka["size"]
    assert len(graph.get("edges", [])) == weka["size"] - 1


def test_a_tree_of_thousands_of_levels_needs_no_recursion() -> None:
    dot = export_graphviz(deep(5000))
    assert dot.count(" -> ") == 10_000


def test_an_unfitted_estimator_is_refused() -> None:
    with pytest.raises(NotFittedError, match="not fitted"):
        export_graphviz(FittedTree())


def test_an_estimator_without_a_tree_is_refused_with_the_cure() -> None:
    model = GaussianNB().fit([[0.0], [1.0]], [0, 1])
    with pytest.raises(TypeError, match=r"GaussianNB has no tree.*estimators_"):
        export_graphviz(model)


@pytest.mark.parametrize("name", ["decimals", "max_depth"])
def test_a_bad_number_is_refused(name: str) -> None:
    bad: dict[str, Any] = {name: -1}
    with pytest.raises(ValueError, match=f"{name} must be None or an integer"):
        export_graphviz(weather(), **bad)
