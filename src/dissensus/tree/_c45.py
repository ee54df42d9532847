"""C4.5 release 8, grown, pruned and asked as Weka's J48 does it."""

from __future__ import annotations

from collections.abc import Callable
from numbers import Integral, Real
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from sklearn.utils.validation import check_is_fitted

from dissensus._core.tree._answers import majorities
from dissensus._core.tree._walk import add_answers, find_leaves, spread
from dissensus.base import TableClassifier, read_inputs
from dissensus.table import Table
from dissensus.tree._answers import ANSWERS
from dissensus.tree._growing import ExtraTask, grow_tree
from dissensus.tree._tree import Tree
from dissensus.utils._memory_limit import check_memory
from dissensus.utils._sklearn import Interval, StrOptions


class C45Classifier(TableClassifier):
    """A C4.5 decision tree, node by node the one that Weka's J48 grows.

    Nominal attributes are split into one branch per declared value, or into "this
    value" and "any other"; missing values go down every branch with a part of their
    weight; the tree is cut back by a pessimistic estimate of its errors [1]_.

    Parameters
    ----------
    confidence : float, default=0.25
        Confidence of the pessimistic error estimate; smaller values prune more.
    min_samples_leaf : int, default=2
        At least two branches of every split hold so much weight.
    prune : bool, default=True
        Cut the grown tree back.
    subtree_raising : bool, default=True
        When pruning, let the largest branch of a node take its place.
    collapse : bool, default=True
        Remove splits that do not lower the training error, also without pruning.
    binary_splits : bool, default=False
        Split nominal attributes into one value and the rest.
    mdl_correction : bool, default=True
        Charge numeric splits for the choice of their threshold.
    actual_thresholds : bool, default=True
        Move every threshold down to a value of the training set; otherwise it stays in
        the middle between two values.
    smoothing : {"none", "laplace", "path"}, default="none"
        What a leaf answers: relative frequencies, frequencies with one more row of
        each class, or Gama's Dtree [2]_, where the class distribution of the root is
        updated along the path to the leaf.
    categorical_features : "from_dtype" or list, default="from_dtype"
        Nominal columns beside those whose type says so: names, positions or a mask.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The class labels.
    tree_ : Tree
        The nodes as plain arrays.
    schema_ : Schema
        Names, kinds and declared values of the inputs.
    n_leaves_ : int
        Number of leaves.
    max_depth_ : int
        Largest number of tests on the way to a leaf.
    feature_importances_ : ndarray of shape (n_features,)
        Share of each attribute in the information gained by the splits of the tree.
    n_features_in_ : int
        Number of inputs.
    feature_names_in_ : ndarray of shape (n_features,)
        Names of the inputs, if `X` has names that are all strings.

    See Also
    --------
    export_text : Print the tree as text.
    export_rules : Read the tree as rules.

    Notes
    -----
    Weka's options: `confidence` is -C, `min_samples_leaf` -M, `prune=False` -U,
    `subtree_raising=False` -S, `collapse=False` -O, `binary_splits` -B,
    `mdl_correction=False` -J, `smoothing="laplace"` -A, `actual_thresholds=False`
    -doNotMakeSplitPointActualValue.

    A few rules of J48 count rows whatever their weight, so a weight of 2 is not always
    the same as two rows. As in J48, a class is predicted instead of an earlier one only
    if it is more probable by more than 1e-6.

    Growing costs time in proportion to rows x attributes x depth, after sorting each
    numeric attribute once, and memory of about four times the inputs.

    References
    ----------
    .. [1] J. R. Quinlan, "C4.5: Programs for Machine Learning", Morgan Kaufmann, 1993.
    .. [2] J. Gama and P. Brazdil, "Cascade Generalization", Machine Learning 41(3),
       2000.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from dissensus.tree import C45Classifier
    >>> X, y = load_iris(return_X_y=True)
    >>> tree = C45Classifier().fit(X, y)
    >>> tree.n_leaves_, tree.max_depth_
    (5, 4)
    >>> tree.predict(X[:2])
    array([0, 0])
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **TableClassifier._parameter_constraints,
        "confidence": [Interval(Real, 0, 1, closed="neither")],
        "min_samples_leaf": [Interval(Integral, 1, None, closed="left")],
        "prune": ["boolean"],
        "subtree_raising": ["boolean"],
        "collapse": ["boolean"],
        "binary_splits": ["boolean"],
        "mdl_correction": ["boolean"],
        "actual_thresholds": ["boolean"],
        "smoothing": [StrOptions(set(ANSWERS))],
    }

    tree_: Tree

    def __init__(
        self,
        confidence: float = 0.25,
        *,
        min_samples_leaf: int = 2,
        prune: bool = True,
        subtree_raising: bool = True,
        collapse: bool = True,
        binary_splits: bool = False,
        mdl_correction: bool = True,
        actual_thresholds: bool = True,
        smoothing: str = "none",
        categorical_features: Any = "from_dtype",
    ) -> None:
        self.confidence = confidence
        self.min_samples_leaf = min_samples_leaf
        self.prune = prune
        self.subtree_raising = subtree_raising
        self.collapse = collapse
        self.binary_splits = binary_splits
        self.mdl_correction = mdl_correction
        self.actual_thresholds = actual_thresholds
        self.smoothing = smoothing
        self.categorical_features = categorical_features

    def _fit_table(
        self,
        table: Table,
        y_codes: NDArray[np.int32],
        n_classes: int,
        sample_weight: NDArray[np.float64] | None = None,
    ) -> Self:
        return self._grow(table, y_codes, n_classes, sample_weight)

    def _grow(
        self,
        table: Table,
        y_codes: NDArray[np.int32],
        n_classes: int,
        sample_weight: NDArray[np.float64] | None,
        extra: ExtraTask | None = None,
    ) -> Self:
        """Grow the tree; with an extra task it is one of MTForest's."""
        self.schema_ = table.schema
        self.tree_ = grow_tree(
            table,
            y_codes,
            n_classes,
            sample_weight,
            min_samples_leaf=self.min_samples_leaf,
            binary_splits=self.binary_splits,
            mdl_correction=self.mdl_correction,
            actual_thresholds=self.actual_thresholds,
            collapse=self.collapse,
            confidence=self.confidence if self.prune else None,
            subtree_raising=self.subtree_raising,
            extra=extra,
        )
        return self

    def _proba_table(self, table: Table) -> NDArray[np.float64]:
        n_rows, n_classes = table.n_rows, self.tree_.class_weights.n_classes
        check_memory(
            8 * n_rows * n_classes,
            f"The probabilities of {n_classes:,} classes for {n_rows:,} rows",
            "Predict fewer rows at once, or merge classes.",
        )
        proba = np.zeros((n_rows, n_classes))
        self._adder()(table, proba)
        return proba

    def _adder(self) -> Callable[[Table, NDArray[np.float64]], None]:
        """Return a function that adds the probabilities of rows to sums.

        For those who ask again and again: what the nodes answer is worked out once.
        """
        tree, stop = self.tree_, self._stops
        answers = ANSWERS[self.smoothing](tree)

        def add(table: Table, total: NDArray[np.float64]) -> None:
            lost = add_answers(tree, table.arrays, stop, answers, total)
            if len(lost):
                total[lost] += spread(tree, table.arrays, lost, answers)

        return add

    def _codes_table(self, table: Table) -> NDArray[np.intp]:
        answers = ANSWERS[self.smoothing](self.tree_)
        leaves, lost = self._walk(table)
        codes = majorities(answers)[leaves]
        rows = np.flatnonzero(lost)
        if len(rows) and not self._stops:
            found = spread(self.tree_, table.arrays, rows, answers)
            codes[rows] = majorities(found)
        return codes

    @property
    def _stops(self) -> bool:
        """Whether a missing value ends the walk; else it goes down every branch."""
        return self.smoothing == "path"

    def _walk(self, table: Table) -> tuple[NDArray[np.int32], NDArray[np.bool_]]:
        """Find the leaf of every row, and the rows that lack a value on the way."""
        return find_leaves(self.tree_, table.arrays, table.n_rows, self._stops)

    def apply(self, X: Any) -> NDArray[np.int32]:
        """Return the leaf that each row comes to.

        Parameters
        ----------
        X : array, frame or Table of shape (n_samples, n_features)
            The inputs. A row whose value is missing goes on along the heaviest branch.

        Returns
        -------
        leaves : ndarray of shape (n_samples,), int32
            Numbers of nodes in `tree_`.
        """
        check_is_fitted(self)
        table = read_inputs(self, X, reset=False)
        return find_leaves(self.tree_, table.arrays, table.n_rows, False)[0]

    def decision_path(self, X: Any) -> csr_matrix:
        """Return the nodes on each row's way to its leaf.

        Parameters
        ----------
        X : array, frame or Table of shape (n_samples, n_features)
            The inputs, as in `apply`.

        Returns
        -------
        path : sparse matrix of shape (n_samples, n_nodes)
            1 where the row passes the node.
        """
        return self.tree_.paths()[self.apply(X)]

    @property
    def n_leaves_(self) -> int:
        """Number of leaves."""
        check_is_fitted(self)
        return self.tree_.n_leaves

    @property
    def max_depth_(self) -> int:
        """Largest number of tests on the way to a leaf."""
        check_is_fitted(self)
        return self.tree_.max_depth

    @property
    def feature_importances_(self) -> NDArray[np.float64]:
        """Share of each attribute in the information gained by the splits."""
        check_is_fitted(self)
        return self.tree_.importances(len(self.schema_))
