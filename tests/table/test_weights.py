from pathlib import Path

import numpy as np
import pytest
from sklearn.ensemble import AdaBoostClassifier

from dissensus import C45Classifier
from dissensus.exceptions import TableError
from dissensus.io import read_table
from dissensus.table._weights import check_weights


@pytest.mark.parametrize(
    ("weights", "words"),
    [
        ([1e308] * 5, r"sum to inf, which must not be more than 1e\+150"),
        ([1e150, 1e150], r"sum to 2e\+150, which must not be more"),
        ([1.0, 2.0**-53], r"go from 1.11e-16 to 1: each must be more than 1.1e-16"),
        ([1.0, 5e-324], "go from 4.94e-324 to 1"),
        ([5e-324, 5e-324], "smallest weight of a row is 4.94e-324"),
        ([9e-151, 0.0], "smallest weight of a row is 9e-151"),
    ],
)
def test_weights_that_cannot_be_added_are_refused(
    weights: list[float], words: str
) -> None:
    with pytest.raises(TableError, match=words):
        check_weights(np.array(weights))


@pytest.mark.parametrize(
    "weights",
    [
        [1.0, 2.0**-52],
        [1.0, 0.0],
        [0.0, 0.0],
        [],
        [1 / 150] * 150,
        [1e-150],
        [1e150],
    ],
)
def test_weights_that_can_be_added_are_allowed(weights: list[float]) -> None:
    check_weights(np.array(weights))


def test_smallest_weight_that_is_allowed_is_noticed_by_the_sum(
    rng: np.random.Generator,
) -> None:
    for heavy in rng.uniform(0.5, 2, 1000):
        light = 2.0**-53 * heavy * (1 + 1e-15)
        check_weights(np.array([heavy, light]))
        assert heavy + light > heavy


def test_boosting_by_scikit_learn_gives_weights_that_are_allowed() -> None:
    # It lets weights fall to 2.2e-16 of their sum, and no further.
    light = np.full(200, np.finfo(float).eps)
    check_weights(np.append(light, 1.0))
    X, y = np.arange(40.0)[:, np.newaxis], np.arange(40) % 7 > 2
    model = AdaBoostClassifier(C45Classifier(min_samples_leaf=1), n_estimators=60)
    assert model.fit(X, y).predict(X).shape == (40,)


def test_weights_in_a_file_are_refused_with_the_name_of_the_file(
    tmp_path: Path,
) -> None:
    path = tmp_path / "heavy.arff"
    rows = "".join(f"{row}, {'ab'[row % 2]}, {{1e308}}\n" for row in range(5))
    path.write_text(
        "@relation r\n@attribute x numeric\n@attribute class {a, b}\n@data\n" + rows
    )
    with pytest.raises(TableError, match=r"heavy.arff: The weights of .* sum to inf"):
        read_table(path)
