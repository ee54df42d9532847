"""Tables with a target, as commands are given them."""

from __future__ import annotations

from collections import Counter
from typing import Any

from dissensus.cli._words import as_options, note


def read_data(
    file: str, target: str | None, *, quiet: bool = False, **options: Any
) -> Any:
    """Read a file, or find a data set by name; say what was assumed.

    Parameters
    ----------
    file : str
        A path, or a name that `load_dataset` knows.
    target : str or None
        The column to predict.
    quiet : bool
        Say nothing.
    **options
        Of `load_dataset`.

    Returns
    -------
    Dataset
        The data.
    """
    from dissensus.datasets import load_dataset

    data = load_dataset(file, target=target, **options)
    for words in data.notes:
        note(f"{data.name}: {as_options(words)}", quiet=quiet)
    check_classes(data)
    return data


def read_for_study(
    file: str,
    target: str | None,
    *,
    test: str | None = None,
    group: str | None = None,
    quiet: bool = False,
    **options: Any,
) -> Any:
    """Read the data of a study, with a test set or not.

    Parameters
    ----------
    file, target, quiet, **options
        As for `read_data`.
    test : str or None
        A file with the columns of the first.
    group : str or None
        The column that names groups.

    Returns
    -------
    DatasetSpec
        The data, with the place they came from.
    """
    from dissensus.experiment import DatasetSpec
    from dissensus.io import read_like

    data = read_data(file, target, quiet=quiet, **options)
    tested = None
    if test is not None:
        tested = read_like(test, data, encoding=options["encoding"])
        for words in (f"{len(tested.y)} rows to be tested on", *tested.notes):
            note(f"{tested.name}: {words}", quiet=quiet)
    for name in ("data_dir", "download"):  # of the study, not of one data set
        options.pop(name, None)
    return DatasetSpec(
        data.name,
        file,
        target,
        group=group,
        test=test,
        X=data,
        y=data.y,
        X_test=tested,
        **options,
    )


def check_classes(data: Any) -> None:
    """Raise an error if there is nothing to be told apart."""
    from dissensus.exceptions import TableError

    found = sorted(set(data.y.tolist()))
    if len(found) < 2:
        raise TableError(
            f"{data.name}: every row has the same value of the target "
            f"{data.target!r}, {found[0]!r}. A classifier needs at least two classes."
        )


def note_folds(data: Any, folds: int, *, quiet: bool) -> None:
    """Say where a table is small for its folds."""
    if data.test is not None:
        return
    if folds > len(data.y):
        note(f"{data.name}: {len(data.y)} folds, one for each row", quiet=quiet)
    counts = Counter(data.y.tolist())
    alone = [repr(label) for label, n in counts.items() if n == 1]
    if alone:
        note(
            f"{data.name}: one row only of class {', '.join(alone[:5])}: the fold that "
            "tests it has none to learn from",
            quiet=quiet,
        )
