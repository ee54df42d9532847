"""The papers by name."""

from __future__ import annotations

import importlib

from dissensus.exceptions import PaperError
from dissensus.papers.framework._paper import Paper
from dissensus.utils._names import suggest

# Name -> the module of its analyses, which has a PAPER.
PAPERS = {
    "maclen": "dissensus.papers.maclen._paper",
    "decorate": "dissensus.papers.decorate._paper",
    "cascade": "dissensus.papers.cascade._paper",
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
