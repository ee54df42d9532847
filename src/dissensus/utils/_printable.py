"""Text of other people's files, made safe to print."""

from __future__ import annotations

import re

# Control characters but for tab and line feed, among them the escape that begins a
# terminal's commands (and its one-byte form, 9b); what turns the direction of writing
# round; line ends of Unicode; halves of characters, which no encoding can write.
UNSAFE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"
)


def printable(text: str) -> str:
    r"""Return text with the characters that a terminal would obey spelt out.

    Parameters
    ----------
    text : str
        Anything.

    Returns
    -------
    str
        With ``\u001b`` for an escape, and so on. JSON means the same before and after.

    Examples
    --------
    >>> from dissensus.utils._printable import printable
    >>> print(printable("a \x1b[31mred\x1b[0m label"))
    a \u001b[31mred\u001b[0m label
    """
    return UNSAFE.sub(lambda found: f"\\u{ord(found.group()):04x}", text)
