"""MACLEN: members that predict the class together with one of the attributes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from numbers import Integral
from typing import Any, ClassVar, Self

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from dissensus.ensemble._members import EnsembleClassifier, is_ours, new_member
from dissensus.ensemble._prior import PriorClassifier
from dissensus.ensemble._product import ProductLabels, product_labels
from dissensus.ensemble._views import (
    Classes,
    Task,
    View,
    checked_discretizers,
    checked_groupers,
    fit_views,
    see,
    tasks_of,
    with_ordinals,
)
from dissensus.preprocessing import ValueGrouper
from dissensus.table import Column, Table
from dissensus.table._door import read_inputs
from dissensus.utils._sklearn import StrOptions

Codes = NDArray[np.int32]
Floats = NDArray[np.float64]

# Rows are answered in blocks of at most so many, with so many probabilities (32 MB).
# The size of the blocks must not depend on the number of threads: a classifier of
# another package may answer with other last bits in other company.
BLOCK_ROWS = 8192
BLOCK_CELLS = 1 << 22


class MaclenClassifier(EnsembleClassifier):
    """Members that predict the class together with the value of one attribute.

    MACLEN [1]_ makes learners disagree by their labels. There is one member for each
    input attribute; it learns to tell apart the pairs (class, value of that attribute)
    from the other attributes. To classify a row, each member's probabilities of pairs
    are turned into probabilities of classes, and these are averaged.

    Parameters
    ----------
    estimator : classifier, default=None
        What the members are copies of: any classifier with `predict_proba`, of this
        package or of another; None is `C45Classifier()`.
    discretizers : list of discretisers, default=None
        How numeric attributes are cut into intervals. Each discretiser of the list
        makes another member of each numeric attribute. None is `[MDLDiscretizer()]`.
    rule : {"conditional", "marginal"}, default="conditional"
        How pairs become classes: given the row's own value of the attribute, or summed
        over all of its values. Where the first is undefined, because the value is
        missing or unseen or no pair with it has any probability, the second is used.
    labels : {"observed", "full"}, default="observed"
        Whether members know the pairs that some training row has, or all of them. It
        matters to learners that give every class they know some probability; learners
        of other packages know observed pairs only.
    features : {"discretized", "original"}, default="discretized"
        Whether members see the other attributes discretised, or as they are.
    max_values : int, ValueGrouper, or list of these, default=None
        The values of attributes that have more are gathered into so many groups, see
        `ValueGrouper`; intervals too. Each entry of a list makes another member of each
        attribute that it changes. None: values are not grouped.
    n_jobs : int, default=None
        Number of threads; None is 1 unless in a `joblib.parallel_config` context, -1 is
        all. It does not change the results.
    categorical_features : "from_dtype" or list, default="from_dtype"
        Nominal columns beside those whose type says so: names, positions or a mask.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The class labels.
    estimators_ : list of classifiers
        The fitted members.
    tasks_ : list of Task
        For each member the attribute that it predicts beside the class (`name`,
        `attribute`), what its codes stand for (`values`), and its `view`.
    views_ : list of tuple
        The fitted transformers that make the inputs nominal, one after the other.
    product_labels_ : list of ProductLabels
        For each member the pairs that its classes stand for.
    schema_ : Schema
        Names, kinds and declared values of the inputs.
    n_features_in_ : int
        Number of inputs.
    feature_names_in_ : ndarray of shape (n_features,)
        Names of the inputs, if `X` has names that are all strings.

    See Also
    --------
    MTForestClassifier : Trees that are split by the class and an attribute at once.

    Notes
    -----
    With `labels="full"` and the inputs preprocessed as in the paper (missing values
    replaced, then cut by MDL) the results are those of Weka's learners inside MACLEN,
    with `C45Classifier` (J48) also with `labels="observed"`. The paper discretises the
    whole file before cross-validation; here the cut points are learnt in `fit`.

    Training rows whose value of an attribute is missing are left out of its members.
    An attribute with one value, or with none, makes a member that predicts the class
    from the others. If there is but one attribute, its member knows the frequencies of
    pairs only.

    Members of this package get discretised attributes as nominal ones. Members of other
    packages get them as categories if `X` is a frame, and as the ordinal numbers of
    the intervals if it is an array.

    `fit` costs as much as fitting the members; the table is encoded once. An attribute
    with many values makes many labels, which costs memory and makes weak members; the
    paper advises to group its values (`max_values`).

    References
    ----------
    .. [1] Q. Wang and L. Zhang, "Ensemble Learning Based on Multi-Task Class Labels",
       PAKDD 2010, LNAI 6119, 464-475.

    Examples
    --------
    >>> from dissensus import MaclenClassifier, load_dataset
    >>> data = load_dataset("tic-tac-toe")
    >>> model = MaclenClassifier().fit(data.X, data.y)
    >>> len(model.estimators_)
    9
    >>> float(round(model.score(data.X, data.y), 3))
    0.999
    >>> model.member_votes(data.X[:1]).shape
    (1, 9, 2)
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **EnsembleClassifier._parameter_constraints,
        "discretizers": [list, tuple, None],
        "rule": [StrOptions({"conditional", "marginal"})],
        "labels": [StrOptions({"observed", "full"})],
        "features": [StrOptions({"discretized", "original"})],
        "max_values": [Integral, ValueGrouper, list, tuple, None],
        "n_jobs": [Integral, None],
    }

    tasks_: list[Task]
    views_: list[View]
    product_labels_: list[ProductLabels]

    def __init__(
        self,
        estimator: BaseEstimator | None = None,
        *,
        discretizers: Sequence[Any] | None = None,
        rule: str = "conditional",
        labels: str = "observed",
        features: str = "discretized",
        max_values: Any = None,
        n_jobs: int | None = None,
        categorical_features: Any = "from_dtype",
    ) -> None:
        self.estimator = estimator
        self.discretizers = discretizers
        self.rule = rule
        self.labels = labels
        self.features = features
        self.max_values = max_values
        self.n_jobs = n_jobs
        self.categorical_features = categorical_features

    def _fit_table(
        self,
        table: Table,
        y_codes: Codes,
        n_classes: int,
        sample_weight: Floats | None = None,
    ) -> Self:
        prototype = self._prototype()
        classes = Classes(y_codes, n_classes, sample_weight)
        self.schema_ = table.schema
        self.views_, views = fit_views(
            table,
            classes,
            checked_discretizers(self.discretizers),
            checked_groupers(self.max_values),
        )
        self.tasks_ = tasks_of(views)
        inputs = self._inputs(table, views)
        fitted = Parallel(n_jobs=self.n_jobs, prefer="threads")(
            delayed(self._fit_task)(
                prototype,
                inputs[task.view].drop(task.attribute),
                views[task.view].columns[task.attribute],
                classes,
            )
            for task in self.tasks_
        )
        self.estimators_ = [member for member, _ in fitted]
        self.product_labels_ = [labels for _, labels in fitted]
        return self

    def _inputs(self, table: Table, views: list[Table]) -> list[Table]:
        """Return for each view the table whose attributes its members learn from."""
        if self.features == "original":
            return [table] * len(views)
        if self.input_kind_ == "array":
            return [with_ordinals(view, table) for view in views]
        return views

    def _fit_task(
        self, prototype: Any, table: Table, target: Column, classes: Classes
    ) -> tuple[Any, ProductLabels]:
        """Fit one member on the pairs of class and target."""
        values, n_values = target.data, target.attribute.n_values
        known = np.flatnonzero(values >= 0)
        if len(known) == 0:  # the class is all there is to predict
            values, n_values = np.zeros_like(values), 1
        elif len(known) < len(values):
            table, values = table.take(known), values[known]
            classes = classes.take(known)
        labels = product_labels(
            classes.y_codes,
            values,
            classes.n_classes,
            n_values,
            full=self.labels == "full",
        )
        member = self._fit_member(
            _fresh_member(prototype, table),
            table,
            labels.codes(classes.y_codes, values),
            labels.n_labels,
            classes.sample_weight,
        )
        return member, labels

    def _proba_table(self, table: Table) -> Floats:
        most = max(labels.n_labels for labels in self.product_labels_)
        size = max(1, min(BLOCK_ROWS, BLOCK_CELLS // most))
        blocks = Parallel(n_jobs=self.n_jobs, prefer="threads")(
            delayed(self._average)(part) for part in _parts(table, size)
        )
        return blocks[0] if len(blocks) == 1 else np.concatenate(blocks)

    def _average(self, table: Table) -> Floats:
        total = np.zeros((table.n_rows, self.product_labels_[0].n_classes))
        for votes in self._votes(table):
            total += votes
        return total / len(self.estimators_)

    def _votes(self, table: Table) -> Iterator[Floats]:
        """Ask the members one after the other for the probabilities of the classes."""
        views = [see(view, table) for view in self.views_]
        inputs = self._inputs(table, views)
        parts = zip(self.estimators_, self.tasks_, self.product_labels_, strict=True)
        for member, task, labels in parts:
            proba = self._member_proba(
                member, inputs[task.view].drop(task.attribute), labels.n_labels
            )
            values = views[task.view].columns[task.attribute].data
            yield labels.class_votes(
                proba, values, conditional=self.rule == "conditional"
            )

    def member_votes(self, X: Any) -> Floats:
        """Return what each member makes of each row.

        Parameters
        ----------
        X : array, frame or Table of shape (n_samples, n_features)
            The inputs, as in `predict_proba`.

        Returns
        -------
        votes : ndarray of shape (n_samples, n_members, n_classes)
            Each member's probabilities of the classes, in the order of `tasks_`. Their
            mean over the members is `predict_proba(X)`.
        """
        check_is_fitted(self)
        table = read_inputs(self, X, reset=False)
        return np.stack(list(self._votes(table)), axis=1)


def _fresh_member(prototype: Any, table: Table) -> Any:
    """Return an unfitted member; one that needs no inputs where there are none."""
    if table.n_attributes == 0 and not is_ours(prototype):
        return PriorClassifier()
    return new_member(prototype)


def _parts(table: Table, size: int) -> Iterator[Table]:
    """Cut a table into blocks of rows."""
    if table.n_rows <= size:
        yield table
        return
    for start in range(0, table.n_rows, size):
        yield table.take(np.arange(start, min(start + size, table.n_rows)))
