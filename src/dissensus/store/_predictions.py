"""Predictions of one cell, packed into few bytes without losing a bit.

Format 1, little endian: one byte for the format, one that is 1 if there are
probabilities, two numbers of four bytes (rows, classes), and a zlib stream of

- the numbers of the test rows, ascending: the first, then the steps (uint32),
- their true classes and the predicted ones (uint8, or uint16 above 256 classes),
- the probabilities, row by row (float64).

Probabilities are kept exactly, so that any measure computed later is the one that
would have been computed at once. Trees repeat few values, which zlib finds: their cells
take a fraction of the plain size.
"""

from __future__ import annotations

import struct
import zlib
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dissensus.exceptions import StoreError

FORMAT = 1
HEADER = struct.Struct("<BBII")
LEVEL = 3  # of zlib: higher ones gain under 1 % here


@dataclass(frozen=True, slots=True, eq=False)
class CellPredictions:
    """What a learner said about the test rows of one cell.

    Attributes
    ----------
    rows : ndarray of shape (n_test,)
        Numbers of the test rows in the data set, ascending.
    truth : ndarray of shape (n_test,)
        Their class codes.
    predictions : ndarray of shape (n_test,)
        The predicted class codes.
    proba : ndarray of shape (n_test, n_classes) or None
        The probability of each class; None if the learner gives none.
    n_classes : int
        Number of classes of the data set.
    """

    rows: NDArray[np.intp]
    truth: NDArray[np.intp]
    predictions: NDArray[np.intp]
    proba: NDArray[np.float64] | None
    n_classes: int


def pack(answers: CellPredictions) -> bytes:
    """Return the answers as bytes."""
    n_rows, n_classes = len(answers.rows), answers.n_classes
    code = _code_type(n_classes)
    steps = np.diff(answers.rows, prepend=0).astype("<u4")
    parts = [steps, answers.truth.astype(code), answers.predictions.astype(code)]
    if answers.proba is not None:
        parts.append(np.ascontiguousarray(answers.proba, dtype="<f8"))
    header = HEADER.pack(FORMAT, answers.proba is not None, n_rows, n_classes)
    body = b"".join(part.tobytes() for part in parts)
    return header + zlib.compress(body, LEVEL)


def unpack(packed: bytes, n_rows: int, n_classes: int) -> CellPredictions:
    """Return the answers that were packed.

    Parameters
    ----------
    packed : bytes
        What `pack` returned.
    n_rows, n_classes : int
        Of the cell, from another place: never more is unpacked than this takes.

    Returns
    -------
    CellPredictions
        Each row is above the one before, each code is a class, and each probability
        is finite.

    Raises
    ------
    StoreError
        If the bytes are not the answers of such a cell.
    """
    if len(packed) < HEADER.size:
        raise _damaged(f"{len(packed)} bytes are no predictions")
    form, has_proba, *shape = HEADER.unpack_from(packed)
    if form != FORMAT:
        raise StoreError(
            f"The predictions of a cell have format {form}; this version of dissensus "
            f"reads format {FORMAT}. Use the version that wrote the store."
        )
    if shape != [n_rows, n_classes] or has_proba > 1:
        raise _damaged(
            f"they are of {shape[0]} rows and {shape[1]} classes, the cell has "
            f"{n_rows} and {n_classes}"
        )
    types = [("<u4", n_rows), (_code_type(n_classes), n_rows)]
    types += [types[-1], ("<f8", n_rows * n_classes * has_proba)]
    body = _decompress(
        packed[HEADER.size :], sum(np.dtype(t).itemsize * count for t, count in types)
    )
    parts, end = [], 0
    for dtype, count in types:
        start, end = end, end + np.dtype(dtype).itemsize * count
        parts.append(np.frombuffer(body[start:end], dtype=dtype))
    rows, truth, predictions = (part.astype(np.intp) for part in parts[:3])
    proba = parts[3].reshape(n_rows, n_classes) if has_proba else None
    answers = CellPredictions(np.cumsum(rows), truth, predictions, proba, n_classes)
    _check(answers, rows)
    return answers


def _decompress(stream: bytes, size: int) -> bytes:
    """Return exactly so many bytes; a stream that holds more is not unpacked."""
    unpacker = zlib.decompressobj()
    try:
        # One byte more than is right, so that a longer stream is told from its end.
        body = unpacker.decompress(stream, size + 1)
    except zlib.error as error:
        raise _damaged(str(error)) from None
    if len(body) != size or not unpacker.eof or unpacker.unused_data:
        raise _damaged(f"they do not unpack to {size} bytes")
    return body


def _check(answers: CellPredictions, steps: NDArray[np.intp]) -> None:
    if not (steps[1:] > 0).all():
        raise _damaged("a row occurs twice")
    for codes in (answers.truth, answers.predictions):
        if not (codes < answers.n_classes).all():
            raise _damaged(f"there is no class {codes.max()}")
    if answers.proba is not None and not np.isfinite(answers.proba).all():
        raise _damaged("a probability is not finite")


def _damaged(words: str) -> StoreError:
    return StoreError(
        f"The predictions of a cell are damaged: {words}. Run its study again with "
        "another store, or take a copy of this one."
    )


def _code_type(n_classes: int) -> str:
    return "<u1" if n_classes <= 256 else "<u2"
