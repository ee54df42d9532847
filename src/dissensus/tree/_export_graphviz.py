"""A fitted tree in the DOT language of Graphviz."""

from __future__ import annotations

import colorsys
from typing import Any

from dissensus.tree._conditions import NamedTree, check_count, plain, read_tree

# Okabe and Ito's colours, which colour-blind readers can tell apart.
_COLOURS = ("#E69F00", "#56B4E9", "#009E73", "#F0E442", "#0072B2", "#D55E00", "#CC79A7")
# Strongest share of colour in a node, so that black letters stay readable.
_STRENGTH = 0.7


def export_graphviz(
    estimator: Any,
    *,
    decimals: int | None = None,
    max_depth: int | None = None,
    filled: bool = True,
    rotate: bool = False,
) -> str:
    """Return a fitted tree as a drawing in the DOT language of Graphviz.

    Parameters
    ----------
    estimator : object
        A fitted `C45Classifier`, or another estimator with `tree_`, `schema_` and
        `classes_`.
    decimals : int, default=None
        Digits after the point of the thresholds. None prints them in full.
    max_depth : int, default=None
        Depth at which the drawing stops. A node cut off there is drawn like a leaf with
        a dashed border, with its own class and counts. None draws everything.
    filled : bool, default=True
        Whether nodes are coloured by their majority class, the more so the purer they
        are.
    rotate : bool, default=False
        Whether the tree grows from left to right instead of downwards.

    Returns
    -------
    str
        The drawing. Save it as ``tree.dot`` and run ``dot -Tsvg tree.dot -o tree.svg``,
        or pass it to ``graphviz.Source``.

    Raises
    ------
    NotFittedError
        If the estimator is not fitted.
    TypeError
        If the estimator has no tree of this package.
    ValueError
        If `decimals` or `max_depth` is negative or no integer.

    See Also
    --------
    export_text : The tree as indented text.
    export_rules : The leaves as rules, as objects.

    Notes
    -----
    Node ``Ni`` of the drawing is node `i` of `tree_`, the number that `apply` returns.
    A leaf shows its class and counts as in `export_text`, an inner node its attribute.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from dissensus.tree import C45Classifier, export_graphviz
    >>> iris = load_iris(as_frame=True)
    >>> model = C45Classifier().fit(iris.data, iris.target_names[iris.target])
    >>> print(export_graphviz(model, max_depth=1, filled=False))
    digraph Tree {
        graph [rankdir="TB"];
        node [fontname="Helvetica"];
        edge [fontname="Helvetica"];
        N0 [label="petal width (cm)", shape=ellipse];
        N1 [label="setosa (50.0)", shape=box];
        N0 -> N1 [label="<= 0.6"];
        N2 [label="versicolor (100.0/50.0)", shape=box, style="dashed"];
        N0 -> N2 [label="> 0.6"];
    }
    """
    check_count("decimals", decimals)
    check_count("max_depth", max_depth)
    named = read_tree(estimator)
    palette = _palette(len(named.classes)) if filled else []
    lines = [
        "digraph Tree {",
        f'    graph [rankdir="{"LR" if rotate else "TB"}"];',
        '    node [fontname="Helvetica"];',
        '    edge [fontname="Helvetica"];',
    ]
    for node, depth, closed in named.walk(max_depth):
        lines.append(f"    N{node} [{_node(named, node, closed, palette)}];")
        if depth > 0:
            label = _quote(named.condition(node).comparison(decimals))
            lines.append(f"    N{named.tree.parent[node]} -> N{node} [label={label}];")
    lines.append("}")
    return "\n".join(lines)


def _node(named: NamedTree, node: int, closed: bool, palette: list[str]) -> str:
    """Return the DOT attributes of one node."""
    style = ["filled"] if palette else []
    if closed:
        attributes = [f"label={_quote(named.answer(node))}", "shape=box"]
        if not named.is_leaf(node):
            style.append("dashed")
    else:
        attribute = named.schema[int(named.tree.attribute[node])]
        attributes = [f"label={_quote(plain(attribute.name))}", "shape=ellipse"]
    if style:
        attributes.append(f'style="{",".join(style)}"')
    if palette:
        attributes.append(f'fillcolor="{_fill(named, node, palette)}"')
    return ", ".join(attributes)


def _fill(named: NamedTree, node: int, palette: list[str]) -> str:
    """Return the colour of a node's majority class, paler the less pure the node."""
    majority = named.majority(node)
    weights = named.tree.node_weights(named.answering(node))
    total, n_classes = float(weights.sum()), len(palette)
    if total <= 0.0:
        return "#FFFFFF"
    purity = 1.0
    if n_classes > 1:
        chance = 1.0 / n_classes
        purity = (float(weights[majority]) / total - chance) / (1.0 - chance)
    share = _STRENGTH * min(max(purity, 0.0), 1.0)
    colour = palette[majority]
    parts = (int(colour[start : start + 2], 16) for start in (1, 3, 5))
    mixed = (round(255 + share * (part - 255)) for part in parts)
    return "#" + "".join(f"{part:02X}" for part in mixed)


def _palette(n_classes: int) -> list[str]:
    """Return a colour per class: the named ones, or as many hues as needed."""
    if n_classes <= len(_COLOURS):
        return list(_COLOURS[:n_classes])
    hues = (code / n_classes for code in range(n_classes))
    parts = (colorsys.hsv_to_rgb(hue, 0.9, 0.9) for hue in hues)
    return ["#" + "".join(f"{round(255 * part):02X}" for part in rgb) for rgb in parts]


def _quote(text: str) -> str:
    """Return a DOT string that is drawn, as a label, as exactly this text."""
    # `&` too: Graphviz reads HTML entities even in a string that is not HTML-like.
    escaped = text.replace("&", "&amp;").replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
