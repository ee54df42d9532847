"""Dates of ARFF files: Java's date patterns, and seconds since 1970."""

from __future__ import annotations

import re
from datetime import UTC, datetime

from dissensus.exceptions import TableError

DEFAULT_FORMAT = "yyyy-MM-dd'T'HH:mm:ss"
TOKEN = re.compile(r"''|'((?:[^']|'')*)'|([A-Za-z])\2*|.", re.DOTALL)
FIELDS = {
    "y": "%Y",
    "yy": "%y",
    "yyyy": "%Y",
    "M": "%m",
    "MM": "%m",
    "MMM": "%b",
    "MMMM": "%B",
    "d": "%d",
    "dd": "%d",
    "D": "%j",
    "DDD": "%j",
    "H": "%H",
    "HH": "%H",
    "h": "%I",
    "hh": "%I",
    "a": "%p",
    "m": "%M",
    "mm": "%M",
    "s": "%S",
    "ss": "%S",
    "S": "%f",
    "SSS": "%f",
    "E": "%a",
    "EEE": "%a",
    "EEEE": "%A",
    "Z": "%z",
    "X": "%z",
    "XXX": "%z",
}


def to_strptime(pattern: str) -> str:
    """Return the strptime form of a Java date pattern such as `yyyy-MM-dd`."""
    parts = []
    for match in TOKEN.finditer(pattern):
        token = match[0]
        if token == "''":
            parts.append("'")
        elif match[1] is not None:
            parts.append(match[1].replace("''", "'").replace("%", "%%"))
        elif match[2] is None:
            parts.append(token.replace("%", "%%"))
        elif token in FIELDS:
            parts.append(FIELDS[token])
        else:
            raise TableError(
                f"the date format {pattern!r} has the field {token!r}, which cannot be "
                f"read here. Known fields: {', '.join(FIELDS)}."
            )
    return "".join(parts)


def to_seconds(text: str, date_format: str) -> float | None:
    """Return seconds since 1970 (UTC unless the text has a zone), or None."""
    try:
        moment = datetime.strptime(text, date_format)
        if moment.tzinfo is None:
            moment = moment.replace(tzinfo=UTC)
        return moment.timestamp()
    except (ValueError, OverflowError, re.error):
        return None
