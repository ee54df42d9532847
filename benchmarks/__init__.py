"""Benchmarks of dissensus; run them from the root of the repository."""
