"""Save a model, and open it again without running anything that the file says."""

from __future__ import annotations

import io
import json
import os
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sklearn.exceptions import NotFittedError
from sklearn.utils.validation import check_is_fitted

from dissensus.exceptions import ModelError, TableError
from dissensus.persistence._archive import (
    CARD,
    DAMAGED,
    STATE,
    check_sizes,
    pack,
    read_file,
    read_parts,
    write_parts,
)
from dissensus.persistence._audit import audit
from dissensus.persistence._card import ModelCard, make_card, parse_card, write_card
from dissensus.persistence._names import to_private, to_public, trusted
from dissensus.persistence._probe import check_answers
from dissensus.persistence._structure import check_card, check_structure
from dissensus.table import Schema
from dissensus.utils._files import write_whole

NOT_SAVED = (
    "Model files hold no code and nothing that is not checked, so that they are safe "
    "to open: only classes of dissensus and some estimators of scikit-learn, listed in "
    "docs/models, can be saved."
)
NOT_OPENED = (
    "Model files may ask for classes of dissensus and for some estimators of "
    "scikit-learn only; nothing of the file was run."
)


def save_model(
    model: Any,
    path: str | os.PathLike[str],
    *,
    schema: Schema | None = None,
    target: str = "",
    learner: str = "",
    source: str = "",
) -> None:
    """Write a fitted model to a file that is safe to open.

    Parameters
    ----------
    model : estimator
        A fitted estimator of this package or of scikit-learn, or a composition.
    path : str or path
        The file, by custom with the ending `.skops`. An old one is replaced only when
        the new one is complete.
    schema : Schema, default=None
        The attributes that the model was fitted with; the model's own if None.
    target : str, default=""
        The name of the column that it predicts.
    learner : str, default=""
        The model as text, such as "decorate(c45)".
    source : str, default=""
        What the model was fitted on, in words.

    Raises
    ------
    ModelError
        If the model is not fitted, or holds something that cannot be saved, such as a
        function; the message says where.

    See Also
    --------
    load_model : Open the file again.

    Notes
    -----
    Needs skops (the extra `cli`). The file is an archive of arrays and of JSON; a model
    that is opened again gives the same answers to the last bit. Random states are kept.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from sklearn.datasets import load_iris
    >>> from dissensus import C45Classifier
    >>> from dissensus.persistence import load_model, save_model
    >>> X, y = load_iris(return_X_y=True)
    >>> path = pathlib.Path(tempfile.mkdtemp(), "iris.skops")
    >>> save_model(C45Classifier().fit(X, y), path, target="species")
    >>> load_model(path).predict(X[:2])
    array([0, 0])
    """
    with _named(path):
        _check_model(model)
        card = make_card(model, schema, target=target, learner=learner, source=source)
        _write(Path(path), _pack(model, card))


def load_model(path: str | os.PathLike[str]) -> Any:
    """Open a model file; nothing in it is executed.

    Parameters
    ----------
    path : str or path
        A file that `save_model` has written.

    Returns
    -------
    estimator
        The fitted model.

    Raises
    ------
    ModelError
        If the file is not there, damaged, of a later format, or asks for a type that
        model files may not hold.

    See Also
    --------
    read_card : What the file says about itself.

    Notes
    -----
    Sizes are checked before anything is unpacked; the types that a file asks for are
    compared with a fixed list, and each entry with the form that it must have, before
    anything is made of it. Then every array is checked, and the model is asked about a
    few rows, before it is handed out.
    """
    with _named(path):
        content = _read(path)
        with _damage():
            parts = _parts(content)
            card = parse_card(parts[CARD])
            names = audit(json.loads(parts[STATE]), parts, NOT_OPENED)
            parts[STATE] = to_private(parts[STATE])
            inside = write_parts(parts.items(), zipfile.ZIP_STORED)
            model = _import_skops().loads(inside, trusted=trusted(names))
            _check_model(model)
            check_structure(model)
            check_card(card, model)
            check_answers(model)
            return model


def read_card(path: str | os.PathLike[str]) -> ModelCard:
    """Read what a model file says about itself, without opening the model.

    Parameters
    ----------
    path : str or path
        A file that `save_model` has written.

    Returns
    -------
    ModelCard
        The class, attributes, class labels, target and versions.
    """
    with _named(path), _damage():
        return parse_card(_parts(_read(path))[CARD])


@contextmanager
def _named(path: str | os.PathLike[str]) -> Iterator[None]:
    """Put the name of the file before the words of an error."""
    try:
        yield
    except (ModelError, TableError) as error:
        raise ModelError(f"{os.fspath(path)}: {error}") from None


@contextmanager
def _damage() -> Iterator[None]:
    """Turn what a strange file can raise into one error."""
    try:
        yield
    except ModelError:
        raise
    except Exception as error:  # noqa: BLE001 - zip, json, numpy and skops raise many
        reason = (str(error).splitlines() or [""])[0] or type(error).__name__
        raise ModelError(DAMAGED.format(reason[:200])) from None


def _read(path: str | os.PathLike[str]) -> bytes:
    content = read_file(path)
    if not content.strip():
        raise ModelError(DAMAGED.format("it is empty"))
    if content[:1] == b"\x80" and content.rstrip().endswith(b"."):
        raise ModelError(
            "this is a pickle, which may run any program when it is opened; it was not "
            "opened. Load it where you trust it, and save it with save_model."
        )
    if not content.startswith(b"PK"):
        raise ModelError("this is no model file. Give one that save_model has written.")
    return content


def _parts(content: bytes) -> dict[str, bytes]:
    """Return the parts of the archive if all of them are whole."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        check_sizes(archive, len(content))
        parts = read_parts(archive)
    for part in (CARD, STATE):
        if part not in parts:
            raise ModelError(
                f"there is no {part} in it, so it was not written by save_model. "
                "Save the model with save_model."
            )
    return parts


def _pack(model: Any, card: ModelCard) -> bytes:
    """Return the content of a model file."""
    try:
        content = _import_skops().dumps(model)
    except Exception as error:  # noqa: BLE001 - whatever an object of a stranger raises
        raise ModelError(f"the model cannot be saved: {error}. {NOT_SAVED}") from None
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        parts = read_parts(archive)
    parts[STATE] = to_public(parts[STATE])
    audit(json.loads(parts[STATE]), parts, NOT_SAVED)
    return pack({**parts, CARD: write_card(card).encode()})


def _write(path: Path, content: bytes) -> None:
    """Write a file whole or not at all."""
    try:
        with write_whole(path) as file:
            file.write(content)
    except OSError as error:
        raise ModelError(f"the file cannot be written ({error.strerror}).") from None


def _check_model(model: Any) -> None:
    try:
        check_is_fitted(model)
    except (NotFittedError, TypeError):
        raise ModelError(
            f"{type(model).__name__} is not a fitted model. Call its fit first."
        ) from None
    if hasattr(model, "best_estimator_"):
        raise ModelError(
            f"{type(model).__name__} is a search, with scorers that are functions. "
            "Save what it found: its best_estimator_."
        )


def _import_skops() -> Any:
    try:
        import skops.io
    except ImportError:
        raise ModelError(
            "Model files need skops, which is not installed: "
            'pip install "dissensus[cli]"'
        ) from None
    return skops.io
