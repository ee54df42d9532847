"""Try an installed dissensus in a minute: what must work in every wheel and sdist.

Runs with the core dependencies alone, so everything here goes in as numpy arrays.
"""

import pickle
import sys
from importlib.metadata import version
from importlib.resources import files
from importlib.util import find_spec

import numpy as np
from sklearn.datasets import load_iris
from sklearn.pipeline import make_pipeline

import dissensus
from dissensus import C45Classifier, MDLDiscretizer, MissingValueReplacer
from dissensus.exceptions import TableError
from dissensus.tree import export_text


def check_files() -> None:
    """Check the version and the files that are data and not modules."""
    assert dissensus.__version__ == version("dissensus")
    for name in ("py.typed", "__init__.pyi"):
        assert files("dissensus").joinpath(name).is_file(), f"{name} is not installed"


def check_tree() -> None:
    """Check that a tree is grown, predicts, prints and survives a pickle."""
    X, y = load_iris(return_X_y=True)
    tree = C45Classifier().fit(X, y)
    assert tree.score(X, y) > 0.9
    assert "<=" in export_text(tree)
    copy = pickle.loads(pickle.dumps(tree))
    np.testing.assert_array_equal(copy.predict_proba(X), tree.predict_proba(X))


def check_pipeline() -> None:
    """Check the transformers before a tree, with missing cells and nominal columns."""
    X, y = load_iris(return_X_y=True)
    X[::7, 2] = np.nan
    pipeline = make_pipeline(MissingValueReplacer(), MDLDiscretizer(), C45Classifier())
    assert pipeline.fit(X, y).score(X, y) > 0.8

    colours = np.array([["red"], ["blue"], ["red"], ["blue"]], dtype=object)
    tree = C45Classifier().fit(colours, ["stop", "go", "stop", "go"])
    assert list(tree.predict(colours[:2])) == ["stop", "go"]


def check_words_without_extras() -> None:
    """Check that a missing optional package is named, where it is missing."""
    if find_spec("polars"):
        return
    words = "nothing"
    try:
        dissensus.load_dataset("monks-2")
    except TableError as error:
        words = str(error)
    assert "dissensus[tables]" in words, f"load_dataset without polars said {words}"


def main() -> None:
    """Run every check."""
    check_files()
    check_tree()
    check_pipeline()
    check_words_without_extras()
    print(f"dissensus {dissensus.__version__} works on Python {sys.version.split()[0]}")


if __name__ == "__main__":
    main()
