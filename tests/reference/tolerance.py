"""Comparisons with the tolerance that J48 uses throughout."""

EPSILON = 1e-6


def equal(a: float, b: float) -> bool:
    """Whether two numbers differ by less than the tolerance."""
    return abs(a - b) < EPSILON


def greater(a: float, b: float) -> bool:
    """Whether a exceeds b by more than the tolerance."""
    return a - b > EPSILON


def smaller(a: float, b: float) -> bool:
    """Whether b exceeds a by more than the tolerance."""
    return b - a > EPSILON


def greater_or_equal(a: float, b: float) -> bool:
    """Whether a is at least b, or hardly less."""
    return b - a < EPSILON or a >= b


def smaller_or_equal(a: float, b: float) -> bool:
    """Whether a is at most b, or hardly more."""
    return a - b < EPSILON or a <= b
