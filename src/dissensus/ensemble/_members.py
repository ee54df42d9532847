"""The one adapter between an ensemble and its members.

A member of this package learns through the inner door, from the table itself. Any other
classifier learns through scikit-learn's door, from an object of the caller's own kind:
arrays if the ensemble was given an array, frames (with nominal columns as categories)
if it was given a frame. Either way the labels are class codes, and the answer has a
column for every class.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import lru_cache
from typing import Any, ClassVar, Literal, Self

import narwhals as nw
import numpy as np
from numpy.random import Generator, RandomState
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, MetaEstimatorMixin, clone
from sklearn.dummy import DummyClassifier
from sklearn.utils import check_random_state, get_tags
from sklearn.utils.validation import has_fit_parameter

from dissensus.base import TableClassifier, remember_names, to_array
from dissensus.table import Table
from dissensus.tree import C45Classifier
from dissensus.utils._sklearn import HasMethods, fit_context
from dissensus.utils._typing import Floats

InputKind = Literal["array", "pandas", "polars"]
Codes = NDArray[np.int32]
Adder = Callable[[Table, Floats], None]
"""Adds class probabilities of the rows of a table to sums, in place."""
MAX_SEED = np.iinfo(np.int32).max


def input_kind(X: Any) -> InputKind:
    """Tell which kind of object the caller has, to give the same to foreign members."""
    if isinstance(X, np.ndarray | Table):  # to ask narwhals takes 12 us
        return "array"
    if nw.dependencies.is_pandas_like_dataframe(X):
        return "pandas"
    if nw.dependencies.is_into_dataframe(X):
        return "polars"
    return "array"


def to_input(table: Table, kind: InputKind) -> Any:
    """Return a table as an object that a classifier of any origin can read."""
    if kind != "array":
        return table.to_frame(kind)
    return table.matrix if table.matrix is not None else to_array(table)


def takes_tables(estimator: Any) -> bool:
    """Whether the estimator has the inner door."""
    return isinstance(estimator, TableClassifier)


def accepts_weights(estimator: Any) -> bool:
    """Whether the estimator can learn from weighted rows."""
    if isinstance(estimator, EnsembleClassifier):
        return estimator._accepts_weights()
    return takes_tables(estimator) or has_fit_parameter(estimator, "sample_weight")


def fresh_generator(random_state: Any) -> Generator:
    """Return the one generator of a fit, from what scikit-learn takes as a seed."""
    return np.random.default_rng(check_random_state(random_state).randint(MAX_SEED))


def new_member(estimator: Any, rng: Generator | RandomState | None = None) -> Any:
    """Return an unfitted copy, with its own seed for everything random in it."""
    cls: Any = type(estimator)
    names = _parameter_names(cls)
    values = {name: getattr(estimator, name, None) for name in names}
    nested = any(hasattr(value, "get_params") for value in values.values())
    if not takes_tables(estimator) or nested or hasattr(estimator, "_skl_callbacks"):
        member = clone(estimator)
        names = tuple(sorted(member.get_params()))
    else:
        member = cls(**values)  # 5 us, where `clone` takes 400
    if rng is not None:
        seeded = [name for name in names if name.split("__")[-1] == "random_state"]
        if seeded:
            member.set_params(**{name: _draw_seed(rng) for name in seeded})
    return member


@lru_cache
def _parameter_names(cls: Any) -> tuple[str, ...]:
    return tuple(inspect.signature(cls).parameters)


def _draw_seed(rng: Generator | RandomState) -> int:
    draw = rng.integers if isinstance(rng, Generator) else rng.randint
    return int(draw(MAX_SEED))


def fit_member(
    member: Any,
    table: Table,
    y_codes: Codes,
    n_classes: int,
    sample_weight: Floats | None = None,
    *,
    kind: InputKind,
) -> Any:
    """Fit a member, as it is and not a copy, and return it.

    Where all rows are of one class, a member of another package is replaced by a
    constant: many refuse to learn one class, and none could learn anything else.

    Parameters
    ----------
    member : classifier
        Of this package or of any other.
    table : Table
        The training rows.
    y_codes : ndarray of int32
        Class codes from 0 to `n_classes - 1`; some may not occur.
    n_classes : int
        The number of classes of the ensemble.
    sample_weight : ndarray, default=None
        Positive weights; None if all are 1.
    kind : {"array", "pandas", "polars"}
        What a foreign member is given.

    Returns
    -------
    member : classifier
        Ready for `member_proba` and `member_codes`.
    """
    if takes_tables(member):
        member.classes_ = np.arange(n_classes)
        remember_names(member, table)
        if isinstance(member, EnsembleClassifier):
            member.input_kind_ = kind
        return member._fit_table(table, y_codes, n_classes, sample_weight)
    if sample_weight is not None and not accepts_weights(member):
        raise ValueError(
            f"{type(member).__name__} cannot learn from weighted rows. Fit without "
            "sample_weight, or take an estimator whose fit has it (a pipeline has not)."
        )
    X = to_input(table, kind)
    if (y_codes == y_codes[0]).all():
        return DummyClassifier().fit(X, y_codes)
    if sample_weight is None:
        return member.fit(X, y_codes)
    return member.fit(X, y_codes, sample_weight=sample_weight)


def member_proba(
    member: Any, table: Table, n_classes: int, *, kind: InputKind
) -> Floats:
    """Return a member's probability of every class; a vote if it has none to give."""
    if takes_tables(member):
        return np.asarray(member._proba_table(table))
    X = to_input(table, kind)
    proba = np.zeros((table.n_rows, n_classes))
    if hasattr(member, "predict_proba"):
        # Rows of one member may lack a class: its columns are placed by class code.
        proba[:, np.asarray(member.classes_, dtype=np.intp)] = member.predict_proba(X)
    else:
        codes = np.asarray(member.predict(X), dtype=np.intp)
        proba[np.arange(table.n_rows), codes] = 1.0
    return proba


def member_adder(member: Any, *, kind: InputKind) -> Adder:
    """Return a function that adds a member's probabilities of rows to sums.

    It is for those who ask a member again and again: a tree works out once what does
    not depend on the rows, and needs no array for its answer.
    """
    if isinstance(member, C45Classifier):
        return member._adder()

    def add(table: Table, total: Floats) -> None:
        total += member_proba(member, table, total.shape[1], kind=kind)

    return add


def member_codes(member: Any, table: Table, *, kind: InputKind) -> NDArray[np.intp]:
    """Return the class codes that a member predicts, by its own rule for ties."""
    if takes_tables(member):
        return member._codes_table(table)
    return np.asarray(member.predict(to_input(table, kind)), dtype=np.intp)


class EnsembleClassifier(MetaEstimatorMixin, TableClassifier):
    """Base of the ensembles: a table classifier that remembers what `X` was.

    A subclass has the two hooks of `TableClassifier`. In `_fit_table` it starts from
    `_prototype()`, makes members with `new_member`, and fits and asks them through
    `_fit_member`, `_member_proba`, `_member_adder` and `_member_codes`.
    """

    estimator: Any
    estimators_: list[Any]
    # What `X` was; the inner door has no say in it and leaves the value here.
    input_kind_: InputKind = "array"

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **TableClassifier._parameter_constraints,
        "estimator": [HasMethods(["fit", "predict"]), None],
    }

    @fit_context(prefer_skip_nested_validation=False)
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fit the ensemble.

        Parameters
        ----------
        X : array, frame or Table of shape (n_samples, n_features)
            The training inputs. Missing values are NaN, None or null.
        y : array of shape (n_samples,)
            The class labels.
        sample_weight : array of shape (n_samples,), default=None
            Weights of the rows; rows of weight 0 are left out.

        Returns
        -------
        self : object
            The fitted ensemble.
        """
        self.input_kind_ = input_kind(X)
        return self._fit_public(X, y, sample_weight)

    def _default_estimator(self) -> BaseEstimator:
        """Return the member that stands for `estimator=None`."""
        return C45Classifier()

    def _member_estimator(self) -> Any:
        estimator = getattr(self, "estimator", None)  # a cascade has several instead
        return self._default_estimator() if estimator is None else estimator

    def _prototype(self) -> Any:
        """Return the checked, unfitted estimator that members are copies of."""
        return checked(self._member_estimator())

    def _learners(self) -> list[Any]:
        """Return the learners of the ensemble, unfitted."""
        return [self._member_estimator()]

    def _accepts_weights(self) -> bool:
        """Whether weights given to `fit` will do; by default the learners decide."""
        return all(accepts_weights(learner) for learner in self._learners())

    def _fit_member(
        self,
        member: Any,
        table: Table,
        y_codes: Codes,
        n_classes: int,
        sample_weight: Floats | None = None,
    ) -> Any:
        return fit_member(
            member, table, y_codes, n_classes, sample_weight, kind=self.input_kind_
        )

    def _member_proba(self, member: Any, table: Table, n_classes: int) -> Floats:
        return member_proba(member, table, n_classes, kind=self.input_kind_)

    def _member_adder(self, member: Any) -> Adder:
        return member_adder(member, kind=self.input_kind_)

    def _member_codes(self, member: Any, table: Table) -> NDArray[np.intp]:
        return member_codes(member, table, kind=self.input_kind_)

    def __sklearn_tags__(self) -> Any:
        """Say that the members decide what is welcome."""
        tags = super().__sklearn_tags__()
        theirs = get_tags(self._member_estimator()).input_tags
        tags.input_tags.allow_nan = theirs.allow_nan
        tags.input_tags.categorical = theirs.categorical
        tags.input_tags.string = theirs.string
        return tags


def checked(estimator: Any) -> Any:
    """Return the estimator, its parameters checked: the inner door does not ask."""
    if takes_tables(estimator):
        estimator._validate_params()
    return estimator
