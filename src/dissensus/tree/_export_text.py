"""A fitted tree as indented text."""

from __future__ import annotations

from typing import Any

from dissensus.tree._conditions import check_count, read_tree


def export_text(
    estimator: Any, *, decimals: int | None = None, max_depth: int | None = None
) -> str:
    """Print a fitted tree as indented text, in the form of Weka's J48.

    Each branch is a line; a line that ends in a leaf also gives the leaf's class, the
    weight of the training rows that reached it and, behind a slash, the weight of
    those of another class. The models that a local cascade holds at a node are lines in
    brackets before its branches.

    Parameters
    ----------
    estimator : object
        A fitted `C45Classifier` or `LocalCascadeClassifier`, or another estimator with
        `tree_`, `schema_` and `classes_`.
    decimals : int, default=None
        Digits after the point of the thresholds. None prints them in full, so that a
        tree rebuilt from the text is the same tree.
    max_depth : int, default=None
        Depth at which the text stops. A node cut off there is printed like a leaf, with
        its own class and counts, followed by dots. None prints everything.

    Returns
    -------
    str
        The lines of the tree, an empty line, and two lines with the number of leaves
        and of nodes of the whole tree.

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
    export_rules : The leaves as rules, as objects.
    export_graphviz : The tree as a drawing.

    Notes
    -----
    Weights are rounded to two digits, as Weka does; they are fractions where training
    rows had missing values. A leaf that no training row reached has weight 0.0 and
    shows the class of its parent. Line ends and other control characters in names are
    printed as escapes. The text of a tree of depth `d` has up to ``O(d * n_nodes)``
    characters, because of the indentation: give `max_depth` for very deep trees.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from dissensus.tree import C45Classifier, export_text
    >>> iris = load_iris(as_frame=True)
    >>> model = C45Classifier().fit(iris.data, iris.target_names[iris.target])
    >>> print(export_text(model))
    petal width (cm) <= 0.6: setosa (50.0)
    petal width (cm) > 0.6
    |   petal width (cm) <= 1.7
    |   |   petal length (cm) <= 4.9: versicolor (48.0/1.0)
    |   |   petal length (cm) > 4.9
    |   |   |   petal width (cm) <= 1.5: virginica (3.0)
    |   |   |   petal width (cm) > 1.5: versicolor (3.0/1.0)
    |   petal width (cm) > 1.7: virginica (46.0/1.0)
    <BLANKLINE>
    Number of leaves: 5
    Size of the tree: 9
    """
    check_count("decimals", decimals)
    check_count("max_depth", max_depth)
    named = read_tree(estimator)
    lines = []
    for node, depth, closed in named.walk(max_depth):
        line = ""
        if depth > 0:
            line = "|   " * (depth - 1) + named.condition(node).text(decimals)
        if closed:
            line += f": {named.answer(node)}"
            line += "" if named.is_leaf(node) else " ..."
        if line:  # the root of a tree with a test has no line of its own
            lines.append(line)
        if not closed:
            notes = named.notes.get(node, [])
            lines += ["|   " * depth + f"[{note}]" for note in notes]
    lines += [
        "",
        f"Number of leaves: {named.tree.n_leaves}",
        f"Size of the tree: {named.tree.n_nodes}",
    ]
    return "\n".join(lines)
