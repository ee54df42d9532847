"""The papers by name."""

from __future__ import annotations

import importlib

from dissensus.experiment._errors import PaperError
from dissensus.experiment._paper import Paper
from dissensus.table._errors import suggest

# Name -> the module of its analyses, which has a PAPER.
PAPERS = {
    "maclen": "dissensus.experiment.papers._maclen",
    "decorate": "dissensus.experiment.papers._decorate",
    "cascade": "dissensus.experiment.papers._cascade",
}


def find_paper(name: str) -> Paper:
    """Return a paper by its name.

    Parameters
    ----------
    name : str
        "maclen", "decorate" or "cascade".

    Returns
    -------
    Paper
        Its parts and numbers.
    """
    if name not in PAPERS:
        raise PaperError(f"there is no paper {name!r}. {suggest(name, PAPERS)}")
    paper: Paper = importlib.import_module(PAPERS[name]).PAPER
    return paper
