"""The learners by name: what a text may ask for, and where it lives.

A class is imported when it is asked for, by its dotted home, so that a list of names
costs nothing and nothing has to be installed that is not used.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from dissensus.exceptions import LearnerError
from dissensus.utils._names import suggest


@dataclass(frozen=True, slots=True)
class Entry:
    """One learner that can be asked for by name.

    Attributes
    ----------
    name : str
        The name in texts.
    home : str
        Module and class, "dissensus.tree:C45Classifier".
    about : str
        What it is, in a few words.
    takes : str
        The parameter that learners in brackets go to; "" if it takes none.
    many : bool
        Whether it takes any number of learners, as a list.
    preset : mapping
        Parameters that the name stands for.
    encoding : str
        How tables become numbers for a class of another package; "" for ours.
    """

    name: str
    home: str
    about: str
    takes: str = ""
    many: bool = False
    preset: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    encoding: str = ""

    def load(self) -> Any:
        """Import the class."""
        module, _, attribute = self.home.partition(":")
        try:
            return getattr(importlib.import_module(module), attribute)
        except (ImportError, AttributeError):
            raise LearnerError(
                f"learner {self.name!r}: {module}.{attribute} is not installed. "
                "Install a version of the package that has it."
            ) from None


def _one(name: str, home: str, about: str) -> Entry:
    return Entry(name, f"dissensus.ensemble:{home}", about, takes="estimator")


LEARNERS: dict[str, Entry] = {
    entry.name: entry
    for entry in (
        # Base learners.
        Entry("c45", "dissensus.tree:C45Classifier", "C4.5 tree as J48 grows it"),
        Entry(
            "dtree",
            "dissensus.tree:C45Classifier",
            "C4.5 tree smoothed along its paths",
            preset=MappingProxyType({"smoothing": "path"}),
        ),
        Entry("nb", "dissensus.bayes:NaiveBayesClassifier", "naive Bayes"),
        Entry("aode", "dissensus.bayes:AODEClassifier", "one-dependence estimators"),
        Entry("lda", "dissensus.linear:DiscriminantClassifier", "linear discriminant"),
        Entry(
            "leastsquares",
            "dissensus.linear:LeastSquaresClassifier",
            "a least-squares line for each class",
        ),
        # Ensembles.
        _one("maclen", "MaclenClassifier", "classes joined with attribute values"),
        _one("decorate", "DecorateClassifier", "artificial examples against itself"),
        _one("bagging", "BaggingClassifier", "bootstrap replicates"),
        _one("adaboost", "AdaBoostM1Classifier", "AdaBoost.M1"),
        Entry(
            "cascade",
            "dissensus.ensemble:CascadeClassifier",
            "probabilities as attributes for the next",
            takes="levels",
            many=True,
        ),
        Entry(
            "stacking",
            "dissensus.ensemble:StackedGeneralizationClassifier",
            "a learner over the learners' answers",
            takes="estimators",
            many=True,
        ),
        Entry(
            "local",
            "dissensus.ensemble:LocalCascadeClassifier",
            "cascade at every node of a tree",
        ),
        _one(
            "mtforest", "MTForestClassifier", "trees with an attribute as second task"
        ),
        Entry(
            "discretized",
            "dissensus.learners._prepared:DiscretizedClassifier",
            "a learner behind means, modes and MDL intervals",
            takes="estimator",
        ),
        # Of scikit-learn.
        Entry(
            "forest",
            "sklearn.ensemble:RandomForestClassifier",
            "random forest",
            encoding="ordinal",
        ),
        Entry(
            "hgb",
            "sklearn.ensemble:HistGradientBoostingClassifier",
            "boosting of histograms",
            encoding="native",
        ),
        Entry(
            "logistic",
            "sklearn.linear_model:LogisticRegression",
            "logistic regression",
            preset=MappingProxyType({"max_iter": 1000}),
            encoding="onehot",
        ),
        Entry(
            "mlp",
            "sklearn.neural_network:MLPClassifier",
            "neural network",
            encoding="onehot",
        ),
        Entry(
            "majority",
            "sklearn.dummy:DummyClassifier",
            "the class frequencies",
            encoding="ordinal",
        ),
    )
}

# What `discretizers=[mdl, frequency(n_bins=5)]` may ask for; these are no learners.
DISCRETIZERS: dict[str, Entry] = {
    entry.name: entry
    for entry in (
        Entry("mdl", "dissensus.preprocessing:MDLDiscretizer", "cuts by class"),
        Entry(
            "width",
            "dissensus.preprocessing:EqualWidthDiscretizer",
            "intervals of equal width",
        ),
        Entry(
            "frequency",
            "dissensus.preprocessing:EqualFrequencyDiscretizer",
            "intervals with equal numbers of rows",
        ),
    )
}

# Parameters of which a bare word is the name of a learner: `bagging(estimator=nb)`.
LEARNER_PARAMETERS = frozenset(
    {"discretizers", "estimator", "estimators", "final_estimator", "levels"}
)


def find_entry(name: str, text: str) -> Entry:
    """Return the learner, or discretiser, of this name, which stands in this text."""
    if name in DISCRETIZERS:
        return DISCRETIZERS[name]
    if name not in LEARNERS:
        raise LearnerError(
            f"learner {text!r}: there is no learner {name!r}. {suggest(name, LEARNERS)}"
        )
    return LEARNERS[name]
