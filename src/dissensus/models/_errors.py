"""The error of this layer."""

from __future__ import annotations


class ModelError(ValueError):
    """A model that cannot be saved, or a file that cannot be opened, and what to do.

    Examples
    --------
    >>> from dissensus.models import ModelError, load_model
    >>> try:
    ...     load_model("absent.skops")
    ... except ModelError as error:
    ...     print(error)
    absent.skops: there is no such file. Check the spelling and the folder.
    """
