"""The page of a study."""

from __future__ import annotations

import os
from typing import Any

from dissensus.report._html import render, write_page
from dissensus.report._summarize import summarize


def write_report(
    results: Any,
    path: str | os.PathLike[str],
    *,
    title: str = "",
    command: str = "",
) -> None:
    """Write the results of a study as one page.

    Parameters
    ----------
    results : Results
        The study, from `compare`, `run_experiment` or `Results.open`.
    path : str or path
        The file to write.
    title : str, default=""
        The heading; that of the study if empty.
    command : str, default=""
        The command that made the study, for the record.

    Raises
    ------
    ReportError
        If the page cannot be written, or a package that it needs is not installed.
    """
    write_page(
        path, render("report.html", **summarize(results, title=title, command=command))
    )
