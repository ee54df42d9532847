"""Tables with a target, as commands are given them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dissensus.cli._words import note


def read_data(
    file: str,
    target: str | None,
    *,
    drop: Sequence[str] = (),
    nominal: Sequence[str] = (),
    data_dir: str | None = None,
    quiet: bool = False,
) -> Any:
    """Read a file, or find a data set by name; say what was assumed.

    Parameters
    ----------
    file : str
        A path, or a name that `load_dataset` knows.
    target : str or None
        The column to predict.
    drop, nominal : sequence of str
        Columns to leave out, and columns whose numbers are labels.
    data_dir : str or None
        A folder of files.
    quiet : bool
        Say nothing.

    Returns
    -------
    Dataset
        The data.
    """
    from dissensus.table import TableError, load_dataset, read_table
    from dissensus.table._load import find_file

    path = find_file(file, data_dir)
    if path is not None:
        data = read_table(path, target, drop=drop, nominal=nominal)
    elif nominal:
        raise TableError(f"--nominal is for files, and {file!r} is none.")
    else:
        data = load_dataset(file, data_dir, target=target, drop=drop)
    for words in data.notes:
        note(f"{data.name}: {words}", quiet=quiet)
    check_classes(data)
    return data


def check_classes(data: Any) -> None:
    """Raise an error if there is nothing to be told apart."""
    from dissensus.table import TableError

    found = sorted(set(data.y.tolist()))
    if len(found) < 2:
        raise TableError(
            f"{data.name}: all {len(data.y)} rows have the same value of the target "
            f"{data.target!r}, {found[0]!r}. A classifier needs at least two classes."
        )
