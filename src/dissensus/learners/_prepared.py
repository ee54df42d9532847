"""A learner behind the preparation of the MACLEN paper, learnt inside each fold."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import MetaEstimatorMixin, clone

from dissensus.base import TableClassifier
from dissensus.preprocessing import MDLDiscretizer, MissingValueReplacer
from dissensus.table import Table
from dissensus.tree import C45Classifier
from dissensus.utils._sklearn import HasMethods


class DiscretizedClassifier(MetaEstimatorMixin, TableClassifier):
    """Fill in missing values and cut numbers into intervals, then learn.

    The protocol "paper" does the same over the whole file, before the folds are made;
    here means, modes and cuts come from the training rows alone.

    Parameters
    ----------
    estimator : classifier, default=None
        A classifier of this package, or one that is encoded for it; a C4.5 tree if
        None.
    categorical_features : "from_dtype" or list, default="from_dtype"
        Nominal columns beside those whose type says so.
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **TableClassifier._parameter_constraints,
        "estimator": [HasMethods(["fit", "predict_proba"]), None],
    }

    def __init__(
        self, estimator: Any = None, *, categorical_features: Any = "from_dtype"
    ) -> None:
        self.estimator = estimator
        self.categorical_features = categorical_features

    def _fit_table(
        self,
        table: Table,
        y_codes: NDArray[np.int32],
        n_classes: int,
        sample_weight: NDArray[np.float64] | None = None,
    ) -> Self:
        self.schema_ = table.schema
        self.replacer_ = MissingValueReplacer()._fit_table(
            table, sample_weight=sample_weight
        )
        filled = self.replacer_._transform_table(table)
        self.discretizer_ = MDLDiscretizer()._fit_table(
            filled, y_codes.astype(np.intp), n_classes, sample_weight
        )
        learner = C45Classifier() if self.estimator is None else clone(self.estimator)
        self.estimator_ = learner._fit_table(
            self.discretizer_._transform_table(filled),
            y_codes,
            n_classes,
            sample_weight,
        )
        return self

    def _proba_table(self, table: Table) -> NDArray[np.float64]:
        proba: NDArray[np.float64] = self.estimator_._proba_table(self._prepared(table))
        return proba

    def _codes_table(self, table: Table) -> NDArray[np.intp]:
        # The learner's own decision: a boosted tree breaks ties in its own way.
        codes: NDArray[np.intp] = self.estimator_._codes_table(self._prepared(table))
        return codes

    def _prepared(self, table: Table) -> Table:
        filled = self.replacer_._transform_table(table)
        return self.discretizer_._transform_table(filled)
