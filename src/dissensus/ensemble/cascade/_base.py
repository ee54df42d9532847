"""The base of ensembles that hand class probabilities from one learner to the next."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, Self

import numpy as np
from sklearn.base import TransformerMixin
from sklearn.utils import get_tags
from sklearn.utils.validation import check_is_fitted

from dissensus.base import like_input, read_training
from dissensus.ensemble._members import Codes, EnsembleClassifier, input_kind
from dissensus.ensemble.cascade._cross_fit import Rows
from dissensus.ensemble.cascade._levels import Level, flat, read_levels, replace
from dissensus.table import Schema, Table
from dissensus.utils._sklearn import fit_context, get_output_config
from dissensus.utils._typing import Floats


class LeveledClassifier(TransformerMixin, EnsembleClassifier):
    """An ensemble of named learners, all in one parameter, with groups of rows.

    The parameters of a learner are reached by its name: ``C45__confidence``, or ``C45``
    for the learner itself. A subclass names the parameter that holds the learners and
    has three hooks: `_default_learners`, `_fit_rows` and `_extended`.
    """

    _learners_parameter: str
    _n_classes: int
    schema_out_: Schema

    @abstractmethod
    def _default_learners(self) -> list[Any]:
        """Return the learners that stand for None."""

    @abstractmethod
    def _fit_rows(
        self,
        table: Table,
        y_codes: Codes,
        n_classes: int,
        sample_weight: Floats | None,
        rows: Rows,
    ) -> Self:
        """Fit, with what folds must know of the rows."""

    @abstractmethod
    def _extended(self, table: Table) -> Table:
        """Return the table that the deciding learner sees."""

    @fit_context(prefer_skip_nested_validation=False)
    def fit(
        self, X: Any, y: Any, sample_weight: Any = None, groups: Any = None
    ) -> Self:
        """Fit the learners level by level.

        Parameters
        ----------
        X : array, frame or Table of shape (n_samples, n_features)
            The training inputs. Missing values are NaN, None or null.
        y : array of shape (n_samples,)
            The class labels.
        sample_weight : array of shape (n_samples,), default=None
            Weights of the rows; rows of weight 0 are left out.
        groups : array of shape (n_samples,), default=None
            Groups of rows that inner cross-validation must not divide.

        Returns
        -------
        self : object
            The fitted ensemble.
        """
        self.input_kind_ = input_kind(X)
        table, labels, weights = read_training(self, X, y, sample_weight)
        self.classes_, codes = np.unique(labels, return_inverse=True)
        rows = Rows.of(y, sample_weight, groups)
        return self._fit_rows(
            table, codes.astype(np.int32), len(self.classes_), weights, rows
        )

    def _fit_table(
        self,
        table: Table,
        y_codes: Codes,
        n_classes: int,
        sample_weight: Floats | None = None,
    ) -> Self:
        return self._fit_rows(table, y_codes, n_classes, sample_weight, Rows())

    def transform(self, X: Any) -> Any:
        """Return the table that the deciding learner sees.

        Parameters
        ----------
        X : array, frame or Table of shape (n_samples, n_features)
            The inputs.

        Returns
        -------
        X_out : array, frame or Table of shape (n_samples, n_features_out)
            With the class probabilities that new rows get, in an object of the same
            kind as `X` unless `set_output` asks for another.
        """
        check_is_fitted(self)
        table = self._extended(Table.from_any(X, schema=self.schema_))
        container = get_output_config("transform", self)["dense"]
        return like_input(table, X, container, lambda plain: plain)

    def _labels(self) -> list[Any]:
        """Return the class labels; through the inner door there may be codes only."""
        labels = np.asarray(getattr(self, "classes_", ())).tolist()
        return labels if len(labels) == self._n_classes else [*range(self._n_classes)]

    def _read_learners(self) -> list[Level]:
        """Return the levels of named learners."""
        given = getattr(self, self._learners_parameter)
        return read_levels(self._default_learners() if given is None else given)

    def _learners(self) -> list[Any]:
        """Return all learners, unfitted, without their names."""
        return [learner.estimator for learner in flat(self._read_learners())]

    def _member_estimator(self) -> Any:
        """Return one learner; `__sklearn_tags__` below asks the others too."""
        return self._default_learners()[-1]

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the parameters; with `deep` those of the learners too."""
        params: dict[str, Any] = super().get_params(deep=deep)
        if deep and isinstance(params[self._learners_parameter], list | tuple):
            for learner in flat(self._read_learners()):
                params[learner.name] = learner.estimator
                if hasattr(learner.estimator, "get_params"):
                    own = learner.estimator.get_params(deep=True)
                    params |= {f"{learner.name}__{key}": own[key] for key in own}
        return params

    def set_params(self, **params: Any) -> Self:
        """Set parameters, of learners too."""
        key = self._learners_parameter
        if key in params:
            setattr(self, key, params.pop(key))
        if isinstance(getattr(self, key), list | tuple):
            names = {learner.name for learner in flat(self._read_learners())}
            for name in names & params.keys():
                setattr(self, key, replace(getattr(self, key), name, params.pop(name)))
        super().set_params(**params)
        return self

    def __sklearn_tags__(self) -> Any:
        """Say that the learners decide what is welcome."""
        tags = super().__sklearn_tags__()
        theirs = [get_tags(learner).input_tags for learner in self._learners()]
        tags.input_tags.allow_nan = all(tag.allow_nan for tag in theirs)
        tags.input_tags.categorical = all(tag.categorical for tag in theirs)
        tags.input_tags.string = all(tag.string for tag in theirs)
        return tags
