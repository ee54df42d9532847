"""Pages: the results of a study, trees as pictures, and the reasons of an answer."""

from dissensus.report._explain import Explanation, explain
from dissensus.report._html import check_page as check_page, write_page as write_page
from dissensus.report._page import write_report
from dissensus.report._tree_picture import export_html

__all__ = [
    "Explanation",
    "explain",
    "export_html",
    "write_report",
]
