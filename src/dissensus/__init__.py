"""Classifiers that disagree on purpose, and the tree learner under them.

The names below are imported on first use, so that ``import dissensus`` is cheap and
loads neither scikit-learn nor any reader of files.
"""

import importlib
from typing import Any

__version__ = "0.1.0.dev0"

# Public name -> the subpackage that has it. `__init__.pyi` says the same to type
# checkers, and a test keeps the two equal.
_HOMES = {
    "AODEClassifier": "dissensus.bayes",
    "AdaBoostM1Classifier": "dissensus.ensemble",
    "BaggingClassifier": "dissensus.ensemble",
    "C45Classifier": "dissensus.tree",
    "CascadeClassifier": "dissensus.ensemble",
    "DiscriminantClassifier": "dissensus.linear",
    "EqualFrequencyDiscretizer": "dissensus.preprocessing",
    "EqualWidthDiscretizer": "dissensus.preprocessing",
    "LeastSquaresClassifier": "dissensus.linear",
    "DecorateClassifier": "dissensus.ensemble",
    "LocalCascadeClassifier": "dissensus.ensemble",
    "MDLDiscretizer": "dissensus.preprocessing",
    "MTForestClassifier": "dissensus.ensemble",
    "MaclenClassifier": "dissensus.ensemble",
    "MissingValueReplacer": "dissensus.preprocessing",
    "NaiveBayesClassifier": "dissensus.bayes",
    "StackedGeneralizationClassifier": "dissensus.ensemble",
    "ValueGrouper": "dissensus.preprocessing",
    "load_dataset": "dissensus.datasets",
    "read_table": "dissensus.io",
}

__all__ = [
    "AODEClassifier",
    "AdaBoostM1Classifier",
    "BaggingClassifier",
    "C45Classifier",
    "CascadeClassifier",
    "DecorateClassifier",
    "DiscriminantClassifier",
    "EqualFrequencyDiscretizer",
    "EqualWidthDiscretizer",
    "LeastSquaresClassifier",
    "LocalCascadeClassifier",
    "MDLDiscretizer",
    "MTForestClassifier",
    "MaclenClassifier",
    "MissingValueReplacer",
    "NaiveBayesClassifier",
    "StackedGeneralizationClassifier",
    "ValueGrouper",
    "__version__",
    "load_dataset",
    "read_table",
]


def __getattr__(name: str) -> Any:
    """Import a public name the first time that it is asked for."""
    if name not in _HOMES:
        raise AttributeError(
            f"module 'dissensus' has no attribute {name!r}. "
            f"It has: {', '.join(sorted(_HOMES))}."
        )
    value = getattr(importlib.import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """List the public names and the subpackages loaded so far."""
    return sorted({*globals(), *__all__})
