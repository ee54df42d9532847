"""A member for rows without inputs: it knows how frequent each class is."""

from __future__ import annotations

from typing import Self

import numpy as np
from numpy.typing import NDArray

from dissensus.base import TableClassifier
from dissensus.table import Table


class PriorClassifier(TableClassifier):
    """Answer every row with the frequencies of the classes in training."""

    prior_: NDArray[np.float64]

    def _fit_table(
        self,
        table: Table,
        y_codes: NDArray[np.int32],
        n_classes: int,
        sample_weight: NDArray[np.float64] | None = None,
    ) -> Self:
        self.schema_ = table.schema
        counts = np.bincount(y_codes, sample_weight, n_classes)
        self.prior_ = counts / counts.sum()
        return self

    def _proba_table(self, table: Table) -> NDArray[np.float64]:
        return np.tile(self.prior_, (table.n_rows, 1))
