"""The header of an ARFF file: relation, attributes and their types."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import Literal

from dissensus.exceptions import TableError
from dissensus.io._arff_date import DEFAULT_FORMAT, to_strptime
from dissensus.io._text import SURROGATE, line_error
from dissensus.utils._names import quote

# Blanks and bare texts are not given back (*+): each pattern is linear in the line.
SINGLE = r"'((?:[^'\\]|\\.)*)'"
DOUBLE = r'"((?:[^"\\]|\\.)*)"'
CELL = re.compile(rf"\s*+(?:{SINGLE}|{DOUBLE}|([^'\",\s][^,]*+|))\s*+(,|$)")
MARK = re.compile(r"['\"]|(?:^|\s)%")  # what may begin a quoted text, or a comment
QUOTED = {"'": re.compile(SINGLE), '"': re.compile(DOUBLE)}
NAME = re.compile(rf"(?:{SINGLE}|{DOUBLE}|([^\s{{'\"][^\s{{]*+))\s*+(.*)$")
DATE = re.compile(rf"date(?:\s++(?:{SINGLE}|{DOUBLE}|(\S++)))?$", re.IGNORECASE)
ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|.)")
ESCAPED = {"n": "\n", "t": "\t", "r": "\r"}

# A quoted '?' is a label, a bare ? is missing. No text holds a zero byte (`decode`
# refuses it), so this mark cannot be mistaken for a cell.
QUOTED_QUESTION = "\0?"


@dataclass(frozen=True, slots=True)
class Declaration:
    """One `@attribute` line."""

    name: str
    kind: Literal["numeric", "nominal", "string", "date"]
    values: tuple[str, ...] = ()
    date_format: str = ""


def unescape(text: str) -> str:
    """Return a quoted text without its backslashes."""
    if "\\" not in text:
        return text
    return ESCAPE.sub(_escaped, text)


def _escaped(match: re.Match[str]) -> str:
    code = match[1]
    return chr(int(code[1:], 16)) if len(code) == 5 else ESCAPED.get(code, code)


def strip_comment(line: str) -> str:
    """Return the line without surrounding space and without a comment at its end."""
    if "%" in line:
        line = line[: _comment(line)]
    return line.strip()


def _comment(line: str) -> int | None:
    """Return where the comment of a line begins; a % inside quotes is none.

    A quote that nothing closes is a character like others, and so is any later one of
    its kind, for which nothing needs to be looked for again.
    """
    position, never_closed = 0, set()
    while match := MARK.search(line, position):
        position, mark = match.end(), match[0]
        if mark not in QUOTED:
            return match.start()
        if mark in never_closed:
            continue
        quoted = QUOTED[mark].match(line, match.start())
        if quoted:
            position = quoted.end()
        else:
            never_closed.add(mark)
    return None


def quoted_or_bare(
    single: str | None, double: str | None, bare: str | None, line: int
) -> tuple[str, bool]:
    """Return the one of three groups that matched as text, and whether quoted."""
    quoted = single if single is not None else double
    if quoted is None:
        return (bare or "").strip(), False
    text = unescape(quoted)
    if "\0" in text or SURROGATE.search(text):
        raise line_error(line, f"an escape that is no character: {quoted[:40]!r}.")
    return text, True


def mark_question(text: str, quoted: bool) -> str:
    """Return a cell as it is kept: a quoted question mark is told from a bare one."""
    return QUOTED_QUESTION if quoted and text == "?" else text


def split_cells(text: str, line: int) -> list[tuple[str, bool]]:
    """Split at the commas outside quotes; tell for each cell whether it was quoted."""
    cells, position, more = [], 0, True
    while more:
        match = CELL.match(text, position)
        if match is None:
            raise line_error(
                line,
                f"a quote not closed before the comma: {text[position:][:40]!r}."
                r" Write \' for a quote inside quotes.",
            )
        cells.append(quoted_or_bare(match[1], match[2], match[3], line))
        position, more = match.end(), match[4] == ","
    return cells


def parse_header(lines: list[str]) -> tuple[list[Declaration], int]:
    """Return the declared attributes and the number of header lines."""
    declared: dict[str, Declaration] = {}
    for number, raw in enumerate(lines, 1):
        line = strip_comment(raw)
        if not line:
            continue
        keyword, _, rest = line.replace("\t", " ", 1).partition(" ")
        keyword = keyword.lower()
        if keyword == "@data":
            return _checked(list(declared.values())), number
        if keyword == "@attribute":
            found = _attribute(rest.strip(), number)
            if found.name in declared:
                raise line_error(
                    number, f"attribute {found.name!r} is declared twice. Rename one."
                )
            declared[found.name] = found
        elif keyword != "@relation":
            raise line_error(
                number,
                f"{line[:40]!r} is no part of an ARFF header. Expected @relation, "
                "@attribute, @data or a comment (%).",
            )
    raise TableError("there is no @data line. An ARFF file has its rows below @data.")


def _checked(declared: list[Declaration]) -> list[Declaration]:
    if not declared:
        raise TableError("no @attribute line stands before @data. Declare the columns.")
    return declared


def _attribute(text: str, line: int) -> Declaration:
    match = NAME.match(text)
    name = quoted_or_bare(match[1], match[2], match[3], line)[0] if match else ""
    if match is None or not name:
        raise line_error(line, "@attribute without a name. Write @attribute name type.")
    kind = match[4].strip()
    if kind.startswith("{"):
        return Declaration(name, "nominal", _values(name, kind, line))
    if kind.lower() in ("numeric", "real", "integer"):
        return Declaration(name, "numeric")
    if kind.lower() == "string":
        return Declaration(name, "string")
    date = DATE.match(kind)
    if date:
        given = quoted_or_bare(date[1], date[2], date[3], line)[0]
        return Declaration(name, "date", date_format=_date_format(given, line))
    if kind.lower().startswith("relational"):
        raise line_error(
            line,
            f"attribute {name!r} is relational (a table in each cell), which no "
            "learner here can use. Flatten or remove it.",
        )
    raise line_error(
        line,
        f"attribute {name!r} has the unknown type {kind[:40]!r}. Use numeric, real, "
        "integer, string, date or {value, value, ...}.",
    )


def _date_format(given: str, line: int) -> str:
    try:
        return to_strptime(given or DEFAULT_FORMAT)
    except TableError as error:
        raise line_error(line, str(error)) from None


def _values(name: str, kind: str, line: int) -> tuple[str, ...]:
    if not kind.endswith("}"):
        raise line_error(
            line,
            f"the values of attribute {name!r} do not end with a brace. Add it.",
        )
    inner = kind[1:-1].strip()
    if not inner:
        return ()
    values = []
    for text, quoted in split_cells(inner, line):
        if not text and not quoted:
            raise line_error(
                line,
                f"an empty value is declared for attribute {name!r}. Remove the comma, "
                "or write '' if it is meant.",
            )
        values.append(text)
    twice, count = Counter(values).most_common(1)[0]
    if count > 1:
        raise line_error(
            line,
            f"attribute {name!r} declares the value {quote(twice)} twice. Remove one.",
        )
    return tuple(values)
