"""A fitted tree as a picture that folds."""

from __future__ import annotations

import os
from typing import Any

from dissensus.report._html import render, write_page
from dissensus.report._tree_layout import Box, lay_out
from dissensus.tree import NamedTree, check_count, export_text, plain, read_tree


def export_html(
    estimator: Any,
    path: str | os.PathLike[str],
    *,
    title: str = "Decision tree",
    decimals: int | None = None,
    max_depth: int | None = None,
) -> None:
    """Write a fitted tree as a page with an interactive picture.

    Branches fold and unfold by mouse, touch or keyboard. The page is one file, opens
    without a network, and has the tree as text too.

    Parameters
    ----------
    estimator : object
        A fitted `C45Classifier`, or another estimator with `tree_`, `schema_` and
        `classes_`.
    path : str or path
        The file to write.
    title : str, default="Decision tree"
        The heading of the page.
    decimals : int, default=None
        Digits after the point of the thresholds. None prints them in full.
    max_depth : int, default=None
        Depth at which the picture stops; None draws everything.

    Raises
    ------
    NotFittedError
        If the estimator is not fitted.
    TypeError
        If the estimator has no tree of this package.
    ReportError
        If the page cannot be written, or Jinja2 is not installed.

    See Also
    --------
    dissensus.tree.export_text : The tree as text.
    dissensus.tree.export_graphviz : The tree as a drawing for other programs.

    Notes
    -----
    Large trees are folded at first. Needs Jinja2 (the extra `report`).

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from dissensus import C45Classifier, load_dataset
    >>> from dissensus.report import export_html
    >>> monks = load_dataset("monks-3")
    >>> model = C45Classifier().fit(monks.X, monks.y)
    >>> path = pathlib.Path(tempfile.mkdtemp(), "tree.html")
    >>> export_html(model, path, title="monks-3")
    >>> "a5" in path.read_text()
    True
    """
    check_count("decimals", decimals)
    check_count("max_depth", max_depth)
    tree = draw_tree(estimator, decimals=decimals, max_depth=max_depth)
    text = export_text(estimator, decimals=decimals, max_depth=max_depth)
    write_page(path, render("tree_page.html", title=title, tree=tree, text=text))


def draw_tree(
    estimator: Any, *, decimals: int | None = None, max_depth: int | None = None
) -> dict[str, Any]:
    """Return the picture of a fitted tree as a plain dict for `templates/tree.html`."""
    return draw_named(read_tree(estimator), decimals, max_depth)


def draw_named(
    named: NamedTree, decimals: int | None, max_depth: int | None
) -> dict[str, Any]:
    """Return the picture of a tree with its names, as `draw_tree` does."""
    boxes = read_boxes(named, decimals, max_depth)
    return {
        "n_nodes": named.tree.n_nodes,
        "n_leaves": named.tree.n_leaves,
        "n_hidden": named.tree.n_nodes - len(boxes),
        **lay_out(boxes, [plain(label) for label in named.classes]),
    }


def read_boxes(
    named: NamedTree, decimals: int | None, max_depth: int | None
) -> list[Box]:
    """Return the nodes in the order in which they are read, parents first."""
    positions: dict[int, int] = {}
    boxes: list[Box] = []
    for node, depth, closed in named.walk(max_depth):
        parent = int(named.tree.parent[node])
        answers = named.tree.node_weights(named.answering(node))
        majority = named.majority(node)
        total = float(answers.sum())
        question = ""
        if not named.is_leaf(node):
            question = plain(named.schema[int(named.tree.attribute[node])].name)
        positions[node] = len(boxes)
        boxes.append(
            Box(
                parent=positions.get(parent, -1),
                depth=depth,
                condition=named.condition(node).text(decimals) if depth else "",
                question=question,
                answer=plain(named.classes[majority]),
                weights=tuple(named.weights(node)),
                share=float(answers[majority]) / total if total > 0 else 0.0,
                hidden=_count_below(named, node) if closed else 0,
            )
        )
    return boxes


def _count_below(named: NamedTree, node: int) -> int:
    count, stack = 0, [node]
    while stack:
        below = named.tree.children(stack.pop())
        count += len(below)
        stack += below
    return count
