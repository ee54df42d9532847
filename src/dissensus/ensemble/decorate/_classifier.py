"""DECORATE: members that learn from invented examples, labelled against the others."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from numbers import Integral, Real
from typing import Any, ClassVar, Self

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray
from sklearn.callback import CallbackSupportMixin, with_callbacks
from sklearn.utils.validation import check_is_fitted

from dissensus.base import read_inputs, read_training
from dissensus.ensemble._members import (
    Adder,
    Codes,
    EnsembleClassifier,
    fresh_generator,
    input_kind,
    new_member,
)
from dissensus.ensemble.decorate._artificial import GENERATORS, row_source
from dissensus.ensemble.decorate._callbacks import FitTasks
from dissensus.ensemble.decorate._committee import (
    Committee,
    Trial,
    as_arrays,
    judge,
    opposite_labels,
)
from dissensus.ensemble.decorate._query import STRATEGIES
from dissensus.exceptions import TableError
from dissensus.table import Table
from dissensus.utils._sklearn import Interval, StrOptions, fit_context
from dissensus.utils._typing import Floats


class DecorateClassifier(CallbackSupportMixin, EnsembleClassifier):
    """Build a committee whose members disagree on invented examples [1]_, [2]_.

    The first member learns from the training set. Every further one also learns from
    artificial rows, each labelled with a class that the committee so far finds
    improbable. A member that would raise the committee's training error is turned
    away. The committee answers with the mean of its members' class probabilities.

    Parameters
    ----------
    estimator : classifier, default=None
        What the members are copies of; None is `C45Classifier()`. It should be able to
        fit its training set well. One that has no `predict_proba` votes.
    n_estimators : int, default=15
        The size of the committee wanted; it may stay smaller.
    max_iter : int, default=50
        Largest number of members tried, the first included.
    artificial_ratio : float, default=1.0
        Number of artificial rows as a share of the training rows; at least one.
    generator : {"independent", "class-conditional", "kernel"} or callable, \
            default="independent"
        Where artificial rows come from: every attribute drawn by itself, as in the
        paper; the same within a class drawn before; training rows with noise; or a
        function of X, class codes, number of rows and a numpy generator that returns
        rows like those of X.
    unlabeled : {"instead", "beside"}, default="instead"
        Whether rows given as `X_unlabeled` take the place of artificial rows or are
        used together with as many artificial ones.
    zero_value : float, default=0.0
        What a probability of zero is replaced by before labels are drawn. With 0, the
        limit, classes of probability zero share all chances.
    classes : array-like, default=None
        All class labels, if some may be missing from `y`: an absent class then has
        probability zero, and artificial rows are given its label, as in Weka. None is
        those in `y`.
    random_state : int, RandomState instance or None, default=None
        Seed of the artificial rows, of their labels, and of everything random in the
        members.
    categorical_features : "from_dtype" or list, default="from_dtype"
        Nominal columns beside those whose type says so: names, positions or a mask.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The class labels.
    n_classes_ : int
        Number of classes.
    estimators_ : list of classifiers
        The committee, fitted on class codes; the first learned from the plain data.
    n_iter_ : int
        Number of members that were tried.
    trace_ : dict of ndarray of shape (n_iter_,)
        What happened in each iteration: `accepted`; `member_error` and `trial_error`,
        the training errors of the new member and of the committee with it;
        `committee_error` and `diversity`, those of the committee that was kept.
    schema_ : Schema
        Names, kinds and declared values of the inputs.
    n_features_in_ : int
        Number of inputs.
    feature_names_in_ : ndarray of shape (n_features,)
        Names of the inputs, if `X` has names that are all strings.

    See Also
    --------
    BaggingClassifier : Bootstraps instead of artificial rows.
    MaclenClassifier : Members made different by their labels.

    Notes
    -----
    Weka's options: `n_estimators` is -E, `max_iter` -I, `artificial_ratio` -R. Unlike
    Weka this class takes training sets of any size, from one row up, and by default
    knows only the classes in `y`.

    Artificial rows weigh 1, so weights should be about 1 on average. Errors that decide
    on a member are not weighted, as in Weka.

    The committee of a smaller `n_estimators` is the beginning of that of a larger one.
    The time goes into fitting `n_iter_` members on up to twice the rows, and asking
    about n_iter_ * n_estimators / 2 times a member about artificial rows.

    A callback set by `set_callbacks` is called after every member; it ends the fit by
    returning True.

    References
    ----------
    .. [1] P. Melville and R. J. Mooney, "Constructing Diverse Classifier Ensembles
       Using Artificial Training Examples", IJCAI 2003.
    .. [2] P. Melville and R. J. Mooney, "Creating Diversity in Ensembles Using
       Artificial Data", Information Fusion 6(1), 2005.
    .. [3] P. Melville and R. J. Mooney, "Diverse Ensembles for Active Learning", ICML
       2004.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from dissensus.ensemble import DecorateClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> committee = DecorateClassifier(random_state=0).fit(X[::5], y[::5])
    >>> len(committee.estimators_)
    15
    >>> bool(committee.score(X, y) > 0.9)
    True
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **EnsembleClassifier._parameter_constraints,
        "n_estimators": [Interval(Integral, 1, None, closed="left")],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "artificial_ratio": [Interval(Real, 0, None, closed="neither")],
        "generator": [StrOptions(set(GENERATORS)), callable],
        "unlabeled": [StrOptions({"instead", "beside"})],
        "zero_value": [Interval(Real, 0, 1, closed="left")],
        "classes": ["array-like", None],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        estimator: Any = None,
        n_estimators: int = 15,
        *,
        max_iter: int = 50,
        artificial_ratio: float = 1.0,
        generator: str | Callable[..., Any] = "independent",
        unlabeled: str = "instead",
        zero_value: float = 0.0,
        classes: Any = None,
        random_state: Any = None,
        categorical_features: Any = "from_dtype",
    ) -> None:
        self.estimator = estimator
        self.n_estimators = n_estimators
        self.max_iter = max_iter
        self.artificial_ratio = artificial_ratio
        self.generator = generator
        self.unlabeled = unlabeled
        self.zero_value = zero_value
        self.classes = classes
        self.random_state = random_state
        self.categorical_features = categorical_features

    @fit_context(prefer_skip_nested_validation=False)
    def fit(
        self, X: Any, y: Any, sample_weight: Any = None, X_unlabeled: Any = None
    ) -> Self:
        """Fit the committee.

        Parameters
        ----------
        X : array, frame or Table of shape (n_samples, n_features)
            The training inputs. Missing values are NaN, None or null.
        y : array of shape (n_samples,)
            The class labels.
        sample_weight : array of shape (n_samples,), default=None
            Weights of the rows; rows of weight 0 are left out.
        X_unlabeled : array, frame or Table of shape (n_unlabeled, n_features), \
                default=None
            Rows without a label, to be labelled against the committee. Each iteration
            draws as many of them as it would make artificial rows, or takes all if
            they are fewer.

        Returns
        -------
        self : object
            The fitted committee.
        """
        self.input_kind_ = input_kind(X)
        table, y, weights = read_training(self, X, y, sample_weight)
        self.classes_, y_codes = _encode_labels(y, self.classes)
        pool = None
        if X_unlabeled is not None:
            pool = read_inputs(self, X_unlabeled, reset=False)
        return self._fit_committee(table, y_codes, len(self.classes_), weights, pool)

    def _fit_table(
        self,
        table: Table,
        y_codes: Codes,
        n_classes: int,
        sample_weight: Floats | None = None,
    ) -> Self:
        return self._fit_committee(table, y_codes, n_classes, sample_weight, None)

    @with_callbacks
    def _fit_committee(
        self,
        table: Table,
        y_codes: Codes,
        n_classes: int,
        sample_weight: Floats | None,
        pool: Table | None,
    ) -> Self:
        """Run the algorithm of the paper on a checked table."""
        self.schema_, self.n_classes_ = table.schema, n_classes
        prototype = self._prototype()
        rng = fresh_generator(self.random_state)
        draw_rows = self._row_source(table, y_codes, sample_weight, pool)
        tasks = FitTasks(self, table, y_codes, sample_weight, self.max_iter)

        committee = Committee.of_nobody(y_codes, n_classes)
        trials: list[Trial] = []
        stop = False
        while (
            len(committee) < self.n_estimators
            and len(trials) < self.max_iter
            and not stop
        ):
            data = table, y_codes, sample_weight
            if trials:
                rows = draw_rows(rng)
                data = _joined(*data, rows, self._oppose(committee, rows, rng))
            member = new_member(prototype, rng)
            with tasks.of_member(member):
                member = self._fit_member(member, data[0], data[1], n_classes, data[2])
            larger = committee.joined_by(member, self._member_adder(member), table)
            committee, trial = judge(committee, larger)
            trials.append(trial)
            stop = tasks.end_member(committee.members)

        self.estimators_ = list(committee.members)
        self.n_iter_ = len(trials)
        self.trace_ = as_arrays(trials)
        tasks.end()
        return self

    def _row_source(
        self,
        table: Table,
        y_codes: Codes,
        sample_weight: Floats | None,
        pool: Table | None,
    ) -> Callable[[Generator], Table]:
        """Return a function that gives the diversity rows of one iteration."""
        n_rows = max(1, int(self.artificial_ratio * table.n_rows))
        invent = row_source(
            self.generator, table, y_codes, sample_weight, kind=self.input_kind_
        )
        if pool is None:
            return lambda rng: invent(n_rows, rng)
        n_taken = min(n_rows, pool.n_rows)

        def draw(rng: Generator) -> Table:
            chosen = rng.choice(pool.n_rows, size=n_taken, replace=False)
            rows = pool.take(np.sort(chosen))
            if self.unlabeled == "instead":
                return rows
            return rows.concat(invent(n_rows, rng))

        return draw

    def _oppose(self, committee: Committee, rows: Table, rng: Generator) -> Codes:
        """Label rows against the committee."""
        known = committee.y_codes if self.classes is None else range(self.n_classes_)
        candidates = np.unique(np.asarray(known, dtype=np.intp))
        proba = self._mean_proba(committee.adders, rows)
        return opposite_labels(proba, candidates, self.zero_value, rng)

    def _mean_proba(self, adders: Sequence[Adder], table: Table) -> Floats:
        total = np.zeros((table.n_rows, self.n_classes_))
        for add in adders:
            add(table, total)
        return total / len(adders)

    def _proba_table(self, table: Table) -> Floats:
        adders = [self._member_adder(member) for member in self.estimators_]
        return self._mean_proba(adders, table)

    def query(
        self, X_pool: Any, n: int = 1, strategy: str = "margin"
    ) -> NDArray[np.intp]:
        """Choose the rows whose labels the committee would learn most from [3]_.

        Parameters
        ----------
        X_pool : array, frame or Table of shape (n_pool, n_features)
            Rows whose labels can be asked for.
        n : int, default=1
            How many to choose; all if there are fewer.
        strategy : {"margin", "jensen-shannon"}, default="margin"
            Rows where the two most probable classes are nearest to each other, or
            where the members' distributions diverge most.

        Returns
        -------
        rows : ndarray of shape (n,)
            Their positions in the pool, the best first; the first of equals.

        Examples
        --------
        >>> from sklearn.datasets import load_iris
        >>> from dissensus.ensemble import DecorateClassifier
        >>> X, y = load_iris(return_X_y=True)
        >>> committee = DecorateClassifier(random_state=0).fit(X[::10], y[::10])
        >>> committee.query(X, n=3).shape
        (3,)
        """
        check_is_fitted(self)
        if strategy not in STRATEGIES:
            raise ValueError(
                f"strategy is {strategy!r}. It must be one of {sorted(STRATEGIES)}."
            )
        if n < 1:
            raise ValueError(f"n is {n}. At least one row must be chosen.")
        table = read_inputs(self, X_pool, reset=False)
        proba = [
            self._member_proba(member, table, self.n_classes_)
            for member in self.estimators_
        ]
        utility = STRATEGIES[strategy](np.stack(proba))
        return np.argsort(-utility, kind="stable")[:n]


def _encode_labels(y: NDArray[Any], declared: Any) -> tuple[NDArray[Any], Codes]:
    """Return the class labels, as declared or as they occur, and their codes."""
    if declared is None:
        classes, codes = np.unique(y, return_inverse=True)
        return classes, codes.astype(np.int32)
    classes = np.unique(np.asarray(declared))
    codes = np.searchsorted(classes, y)
    strange = y[classes[np.minimum(codes, len(classes) - 1)] != y].tolist()
    if strange:
        raise TableError(
            f"y has the label {strange[0]!r}, which is not among the declared "
            f"classes {classes.tolist()}. Add it, or leave out its rows."
        )
    return classes, codes.astype(np.int32)


def _joined(
    table: Table,
    y_codes: Codes,
    sample_weight: Floats | None,
    rows: Table,
    labels: Codes,
) -> tuple[Table, Codes, Floats | None]:
    """Return the training set with artificial rows of weight 1 below it."""
    if sample_weight is not None:
        sample_weight = np.concatenate([sample_weight, np.ones(rows.n_rows)])
    return table.concat(rows), np.concatenate([y_codes, labels]), sample_weight
