"""The command line, one module per command."""

from dissensus.cli._main import main

__all__ = ["main"]
