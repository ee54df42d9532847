"""scikit-learn's battery over the transformers of tables; nothing fails in it."""

from collections.abc import Callable
from typing import Any

from sklearn.utils.estimator_checks import parametrize_with_checks

from dissensus.preprocessing import MDLDiscretizer, MissingValueReplacer

TRANSFORMERS = [
    MDLDiscretizer(),
    MDLDiscretizer("kononenko", efficient_encoding=True),
    MissingValueReplacer(),
]


@parametrize_with_checks(TRANSFORMERS)
def test_scikit_learn_check_passes(
    estimator: Any, check: Callable[[Any], None]
) -> None:
    check(estimator)
