"""Pages: the results of a study, and trees as pictures."""

from dissensus.report._html import ReportError
from dissensus.report._tree_picture import export_html

__all__ = ["ReportError", "export_html"]
