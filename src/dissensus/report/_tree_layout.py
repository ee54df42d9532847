"""Where the boxes of a tree stand, and what is written in them.

The picture grows from left to right. Leaves, and branches that are folded, take one
line each; a box stands in the middle of its children. `templates/tree.js` places the
boxes by the same rule when a branch is folded or unfolded.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dissensus.tree import number_text

# In pixels.
LINE = 54
BOX_HEIGHT = 44
GAP = 46  # between the boxes of two depths
MARGIN = 8
LETTER = 8.6  # of a mean letter, bold
SMALL_LETTER = 6.8
PADDING = 34  # beside the texts of a box, the knob included
BOX_WIDTHS = (112, 270)
EDGE_WIDTHS = (1.0, 7.0)
MAX_LINES = 20  # that are unfolded at first
ROUNDING = 1e-6


@dataclass(frozen=True, slots=True)
class Box:
    """One node of a picture, in words and numbers.

    Attributes
    ----------
    parent : int
        Position of the parent in the list of boxes, -1 for the root.
    depth : int
        Number of tests above it.
    condition : str
        What its branch asks; empty for the root.
    question : str
        The attribute that it asks for; empty for a leaf.
    answer : str
        The class that it answers with.
    weights : tuple of float
        Weight of the training rows of each class.
    share : float
        Share of the answer in the class distribution.
    hidden : int
        Number of nodes below it that are not in the picture.
    """

    parent: int
    depth: int
    condition: str
    question: str
    answer: str
    weights: tuple[float, ...]
    share: float
    hidden: int = 0


def lay_out(boxes: Sequence[Box], classes: Sequence[str]) -> dict[str, Any]:
    """Return where everything stands."""
    children: list[list[int]] = [[] for _ in boxes]
    for position, box in enumerate(boxes[1:], start=1):
        children[box.parent].append(position)
    folded = first_folded(children, [sum(box.weights) for box in boxes])
    lines = place(children, folded)
    widths = _column_widths(boxes)
    lefts = [MARGIN + sum(widths[:d]) + GAP * d for d in range(len(widths))]
    total = sum(boxes[0].weights)
    nodes: list[dict[str, Any]] = []
    for position, box in enumerate(boxes):
        line = lines[position]
        node = {
            "position": position,
            "parent": box.parent,
            "level": box.depth + 1,
            "x": lefts[box.depth],
            "y": MARGIN + LINE * (0.0 if line is None else line),
            "width": widths[box.depth],
            "visible": line is not None,
            "folded": position in folded,
            "inner": bool(children[position]),
            "edge": _edge_width(sum(box.weights), total),
            "path": _path(nodes[box.parent], lefts[box.depth], line)
            if position
            else "",
            **_words(box, classes, widths[box.depth] - PADDING),
            "bars": _bars(box, widths[box.depth]),
        }
        nodes.append(node)
    return {
        "nodes": nodes,
        "classes": list(classes),
        "line": LINE,
        "box_height": BOX_HEIGHT,
        "margin": MARGIN,
        "gap": GAP,
        "width": lefts[-1] + widths[-1] + 2 * MARGIN + 8,
        "height": 2 * MARGIN + BOX_HEIGHT + LINE * max(filter(None, lines), default=0),
    }


def _path(parent: dict[str, Any], left: int, line: float | None) -> str:
    """Return the curve from a box to its child's."""
    if line is None:
        return ""
    x, y = parent["x"] + parent["width"], parent["y"] + BOX_HEIGHT / 2
    end = MARGIN + LINE * line + BOX_HEIGHT / 2
    half = (x + left) / 2
    return f"M{x} {y}C{half} {y} {half} {end} {left} {end}"


def place(children: Sequence[Sequence[int]], folded: set[int]) -> list[float | None]:
    """Return the line of each node, None for one that is folded away.

    Parameters
    ----------
    children : sequence of sequence of int
        The children of each node, which come after it.
    folded : set of int
        Nodes whose children are not shown.
    """
    lines: list[float | None] = [None] * len(children)
    n_lines = 0
    order, stack = [], [0]
    while stack:
        node = stack.pop()
        order.append(node)
        if node not in folded:
            stack += reversed(children[node])
    for node in order:
        if not children[node] or node in folded:
            lines[node] = float(n_lines)
            n_lines += 1
    for node in reversed(order):  # children before their parents
        if lines[node] is None:
            first, last = lines[children[node][0]], lines[children[node][-1]]
            assert first is not None
            assert last is not None
            lines[node] = (first + last) / 2
    return lines


def first_folded(
    children: Sequence[Sequence[int]], weights: Sequence[float]
) -> set[int]:
    """Return the nodes to fold at first: light ones, once lines are used up.

    Parameters
    ----------
    children : sequence of sequence of int
        The children of each node.
    weights : sequence of float
        The weight of each node.
    """
    n_lines, folded = 1, set[int]()
    heap = [(-weights[0], 0)]
    while heap:
        _, node = heapq.heappop(heap)
        more = len(children[node]) - 1
        if node > 0 and n_lines + more > MAX_LINES:
            folded |= {node, *_inner_below(children, node)}
        else:
            n_lines += more
            for child in children[node]:
                if children[child]:
                    heapq.heappush(heap, (-weights[child], child))
    return folded


def _inner_below(children: Sequence[Sequence[int]], node: int) -> set[int]:
    """Return the inner nodes below a node: unfolding shows one level at a time."""
    found, stack = set[int](), list(children[node])
    while stack:
        below = stack.pop()
        if children[below]:
            found.add(below)
            stack += children[below]
    return found


def _column_widths(boxes: Sequence[Box]) -> list[int]:
    """Return the width of the boxes of each depth."""
    narrowest, widest = BOX_WIDTHS
    widths = [narrowest] * (1 + max(box.depth for box in boxes))
    for box in boxes:
        first = SMALL_LETTER * len(box.condition)
        second = LETTER * len(_name(box)) + SMALL_LETTER * len(_support(box))
        needed = min(math.ceil(max(first, second)) + PADDING, widest)
        widths[box.depth] = max(widths[box.depth], needed)
    return widths


def _edge_width(weight: float, total: float) -> float:
    """Return how thick a branch is drawn: by the root of its share of the rows."""
    thin, thick = EDGE_WIDTHS
    share = weight / total if total > 0 else 0.0
    return round(thin + (thick - thin) * float(np.sqrt(share)), 1)


def _words(box: Box, classes: Sequence[str], room: float) -> dict[str, str]:
    """Return what is written in a box of this much room, and what is read out."""
    support = _support(box)
    weight = number_text(sum(box.weights), 1)
    counts = ", ".join(
        f"{name} {number_text(w, 1)}"
        for name, w in zip(classes, box.weights, strict=True)
        if w > 0
    )
    rows = f"{weight} {'row' if weight == '1' else 'rows'}"
    known = f"{rows}: {counts}" if counts else "no training row came here"
    asks = f"asks for {box.question}; " if box.question else ""
    more = f"; {box.hidden} more nodes are not drawn" if box.hidden else ""
    whole = f"{box.condition or 'All rows'}: {asks}{_says(box)}; {known}{more}"
    return {
        "condition": _cut(box.condition or "all rows", room / SMALL_LETTER),
        "text": _cut(_name(box), (room - SMALL_LETTER * len(support)) / LETTER),
        "support": support,
        "description": whole,
    }


def _name(box: Box) -> str:
    return f"{box.question} ?" if box.question else box.answer


def _says(box: Box) -> str:
    verb = "mostly" if box.question else "answers"
    return f"{verb} {box.answer} ({_percent(box.share)})"


def _support(box: Box) -> str:
    weight = number_text(sum(box.weights), 0 if sum(box.weights) >= 100 else 1)
    return weight if box.question else f"{weight} · {_percent(box.share)}"


def _percent(share: float) -> str:
    """Return a share in percent, 100 only where nothing is missing."""
    return f"{min(share, 0.994) if share < 1.0 else share:.0%}"


def _cut(text: str, most: float) -> str:
    """Return a text of at most so many letters; the description has all of it."""
    fits = len(text) <= most + ROUNDING
    return text if fits else text[: int(most) - 1] + "…"


def _bars(box: Box, width: int) -> list[dict[str, Any]]:
    """Return the class distribution as pieces of a bar."""
    total, left, bars = sum(box.weights), 0.0, []
    for code, weight in enumerate(box.weights):
        if weight > 0:
            piece = width * weight / total
            bars.append({"code": code, "x": round(left, 1), "width": round(piece, 1)})
            left += piece
    return bars
