"""The page of a study."""

from __future__ import annotations

import os
from typing import Any

from dissensus.report._bundle import javascript
from dissensus.report._chart_pieces import CONFIG
from dissensus.report._charts import draw, version
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

    The verdict comes first; then scores with marks of significance, wins and losses,
    ranks, curves, bias and variance, diversity, a tree, calibration, times and
    failures, as far as the study has them; last, what is needed to run it again.

    Parameters
    ----------
    results : Results
        The study, from `compare`, `run_experiment` or `Results.open`.
    path : str or path
        The file to write. It is complete in itself and opens without a network.
    title : str, default=""
        The heading; that of the study if empty.
    command : str, default=""
        The command that made the study, for the record.

    Raises
    ------
    ReportError
        If the page cannot be written, or a package that it needs is not installed.

    See Also
    --------
    export_html : One tree as a page.

    Notes
    -----
    Needs the extra `report` (Jinja2, Altair and vl-convert). The tree of the best
    single model is fitted anew on the whole data set, if the data are at hand.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from dissensus import load_dataset
    >>> from dissensus.experiment import compare
    >>> from dissensus.report import write_report
    >>> monks = load_dataset("monks-3")
    >>> results = compare(monks, learners=["c45", "nb"], repeats=1, executor="serial")
    >>> path = pathlib.Path(tempfile.mkdtemp(), "page.html")
    >>> write_report(results, path)
    >>> "c45 is the most accurate" in path.read_text()
    True
    """
    summary = summarize(results, title=title, command=command)
    charts: dict[str, Any] = {}
    for part in summary["parts"]:
        specs = draw(part["chart"], part["sentence"]) if part["chart"] else []
        part["figures"] = [f"{part['id']}-{number}" for number in range(len(specs))]
        charts.update(zip(part["figures"], specs, strict=True))
    page = render(
        "report.html",
        **summary,
        charts={"config": CONFIG, "specs": charts},
        library=javascript(version()) if charts else "",
    )
    write_page(path, page)
