"""A published paper as records: its parts, its numbers, its claims and what was found.

A paper is a folder of specifications (TOML), a file of published numbers, and a module
of analyses: `dissensus.papers` has one of each for each paper. A *part* is
what can be run by itself; it has studies, whose cells are in the store, and
*measurements*, which are what does not fit a cell: bias and variance, or the diversity
of a committee's members.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from dissensus.datasets import DataSource
from dissensus.exceptions import PaperError
from dissensus.experiment import ExperimentSpec
from dissensus.results import Results, ResultTable
from dissensus.utils._names import suggest

FOLDER = Path(__file__).parent.parent


@dataclass(frozen=True, slots=True)
class Scale:
    """How much of a paper's protocol is run.

    Parameters
    ----------
    name : str
        What reports call it.
    repeats, folds : int, default=None
        Take the place of the specifications' own.
    max_rows : int, default=None
        Only data sets with fewer rows are used.
    datasets : tuple of str, default=None
        Only these data sets are used.
    without : tuple of str, default=()
        These data sets are left out.
    """

    name: str
    repeats: int | None = None
    folds: int | None = None
    max_rows: int | None = None
    datasets: tuple[str, ...] | None = None
    without: tuple[str, ...] = ()


QUICK = Scale("quick", repeats=1, max_rows=1000)
FULL = Scale("full")
SCALES = {"quick": QUICK, "full": FULL}


@dataclass(frozen=True, slots=True)
class Measurement:
    """One piece of work on one data set that is no cell of a study.

    Parameters
    ----------
    function : str
        "module:function". It is called with the data (`Loaded`), a seed and the
        arguments, and returns what JSON can hold.
    source : DataSource
        The data set.
    arguments : mapping, default={}
        Plain values; they and the data determine the result.
    """

    function: str
    source: DataSource
    arguments: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Measured:
    """The result of a measurement.

    Attributes
    ----------
    dataset : str
        Name of the data set.
    arguments : mapping
        As they were given.
    content : any
        What the function returned; None if it failed.
    error : str
        The error in one line; "" if there was none.
    seconds : float
        Wall time.
    """

    dataset: str
    arguments: Mapping[str, Any]
    content: Any
    error: str = ""
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Published:
    """A number that stands in the text of a paper.

    Attributes
    ----------
    key : str
        Its name in analyses.
    what : str
        What it is, in words.
    value : float or None
        The number, if it is one.
    wins, losses, of : int or None
        Or numbers of data sets.
    deviation : float or None
        The number's standard deviation, if it is published too.
    """

    key: str
    what: str
    value: float | None = None
    wins: int | None = None
    losses: int | None = None
    of: int | None = None
    deviation: float | None = None


@dataclass(frozen=True, slots=True)
class Comparison:
    """A published number beside ours.

    Attributes
    ----------
    what : str
        What it is.
    published, measured, difference : str
        As they are printed.
    noise : str
        How large a difference chance alone would make, 19 times of 20.
    within : bool or None
        Whether the difference is smaller than that; None if it cannot be told.
    """

    what: str
    published: str
    measured: str
    difference: str
    noise: str
    within: bool | None


@dataclass(frozen=True, slots=True)
class Claim:
    """A statement of a paper, and whether it holds here.

    Attributes
    ----------
    text : str
        The statement.
    held : bool or None
        Whether it holds; None if this run cannot tell.
    numbers : str
        What that was judged from.
    """

    text: str
    held: bool | None
    numbers: str

    @property
    def verdict(self) -> str:
        """The judgement in words."""
        return {True: "held", False: "not held", None: "not judged"}[self.held]


@dataclass(frozen=True, slots=True, eq=False)
class Section:
    """What the analysis of one part gives.

    Attributes
    ----------
    tables : sequence of ResultTable
        Tables.
    comparisons : sequence of Comparison
        Published numbers beside ours.
    claims : sequence of Claim
        Statements of the paper, judged.
    notes : sequence of str
        Paragraphs before the tables.
    listings : sequence of (str, str)
        Titles and texts that are shown as they are, such as trees.
    """

    tables: Sequence[ResultTable] = ()
    comparisons: Sequence[Comparison] = ()
    claims: Sequence[Claim] = ()
    notes: Sequence[str] = ()
    listings: Sequence[tuple[str, str]] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Findings:
    """What an analysis has to work with.

    Attributes
    ----------
    results : mapping of str to Results
        The studies of the part, by the names of their specifications.
    measured : sequence of Measured
        Its measurements.
    published : mapping of str to Published
        All published numbers of the paper.
    """

    results: Mapping[str, Results]
    measured: Sequence[Measured]
    published: Mapping[str, Published]


@dataclass(frozen=True, slots=True, eq=False)
class Context:
    """What measurements are planned with.

    Attributes
    ----------
    scale : Scale
        How much is run.
    datasets : callable
        Gives the data sets of a specification, as far as this scale uses them, each
        with its number of rows.
    """

    scale: Scale
    datasets: Callable[[str], Sequence[tuple[DataSource, int]]]


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """A piece of a paper that can be run by itself.

    Parameters
    ----------
    name : str
        What it is asked for by.
    about : str
        A heading.
    analyse : callable
        Turns `Findings` into a `Section`.
    specs : tuple of str, default=()
        Names of specifications in the paper's folder.
    measurements : callable, default=None
        Turns a `Context` into measurements.
    data : tuple of str, default=()
        Names of specifications whose data sets the measurements are made on.
    beyond : bool, default=False
        Whether it goes beyond what the paper did.
    """

    name: str
    about: str
    analyse: Callable[[Findings], Section]
    specs: tuple[str, ...] = ()
    measurements: Callable[[Context], Iterable[Measurement]] | None = None
    data: tuple[str, ...] = ()
    beyond: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Paper:
    """A published paper and how it is run again.

    Parameters
    ----------
    name : str
        Its name, and that of its folder.
    title, reference : str
        For reports.
    parts : tuple of Part
        In the order in which they are run.
    notes : tuple of str, default=()
        What is not as published, and what else a reader should know.
    """

    name: str
    title: str
    reference: str
    parts: tuple[Part, ...]
    notes: tuple[str, ...] = ()

    def specification(self, name: str) -> ExperimentSpec:
        """Return a specification of the paper's folder."""
        return ExperimentSpec.from_toml(FOLDER / self.name / f"{name}.toml")

    def published(self) -> dict[str, Published]:
        """Return the numbers that stand in the paper's text."""
        path = FOLDER / self.name / "published.toml"
        content = tomllib.loads(path.read_text(encoding="utf-8"))
        numbers = [Published(**entry) for entry in content.get("numbers", [])]
        return {number.key: number for number in numbers}

    def choose(self, names: Iterable[str]) -> tuple[Part, ...]:
        """Return the parts of these names, in the paper's order; all if there are none.

        Raises
        ------
        PaperError
            If there is no such part.
        """
        wanted, known = list(names), [part.name for part in self.parts]
        for name in wanted:
            if name not in known:
                raise PaperError(
                    f"the paper {self.name!r} has no part {name!r}. "
                    f"{suggest(name, known)}"
                )
        return tuple(part for part in self.parts if not wanted or part.name in wanted)
