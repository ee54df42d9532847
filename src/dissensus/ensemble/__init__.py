"""Ensembles, one file per published method."""
