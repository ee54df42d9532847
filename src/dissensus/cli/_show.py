"""dissensus show: what is in a model file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from dissensus.cli._options import Command, common_options, json_option
from dissensus.cli._words import note, print_json, say


@click.command(
    "show",
    cls=Command,
    examples=[
        "dissensus show weather.skops",
        "dissensus show weather.skops --html tree.html",
    ],
)
@click.argument("model", type=click.Path())
@click.option(
    "--html",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="PAGE",
    help="Write the tree as an interactive picture to this page.",
)
@click.option(
    "--max-depth", type=click.IntRange(0), help="Depth at which a tree stops."
)
@json_option
@common_options
def command(
    *, model: str, html: Path | None, max_depth: int | None, as_json: bool, quiet: bool
) -> None:
    """Show what is in a model file.

    What MODEL is, what it was fitted on, and its tree if it has one.
    """
    from dissensus.persistence import load_model, read_card

    card = read_card(model)
    if as_json:
        print_json(_describe(card))
        return
    fitted = load_model(model)
    if html is not None:
        from dissensus.exceptions import ReportError
        from dissensus.report import export_html

        if not _has_tree(fitted):
            raise ReportError(
                f"{model}: {card.learner or card.kind} has no tree to draw. Trees and "
                "local cascades have one: c45, dtree, local."
            )
        export_html(fitted, html, title=card.learner or card.kind, max_depth=max_depth)
        note(f"The tree: {html}", quiet=quiet)
        return
    for name, words in _describe(card).items():
        if words and name not in ("attributes", "versions"):
            say(f"{name:10} {_joined(words)}")
    if card.schema is not None:
        say(f"{'attributes':10} {_joined(card.schema.names)}")
    say(f"{'written by':10} {', '.join(f'{n} {v}' for n, v in card.versions.items())}")
    say("")
    say(_content(fitted, max_depth))


def _describe(card: Any) -> dict[str, Any]:
    """Return a card as plain values."""
    attributes = [
        {"name": a.name, "kind": a.kind, "values": [str(v) for v in a.categories]}
        for a in card.schema or ()
    ]
    return {
        "learner": card.learner or card.kind,
        "predicts": card.target,
        "classes": [str(label) for label in card.classes],
        "fitted on": card.source,
        "attributes": attributes,
        "versions": dict(card.versions),
        "format": card.format,
    }


def _joined(words: Any) -> str:
    if isinstance(words, list | tuple):
        shown = ", ".join(map(str, words[:20]))
        return shown if len(words) <= 20 else f"{shown}, ... {len(words) - 20} more"
    return str(words)


def _content(model: Any, max_depth: int | None) -> str:
    """Return the tree of a model, or the model and its parameters."""
    from dissensus.tree import export_text

    return export_text(model, max_depth=max_depth) if _has_tree(model) else repr(model)


def _has_tree(model: Any) -> bool:
    from dissensus.tree import Tree

    return isinstance(getattr(model, "tree_", None), Tree)
