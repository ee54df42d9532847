"""The base of every classifier that learns from a Table."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from dissensus.base._inputs import label_codes, read_inputs, read_training
from dissensus.table import Schema, Table
from dissensus.utils._sklearn import fit_context


class TableClassifier(ClassifierMixin, BaseEstimator):
    """A classifier with two doors.

    The public door is scikit-learn's. The inner door, `_fit_table` and `_proba_table`,
    is for the ensembles of this package, which check and encode a table once and not
    once per member: class codes in, a column for every class out.
    """

    categorical_features: Any
    schema_: Schema
    classes_: NDArray[Any]

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "categorical_features": ["array-like", str, None],
    }

    @fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fit the classifier.

        Parameters
        ----------
        X : array, frame or Table of shape (n_samples, n_features)
            The training inputs. Missing values are NaN, None or null.
        y : array of shape (n_samples,)
            The class labels.
        sample_weight : array of shape (n_samples,), default=None
            Weights of the rows; rows of weight 0 are left out. The sum of the others
            is at most 1e150, and each is more than 1.1e-16 of it.

        Returns
        -------
        self : object
            The fitted classifier.
        """
        return self._fit_public(X, y, sample_weight)

    def _fit_public(self, X: Any, y: Any, sample_weight: Any) -> Self:
        """Check what the caller gave, then fit through the inner door."""
        table, y, weights = read_training(self, X, y, sample_weight)
        self.classes_, y_codes = label_codes(y)
        return self._fit_table(table, y_codes, len(self.classes_), weights)

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Return the probability of every class.

        Parameters
        ----------
        X : array, frame or Table of shape (n_samples, n_features)
            The inputs. Columns are matched by name where there are names; labels that
            `fit` has not seen count as missing.

        Returns
        -------
        proba : ndarray of shape (n_samples, n_classes)
            In the order of `classes_`.
        """
        check_is_fitted(self)
        return self._proba_table(read_inputs(self, X, reset=False))

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the most probable class.

        Parameters
        ----------
        X : array, frame or Table of shape (n_samples, n_features)
            The inputs, as in `predict_proba`.

        Returns
        -------
        y : ndarray of shape (n_samples,)
            Labels from `classes_`; the first of equals.
        """
        check_is_fitted(self)
        return self.classes_[self._codes_table(read_inputs(self, X, reset=False))]

    @abstractmethod
    def _fit_table(
        self,
        table: Table,
        y_codes: NDArray[np.int32],
        n_classes: int,
        sample_weight: NDArray[np.float64] | None = None,
    ) -> Self:
        """Fit on class codes; the weights are positive, None if all are 1."""

    @abstractmethod
    def _proba_table(self, table: Table) -> NDArray[np.float64]:
        """Return a column of probabilities for each of the `n_classes` of the fit."""

    def _codes_table(self, table: Table) -> NDArray[np.intp]:
        """Return the code of the most probable class."""
        return self._proba_table(table).argmax(axis=1)

    def __sklearn_tags__(self) -> Any:
        """Say that missing values, labels and strings are welcome."""
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        return tags
