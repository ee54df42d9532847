"""Cut points of numeric columns."""
