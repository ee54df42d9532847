"""Find a data set by its name."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from dissensus.datasets._generators import GENERATORS
from dissensus.exceptions import TableError
from dissensus.io import FORMATS, Dataset, is_readable, make_dataset, read_table
from dissensus.table import Attribute, Column, Schema, Table
from dissensus.utils._names import suggest

DATA_VARIABLE = "DISSENSUS_DATA"
SKLEARN_LOADERS = {
    "digits": "load_digits",
    "iris": "load_iris",
    "wdbc": "load_breast_cancer",
    "wine": "load_wine",
}
EMBEDDED = tuple(sorted([*GENERATORS, *SKLEARN_LOADERS]))


def load_dataset(
    name: str | os.PathLike[str],
    data_dir: str | os.PathLike[str] | None = None,
    *,
    target: str | None = None,
    drop: Iterable[str] = (),
    nominal: Iterable[str] = (),
    encoding: str = "utf-8",
    download: bool = False,
) -> Dataset:
    """Load a data set by path or name.

    A name is looked up as a path, then as a file in `data_dir`, then among the data
    sets that come with the package, then, if `download` is true, on OpenML.

    Parameters
    ----------
    name : str or path
        A path, or a name such as "monks-1". These need neither file nor network:
        balance-scale, digits, iris, led, monks-1, monks-2, monks-3, tic-tac-toe,
        waveform, wdbc, wine.
    data_dir : str or path, default=None
        A folder with files `name.arff`, `name.csv`, `name.tsv` or `name.parquet`; the
        environment variable `DISSENSUS_DATA` if None.
    target : str, default=None
        The column to predict, if it is not the usual one of the data set.
    drop : list of str, default=()
        Columns to leave out, such as identifiers.
    nominal : list of str, default=()
        Columns whose numbers are labels.
    encoding : str, default="utf-8"
        The encoding of a text file.
    download : bool, default=False
        Ask OpenML for a name that is found nowhere else. Without it, no network is
        reached and nothing is written.

    Returns
    -------
    Dataset
        Inputs, labels and schema; its `notes` say where they came from.

    Raises
    ------
    TableError
        If there is no such data set, or the network is out of reach.

    See Also
    --------
    read_table : Read one file, with options.

    Notes
    -----
    monks-1 to 3, balance-scale and tic-tac-toe hold every possible row; waveform and
    led are drawn with a fixed seed. OpenML is asked through scikit-learn, which keeps
    a copy in the home folder (`SCIKIT_LEARN_DATA`); that needs pandas.

    Examples
    --------
    >>> from dissensus.datasets import load_dataset
    >>> load_dataset("tic-tac-toe").X.shape
    (958, 9)
    """
    found = find_file(name, data_dir)
    options: dict[str, Any] = {"drop": drop, "nominal": nominal}
    if found is not None:
        return read_table(found, target, encoding=encoding, **options)
    name, path = os.fspath(name), Path(name)
    if name in EMBEDDED:
        table, note = _embedded(name)
        last = target or table.schema.names[-1]
        return make_dataset(table, name, last, notes=[note], **options)
    if path.suffix.lower() in FORMATS or len(path.parts) > 1 or _is_folder(path):
        return read_table(path)  # which says that there is no such file
    if not download:
        raise TableError(
            f"{_nowhere(name)}. {suggest(name, EMBEDDED)} To ask OpenML for it, give "
            "download=True (--download, or download = true in a study)."
        )
    return _from_openml(name, target, options)


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except (OSError, ValueError):  # a name that is too long, say
        return False


def _nowhere(name: str) -> str:
    return (
        f"There is no data set {name!r}: it is no file, it is not in the data folder "
        f"({DATA_VARIABLE}), and it does not come with the package"
    )


def find_file(
    name: str | os.PathLike[str], data_dir: str | os.PathLike[str] | None = None
) -> Path | None:
    """Return the file that `load_dataset` reads for a name, or None."""
    path = Path(name)
    return path if is_readable(path) else _in_folder(os.fspath(name), data_dir)


def _in_folder(name: str, data_dir: str | os.PathLike[str] | None) -> Path | None:
    folder = data_dir if data_dir is not None else os.environ.get(DATA_VARIABLE)
    if not folder:
        return None
    if not Path(folder).is_dir():
        where = "data_dir" if data_dir is not None else DATA_VARIABLE
        raise TableError(
            f"{where} is {os.fspath(folder)!r}, which is no folder. Correct it."
        )
    candidates = [Path(folder, name), *(Path(folder, name + end) for end in FORMATS)]
    return next((path for path in candidates if is_readable(path)), None)


def _embedded(name: str) -> tuple[Table, str]:
    """Return a table that comes with the package, the class last, and its origin."""
    if name in GENERATORS:
        make, note = GENERATORS[name]
        return make(), note
    import sklearn.datasets  # slow to import, and few callers come here

    bunch = getattr(sklearn.datasets, SKLEARN_LOADERS[name])()
    table = Table.from_matrix(
        np.ascontiguousarray(bunch.data, dtype=np.float64),
        Schema(tuple(Attribute(str(n), "numeric") for n in bunch.feature_names)),
    )
    labels = tuple(str(label) for label in bunch.target_names)
    target = Column(
        Attribute("class", "nominal", labels), bunch.target.astype(np.int32)
    )
    joined = table.append(Table(Schema((target.attribute,)), (target,)))
    return joined, "from scikit-learn"


def _from_openml(name: str, target: str | None, options: dict[str, Any]) -> Dataset:
    try:
        bunch = _fetch(name)
    except Exception as error:  # noqa: BLE001 - no network, no such set, no pandas
        reason = (str(error).splitlines() or [type(error).__name__])[0]
        raise TableError(
            f"{_nowhere(name)}, and OpenML could not give it ({reason[:200]}). "
            f"{suggest(name, EMBEDDED)}"
        ) from None
    try:
        usual = bunch.frame.columns[-1] if bunch.target is None else bunch.target.name
        table = Table.from_any(bunch.frame)
        chosen = target or str(usual)
        return make_dataset(table, name, chosen, notes=["from OpenML"], **options)
    except TableError as error:
        raise TableError(f"OpenML's data set {name!r}: {error}") from None


def _fetch(name: str) -> Any:
    from sklearn.datasets import fetch_openml

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # several active versions; a retry
        return fetch_openml(
            name, version="active", as_frame=True, n_retries=1, delay=0.5
        )
