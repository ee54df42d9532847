"""Data sets of a study: named where the study is planned, loaded where cells are run.

A worker is sent the name of a data set and a fingerprint of its content, loads it once,
and refuses to work on anything else. Data that only exist in memory travel with the
study itself, once for each worker.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dissensus.datasets import load_dataset
from dissensus.datasets._labels import (
    encode_groups,
    encode_labels,
    groups_of_column,
)
from dissensus.datasets._load import EMBEDDED, find_file
from dissensus.ensemble import InputKind, input_kind
from dissensus.exceptions import ExperimentError, TableError
from dissensus.io import Dataset, read_like
from dissensus.preprocessing import MDLDiscretizer, MissingValueReplacer
from dissensus.table import Table


@dataclass(frozen=True, slots=True, eq=False)
class Loaded:
    """A data set, ready to be learnt from.

    Attributes
    ----------
    table : Table
        The inputs.
    y : ndarray of shape (n_rows,), int32
        Class codes.
    classes : tuple
        The labels that occur, in the order of their codes: as declared, or sorted.
    kind : {"array", "pandas", "polars"}
        What learners of other packages are given.
    groups : ndarray or None
        Codes of groups of rows that are not to be parted.
    folds : ndarray of shape (n_repeats, n_rows) or None
        The fold in which each row is tested, where folds are given.
    weight : ndarray or None
        Weights of the rows, where the file has them.
    n_test : int
        Number of rows at the end that are a test set of their own; 0 if there is none.
    """

    table: Table
    y: NDArray[np.int32]
    classes: tuple[Any, ...]
    kind: InputKind
    groups: NDArray[np.int32] | None = None
    folds: NDArray[np.uint16] | None = None
    weight: NDArray[np.float64] | None = None
    n_test: int = 0

    def fingerprint(self) -> str:
        """Return a digest of everything that learners and splits depend on."""
        sha = hashlib.sha256()
        for attribute in self.table.schema:
            words = [attribute.name, attribute.kind, *map(repr, attribute.categories)]
            sha.update(repr(words).encode())
        sha.update(repr([self.kind, *map(repr, self.classes)]).encode())
        parts = [*self.table.arrays, self.y, self.groups, self.folds, self.weight]
        for part in parts:
            sha.update(b"|")
            if part is not None:
                sha.update(str(part.shape).encode())
                sha.update(np.ascontiguousarray(part).astype(_little(part)).tobytes())
        if self.n_test:
            sha.update(f"|{self.n_test} rows are tested".encode())
        return sha.hexdigest()

    def without_test(self) -> Loaded:
        """Return the rows that are learnt from."""
        if not self.n_test:
            return self
        rows = np.arange(len(self.y) - self.n_test)
        return replace(
            self,
            table=self.table.take(rows),
            y=self.y[rows],
            weight=None if self.weight is None else self.weight[rows],
            n_test=0,
        )

    def with_test(self, X: Any, y: Any) -> Loaded:
        """Return the data with a test set below; its columns are found by name."""
        table = Table.from_any(X, schema=self.table.schema)
        codes = _codes(y, self.classes)
        if len(codes) != table.n_rows:
            raise TableError(
                f"the test set has {table.n_rows} rows, but {len(codes)} labels."
            )
        n_test = len(codes)
        weight = self.weight
        return replace(
            self,
            table=self.table.concat(table),
            y=np.concatenate([self.y, codes]),
            weight=None if weight is None else np.append(weight, np.ones(n_test)),
            groups=None,
            n_test=n_test,
        )


def _codes(y: Any, classes: tuple[Any, ...]) -> NDArray[np.int32]:
    """Return labels as codes; one that is not known is an error."""
    code = {label: number for number, label in enumerate(classes)}
    labels = np.asarray(y).tolist()
    strange = [label for label in labels if label not in code]
    if strange:
        raise TableError(
            f"the test set has the label {strange[0]!r}, which no training row has. "
            "Leave such rows out: no learner can know it."
        )
    return np.array([code[label] for label in labels], dtype=np.int32)


def _little(array: NDArray[Any]) -> np.dtype[Any]:
    return array.dtype.newbyteorder("<")


@dataclass(frozen=True, slots=True, eq=False)
class DataSource:
    """Where a data set comes from, and what it must look like.

    Attributes
    ----------
    name : str
        Its name in tables; the folds depend on it.
    places : tuple of str
        What `load_dataset` is asked for, one after the other: the file that was found,
        and the name, which another machine may find elsewhere.
    target : str or None
        The column to predict, if it is not the usual one.
    drop : tuple of str
        Columns that are left out.
    group : str or None
        The column that names groups of rows; it is no input.
    nominal : tuple of str
        Columns whose numbers are labels.
    test : str or None
        A file with the test set.
    encoding : str
        The encoding of text files.
    data_dir : str or None
        The folder of files.
    download : bool
        Whether OpenML is asked for a name that is found nowhere else.
    fingerprint : str
        Digest of the content.
    held : Loaded or None
        The data themselves, if they exist in memory only.
    folds : array-like or None
        The fold in which each row is tested, for each repeat; None if they are drawn.
    """

    name: str
    places: tuple[str, ...] = ()
    target: str | None = None
    drop: tuple[str, ...] = ()
    group: str | None = None
    nominal: tuple[str, ...] = ()
    test: str | None = None
    encoding: str = "utf-8"
    data_dir: str | None = None
    download: bool = False
    fingerprint: str = ""
    held: Loaded | None = None
    folds: Any = None

    def load(self) -> Loaded:
        """Return the data; an error if they are not the ones that were planned with."""
        loaded = self.held if self.held is not None else self._load_file()
        if self.folds is not None:
            loaded = replace(loaded, folds=_read_folds(self.folds, len(loaded.y)))
        if self.fingerprint and loaded.fingerprint() != self.fingerprint:
            raise ExperimentError(
                f"data set {self.name!r} has another content here than where the study "
                "was started. Give all machines the same file."
            )
        return loaded

    def _load_file(self) -> Loaded:
        for place in self.places[:-1]:
            if Path(place).is_file():
                return self._read(place)
        return self._read(self.places[-1])

    def is_here(self) -> bool:
        """Whether the data can be had from a file or from the package itself."""
        return any(
            place in EMBEDDED or find_file(place, self.data_dir) is not None
            for place in self.places
        )

    def _read(self, place: str) -> Loaded:
        options: dict[str, Any] = {
            "target": self.target,
            "drop": self.drop,
            "nominal": self.nominal,
            "encoding": self.encoding,
            "download": self.download,
        }
        dataset = load_dataset(place, self.data_dir, **options)
        if self.test is None:
            return from_dataset(dataset, self.group)
        test = read_like(self.test, dataset, encoding=self.encoding)
        return from_dataset(dataset, self.group, test)

    def resolved(self) -> tuple[DataSource, Loaded]:
        """Return the source with the file and fingerprint found now, and the data."""
        source = self
        if self.places:
            found = find_file(self.places[-1], self.data_dir)
            if found is not None:
                places = (str(found.resolve()), self.places[-1])
                source = replace(self, places=places)
        loaded = source.load()
        return replace(source, fingerprint=loaded.fingerprint()), loaded


def find_again(name: str, described: Mapping[str, Any]) -> Loaded:
    """Return a data set of a study by what its record says; no network is asked."""
    source = DataSource(
        name,
        places=tuple(described.get("places") or [name]),
        target=described["target"],
        drop=tuple(described["drop"]),
        group=described.get("group"),
        nominal=tuple(described.get("nominal") or ()),
        test=described.get("test"),
        encoding=described.get("encoding", "utf-8"),
        data_dir=described.get("data_dir"),
        fingerprint=described["fingerprint"],
    )
    try:
        if source.is_here():
            return source.load()
    except TableError as error:
        raise ExperimentError(f"data set {name!r} cannot be read: {error}") from None
    raise ExperimentError(
        f"data set {name!r} is not here: the study was run with a file that is gone, "
        "or with data in memory."
    )


def from_dataset(
    dataset: Dataset, group: str | None = None, test: Dataset | None = None
) -> Loaded:
    """Return a data set that was read from a file, perhaps with a test set."""
    table = Table.from_any(dataset.X)
    groups = None
    if group is not None:
        try:
            groups = groups_of_column(table.column(group))
        except TableError as error:
            raise TableError(f"group: {error}") from None
        table = table.drop(group)
    present = set(np.unique(dataset.y).tolist())
    classes = tuple(label for label in dataset.classes if label in present)
    y = _codes(dataset.y, classes)
    weight = dataset.sample_weight
    loaded = Loaded(table, y, classes, "polars", groups, weight=weight)
    return loaded if test is None else loaded.with_test(test.X, test.y)


def from_memory(
    X: Any,
    y: Any,
    *,
    groups: Any = None,
    categorical_features: Any = "from_dtype",
) -> Loaded:
    """Return a data set that the caller holds: inputs, labels, and perhaps more."""
    table = Table.from_any(X, categorical_features)
    labels = np.asarray(y)
    if isinstance(y, str):
        raise TableError(
            f"y is the text {y!r}. Give the labels themselves: a column that is not "
            "among the inputs X."
        )
    if labels.shape != (table.n_rows,):
        raise TableError(
            f"y has the shape {labels.shape}, X has {table.n_rows} rows. y must hold "
            "one label for each row."
        )
    classes, codes = encode_labels(labels)
    group_codes = None
    if groups is not None:
        _check_length(np.asarray(groups), table.n_rows, "groups")
        group_codes = encode_groups(groups)
    return Loaded(
        table,
        codes.astype(np.int32),
        tuple(classes.tolist()),
        input_kind(X),
        group_codes,
    )


def _read_folds(folds: Any, n_rows: int) -> NDArray[np.uint16]:
    numbers = np.atleast_2d(np.asarray(folds))
    _check_length(numbers[0], n_rows, "each list of folds")
    if numbers.dtype.kind not in "iu" or numbers.min() < 0:
        raise TableError("folds must hold whole numbers from 0.")
    return numbers.astype(np.uint16)


def _check_length(values: NDArray[Any], n_rows: int, name: str) -> None:
    if values.shape != (n_rows,):
        raise TableError(
            f"{name} must have one entry for each of the {n_rows} rows; it has the "
            f"shape {values.shape}."
        )


# Protocols


def honest(data: Loaded) -> Loaded:
    """Leave the data as they are: whatever is learnt, is learnt from training folds."""
    return data


def paper(data: Loaded) -> Loaded:
    """Fill in and discretise over the whole file, classes of test rows included.

    This is what Weka's preprocessing before a cross-validation does, as published for
    MACLEN. It flatters every learner a little.
    """
    n_classes = len(data.classes)
    filled = MissingValueReplacer()._fit_table(data.table, sample_weight=data.weight)
    table = filled._transform_table(data.table)
    cut = MDLDiscretizer()._fit_table(
        table, data.y.astype(np.intp), n_classes, data.weight
    )
    return replace(data, table=cut._transform_table(table))


PROTOCOLS: dict[str, Callable[[Loaded], Loaded]] = {"honest": honest, "paper": paper}
