"""The cases of the benchmark of cascades and of what they are built from."""

from collections.abc import Callable
from functools import partial
from typing import Any

from sklearn.base import clone
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.preprocessing import KBinsDiscretizer

from benchmarks._report import Outcome
from benchmarks._timing import compare, sampler
from benchmarks._tree_cases import Case, Setup, outcome
from dissensus.bayes import NaiveBayesClassifier
from dissensus.ensemble import after
from dissensus.linear import DiscriminantClassifier
from dissensus.preprocessing import EqualFrequencyDiscretizer, EqualWidthDiscretizer
from dissensus.tree import C45Classifier

PROBLEMS = ("letter", "waveform-5000", "numeric-20k")
TITLES = {
    "lda-fit": "Fitting a discriminant (time of scikit-learn's LDA / ours)",
    "lda-predict": "Predicting with it (time of scikit-learn's LDA / ours)",
    "width": "Intervals of equal width (time of `KBinsDiscretizer` / ours)",
    "frequency": "Intervals of equal frequency (`KBinsDiscretizer` / ours)",
    "cascade": "C4.5 after naive Bayes (time of both alone, on the inputs / ours)",
}


def all_cases(*, quick: bool = False) -> list[Case]:
    """Return the cases problem by problem; `quick` leaves out the largest."""
    cases = []
    for name in PROBLEMS[:2] if quick else PROBLEMS:
        for group, run in RUNS.items():
            cases.append(Case(group, name, None, partial(run, name)))
    return cases


def run_discriminant_fit(name: str, setup: Setup) -> Outcome:
    """Compare fitting a linear discriminant."""
    peer = LinearDiscriminantAnalysis(solver="lsqr")
    return _fits(DiscriminantClassifier(), peer, name, setup)


def run_discriminant_predict(name: str, setup: Setup) -> Outcome:
    """Compare class probabilities of all rows."""
    problem = setup.problem(name)
    ours = DiscriminantClassifier().fit(problem.X, problem.y)
    peer = LinearDiscriminantAnalysis(solver="lsqr").fit(problem.codes, problem.y)
    return outcome(
        compare(
            sampler(lambda: ours.predict_proba(problem.X)),
            sampler(lambda: peer.predict_proba(problem.codes)),
            repeat=setup.repeat,
        )
    )


def run_equal_width(name: str, setup: Setup) -> Outcome:
    """Compare ten intervals of equal width: fitting and transforming."""
    peer = KBinsDiscretizer(10, encode="ordinal", strategy="uniform")
    return _transforms(EqualWidthDiscretizer(), peer, name, setup)


def run_equal_frequency(name: str, setup: Setup) -> Outcome:
    """Compare ten intervals of equal frequency: fitting and transforming."""
    method = "averaged_inverted_cdf"
    peer = KBinsDiscretizer(
        10, encode="ordinal", strategy="quantile", quantile_method=method
    )
    return _transforms(EqualFrequencyDiscretizer(), peer, name, setup)


def run_cascade(name: str, setup: Setup) -> Outcome:
    """Compare a cascade with its learners, each fitted on the inputs alone."""
    problem = setup.problem(name)

    def alone() -> None:
        NaiveBayesClassifier().fit(problem.X, problem.y)
        C45Classifier().fit(problem.X, problem.y)

    cascade = after(C45Classifier(), NaiveBayesClassifier())
    return outcome(
        compare(
            sampler(lambda: cascade.fit(problem.X, problem.y)),
            sampler(alone),
            repeat=setup.repeat,
        )
    )


RUNS: dict[str, Callable[[str, Setup], Outcome]] = {
    "lda-fit": run_discriminant_fit,
    "lda-predict": run_discriminant_predict,
    "width": run_equal_width,
    "frequency": run_equal_frequency,
    "cascade": run_cascade,
}


def _fits(ours: Any, peer: Any, name: str, setup: Setup) -> Outcome:
    problem = setup.problem(name)
    return outcome(
        compare(
            sampler(lambda: clone(ours).fit(problem.X, problem.y)),
            sampler(lambda: clone(peer).fit(problem.codes, problem.y)),
            repeat=setup.repeat,
        )
    )


def _transforms(ours: Any, peer: Any, name: str, setup: Setup) -> Outcome:
    problem = setup.problem(name)
    return outcome(
        compare(
            sampler(lambda: clone(ours).fit_transform(problem.X)),
            sampler(lambda: clone(peer).fit_transform(problem.codes)),
            repeat=setup.repeat,
        )
    )
