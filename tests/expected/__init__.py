"""Outputs that must not change, each with its source and the script that wrote it."""
