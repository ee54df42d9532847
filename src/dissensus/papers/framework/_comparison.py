"""Published numbers beside measured ones, and how far apart chance could put them."""

from __future__ import annotations

import math

import numpy as np

from dissensus.evaluation import WinDrawLoss
from dissensus.papers.framework._paper import Comparison, Published

QUANTILE = 1.96  # of the normal distribution: 19 times of 20


def beside_value(
    published: Published,
    measured: float,
    deviation: float,
    *,
    digits: int = 2,
    deviation_published: float | None = None,
) -> Comparison:
    """Set a number beside the published one.

    Parameters
    ----------
    published : Published
        With a `value`.
    measured : float
        Ours.
    deviation : float
        Its standard deviation.
    digits : int, default=2
        How many are printed behind the point.
    deviation_published : float, default=None
        That of the published number, which is taken to be like ours if None. 0 if both
        are of the same folds.

    Returns
    -------
    Comparison
        The difference is within the noise if it is below 1.96 deviations.
    """
    assert published.value is not None
    other = deviation if deviation_published is None else deviation_published
    noise = QUANTILE * math.hypot(deviation, other)
    difference = measured - published.value
    known = not (math.isnan(noise) or math.isnan(difference))
    return Comparison(
        published.what,
        f"{published.value:.{digits}f}",
        f"{measured:.{digits}f}",
        f"{difference:+.{digits}f}",
        f"{noise:.{digits}f}" if known else "-",
        abs(difference) <= noise if known else None,
    )


def beside_wins(published: Published, found: WinDrawLoss) -> Comparison:
    """Set wins and losses beside the published ones.

    What is compared is the share of wins less that of losses. Its noise is that of
    other data sets from the same source: each of them counts 1, 0 or -1.

    Parameters
    ----------
    published : Published
        With `wins`, `losses` and `of`.
    found : WinDrawLoss
        Ours.

    Returns
    -------
    Comparison
        With the difference of the two surpluses of wins, in points of per cent.
    """
    assert published.wins is not None
    assert published.losses is not None
    assert published.of is not None
    n, of = found.wins + found.draws + found.losses, published.of
    theirs = surplus(published.wins, published.losses, of)[0]
    ours = surplus(found.wins, found.losses, n)[0]
    difference = ours - theirs
    # Their data sets and ours together tell how much one differs from another.
    together = surplus(
        published.wins + found.wins, published.losses + found.losses, n + of
    )
    noise = QUANTILE * together[1] * math.sqrt((n + of) * (1 / max(n, 1) + 1 / of))
    known = not (math.isnan(noise) or math.isnan(difference))
    return Comparison(
        published.what,
        f"{published.wins}-{published.losses} of {published.of}",
        f"{found.wins}-{found.losses} of {n}",
        f"{100 * difference:+.0f} points" if known else "-",
        f"{100 * noise:.0f} points" if known else "-",
        abs(difference) <= noise if known else None,
    )


def surplus(wins: int, losses: int, n: int) -> tuple[float, float]:
    """Return the share of wins less that of losses, and its standard deviation."""
    if n < 2:
        return float("nan"), float("nan")
    outcomes = np.repeat([1.0, 0.0, -1.0], [wins, n - wins - losses, losses])
    return float(outcomes.mean()), float(outcomes.std(ddof=1)) / math.sqrt(n)
