"""What Dask's workers are told about a study; imported where Dask is used."""

from __future__ import annotations

from typing import Any

import distributed

from dissensus.experiment._processes import Limits
from dissensus.experiment._remote import close_crew, open_crew


class StudyPlugin(distributed.WorkerPlugin):
    """Makes a study known to every worker, present or future."""

    def __init__(self, name: str, pickled: bytes, limits: Limits) -> None:
        self.name = name
        self.pickled = pickled
        self.limits = limits

    def setup(self, worker: Any) -> None:  # noqa: ARG002 -- Dask's signature
        """Get ready, when the worker starts or the study does."""
        open_crew(self.name, self.pickled, self.limits)

    def teardown(self, worker: Any) -> None:  # noqa: ARG002 -- Dask's signature
        """End what was started."""
        close_crew(self.name)
