"""Cells of studies in one SQLite file: the contract between who runs and who reads."""

from dissensus.store._layout import (
    digest_of as digest_of,
    insert as insert,
    normal as normal,
)
from dissensus.store._predictions import (
    CellPredictions as CellPredictions,
    pack as pack,
    unpack as unpack,
)
from dissensus.store._records import (
    FOLDS as FOLDS,
    TEST as TEST,
    Job as Job,
    Outcome as Outcome,
    Task as Task,
    regime as regime,
)
from dissensus.store._salvage import salvage_store
from dissensus.store._store import IN_MEMORY as IN_MEMORY, Store as Store, now as now

__all__ = [
    "salvage_store",
]
