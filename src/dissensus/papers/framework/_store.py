"""Measurements of a paper, kept in the same file as the cells of its studies."""

from __future__ import annotations

import json

import dissensus
from dissensus.experiment import digest
from dissensus.papers.framework._paper import Measured, Measurement
from dissensus.store import Store, digest_of, insert, normal, now


def measurement_key(measurement: Measurement) -> str:
    """Return the digest of all that determines a measurement's result."""
    return digest(
        "measurement",
        dissensus.__version__,
        measurement.function,
        measurement.source.name,
        measurement.source.fingerprint,
        dict(measurement.arguments),
    )


class PaperStore(Store):
    """A store that keeps measurements beside cells.

    Parameters
    ----------
    path : str or path
        The file.
    """

    def find(self, measurement: Measurement) -> Measured | None:
        """Return a saved measurement, None if it has not been made."""
        rows = self.read(
            "SELECT content, error, seconds FROM measurements WHERE key = ?",
            (measurement_key(measurement),),
        )
        if not rows:
            return None
        content, error, seconds = rows[0]
        return Measured(
            measurement.source.name,
            measurement.arguments,
            json.loads(content),
            error,
            seconds,
        )

    def save(self, measurement: Measurement, measured: Measured) -> None:
        """Save a measurement; it is safe when this returns."""
        row = (
            measurement_key(measurement),
            measurement.function,
            measured.dataset,
            json.dumps(dict(measured.arguments)),
            dissensus.__version__,
            json.dumps(measured.content),
            measured.error,
            measured.seconds,
            now(),
        )
        values = normal(row)
        with self._explained(), self._transaction():
            insert(self._db, "measurements", digest_of(values), values)
        self._committed()
