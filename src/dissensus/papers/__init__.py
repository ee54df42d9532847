"""The three papers, run again: published numbers beside measured ones."""

from dissensus.papers._find import find_paper
from dissensus.papers.framework._page import write_reproduction
from dissensus.papers.framework._paper import SCALES as SCALES, Paper, Scale
from dissensus.papers.framework._plan import MissingDataError
from dissensus.papers.framework._run import Reproduction, reproduce

__all__ = [
    "MissingDataError",
    "Paper",
    "Reproduction",
    "Scale",
    "find_paper",
    "reproduce",
    "write_reproduction",
]
