"""Pages: the results of a study, trees as pictures, and the reasons of an answer."""

from dissensus.report._explain import Explanation, explain
from dissensus.report._html import ReportError
from dissensus.report._page import write_report
from dissensus.report._reproduction import write_reproduction
from dissensus.report._standings import standings
from dissensus.report._tree_picture import export_html
from dissensus.report._verdict import judge

__all__ = [
    "Explanation",
    "ReportError",
    "explain",
    "export_html",
    "judge",
    "standings",
    "write_report",
    "write_reproduction",
]
