"""The published papers, each a folder of specifications and a module of analyses."""

from dissensus.experiment.papers._find import PAPERS, find_paper

__all__ = ["PAPERS", "find_paper"]
