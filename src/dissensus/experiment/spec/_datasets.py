"""The data sets of a specification."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from dissensus.datasets import DataSource, Loaded, from_dataset, from_memory
from dissensus.exceptions import ExperimentError, TableError
from dissensus.experiment.plan._splits import make_folds
from dissensus.experiment.spec._values import unknown_keys
from dissensus.io import Dataset, as_names
from dissensus.store import FOLDS, TEST

MIN_SAMPLED = 4  # a pool and a test set, of two rows each


@dataclass(frozen=True, slots=True, eq=False)
class DatasetSpec:
    """A data set of a study: by name, by file, or the data themselves.

    Parameters
    ----------
    name : str
        Its name in tables. The folds depend on it.
    path : str or path, default=None
        What `load_dataset` is asked for; the name if None.
    target : str, default=None
        The column to predict, if it is not the usual one.
    drop : sequence of str, default=()
        Columns to leave out, such as identifiers.
    group : str, default=None
        A column that names groups of rows which stay in one fold. It is no input.
    nominal : sequence of str, default=()
        Columns whose numbers are labels.
    test : str or path, default=None
        A file with the test set, for the resampling "test".
    encoding : str, default="utf-8"
        The encoding of text files.
    X, y : array or frame, and array, default=None
        Inputs and labels, instead of a file. `X` may be a data set from `read_table`;
        the fields above then say where it came from, for the record.
    groups : array, default=None
        With `X`: the group of each row.
    folds : array of shape (n_repeats, n_rows), default=None
        The fold, from 0, in which each row is tested; drawn if None.
    categorical_features : "from_dtype" or list, default="from_dtype"
        With `X`: nominal columns beside those whose type says so.
    X_test, y_test : array or frame, and array, default=None
        With `X`: the test set, for the resampling "test".

    Examples
    --------
    >>> from dissensus.experiment import DatasetSpec
    >>> zoo = DatasetSpec("zoo", drop=["animal"])
    >>> own = DatasetSpec("mine", X=[[1, "a"], [2, "b"]], y=["no", "yes"])
    """

    name: str
    path: str | os.PathLike[str] | None = None
    target: str | None = None
    drop: Iterable[str] = ()
    group: str | None = None
    nominal: Iterable[str] = ()
    test: str | os.PathLike[str] | None = None
    encoding: str = "utf-8"
    X: Any = None
    y: Any = None
    groups: Any = None
    folds: Any = None
    categorical_features: Any = "from_dtype"
    X_test: Any = None
    y_test: Any = None


OF_FILES = ("path", "target", "drop", "group", "nominal", "test")
IN_FILES = ("name", *OF_FILES, "encoding")


def read_datasets(
    spec: Any, mistakes: list[str], *, check_folds: bool
) -> list[tuple[DataSource, Loaded]]:
    """Load the data sets; what is wrong with them is added to the mistakes."""
    given = spec.datasets
    if isinstance(given, str | Mapping) or not isinstance(given, Iterable):
        mistakes.append(f"datasets is {given!r}. It must be a list.")
        return []
    found: list[tuple[DataSource, Loaded]] = []
    for item in given:
        try:
            made = make_source(item, spec.data_dir, download=spec.download)
            source, loaded = made.resolved()
        except (TableError, ExperimentError) as error:
            mistakes.append(f"data set {_called(item)}: {error}")
            continue
        if any(other.name == source.name for other, _ in found):
            mistakes.append(f"there are two data sets {source.name!r}. Name one anew.")
        mistakes += [
            f"data set {source.name!r}: {words}"
            for words in _check(loaded, spec, check_folds)
        ]
        found.append((source, loaded))
    if not found and not mistakes:
        mistakes.append("datasets is empty. It needs at least one.")
    return found


def _called(item: Any) -> str:
    if isinstance(item, Mapping):
        return repr(item.get("name", dict(item)))
    return repr(getattr(item, "name", item))


def make_source(item: Any, data_dir: Any, *, download: bool = False) -> DataSource:
    """Return where a data set comes from, given in any way a specification may."""
    if isinstance(item, str | os.PathLike):
        path = os.fspath(item)
        name = Path(path).stem if Path(path).is_file() else path
        item = DatasetSpec(name, path)
    if isinstance(item, Dataset):
        return DataSource(item.name, held=from_dataset(item))
    if isinstance(item, Mapping):
        item = _from_mapping(item)
    if not isinstance(item, DatasetSpec):
        raise TableError("it must be a name, a path, a DatasetSpec or a Dataset.")
    held = _held(item) if item.X is not None or item.y is not None else None
    place = item.name if item.path is None and held is None else item.path
    return DataSource(
        item.name,
        () if place is None else (os.fspath(place),),
        item.target,
        tuple(as_names(item.drop)),
        item.group,
        tuple(as_names(item.nominal)),
        None if item.test is None else str(Path(item.test).resolve()),
        item.encoding,
        None if data_dir is None else str(Path(data_dir).resolve()),
        download,
        held=held,
        folds=item.folds,
    )


def _from_mapping(item: Mapping[str, Any]) -> DatasetSpec:
    wrong = unknown_keys(item, IN_FILES, "")
    if "name" not in item and "path" not in item:
        wrong.append("it needs a name.")
    if wrong:
        raise TableError(" ".join(wrong))
    return DatasetSpec(**{"name": Path(str(item.get("path", ""))).stem, **item})


def _held(item: DatasetSpec) -> Loaded:
    if isinstance(item.X, Dataset):
        return from_dataset(item.X, item.group, item.X_test)
    if item.X is None or item.y is None:
        raise TableError("X and y must be given together.")
    given = [name for name in OF_FILES if getattr(item, name)]
    if given:
        raise TableError(f"{given[0]} is for files, not for X and y.")
    loaded = from_memory(
        item.X,
        item.y,
        groups=item.groups,
        categorical_features=item.categorical_features,
    )
    if item.X_test is None:
        return loaded
    return loaded.with_test(item.X_test, item.y_test)


def _check(data: Loaded, spec: Any, check_folds: bool) -> list[str]:
    """Return what makes it impossible to run the study on a data set."""
    mistakes = []
    if len(data.classes) < 2:
        mistakes.append(f"all rows have the label {data.classes[0]!r}.")
    if not data.table.n_attributes:
        mistakes.append("there is no column left to learn from.")
    if check_folds:
        mistakes += _check_splits(data, spec)
    return mistakes


def _check_splits(data: Loaded, spec: Any) -> list[str]:
    if spec.resampling == TEST and not data.n_test:
        return ["it has no test set, but resampling is 'test'."]
    if spec.resampling != TEST and data.n_test:
        return [f"it has a test set, but resampling is {spec.resampling!r}."]
    if spec.resampling == FOLDS:
        return _check_folds(data, spec)
    if len(data.y) < MIN_SAMPLED:
        return [f"it has {len(data.y)} rows, samples need at least {MIN_SAMPLED}."]
    return []


def _check_folds(data: Loaded, spec: Any) -> list[str]:
    if data.folds is not None:
        return _check_given_folds(data.folds, spec)
    n_groups = len(data.y) if data.groups is None else len(set(data.groups.tolist()))
    if n_groups < spec.folds:
        what = "rows" if data.groups is None else "groups"
        return [
            f"{spec.folds} folds cannot be made of {n_groups} {what}. Give fewer folds."
        ]
    try:
        make_folds(data.y, spec.folds, 0, data.groups)
    except ValueError as error:
        return [f"{spec.folds} folds cannot be made: {error}"]
    return []


def _check_given_folds(folds: NDArray[Any], spec: Any) -> list[str]:
    n_repeats, n_folds = len(folds), len(set(folds[0].tolist()))
    if n_repeats < spec.repeats or n_folds != spec.folds:
        return [
            f"its own folds are {n_repeats} x {n_folds}, but repeats is "
            f"{spec.repeats} and folds is {spec.folds}."
        ]
    wanted = set(range(spec.folds))
    return [
        f"its own folds of repeat {repeat} are {sorted(set(numbers.tolist()))}. They "
        f"must be all numbers from 0 to {spec.folds - 1}."
        for repeat, numbers in enumerate(folds[: spec.repeats])
        if set(numbers.tolist()) != wanted
    ]
