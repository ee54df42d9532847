"""MTForest: trees that are split by the class and by one of the attributes at once."""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Real
from typing import Any, ClassVar

import numpy as np

from dissensus.base import remember_names
from dissensus.ensemble._members import new_member
from dissensus.ensemble._task_ensemble import Codes, Others, TaskEnsembleClassifier
from dissensus.ensemble._views import AttributeTask, WeightedClasses
from dissensus.table import Column, Table
from dissensus.tree import C45Classifier, ExtraTask
from dissensus.utils._sklearn import Interval
from dissensus.utils._typing import Floats


class MTForestClassifier(TaskEnsembleClassifier):
    """Trees that are split by the class and by one of the attributes at once.

    MTForest [1]_ makes trees disagree by an extra task. There is one C4.5 tree for each
    input attribute; where it chooses a split, the information gained about that
    attribute counts beside the information gained about the class. The tree does not
    see the attribute itself. The trees' class probabilities are averaged.

    Parameters
    ----------
    estimator : C45Classifier, default=None
        The parameters of the trees; None is `C45Classifier()`.
    task_weight : float, default=1.0
        Weight of the gain of the extra task. With 0 the trees differ only by the
        attribute that each of them lacks.
    discretizers : list of discretisers, default=None
        How numeric attributes are cut into intervals. Each discretiser of the list
        makes another tree of each numeric attribute. None is `[MDLDiscretizer()]`.
    features : {"discretized", "original"}, default="discretized"
        Whether trees see the other attributes discretised, or as they are.
    max_values : int, ValueGrouper, or list of these, default=None
        The values of attributes that have more are gathered into so many groups, see
        `ValueGrouper`; intervals too. Each entry of a list makes another tree of each
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
    estimators_ : list of C45Classifier
        The fitted trees.
    tasks_ : list of AttributeTask
        For each tree the attribute that is its extra task (`name`, `attribute`), what
        its codes stand for (`values`), and its `view`.
    views_ : list of tuple
        The fitted transformers that make the inputs nominal, one after the other.
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
    MaclenClassifier : The same idea for any classifier.

    Notes
    -----
    The text of the paper that we have does not give the formula that combines the two
    gains. Here, at each node, the gain of a candidate is its gain for the class plus
    `task_weight` times its gain for the extra task, and the gain ratio is that sum
    over the split information; the rules of C4.5 then choose. The threshold of a
    numeric test (and the value of a binary one) is C4.5's own, which goes by the
    class, and so do leaves and pruning.

    The gain for the extra task is that of the rows whose value of it is known, times
    their share of the weight, as C4.5 reckons with missing values.

    A tree costs about twice as much time to grow as one of C4.5.

    References
    ----------
    .. [1] Q. Wang, L. Zhang, M. Chi and J. Guo, "MTForest: Ensemble Decision Trees
       based on Multi-Task Learning", ECAI 2008, 122-126.

    Examples
    --------
    >>> from dissensus import MTForestClassifier, load_dataset
    >>> data = load_dataset("tic-tac-toe")
    >>> model = MTForestClassifier().fit(data.X, data.y)
    >>> len(model.estimators_)
    9
    >>> round(model.score(data.X, data.y), 3)
    0.985
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **TaskEnsembleClassifier._parameter_constraints,
        "estimator": [C45Classifier, None],
        "task_weight": [Interval(Real, 0, None, closed="left")],
    }

    def __init__(
        self,
        estimator: C45Classifier | None = None,
        *,
        task_weight: float = 1.0,
        discretizers: Sequence[Any] | None = None,
        features: str = "discretized",
        max_values: Any = None,
        n_jobs: int | None = None,
        categorical_features: Any = "from_dtype",
    ) -> None:
        self.estimator = estimator
        self.task_weight = task_weight
        self.discretizers = discretizers
        self.features = features
        self.max_values = max_values
        self.n_jobs = n_jobs
        self.categorical_features = categorical_features

    def _fit_task(
        self, prototype: Any, table: Table, target: Column, classes: WeightedClasses
    ) -> C45Classifier:
        """Grow one tree."""
        tree: C45Classifier = new_member(prototype)
        tree.classes_ = np.arange(classes.n_classes)
        remember_names(tree, table)
        return tree._grow(
            table,
            classes.y_codes,
            classes.n_classes,
            classes.sample_weight,
            ExtraTask(target.data, target.attribute.n_values, float(self.task_weight)),
        )

    def _member_bytes(
        self, task: AttributeTask, others: Others, classes: WeightedClasses
    ) -> tuple[int, int]:
        # The best branches are found in tables of classes, and of values of the task.
        return 0, 8 * others.most * (2 * classes.n_classes + len(task.values) + 2)

    def _keep(self, fitted: list[Any]) -> None:
        self.estimators_ = fitted

    def _vote(
        self,
        number: int,
        table: Table,
        values: Codes,  # noqa: ARG002 -- MACLEN's
    ) -> Floats:
        return self._member_proba(self.estimators_[number], table, self.n_classes_)
