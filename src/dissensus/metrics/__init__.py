"""Diversity of an ensemble and scores of predictions."""
