"""What is to be run of a paper: its data sets found, its specifications cut to size."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from dissensus.datasets import DATA_VARIABLE, EMBEDDED, DataSource, find_file
from dissensus.exceptions import PaperError
from dissensus.experiment import ExperimentSpec, make_source
from dissensus.papers.framework._paper import Context, Measurement, Paper, Part, Scale


class MissingDataError(PaperError):
    """Data sets that a paper needs and that are not there.

    Parameters
    ----------
    paper : str
        Name of the paper.
    missing : sequence of str
        Names of the data sets.
    """

    def __init__(self, paper: str, missing: Sequence[str]) -> None:
        self.paper, self.missing = paper, tuple(missing)
        super().__init__(
            f"{len(missing)} data sets of the paper {paper!r} are not found: "
            f"{', '.join(missing)}. Name the folder of their files (NAME.arff or "
            f"NAME.csv) by --data-dir (data_dir), or by the variable {DATA_VARIABLE}."
        )

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.paper, self.missing)


@dataclass(frozen=True, slots=True, eq=False)
class PlannedPart:
    """A part with what is to be run of it.

    Attributes
    ----------
    part : Part
        The part.
    specs : mapping of str to ExperimentSpec
        Its studies, cut to size.
    measurements : tuple of Measurement
        Its measurements.
    """

    part: Part
    specs: Mapping[str, ExperimentSpec]
    measurements: tuple[Measurement, ...]


class DataFolder:
    """The data sets of a paper; each is looked at once.

    Parameters
    ----------
    data_dir : str or path or None
        Folder of files.
    """

    def __init__(self, data_dir: str | os.PathLike[str] | None) -> None:
        self.data_dir = data_dir
        self._found: dict[str, tuple[DataSource, int]] = {}

    def lacks(self, item: Any) -> bool:
        """Whether a data set is neither a file nor comes with the package."""
        place = make_source(item, self.data_dir).places[-1]
        return place not in EMBEDDED and find_file(place, self.data_dir) is None

    def find(self, item: Any) -> tuple[DataSource, int]:
        """Return a data set and its number of rows."""
        name = called(item)
        if name not in self._found:
            source, loaded = make_source(item, self.data_dir).resolved()
            self._found[name] = source, len(loaded.y)
        return self._found[name]


def called(item: Any) -> str:
    """Return the name of a data set of a specification."""
    return str(item["name"]) if isinstance(item, Mapping) else str(item)


def plan_parts(
    paper: Paper,
    parts: Iterable[Part],
    scale: Scale,
    data_dir: str | os.PathLike[str] | None = None,
) -> list[PlannedPart]:
    """Find the data sets of some parts and cut their studies to size.

    Parameters
    ----------
    paper : Paper
        The paper.
    parts : iterable of Part
        Those to be run.
    scale : Scale
        How much of them.
    data_dir : str or path, default=None
        Folder of files.

    Returns
    -------
    list of PlannedPart
        In the same order; parts of which nothing is left are left out.

    Raises
    ------
    MissingDataError
        If data sets are not found; all of them are named.
    """
    chosen, folder = list(parts), DataFolder(data_dir)
    named = {
        name: paper.specification(name)
        for part in chosen
        for name in (*part.specs, *part.data)
    }
    _check_all_there(paper, named.values(), scale, folder)
    context = Context(scale, lambda name: _sized(named[name].datasets, scale, folder))
    planned = []
    for part in chosen:
        sized = {name: cut(named[name], scale, folder) for name in part.specs}
        specs = {name: spec for name, spec in sized.items() if spec.datasets}
        made = tuple(part.measurements(context)) if part.measurements else ()
        if specs or made:
            planned.append(PlannedPart(part, specs, made))
    return planned


def _check_all_there(
    paper: Paper, specs: Iterable[ExperimentSpec], scale: Scale, folder: DataFolder
) -> None:
    items = {called(item): item for spec in specs for item in spec.datasets}
    wanted = [item for name, item in items.items() if is_wanted(name, scale)]
    missing = [called(item) for item in wanted if folder.lacks(item)]
    if missing:
        raise MissingDataError(paper.name, missing)


def is_wanted(name: str, scale: Scale) -> bool:
    """Whether a scale uses a data set, whatever its size."""
    chosen = scale.datasets is None or name in scale.datasets
    return chosen and name not in scale.without


def _sized(
    items: Iterable[Any], scale: Scale, folder: DataFolder
) -> list[tuple[DataSource, int]]:
    found = [folder.find(item) for item in items if is_wanted(called(item), scale)]
    if scale.max_rows is None:
        return found
    return [(source, rows) for source, rows in found if rows < scale.max_rows]


def cut(spec: ExperimentSpec, scale: Scale, folder: DataFolder) -> ExperimentSpec:
    """Return a specification with the data sets, repeats and folds of a scale."""
    names = {source.name for source, _ in _sized(spec.datasets, scale, folder)}
    return replace(
        spec,
        datasets=[item for item in spec.datasets if called(item) in names],
        repeats=min(spec.repeats, scale.repeats or spec.repeats),
        folds=scale.folds or spec.folds,
        data_dir=folder.data_dir,
    )
