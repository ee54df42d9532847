"""A table of results, with what is missing in it said beside it."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any
from xml.etree import ElementTree

from dissensus.io import harmless_frame
from dissensus.utils._files import write_whole

DIGITS = 4


@dataclass(frozen=True, slots=True, eq=False)
class ResultTable:
    """A frame with a title, and with the cells that it lacks.

    Attributes
    ----------
    title : str
        What the numbers are.
    frame : polars.DataFrame
        The numbers.
    n_failed : int
        Number of cells that ended with an error and are not in the numbers.
    n_missing : int
        Number of cells that have not been run.
    notes : tuple of str
        What else there is to know, such as what was left out.
    """

    title: str
    frame: Any
    n_failed: int = 0
    n_missing: int = 0
    notes: tuple[str, ...] = ()

    def remarks(self) -> list[str]:
        """Return the notes, after a sentence on failed and missing cells."""
        gaps = []
        if self.n_failed:
            gaps.append(f"{count_cells(self.n_failed)} failed")
        if self.n_missing:
            gaps.append(f"{count_cells(self.n_missing)} not run yet")
        words = [f"Not in the numbers: {', '.join(gaps)}."] if gaps else []
        return [*words, *self.notes]

    def to_csv(self, path: str | os.PathLike[str]) -> None:
        """Write the numbers to a CSV file, with all digits, harmless to a spreadsheet.

        Parameters
        ----------
        path : str or path
            The file.
        """
        with write_whole(path) as file:
            harmless_frame(self.frame).write_csv(file)

    def to_parquet(self, path: str | os.PathLike[str]) -> None:
        """Write the numbers to a Parquet file.

        Parameters
        ----------
        path : str or path
            The file.
        """
        with write_whole(path) as file:
            self.frame.write_parquet(file)

    def __str__(self) -> str:
        """Return the table as text."""
        names = self.frame.columns
        rows = [[_text(value) for value in row] for row in self.frame.iter_rows()]
        widths = [max(map(len, column)) for column in zip(names, *rows, strict=True)]
        numeric = [dtype.is_numeric() for dtype in self.frame.dtypes]
        lines = [
            "  ".join(
                cell.rjust(width) if right else cell.ljust(width)
                for cell, width, right in zip(row, widths, numeric, strict=True)
            ).rstrip()
            for row in [names, *rows]
        ]
        return "\n".join([self.title, *lines, *self.remarks()])

    def _repr_html_(self) -> str:
        """Return a plain HTML table."""
        page = ElementTree.Element("div")
        ElementTree.SubElement(page, "p").text = self.title
        table = ElementTree.SubElement(page, "table")
        head = ElementTree.SubElement(ElementTree.SubElement(table, "thead"), "tr")
        for name in self.frame.columns:
            ElementTree.SubElement(head, "th").text = name
        body = ElementTree.SubElement(table, "tbody")
        for row in self.frame.iter_rows():
            line = ElementTree.SubElement(body, "tr")
            for value in row:
                ElementTree.SubElement(line, "td").text = _text(value)
        for remark in self.remarks():
            ElementTree.SubElement(page, "p").text = remark
        return ElementTree.tostring(page, encoding="unicode", method="html")


def count_cells(number: int) -> str:
    """Return "1 cell", "2 cells"."""
    return "1 cell" if number == 1 else f"{number} cells"


def _text(value: Any) -> str:
    if value is None:
        return "-"
    return f"{value:.{DIGITS}g}" if isinstance(value, float) else str(value)
