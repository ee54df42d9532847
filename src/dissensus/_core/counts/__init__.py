"""Counting values and pairs of values, and the factors made of them."""
