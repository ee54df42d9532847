"""Splits, learning curves, significance tests, bias and variance."""
