"""Numbers, times and lists of names as people read them."""

from __future__ import annotations

import math
from collections.abc import Sequence

DASH = "-"  # where there is no number


def number_text(number: float) -> str:
    """Return a number to four significant digits, counts in full."""
    if math.isnan(number):
        return DASH
    if number == int(number) and abs(number) < 1e7:
        return f"{int(number)}"
    return f"{number:.4g}" if abs(number) < 1e5 else f"{number:.0f}"


def percent(share: float) -> str:
    """Return a share in percent, with one digit."""
    return DASH if math.isnan(share) else f"{100 * share:.1f} %"


def pvalue_text(pvalue: float, name: str = "") -> str:
    """Return a p-value, with its name before it if there is one."""
    if math.isnan(pvalue):
        return f"{name} is not defined" if name else DASH
    small = pvalue < 0.001
    if not name:
        return "< 0.001" if small else f"{pvalue:.3f}"
    return f"{name} < 0.001" if small else f"{name} = {pvalue:.3f}"


def seconds_text(seconds: float) -> str:
    """Return a time that may be long or short."""
    if math.isnan(seconds):
        return DASH
    if seconds < 1e-3:
        return f"{1e6 * seconds:.0f} µs"
    if seconds < 1:
        return f"{1e3 * seconds:.3g} ms"
    return f"{seconds:.3g} s"


def joined(names: Sequence[str]) -> str:
    """Return names as a list in words: a, b and c."""
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} and {names[-1]}"


def plain_number(number: float) -> float | None:
    """Return a number that JSON has: None for NaN."""
    return None if math.isnan(number) else float(number)
