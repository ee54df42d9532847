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
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dissensus.experiment._errors import StoreError

FORMAT = 1
HEADER = struct.Struct("<BBII")
LEVEL = 3  # of zlib: higher ones gain under 1 % here


@dataclass(frozen=True, slots=True, eq=False)
class Answers:
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


def pack(answers: Answers) -> bytes:
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


def unpack(packed: bytes) -> Answers:
    """Return the answers that were packed."""
    form, has_proba, n_rows, n_classes = HEADER.unpack_from(packed)
    if form != FORMAT:
        raise StoreError(
            f"The predictions of a cell have format {form}; this version of dissensus "
            f"reads format {FORMAT}. Use the version that wrote the store."
        )
    body = zlib.decompress(packed[HEADER.size :])
    code = _code_type(n_classes)
    end = 0

    def take(dtype: str, count: int) -> NDArray[Any]:
        nonlocal end
        start, end = end, end + count * np.dtype(dtype).itemsize
        return np.frombuffer(body[start:end], dtype=dtype)

    rows = np.cumsum(take("<u4", n_rows).astype(np.intp))
    truth = take(code, n_rows).astype(np.intp)
    predictions = take(code, n_rows).astype(np.intp)
    proba = None
    if has_proba:
        proba = take("<f8", n_rows * n_classes).reshape(n_rows, n_classes)
    return Answers(rows, truth, predictions, proba, n_classes)


def _code_type(n_classes: int) -> str:
    return "<u1" if n_classes <= 256 else "<u2"
