"""Local cascade generalization: a tree that builds attributes at its nodes."""

from __future__ import annotations

from numbers import Integral, Real
from time import perf_counter
from typing import Any, ClassVar, Self

import numpy as np
from numpy.random import RandomState
from numpy.typing import NDArray
from sklearn.utils import check_random_state, get_tags
from sklearn.utils.validation import check_is_fitted

from dissensus._core.tree._answers import majorities
from dissensus.base import TableClassifier, read_inputs
from dissensus.ensemble._members import Codes, EnsembleClassifier
from dissensus.ensemble.cascade._explanation import CascadeExplanation
from dissensus.ensemble.cascade._levels import flat
from dissensus.ensemble.local_cascade._constructor import (
    CONSTRUCTORS,
    Construction,
    Rules,
    constructor_levels,
    constructor_steps,
)
from dissensus.ensemble.local_cascade._explain import RowExplainer, describe
from dissensus.ensemble.local_cascade._growth import (
    GrowthData,
    LocalGrowth,
    SplitOptions,
)
from dissensus.ensemble.local_cascade._tree import (
    Walk,
    extended_schema,
    finish,
)
from dissensus.table import Schema, Table
from dissensus.tree import Tree, path
from dissensus.utils._sklearn import Interval, StrOptions
from dissensus.utils._typing import Floats

# Rows that walk together: the attributes built for them take so much memory at once.
CHUNK = 16384


class LocalCascadeClassifier(EnsembleClassifier):
    """A decision tree whose nodes build attributes before they split.

    At each node a constructor is fitted on the rows that reach it. Its class
    probabilities become new attributes of these rows; then the node is split by the
    attribute, old or new, with the best gain ratio. New attributes go down with the
    rows, and the node keeps its model for the rows to come [1]_.

    Parameters
    ----------
    constructor : str or list, default="bayes+discriminant"
        What builds attributes. "bayes": naive Bayes, the paper's CGBtree.
        "discriminant": the linear discriminant, CGLtree. "bayes+discriminant": naive
        Bayes on the nominal attributes, then the discriminant on all numeric ones, also
        those just built, CGBLtree. Or a list of classifiers, each of which sees what
        the ones before it have built; those in a list inside the list are fitted side
        by side.
    max_constructor_depth : int, default=5
        Nodes of smaller depth build attributes; the root has depth 0.
    min_class_ratio : float, default=3
        A class is left out of a node's model unless its rows there are more than so
        many times the number of attributes that the model reads.
    max_constructor_error : float, default=0.5
        A model with a training error of so much or more is not used.
    bayes_on : {"nominal", "all"}, default="nominal"
        What naive Bayes reads in "bayes+discriminant".
    counted_attributes : {"all", "original"}, default="all"
        Which of the attributes that a model reads `min_class_ratio` counts: also the
        ones that were built, or only the inputs.
    confidence : float, default=0.1
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
    random_state : int, RandomState instance or None, default=None
        Seeds the learners of a list. If None, they keep their own seeds.
    categorical_features : "from_dtype" or list, default="from_dtype"
        Nominal columns beside those whose type says so: names, positions or a mask.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The class labels.
    tree_ : Tree
        The nodes as plain arrays. Attributes are counted as in `schema_out_`.
    constructions_ : list of Construction
        The models that the tree needs, those of a node before those of its children.
    schema_ : Schema
        Names, kinds and declared values of the inputs.
    schema_out_ : Schema
        The same, followed by the attributes built, which are called like
        ``NB@0:P(yes)``: learner, node and class.
    n_constructed_ : int
        Number of attributes built that the tree needs.
    n_leaves_ : int
        Number of leaves.
    max_depth_ : int
        Largest number of tests on the way to a leaf.
    fit_times_ : dict of str to float
        Seconds spent on "constructors", "splits" and "pruning".
    n_features_in_ : int
        Number of inputs.
    feature_names_in_ : ndarray of shape (n_features,)
        Names of the inputs, if `X` has names that are all strings.

    See Also
    --------
    CascadeClassifier : The same idea once, for all rows.
    export_text : Print the tree with its models.

    Notes
    -----
    The tree itself is the paper's Dtree, ``C45Classifier(smoothing="path")``: the class
    distribution of the root is updated along the path to the leaf, and a row that lacks
    the value of a test is answered by the node of the test. The paper prunes harder
    than Dtree, but does not say how much; 0.1 against 0.25 is our reading.

    A training row with a missing value may stand in several nodes, with a part of its
    weight in each. It has the attributes of each of them: these are different ones, so
    that nothing has to be decided. Subtree raising sends rows to nodes where they have
    not been; they get the attributes of these nodes before pruning begins. A node whose
    place a branch has taken holds both its models. Models that no test needs are
    dropped.

    Built attributes are rounded to 12 decimals: a smaller difference is a rounding
    error. A row has the same ones, to the last bit, in training and later. That cannot
    be promised for models of other packages, so thresholds on their probabilities stay
    in the middle between two values.

    Fitting costs at most `max_constructor_depth` times what the learners and the split
    search cost on all rows, and once more the answers of the models for raising.

    References
    ----------
    .. [1] J. Gama and P. Brazdil, "Cascade Generalization", Machine Learning 41(3),
       2000, 315-343.

    Examples
    --------
    >>> from dissensus import LocalCascadeClassifier, load_dataset
    >>> from dissensus.tree import export_text
    >>> balance = load_dataset("balance-scale")
    >>> tree = LocalCascadeClassifier("bayes").fit(balance.X, balance.y)
    >>> print(export_text(tree, decimals=3))
    [NB@0: NaiveBayesClassifier on 4 attributes, training error 0.0784]
    NB@0:P(L) <= 0.472
    |   [NB@1: NaiveBayesClassifier on 7 attributes, training error 0.01187]
    |   NB@1:P(B) <= 0.899: R (288.0)
    |   NB@1:P(B) > 0.899: B (49.0)
    NB@0:P(L) > 0.472: L (288.0)
    <BLANKLINE>
    Number of leaves: 3
    Size of the tree: 5
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **TableClassifier._parameter_constraints,
        "constructor": [StrOptions(CONSTRUCTORS), list, tuple],
        "max_constructor_depth": [Interval(Integral, 0, None, closed="left")],
        "min_class_ratio": [Interval(Real, 0, None, closed="left")],
        "max_constructor_error": [Interval(Real, 0, 1, closed="both")],
        "bayes_on": [StrOptions({"nominal", "all"})],
        "counted_attributes": [StrOptions({"all", "original"})],
        "confidence": [Interval(Real, 0, 1, closed="neither")],
        "min_samples_leaf": [Interval(Integral, 1, None, closed="left")],
        "prune": ["boolean"],
        "subtree_raising": ["boolean"],
        "collapse": ["boolean"],
        "binary_splits": ["boolean"],
        "mdl_correction": ["boolean"],
        "random_state": ["random_state"],
    }

    tree_: Tree
    constructions_: list[Construction]
    schema_out_: Schema

    def __init__(
        self,
        constructor: Any = "bayes+discriminant",
        *,
        max_constructor_depth: int = 5,
        min_class_ratio: float = 3,
        max_constructor_error: float = 0.5,
        bayes_on: str = "nominal",
        counted_attributes: str = "all",
        confidence: float = 0.1,
        min_samples_leaf: int = 2,
        prune: bool = True,
        subtree_raising: bool = True,
        collapse: bool = True,
        binary_splits: bool = False,
        mdl_correction: bool = True,
        random_state: int | RandomState | None = None,
        categorical_features: Any = "from_dtype",
    ) -> None:
        self.constructor = constructor
        self.max_constructor_depth = max_constructor_depth
        self.min_class_ratio = min_class_ratio
        self.max_constructor_error = max_constructor_error
        self.bayes_on = bayes_on
        self.counted_attributes = counted_attributes
        self.confidence = confidence
        self.min_samples_leaf = min_samples_leaf
        self.prune = prune
        self.subtree_raising = subtree_raising
        self.collapse = collapse
        self.binary_splits = binary_splits
        self.mdl_correction = mdl_correction
        self.random_state = random_state
        self.categorical_features = categorical_features

    def _fit_table(
        self,
        table: Table,
        y_codes: Codes,
        n_classes: int,
        sample_weight: Floats | None = None,
    ) -> Self:
        self.schema_, self._n_classes = table.schema, n_classes
        labels = self._labels()
        growth = self._growth(
            GrowthData(
                table, y_codes, n_classes, sample_weight, labels, self.input_kind_
            )
        )
        nodes = growth.grow()
        start = perf_counter()
        confidence = self.confidence if self.prune else None
        growth.cut_back(nodes, self.collapse, confidence, self.subtree_raising)
        self.tree_, self.constructions_ = finish(
            nodes, growth.constructions, table.n_attributes
        )
        self.schema_out_ = extended_schema(table.schema, self.constructions_, labels)
        self.fit_times_ = {**growth.seconds, "pruning": perf_counter() - start}
        return self

    def _growth(self, training: GrowthData) -> LocalGrowth:
        """Lay out the growth of the tree."""
        names = set(self.get_params(deep=False))
        only_inputs = self.counted_attributes == "original"
        rng = check_random_state(self.random_state)
        return LocalGrowth(
            training,
            constructor_steps(self.constructor, self.bayes_on, names),
            Rules(
                max_depth=self.max_constructor_depth,
                min_class_ratio=self.min_class_ratio,
                max_error=self.max_constructor_error,
                n_original=training.table.n_attributes if only_inputs else None,
            ),
            SplitOptions(
                min_leaf=float(self.min_samples_leaf),
                binary=self.binary_splits,
                mdl=self.mdl_correction,
            ),
            rng=None if self.random_state is None else rng,
        )

    def _labels(self) -> list[Any]:
        """Return the class labels; through the inner door there may be codes only."""
        labels = np.asarray(getattr(self, "classes_", ())).tolist()
        return labels if len(labels) == self._n_classes else [*range(self._n_classes)]

    def _learners(self) -> list[Any]:
        """Return all learners of the constructor, unfitted."""
        levels = constructor_levels(self.constructor)
        return [learner.estimator for learner in flat(levels)]

    def _walk(self, table: Table) -> NDArray[np.int32]:
        """Find the node where each row ends."""
        parts = []
        for start in range(0, table.n_rows, CHUNK):
            rows = np.arange(start, min(start + CHUNK, table.n_rows))
            some = table if len(rows) == table.n_rows else table.take(rows)
            walk = Walk(self.tree_, self.constructions_, some, self.input_kind_)
            parts.append(walk.leaves())
        return np.concatenate(parts)

    def _proba_table(self, table: Table) -> Floats:
        return path(self.tree_)[self._walk(table)]

    def _codes_table(self, table: Table) -> NDArray[np.intp]:
        return majorities(path(self.tree_))[self._walk(table)]

    def apply(self, X: Any) -> NDArray[np.int32]:
        """Return the node that answers for each row.

        Parameters
        ----------
        X : array, frame or Table of shape (n_samples, n_features)
            The inputs.

        Returns
        -------
        nodes : ndarray of shape (n_samples,), int32
            Numbers of nodes in `tree_`: a leaf, or the node of a test on an input whose
            value the row lacks.
        """
        check_is_fitted(self)
        return self._walk(read_inputs(self, X, reset=False))

    def explain(self, X: Any, row: int = 0) -> CascadeExplanation:
        """Say why the tree answers as it does for one row.

        Parameters
        ----------
        X : array, frame or Table of shape (n_samples, n_features)
            The inputs.
        row : int, default=0
            Number of the row in `X`.

        Returns
        -------
        explanation : CascadeExplanation
            Records that print as text: the tests on the row's way, with the
            probabilities that they ask for; then, from the deepest node up, the
            log-odds of each naive Bayes and what the hyperplanes of each discriminant
            add up. Other models are named with their probability only.

        Examples
        --------
        >>> from dissensus import LocalCascadeClassifier, load_dataset
        >>> balance = load_dataset("balance-scale")
        >>> tree = LocalCascadeClassifier("bayes").fit(balance.X, balance.y)
        >>> print(tree.explain(balance.X, 400).text(max_terms=2))
        The answer is L (probability 0.9932).
        level 1, tree: P(L) = 0.9932 after these tests
            NB@0:P(L) = 0.914 > 0.4721
        level 0, NB@0: P(L) = 0.914, log-odds against B +2.702
            +1.754  for any row
            +0.521  right-weight = 1 in (-inf, 1.8]
            +0.521  right-distance = 1 in (-inf, 1.8]
            -0.094  2 more attributes
        """
        check_is_fitted(self)
        table = read_inputs(self, X, reset=False)
        if not -table.n_rows <= row < table.n_rows:
            raise ValueError(
                f"There is no row {row}: X has {table.n_rows}, numbered from 0."
            )
        one = table.take([row % table.n_rows])
        walk = Walk(self.tree_, self.constructions_, one, self.input_kind_)
        node = int(walk.leaves()[0])
        code = int(self._codes_table(one)[0])
        explainer = RowExplainer(walk, self.schema_out_, self._labels())
        return explainer.explain(node, code, float(self._proba_table(one)[0, code]))

    @property
    def _tree_notes(self) -> dict[int, list[str]]:
        """What `export_text` says about the models at the nodes."""
        check_is_fitted(self)
        notes: dict[int, list[str]] = {}
        for construction in self.constructions_:
            lines = describe(construction, self.schema_out_, self._labels())
            notes.setdefault(construction.node, []).extend(lines)
        return notes

    def __sklearn_tags__(self) -> Any:
        """Say that the learners decide what is welcome."""
        tags = TableClassifier.__sklearn_tags__(self)
        learners = [one for one in self._learners() if hasattr(one, "fit")]
        theirs = [get_tags(learner).input_tags for learner in learners]
        tags.input_tags.allow_nan = all(tag.allow_nan for tag in theirs)
        tags.input_tags.categorical = all(tag.categorical for tag in theirs)
        tags.input_tags.string = all(tag.string for tag in theirs)
        return tags

    @property
    def n_constructed_(self) -> int:
        """Number of attributes built that the tree needs."""
        check_is_fitted(self)
        return len(self.schema_out_) - len(self.schema_)

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
