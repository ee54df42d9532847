"""A paper, run again, as a page of Markdown: published beside measured."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterable, Iterator, Sequence
from importlib.metadata import version
from typing import Any

import dissensus
from dissensus.experiment import format_seconds
from dissensus.papers.framework._run import Reproduction
from dissensus.report import write_page
from dissensus.results import ResultTable

DIGITS = 4
PACKAGES = ("numpy", "scipy", "scikit-learn")
VERDICTS = {"held": "**held**", "not held": "**not held**", "not judged": "not judged"}
WITHIN = {True: "yes", False: "no", None: "-"}


def write_reproduction(
    reproduction: Reproduction, path: str | os.PathLike[str], *, command: str = ""
) -> None:
    """Write a page about a paper that was run again.

    Parameters
    ----------
    reproduction : Reproduction
        What `dissensus.experiment.reproduce` returned.
    path : str or path
        The file, Markdown.
    command : str, default=""
        What was typed, for the record.

    Raises
    ------
    ReportError
        If the file cannot be written.
    """
    write_page(path, reproduction_markdown(reproduction, command=command))


def reproduction_markdown(reproduction: Reproduction, *, command: str = "") -> str:
    """Return the page as text.

    Parameters
    ----------
    reproduction : Reproduction
        A paper, run again.
    command : str, default=""
        What was typed, for the record.

    Returns
    -------
    str
        Markdown.
    """
    blocks = [
        *_head(reproduction, command),
        *_claims(reproduction),
        *_comparisons(reproduction),
        *_parts(reproduction),
    ]
    return "\n\n".join(block.strip() for block in blocks) + "\n"


def _head(run: Reproduction, command: str) -> Iterator[str]:
    yield f"# {run.paper.title}"
    yield f"{run.paper.reference}, run again."
    if command:
        yield f"```console\n$ {command}\n```"
    versions = ", ".join(f"{name} {version(name)}" for name in PACKAGES)
    failed = f"{run.n_failed} failed" if run.n_failed else "none failed"
    yield "\n".join(
        [
            f"- Finished {run.finished[:10]}, dissensus {dissensus.__version__}, "
            f"Python {platform.python_version()}, {versions}.",
            f"- Scale: {_scale_words(run)}",
            f"- {run.n_cells:,} cells and measurements, {failed}; fits and predictions "
            f"took {format_seconds(run.seconds)}, added up.",
        ]
    )
    left = [p.name for p in run.paper.parts if p not in [r.part for r in run.parts]]
    notes = list(run.paper.notes)
    if left:
        notes.append(f"Not in this run: the parts {', '.join(left)}.")
    if notes:
        yield "\n".join(f"- {note}" for note in notes)


def _scale_words(run: Reproduction) -> str:
    scale = run.scale
    words = {
        "quick": "quick: one cross-validation, on the data sets below 1,000 rows",
        "full": "full: the published protocol",
    }.get(scale.name, scale.name)
    if scale.name != "quick" and scale.repeats is not None:
        words += f"; {scale.repeats} of the repeats only"
    if scale.without:
        words += f"; without {', '.join(scale.without)}"
    if scale.datasets is not None:
        words += f"; on {', '.join(scale.datasets)} only"
    return f"{words}."


def _claims(run: Reproduction) -> Iterator[str]:
    for beyond, heading in ((False, "Claims"), (True, "Beyond the paper")):
        claims = [
            claim
            for report in run.parts
            if report.part.beyond is beyond
            for claim in report.section.claims
        ]
        if claims:
            yield f"## {heading}"
            yield markdown_table(
                ["claim" if not beyond else "question", "here", "numbers"],
                [[c.text, VERDICTS[c.verdict], c.numbers] for c in claims],
            )


def _comparisons(run: Reproduction) -> Iterator[str]:
    if not run.comparisons:
        return
    yield "## Published beside measured"
    yield (
        "The published numbers are those that stand in the paper's text. *Noise* is "
        "the difference that chance alone would stay below in 19 of 20 cases."
    )
    yield markdown_table(
        ["", "published", "measured", "difference", "noise", "within"],
        [
            [c.what, c.published, c.measured, c.difference, c.noise, WITHIN[c.within]]
            for c in run.comparisons
        ],
        right=range(1, 5),
    )


def _parts(run: Reproduction) -> Iterator[str]:
    for report in run.parts:
        beyond = " (beyond the paper)" if report.part.beyond else ""
        yield f"## {report.part.about}{beyond}"
        effort = (
            f"{report.n_cells:,} cells and measurements, "
            f"{format_seconds(report.seconds)} added up"
        )
        shared = "from the studies of a part above"
        yield f"Part `{report.part.name}`, {effort if report.n_cells else shared}."
        yield from report.section.notes
        for found in report.section.tables:
            yield from _table(found)
        for title, text in report.section.listings:
            yield f"**{title}**"
            yield f"```text\n{text}\n```"


def _table(found: ResultTable) -> Iterator[str]:
    frame = found.frame
    numeric = [n for n, dtype in enumerate(frame.dtypes) if dtype.is_numeric()]
    title = found.title[:1].upper() + found.title[1:]
    yield f"**{title}**"
    yield markdown_table(frame.columns, frame.iter_rows(), right=numeric)
    yield from found.remarks()


def markdown_table(
    columns: Sequence[str], rows: Iterable[Sequence[Any]], right: Iterable[int] = ()
) -> str:
    """Return a table in Markdown.

    Parameters
    ----------
    columns : sequence of str
        The headings.
    rows : iterable of sequence
        The cells; None is an empty one.
    right : iterable of int, default=()
        Columns that are aligned to the right.

    Returns
    -------
    str
        Lines without the last line break.
    """
    aligned = set(right)
    marks = ["---:" if n in aligned else "---" for n in range(len(columns))]
    lines = [list(columns), marks, *([_text(cell) for cell in row] for row in rows)]
    return "\n".join(f"| {' | '.join(map(_escaped, line))} |" for line in lines)


def _text(value: Any) -> str:
    if value is None:
        return ""
    return f"{value:.{DIGITS}g}" if isinstance(value, float) else str(value)


def _escaped(cell: str) -> str:
    return " ".join(cell.replace("|", "\\|").split())
