"""The claims of the papers, judged on results that were made up."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from dissensus.papers.decorate._curves import curves
from dissensus.papers.decorate._studies import SIZES, diversity, sizes
from dissensus.papers.framework._paper import Findings, Measured
from dissensus.papers.maclen._families import (
    bayes,
    comparable,
    lowest_rank,
    more_wins,
    trees,
)
from dissensus.papers.maclen._studies import LEARNERS, decomposition
from dissensus.results._cube import Cube
from dissensus.table._to_frame import import_polars

N_SETS, N_TASKS = 6, 20


class MadeUp:
    """Results whose learners have given accuracies, with a little noise."""

    def __init__(
        self, accuracy: dict[str, Any], fractions: tuple[float, ...] = (1.0,)
    ) -> None:
        self.learners = tuple(accuracy)
        self.datasets = tuple(f"set {n}" for n in range(N_SETS))
        self.spec = {"fractions": list(fractions)}
        self.n_missing = 0
        rng = np.random.default_rng(0)
        self._values = {}
        for number, fraction in enumerate(fractions):
            level = [
                np.broadcast_to(a, len(fractions))[number] for a in accuracy.values()
            ]
            noise = rng.normal(0, 0.002, (N_SETS, len(level), N_TASKS))
            self._values[fraction] = np.array(level)[:, np.newaxis] + noise

    def cube(self, fraction: float | None = None) -> Cube:
        """Return the scores at one share of the data."""
        at = max(self._values) if fraction is None else fraction
        names = self.datasets, self.learners
        ratio = 1 / (9 * at)
        return Cube(self._values[at], *names, 10, at, True, test_train_ratio=ratio)

    def ranks(self) -> Any:
        """Return the ranks as a table does."""
        row = {"dataset": ["average"], **{name: [1.0] for name in self.learners}}
        frame = import_polars().DataFrame(row)
        return type("Ranks", (), {"frame": frame})()


def findings(name: str, results: MadeUp) -> Findings:
    """Return what an analysis is given."""
    return Findings({name: results}, [], {})  # type: ignore[dict-item]


def verdicts(claims: Any) -> list[str]:
    """Return the judgements of claims."""
    return [claim.verdict for claim in claims]


def test_decorate_that_leads_early_and_loses_to_boosting_later_is_as_published() -> (
    None
):
    results = MadeUp(
        {
            "C4.5": (0.6, 0.8),
            "Bagging": (0.62, 0.83),
            "AdaBoost": (0.61, 0.9),
            "DECORATE": (0.85, 0.88),
        },
        (0.1, 1.0),
    )
    found = curves(findings("curves", results))
    assert verdicts(found.claims) == [
        *["held"] * 4,
        "held",
        "not held",  # AdaBoost is never worse than C4.5 here either
        "not held",  # AdaBoost with all data is not reached
    ]


def test_decorate_behind_bagging_is_not_held() -> None:
    results = MadeUp({"C4.5": 0.8, "Bagging": 0.9, "AdaBoost": 0.7, "DECORATE": 0.85})
    wins, ratio, *_ = curves(findings("curves", results)).claims
    assert (wins.held, ratio.held) == (False, False)
    assert "0-6" in wins.numbers


def test_decorate_below_its_base_by_much_is_not_held() -> None:
    results = MadeUp({"C4.5": 0.9, "Bagging": 0.9, "AdaBoost": 0.7, "DECORATE": 0.8})
    claim = curves(findings("curves", results)).claims[5]
    assert claim.held is False
    assert "DECORATE -10" in claim.numbers


def test_maclen_ahead_of_all_has_all_claims_held() -> None:
    results = MadeUp(
        {
            "C4.5": 0.8,
            "Bagging": 0.82,
            "AdaBoost": 0.84,
            "RandomForest": 0.85,
            "MACLEN": 0.9,
        }
    )
    assert set(verdicts(trees(findings("c45-family", results)).claims)) == {"held"}


def test_maclen_of_bayes_behind_all_has_no_claim_held() -> None:
    results = MadeUp(
        {
            "NB": 0.9,
            "AdaBoost": 0.9,
            "AODE": 0.9,
            "MACLEN(L)": 0.8,
            "MACLEN(M)": 0.7,
        }
    )
    found = bayes(findings("nb-family", results))
    assert set(verdicts(found.claims)) == {"not held"}


def test_without_a_significant_difference_nothing_is_judged() -> None:
    results: Any = MadeUp({"a": 0.9, "b": 0.9})
    assert more_wins(results, "a", "b").held is None
    assert comparable(results, "a", "b").held is True


def test_the_lowest_rank_is_that_of_the_best_learner() -> None:
    results: Any = MadeUp({"a": 0.7, "b": 0.8, "c": 0.9})
    claim, rank, noise = lowest_rank(results, "c", ["a", "c"])
    assert (claim.held, rank, noise) == (True, 1.0, 0.0)
    assert lowest_rank(results, "b", ["a", "b", "c"])[0].held is False


@pytest.mark.parametrize("slope", [1.0, -1.0])
def test_diversity_that_goes_with_the_gain_is_held(slope: float) -> None:
    rng = np.random.default_rng(0)
    spread = rng.uniform(0, 1, 100)
    content = {
        "ratio": np.tile([0.5, 1.0], 50).tolist(),
        "diversity": spread.tolist(),
        "ensemble": (slope * spread + rng.normal(0, 0.1, 100)).tolist(),
        "base": (slope * spread + rng.normal(0, 0.5, 100)).tolist(),
    }
    found = diversity(Findings({}, [Measured("a", {}, content)], {}))
    assert set(verdicts(found.claims)) == {"held" if slope > 0 else "not held"}


@pytest.mark.parametrize(("late", "verdict"), [(0.0, "held"), (0.1, "not held")])
def test_a_committee_that_goes_on_gaining_does_not_level_out(
    late: float, verdict: str
) -> None:
    accuracy = [0.6 + 0.01 * min(n, 6) + late * (n > 6) for n in range(len(SIZES))]
    measured = Measured("a", {}, {"accuracy": [accuracy], "reached": [30]})
    assert verdicts(sizes(Findings({}, [measured], {})).claims) == [verdict]


@pytest.mark.parametrize("what", ["bias", "variance"])
def test_a_gain_is_one_of_bias_or_of_variance(what: str) -> None:
    measured = []
    for name in LEARNERS:
        content = {"bias": 0.2, "variance": 0.2, "error": 0.4}
        if name.startswith("MACLEN"):
            content[what] -= 0.1
            content["error"] -= 0.1
        measured.append(Measured("a", {"name": name}, content))
    found = decomposition(Findings({}, measured, {}))
    assert set(verdicts(found.claims)) == {"held" if what == "bias" else "not held"}
