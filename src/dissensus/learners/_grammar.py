"""Learners as text: `maclen(nb(smoothing=m-estimate))` read into a tree of names.

    learner   = name [ "(" [ argument { "," argument } ] ")" ]
    argument  = [ name "=" ] value
    value     = number | quoted text | "[" [ value { "," value } ] "]" | learner

The text is never executed. A name without brackets may be a learner or a plain word
such as `m-estimate`; what it is, is for the registry to say.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from dissensus.exceptions import LearnerError

MAX_DEPTH = 20
WORD = r"[A-Za-z_][A-Za-z0-9_+.-]*"
NUMBER = r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?"
TOKEN = re.compile(
    rf"\s*(?:(?P<word>{WORD})|(?P<number>{NUMBER})(?![A-Za-z0-9_.])"
    r"|(?P<quoted>'[^']*'|\"[^\"]*\")|(?P<sign>[(),=\[\]]))"
)
CONSTANTS: dict[str, Any] = {"true": True, "false": False, "none": None}


@dataclass(frozen=True, slots=True)
class Call:
    """A name, with arguments where it has brackets."""

    name: str
    values: tuple[Any, ...] = ()
    named: tuple[tuple[str, Any], ...] = ()
    brackets: bool = False


@dataclass(slots=True)
class _Reader:
    """The tokens of a text, and how far they have been read."""

    text: str
    tokens: list[tuple[str, str, int]] = field(default_factory=list)
    position: int = 0

    def peek(self) -> str:
        """Return the next sign, or the kind of the next token."""
        if self.position == len(self.tokens):
            return "end"
        kind, text, _ = self.tokens[self.position]
        return text if kind == "sign" else kind

    def take(self, wanted: str) -> str:
        """Return the text of the next token, which must be of this kind."""
        if self.peek() != wanted:
            raise self.error(f"expected {_name(wanted)}")
        self.position += 1
        return self.tokens[self.position - 1][1]

    def error(self, rule: str) -> LearnerError:
        """Return the error of something unexpected at the present place."""
        if self.position == len(self.tokens):
            return LearnerError(f"learner {self.text!r}: it ends too early; {rule}.")
        _, found, place = self.tokens[self.position]
        return LearnerError(
            f"learner {self.text!r}: {found!r} at character {place + 1}; {rule}."
        )


def parse(text: str) -> Call:
    """Return the tree of names and values that a text describes.

    Parameters
    ----------
    text : str
        Such as "bagging(c45(confidence=0.1), n_estimators=50)".

    Returns
    -------
    Call
        The outermost name with its arguments.
    """
    reader = _Reader(text, _split(text))
    call = _call(reader, 0)
    if reader.peek() != "end":
        raise reader.error("expected nothing more")
    return call


def _split(text: str) -> list[tuple[str, str, int]]:
    tokens, position = [], 0
    end = len(text.rstrip())
    while position < end:
        match = TOKEN.match(text, position)
        if match is None:
            place = position + len(text[position:]) - len(text[position:].lstrip())
            raise LearnerError(
                f"learner {text!r}: {text[place]!r} at character {place + 1} has no "
                "meaning here. Put texts in quotes."
            )
        kind = str(match.lastgroup)
        tokens.append((kind, match[kind], match.start(kind)))
        position = match.end()
    return tokens


def _call(reader: _Reader, depth: int) -> Call:
    if depth > MAX_DEPTH:
        raise reader.error(f"more than {MAX_DEPTH} brackets are within each other")
    name = reader.take("word")
    if reader.peek() != "(":
        return Call(name)
    reader.take("(")
    values: list[Any] = []
    named: dict[str, Any] = {}
    while reader.peek() != ")":
        _argument(reader, values, named, depth + 1)
        if reader.peek() != ")":
            reader.take(",")
    reader.take(")")
    return Call(name, tuple(values), tuple(named.items()), brackets=True)


def _argument(
    reader: _Reader, values: list[Any], named: dict[str, Any], depth: int
) -> None:
    start = reader.position
    if reader.peek() == "word":
        name = reader.take("word")
        if reader.peek() == "=":
            if name in named:
                reader.position = start
                raise reader.error("it is given twice")
            reader.take("=")
            named[name] = _value(reader, depth)
            return
        reader.position = start
    values.append(_value(reader, depth))


def _value(reader: _Reader, depth: int) -> Any:
    kind = reader.peek()
    if kind == "number":
        text = reader.take("number")
        return int(text) if re.fullmatch(r"[+-]?\d+", text) else float(text)
    if kind == "quoted":
        return reader.take("quoted")[1:-1]
    if kind == "[":
        return _list(reader, depth + 1)
    call = _call(reader, depth)
    constant = call.name.lower()
    return call if call.brackets or constant not in CONSTANTS else CONSTANTS[constant]


def _list(reader: _Reader, depth: int) -> list[Any]:
    if depth > MAX_DEPTH:
        raise reader.error(f"more than {MAX_DEPTH} brackets are within each other")
    reader.take("[")
    items: list[Any] = []
    while reader.peek() != "]":
        items.append(_value(reader, depth))
        if reader.peek() != "]":
            reader.take(",")
    reader.take("]")
    return items


def _name(kind: str) -> str:
    return {"word": "a name", "end": "the end"}.get(kind, repr(kind))
