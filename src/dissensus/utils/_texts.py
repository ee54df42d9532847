"""Texts that came from a learner, made safe to save, to send and to show.

An error may say anything: half a surrogate pair, which no database stores, an escape
sequence for a terminal, a hundred megabytes; or its `__str__` raises in turn.
"""

from __future__ import annotations

import traceback

from dissensus.utils._printable import printable

MAX_ERROR = 500  # characters
MAX_DETAILS = 4000


def safe_text(text: object, most: int, *, keep_end: bool = False) -> str:
    """Return a text that can be saved as UTF-8 and shown, of bounded length.

    Parameters
    ----------
    text : object
        A text; of anything else, what `str` makes of it.
    most : int
        Number of characters that are kept.
    keep_end : bool, default=False
        Keep the last characters, not the first.

    Returns
    -------
    str
        Lone surrogates and control characters are written as escapes.
    """
    plain = text if type(text) is str else _str(text)
    part = printable(plain[-most:] if keep_end else plain[:most])
    return part[-most:] if keep_end else part[:most]


def error_line(error: BaseException) -> str:
    """Return the type of an error and the first line of what it says."""
    words = safe_text(error, MAX_ERROR).partition("\n")[0]
    return safe_text(f"{type(error).__name__}: {words}", MAX_ERROR)


def error_place(error: BaseException) -> str:
    """Return the end of the traceback of an error."""
    try:
        lines = "".join(traceback.format_exception(error))
    except Exception as worse:  # noqa: BLE001 -- whatever a stranger's error does
        lines = f"the traceback cannot be shown ({type(worse).__name__})"
    return safe_text(lines, MAX_DETAILS, keep_end=True)


def _str(value: object) -> str:
    try:
        return str.__str__(str(value))  # of a subclass, the plain text
    except (Exception, SystemExit) as worse:  # noqa: BLE001 -- as above
        return f"(its text cannot be shown: {type(worse).__name__})"
