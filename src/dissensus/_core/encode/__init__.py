"""Columns encoded for the kernels, and rows taken from them."""
