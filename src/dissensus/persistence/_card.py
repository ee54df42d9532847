"""What a model file says about itself, readable without opening the model."""

from __future__ import annotations

import json
import platform
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.metadata import version
from typing import Any

import numpy as np

from dissensus.exceptions import ModelError
from dissensus.table import Attribute, Schema

FORMAT = 2
PACKAGES = ("dissensus", "scikit-learn", "numpy", "skops")


@dataclass(frozen=True, slots=True)
class ModelCard:
    """What a model file says about itself.

    Attributes
    ----------
    kind : str
        The class of the model.
    schema : Schema or None
        The attributes that the model was fitted with, if they are known.
    classes : tuple
        The class labels, in the order of the model's probabilities.
    target : str
        The name of the column that is predicted, if it was given.
    learner : str
        The model as text, if it was given.
    source : str
        What the model was fitted on, if it was given.
    versions : dict of {str: str}
        The versions of Python and of packages that the file was written with.
    format : int
        The number of the file format.

    See Also
    --------
    read_card : Read one from a file.
    """

    kind: str
    schema: Schema | None = None
    classes: tuple[Any, ...] = ()
    target: str = ""
    learner: str = ""
    source: str = ""
    versions: Mapping[str, str] = field(default_factory=dict)
    format: int = FORMAT


def make_card(model: Any, schema: Schema | None, **words: Any) -> ModelCard:
    """Describe a fitted model."""
    return ModelCard(
        kind=type(model).__name__,
        schema=schema if schema is not None else find_schema(model),
        classes=tuple(np.asarray(getattr(model, "classes_", ())).tolist()),
        versions={
            "python": platform.python_version(),
            **{name: version(name) for name in PACKAGES},
        },
        **words,
    )


def find_schema(model: Any) -> Schema | None:
    """Return the attributes that a model, or the first step of a pipeline, has seen."""
    steps = getattr(model, "steps", None)
    first = steps[0][1] if steps else model
    schema = getattr(first, "schema_", None)
    return schema if isinstance(schema, Schema) else None


def write_card(card: ModelCard) -> str:
    """Return the card as JSON."""
    attributes = None
    if card.schema is not None:
        attributes = [
            {"name": a.name, "kind": a.kind, "categories": list(a.categories)}
            for a in card.schema
        ]
    content = {
        "format": card.format,
        "kind": card.kind,
        "learner": card.learner,
        "target": card.target,
        "source": card.source,
        "classes": list(card.classes),
        "named": card.schema is None or card.schema.named,
        "attributes": attributes,
        "versions": dict(card.versions),
    }
    try:
        return json.dumps(content, indent=1, ensure_ascii=False)
    except TypeError as error:
        raise ModelError(
            f"a class label or declared value cannot be written ({error}). Use "
            "strings, numbers or booleans."
        ) from None


def parse_card(text: bytes) -> ModelCard:
    """Return the card that JSON describes, or say what is wrong with it."""
    content = json.loads(text)
    number = content["format"]
    if not isinstance(number, int) or number < 1:
        raise ModelError(f"its format is {number!r}, not a number. It is damaged.")
    if number < FORMAT:
        raise ModelError(
            f"the file has format {number}, which versions before the first release "
            f"wrote; this version reads format {FORMAT}. Fit the model again."
        )
    if number > FORMAT:
        made = content.get("versions", {}).get("dissensus", "a later version")
        raise ModelError(
            f"the file has format {number}, written by dissensus {made}; this version "
            f"reads format {FORMAT}. Install that version of dissensus."
        )
    return ModelCard(
        kind=str(content["kind"]),
        schema=_schema(content["attributes"], bool(content["named"])),
        classes=tuple(content["classes"]),
        target=str(content["target"]),
        learner=str(content["learner"]),
        source=str(content["source"]),
        versions={str(k): str(v) for k, v in content["versions"].items()},
        format=number,
    )


def _schema(attributes: list[dict[str, Any]] | None, named: bool) -> Schema | None:
    if attributes is None:
        return None
    return Schema(
        tuple(
            Attribute(str(a["name"]), a["kind"], tuple(a["categories"]))
            for a in attributes
        ),
        named,
    )
