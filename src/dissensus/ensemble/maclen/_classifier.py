"""MACLEN: members that predict the class together with one of the attributes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
from sklearn.base import BaseEstimator

from dissensus.ensemble._members import new_member, takes_tables
from dissensus.ensemble._task_ensemble import Codes, Others
from dissensus.ensemble._views import HOW_FEWER, AttributeTask, WeightedClasses
from dissensus.ensemble.maclen._counts import CountedMaclen
from dissensus.ensemble.maclen._prior import PriorClassifier
from dissensus.ensemble.maclen._product_labels import ProductLabels, product_labels
from dissensus.exceptions import TableError
from dissensus.table import Column, Table
from dissensus.tree import C45Classifier
from dissensus.utils._sklearn import StrOptions
from dissensus.utils._typing import Floats

# A member with more labels would take hours: every node of a tree looks at all labels,
# and there are about as many nodes.
MOST_LABELS = 1 << 17
# What a tree takes for a node and its share of the class weights, at most.
BYTES_PER_NODE = 160


class MaclenClassifier(CountedMaclen):
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
    tasks_ : list of AttributeTask
        For each member the attribute that it predicts beside the class (`name`,
        `attribute`), what its codes stand for (`values`), and its `view`.
    views_ : list of tuple
        The fitted transformers that make the inputs nominal, one after the other.
    product_labels_ : list of ProductLabels
        For each member the pairs that its classes stand for.
    n_classes_ : int
        Number of classes.
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
    >>> round(model.score(data.X, data.y), 3)
    0.997
    >>> model.member_votes(data.X[:1]).shape
    (1, 9, 2)
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **CountedMaclen._parameter_constraints,
        "rule": [StrOptions({"conditional", "marginal"})],
        "labels": [StrOptions({"observed", "full"})],
    }

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

    def _fit_task(
        self, prototype: Any, table: Table, target: Column, classes: WeightedClasses
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

    def _member_bytes(
        self, task: AttributeTask, others: Others, classes: WeightedClasses
    ) -> tuple[int, int]:
        n_pairs = len(task.values) * classes.n_classes
        is_full = self.labels == "full"
        n_labels = n_pairs if is_full else min(n_pairs, len(classes.y_codes))
        if n_labels > MOST_LABELS:
            raise TableError(
                f"{n_labels:,} pairs of a class and a value of attribute {task.name!r} "
                f"are more than the {MOST_LABELS:,} that a member may tell apart: its "
                f"work grows with their square. The attribute has {len(task.values):,} "
                f"values: {HOW_FEWER}, or drop it."
            )
        kept, pairs = 5 * n_pairs, 21 * n_pairs  # `ProductLabels`, and to make it
        if self.estimator is None or isinstance(self.estimator, C45Classifier):
            # About one leaf for each label, and a table to find the best branches.
            kept += 2 * BYTES_PER_NODE * n_labels
            return kept, pairs + 16 * n_labels * others.most
        # A model has a number for each label and value, and made it from another.
        return kept + 16 * n_labels * others.total, pairs

    def _most_labels(self) -> int:
        if "_counted" in vars(self):  # they answer with classes
            return self.n_classes_
        return max((each.n_labels for each in self._product_labels), default=1)

    def _keep(self, fitted: list[Any]) -> None:
        self._members = [member for member, _ in fitted]
        self._product_labels = [labels for _, labels in fitted]

    def _vote(self, number: int, table: Table, values: Codes) -> Floats:
        labels = self._product_labels[number]
        proba = self._member_proba(self._members[number], table, labels.n_labels)
        return labels.class_votes(proba, values, conditional=self.rule == "conditional")


def _fresh_member(prototype: Any, table: Table) -> Any:
    """Return an unfitted member; one that needs no inputs where there are none."""
    if table.n_attributes == 0 and not takes_tables(prototype):
        return PriorClassifier()
    return new_member(prototype)
