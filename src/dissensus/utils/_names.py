"""Names in messages: the nearest of those that exist, and long lists cut short."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


def suggest(name: str, known: Iterable[str]) -> str:
    """Return a sentence that names the nearest of the known names, or lists some."""
    names = list(known)
    # To compare two texts takes the product of their lengths, so few short ones are.
    near = [candidate for candidate in names[:1000] if len(candidate) <= 100]
    folded = {candidate.casefold(): candidate for candidate in near}
    close = get_close_matches(name[:100].casefold(), folded, n=3, cutoff=0.6)
    if close:
        return f"Did you mean {' or '.join(repr(folded[c]) for c in close)}?"
    shown = ", ".join(repr(candidate[:100]) for candidate in names[:10])
    more = f" and {len(names) - 10} more" if len(names) > 10 else ""
    return f"There are: {shown}{more}."


def quote(text: str) -> str:
    """Return a text of a file in quotes, cut after 80 characters."""
    return repr(text) if len(text) <= 80 else f"{text[:80]!r}..."


def shorten(values: Iterable[object], limit: int = 12) -> str:
    """Return the values as a list in brackets, cut after `limit` of them."""
    items = list(values)
    shown = ", ".join(
        quote(value) if isinstance(value, str) else repr(value)
        for value in items[:limit]
    )
    more = f", ... {len(items) - limit} more" if len(items) > limit else ""
    return f"[{shown}{more}]"
