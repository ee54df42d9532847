"""Cascade Generalization: each learner's probabilities are attributes for the next."""

from __future__ import annotations

from collections.abc import Iterator
from numbers import Integral, Real
from time import perf_counter
from typing import Any, ClassVar, Self

import numpy as np
from numpy.random import RandomState
from numpy.typing import NDArray
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from dissensus.base import TableClassifier, read_inputs
from dissensus.bayes import NaiveBayesClassifier
from dissensus.ensemble._members import Codes, new_member
from dissensus.ensemble.cascade._base import LeveledClassifier
from dissensus.ensemble.cascade._cross_fit import Rows, Training, make_folds
from dissensus.ensemble.cascade._diagnosis import AttributeSource, LevelDiagnosis
from dissensus.ensemble.cascade._explain import explain_row
from dissensus.ensemble.cascade._explanation import CascadeExplanation
from dissensus.ensemble.cascade._extension import check_built, extend
from dissensus.ensemble.cascade._levels import check_levels
from dissensus.table import Table
from dissensus.tree import C45Classifier
from dissensus.utils._sklearn import (
    Interval,
    StrOptions,
    check_feature_names_in,
)
from dissensus.utils._typing import Floats


class CascadeClassifier(LeveledClassifier):
    """Learners one after the other, each with the probabilities of those before it.

    The first learner is fitted on the table. Its class probabilities, one for each
    class, become new attributes of every row, and the next learner is fitted on the
    wider table. The last one decides [1]_.

    Parameters
    ----------
    levels : list, default=None
        The learners, from the one that runs first to the one that decides. A level may
        be a list of learners, which then run side by side; a learner may be a pair of
        a name and a learner. None is naive Bayes, then C4.5.
    mode : {"paper", "crossfit", "guarded"}, default="paper"
        Where the attributes of training rows come from. "paper": from the learner
        fitted on these very rows. "crossfit": from copies that have not seen the row,
        averaged over `n_repeats`. "guarded": from either, by a measurement for each
        learner (see `max_gap` and `diagnosis_`).
    carry : {"all", "previous"}, default="all"
        Whether a level sees the attributes made by all levels below, or only by the
        one right below. The original attributes it always sees.
    cv : int, splitter, iterable or None, default=5
        Folds of "crossfit" and "guarded": a number of stratified folds, which do not
        divide groups if `fit` is given any (None is 5); or a splitter of scikit-learn;
        or pairs of training and test rows.
    n_repeats : int, default=1
        How often the rows are divided into folds, if `cv` is a number; the
        probabilities of a row are averaged.
    max_gap : float, default=0.05
        With "guarded", the largest difference between the mean probability of the true
        class on a learner's own rows and out of fold at which the paper's way is taken
        at once. Above it the next level is tried with both kinds of attributes, and
        the kind with which it errs less on held-out rows is taken.
    random_state : int, RandomState instance or None, default=None
        Shuffles the folds. If given, it also seeds all learners; if None, they keep
        their own seeds.
    categorical_features : "from_dtype" or list, default="from_dtype"
        Nominal columns beside those whose type says so: names, positions or a mask.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The class labels.
    levels_ : list of list of classifiers
        The fitted learners of each level.
    estimators_ : list of classifiers
        The same in one list; the last one decides.
    names_ : list of list of str
        Names of the learners, such as "NB". They are used in the names of the new
        attributes, ``NB:P(yes)``, and as prefixes of parameters, ``NB__alpha``.
    fit_times_ : ndarray of shape (n_levels,)
        Seconds that each level took to learn and to make its attributes.
    diagnosis_ : list of LevelDiagnosis
        What "guarded" measured and chose for each learner but the last; otherwise
        empty.
    schema_ : Schema
        Names, kinds and declared values of the inputs.
    schema_out_ : Schema
        The same of the extended table that the last level sees.
    n_leaves_ : int
        Number of leaves of the deciding tree. Defined only if a tree decides.
    n_features_in_ : int
        Number of inputs.
    feature_names_in_ : ndarray of shape (n_features,)
        Names of the inputs, if `X` has names that are all strings.

    See Also
    --------
    after : The paper's way to write a cascade.
    StackedGeneralizationClassifier : The deciding learner sees probabilities only.

    Notes
    -----
    "paper" is Gama and Brazdil's method, without inner cross-validation: the attributes
    of training rows are made as those of new rows are, but by a model that has seen
    them. A learner that fits its rows too well makes them look too good. A single tree
    on top then leans on that learner and loses little; a forest or a nearest-neighbour
    classifier on top may lose much. "crossfit" avoids that; but the copies of
    different folds are not quite the model that makes the attributes of new rows, so
    that thresholds become blurred. Neither is better on all data. The mean of several
    copies is smoother than the answer of one model for a new row, so that more repeats
    are not always better.

    Two classes have two attributes, although one would do, as in the paper.

    References
    ----------
    .. [1] J. Gama and P. Brazdil, "Cascade Generalization", Machine Learning 41(3),
       2000, 315-343.

    Examples
    --------
    >>> from dissensus import C45Classifier, DiscriminantClassifier, load_dataset
    >>> from dissensus.ensemble import CascadeClassifier
    >>> balance = load_dataset("balance-scale")
    >>> cascade = CascadeClassifier([DiscriminantClassifier(), C45Classifier()])
    >>> cascade.fit(balance.X, balance.y).schema_out_.names[4:]
    ('Discrim:P(B)', 'Discrim:P(L)', 'Discrim:P(R)')
    >>> cascade.n_leaves_, C45Classifier().fit(balance.X, balance.y).n_leaves_
    (19, 52)
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **TableClassifier._parameter_constraints,
        "levels": [list, tuple, None],
        "mode": [StrOptions({"paper", "crossfit", "guarded"})],
        "carry": [StrOptions({"all", "previous"})],
        "cv": ["cv_object"],
        "n_repeats": [Interval(Integral, 1, None, closed="left")],
        "max_gap": [Interval(Real, 0, 1, closed="both")],
        "random_state": ["random_state"],
    }

    _learners_parameter = "levels"
    levels_: list[list[Any]]
    diagnosis_: list[LevelDiagnosis]

    def __init__(
        self,
        levels: Any = None,
        *,
        mode: str = "paper",
        carry: str = "all",
        cv: Any = 5,
        n_repeats: int = 1,
        max_gap: float = 0.05,
        random_state: int | RandomState | None = None,
        categorical_features: Any = "from_dtype",
    ) -> None:
        self.levels = levels
        self.mode = mode
        self.carry = carry
        self.cv = cv
        self.n_repeats = n_repeats
        self.max_gap = max_gap
        self.random_state = random_state
        self.categorical_features = categorical_features

    def _fit_rows(
        self,
        table: Table,
        y_codes: Codes,
        n_classes: int,
        sample_weight: Floats | None,
        rows: Rows,
    ) -> Self:
        levels = self._read_learners()
        check_levels(levels, set(self.get_params(deep=False)))
        check_built(table.n_rows, n_classes * sum(map(len, levels[:-1])))
        self.schema_, self._n_classes = table.schema, n_classes
        self.names_ = [[learner.name for learner in level] for level in levels]
        self.levels_, self.fit_times_ = [], np.zeros(len(levels))
        self.diagnosis_ = []
        supply = self._supply(y_codes, rows)

        seen = table
        for number, level in enumerate(levels):
            start = perf_counter()
            training = Training(
                seen, y_codes, n_classes, sample_weight, self.input_kind_
            )
            copies = [new_member(learner.estimator, supply.rng) for learner in level]
            members = [training.fit(copy) for copy in copies]
            self.levels_.append(members)
            if number < len(levels) - 1:
                above = levels[number + 1]
                answers = [
                    supply.probabilities(learner, member, training, number, above)
                    for learner, member in zip(level, members, strict=True)
                ]
                self.diagnosis_ += [found for _, found in answers if found]
                seen = self._widen(table, seen, number, [p for p, _ in answers])
            self.fit_times_[number] = perf_counter() - start
        self.schema_out_ = seen.schema
        self.estimators_ = [member for members in self.levels_ for member in members]
        return self

    def _supply(self, y_codes: Codes, rows: Rows) -> AttributeSource:
        """Decide where the attributes of the training rows come from."""
        rng = check_random_state(self.random_state)
        folds = (
            []
            if self.mode == "paper"
            else make_folds(y_codes, rows, self.cv, self.n_repeats, rng)
        )
        seeds = None if self.random_state is None else rng
        return AttributeSource(self.mode, folds, self.max_gap, seeds)

    def _widen(
        self, table: Table, seen: Table, number: int, probas: list[Floats]
    ) -> Table:
        """Return the table for the next level: with the attributes that this one made.

        Parameters
        ----------
        table : Table
            The inputs.
        seen : Table
            What the level itself sees.
        number : int
            Number of the level.
        probas : list of ndarray
            The probabilities that its learners give.
        """
        wider = seen if self.carry == "all" else table
        for name, proba in zip(self.names_[number], probas, strict=True):
            wider = extend(wider, proba, name, self._labels())
        return wider

    def _tables(self, table: Table) -> Iterator[Table]:
        """Give the table that each level sees, from the first to the last."""
        seen = table
        yield seen
        for number, members in enumerate(self.levels_[:-1]):
            probas = [self._member_proba(m, seen, self._n_classes) for m in members]
            seen = self._widen(table, seen, number, probas)
            yield seen

    def _extended(self, table: Table) -> Table:
        *_, seen = self._tables(table)
        return seen

    def _proba_table(self, table: Table) -> Floats:
        decider = self.estimators_[-1]
        return self._member_proba(decider, self._extended(table), self._n_classes)

    def _codes_table(self, table: Table) -> NDArray[np.intp]:
        return self._member_codes(self.estimators_[-1], self._extended(table))

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[Any]:
        """Return the names of the inputs and of the new attributes.

        Parameters
        ----------
        input_features : array-like of str, default=None
            Names for inputs that have none; otherwise they must be the same.

        Returns
        -------
        names : ndarray of str
            The attributes of the extended table.
        """
        check_is_fitted(self)
        names = check_feature_names_in(self, input_features)
        new = self.schema_out_.names[len(names) :]
        return np.array([*names, *new], dtype=object)

    def explain(self, X: Any, row: int = 0) -> CascadeExplanation:
        """Say why the cascade answers as it does for one row.

        Parameters
        ----------
        X : array, frame or Table of shape (n_samples, n_features)
            The inputs.
        row : int, default=0
            Number of the row in `X`.

        Returns
        -------
        explanation : CascadeExplanation
            Records that print as text: level by level the tests of trees, with the
            probabilities that they ask for, the log-odds of naive Bayes and what the
            hyperplanes of a discriminant add up. Other learners are named with their
            probability only.

        Examples
        --------
        >>> from dissensus import CascadeClassifier, load_dataset
        >>> monks = load_dataset("monks-2")
        >>> cascade = CascadeClassifier().fit(monks.X, monks.y)
        >>> print(cascade.explain(monks.X, 0).text(max_terms=2))
        The answer is 0 (probability 1).
        level 1, C45: P(0) = 1 after these tests
            NB:P(0) = 0.867 > 0.7168
        level 0, NB: P(0) = 0.867, log-odds against 1 +1.874
            +0.710  for any row
            +0.327  a5 = 1
            +0.237  a1 = 1
            +0.600  4 more attributes
        """
        check_is_fitted(self)
        table = read_inputs(self, X, reset=False)
        if not -table.n_rows <= row < table.n_rows:
            raise ValueError(
                f"There is no row {row}: X has {table.n_rows}, numbered from 0."
            )
        return explain_row(self, table.take([row % table.n_rows]))

    def _default_learners(self) -> list[Any]:
        return [NaiveBayesClassifier(), C45Classifier()]

    @property
    def n_leaves_(self) -> int:
        """Number of leaves of the deciding tree; defined only if a tree decides."""
        check_is_fitted(self)
        return int(self.estimators_[-1].n_leaves_)


def after(*learners: Any, **parameters: Any) -> CascadeClassifier:
    """Return a cascade, written as the paper writes it: the right-most runs first.

    Parameters
    ----------
    *learners : classifiers, or lists of classifiers
        The one that decides, after the one below it, after the one below that.
    **parameters : object
        Parameters of `CascadeClassifier`.

    Returns
    -------
    cascade : CascadeClassifier
        Not fitted.

    Examples
    --------
    >>> from dissensus import C45Classifier, NaiveBayesClassifier
    >>> from dissensus.ensemble import after
    >>> after(C45Classifier(), NaiveBayesClassifier()).levels
    [NaiveBayesClassifier(), C45Classifier()]
    """
    return CascadeClassifier(list(reversed(learners)), **parameters)
