"""What a node of a local cascade builds: learners, rules, and the models it keeps."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dissensus.bayes import NaiveBayesClassifier
from dissensus.ensemble._members import InputKind, member_proba
from dissensus.ensemble.cascade._levels import (
    Level,
    NamedEstimator,
    check_learners,
    flat,
    read_levels,
)
from dissensus.linear import DiscriminantClassifier, HyperplaneClassifier
from dissensus.table import Schema, Table
from dissensus.utils._typing import Floats

BAYES, DISCRIMINANT, BOTH = "bayes", "discriminant", "bayes+discriminant"
CONSTRUCTORS = {BAYES, DISCRIMINANT, BOTH}
# Smaller differences are rounding errors. They would count as further values of an
# attribute, and a model at a node below would see another value on another machine.
DECIMALS = 12

# Kinds of the attributes that a learner reads.
READS = {
    "all": ("nominal", "numeric"),
    "nominal": ("nominal",),
    "numeric": ("numeric",),
}


@dataclass(frozen=True, slots=True)
class Step:
    """A learner that builds attributes, and the kind of attributes that it reads."""

    name: str
    estimator: Any
    reads: str

    def inputs(self, schema: Schema) -> NDArray[np.intp]:
        """Return the positions of the attributes that it reads."""
        return np.flatnonzero([a.kind in READS[self.reads] for a in schema])


@dataclass(frozen=True, slots=True)
class Rules:
    """When a node may build attributes.

    Attributes
    ----------
    max_depth : int
        Nodes of smaller depth may; the root has depth 0.
    min_class_ratio : float
        A class counts if its weight is more than so many times the number of
        attributes that the learner reads.
    max_error : float
        The model's training error at the node must be less.
    n_original : int or None
        Count only attributes whose number is less; None counts built ones too.
    """

    max_depth: int
    min_class_ratio: float
    max_error: float
    n_original: int | None

    def counted(
        self, class_weights: NDArray[np.float64], numbers: NDArray[np.intp]
    ) -> NDArray[np.intp]:
        """Return the classes that have enough rows for a model of these attributes.

        Without any attribute, or with one class only, there is nothing to be learnt.
        """
        n_attributes = len(numbers)
        if self.n_original is not None:
            n_attributes = int(np.count_nonzero(numbers < self.n_original))
        enough = class_weights > self.min_class_ratio * n_attributes
        counted = np.flatnonzero(enough)
        return counted if len(numbers) and len(counted) > 1 else counted[:0]


@dataclass(frozen=True, slots=True)
class Construction:
    """A model that a node of the tree holds, and the attributes it makes.

    Attributes are numbered: the inputs first, then the new ones, model by model.

    Attributes
    ----------
    name : str
        What it is called in the names of its attributes, such as ``NB@0``: learner and
        node.
    node : int
        The node that holds the model.
    model : classifier
        Fitted on the codes 0, 1, ... of `classes`.
    inputs : ndarray of int
        Numbers of the attributes that the model reads.
    schema : Schema
        What these were when the model was fitted. Names of built attributes are those
        of the tree before pruning.
    classes : ndarray of int
        Codes of the classes that the model tells apart; each has a new attribute.
    first : int
        Number of the first new attribute.
    error : float
        Share of the node's training weight that the model gets wrong.
    """

    name: str
    node: int
    model: Any
    inputs: NDArray[np.intp]
    schema: Schema
    classes: NDArray[np.intp]
    first: int
    error: float

    @property
    def made(self) -> NDArray[np.intp]:
        """Numbers of the new attributes."""
        return np.arange(self.first, self.first + len(self.classes))


def built_attributes(
    model: Any, table: Table, n_classes: int, kind: InputKind
) -> Floats:
    """Return what a model makes of rows: the probability of each of its classes."""
    return np.round(member_proba(model, table, n_classes, kind=kind), DECIMALS)


def needed_models(
    tested: NDArray[np.int32], constructions: list[Construction]
) -> list[Construction]:
    """Return the models whose attributes are tested, or read by such a model."""
    used = set(tested.tolist())
    needed = []
    for construction in reversed(constructions):  # models read what earlier ones make
        if not used.isdisjoint(construction.made.tolist()):
            needed.append(construction)
            used.update(construction.inputs.tolist())
    return needed[::-1]


def gama_bayes() -> NaiveBayesClassifier:
    """Return the naive Bayes of the paper: equal widths, missing is a value."""
    return NaiveBayesClassifier(numeric="equal-width", missing="value")


def constructor_levels(constructor: Any) -> list[Level]:
    """Return the named learners of a constructor, those side by side in one level."""
    if isinstance(constructor, str):
        learners = {
            BAYES: [gama_bayes()],
            DISCRIMINANT: [DiscriminantClassifier()],
            BOTH: [gama_bayes(), DiscriminantClassifier()],
        }
        return read_levels(learners[constructor])
    return read_levels(constructor)


def constructor_steps(
    constructor: Any, bayes_on: str, taken: set[str]
) -> list[list[Step]]:
    """Return what a node does to build attributes.

    Parameters
    ----------
    constructor : str or list
        The parameter of `LocalCascadeClassifier`.
    bayes_on : {"nominal", "all"}
        What naive Bayes reads if it comes before the discriminant.
    taken : set of str
        Names that learners must not have.
    """
    levels = constructor_levels(constructor)
    check_learners(flat(levels), taken)
    bayes = bayes_on if constructor == BOTH else "all"
    return [[_step(learner, bayes) for learner in level] for level in levels]


def _step(learner: NamedEstimator, bayes: str) -> Step:
    model = learner.estimator
    reads = "all"
    if isinstance(model, HyperplaneClassifier) and model.encode == "none":
        reads = "numeric"
    elif isinstance(model, NaiveBayesClassifier):
        reads = bayes
    return Step(learner.name, model, reads)
