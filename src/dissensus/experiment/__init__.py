"""Studies: a specification, its jobs, their store and results."""

from dissensus.experiment._compare import compare, comparison
from dissensus.experiment._partitions import fit_partitions
from dissensus.experiment.executors._base import Executor as Executor, SerialExecutor
from dissensus.experiment.executors._dask import (
    DaskExecutor,
    tls_security as tls_security,
)
from dissensus.experiment.executors._pool import (
    ProcessExecutor,
    read_limits as read_limits,
)
from dissensus.experiment.executors._process_group import lead_group as lead_group
from dissensus.experiment.executors._worker_process import (
    how_it_ended as how_it_ended,
    kill as kill,
    start_process as start_process,
)
from dissensus.experiment.plan._jobs import Study as Study
from dissensus.experiment.plan._seeds import digest as digest, seed_of as seed_of
from dissensus.experiment.run._estimate import Estimate, estimate
from dissensus.experiment.run._memory import (
    memory_limit as memory_limit,
    read_size as read_size,
)
from dissensus.experiment.run._output import (
    flush_output as flush_output,
    print_to_stderr as print_to_stderr,
)
from dissensus.experiment.run._progress import (
    Progress,
    TerminalProgress as TerminalProgress,
    format_seconds as format_seconds,
)
from dissensus.experiment.run._runner import run_experiment
from dissensus.experiment.run._threads import one_thread as one_thread
from dissensus.experiment.spec._datasets import DatasetSpec, make_source as make_source
from dissensus.experiment.spec._learners import LearnerSpec
from dissensus.experiment.spec._spec import ExperimentSpec

__all__ = [
    "DaskExecutor",
    "DatasetSpec",
    "Estimate",
    "ExperimentSpec",
    "LearnerSpec",
    "ProcessExecutor",
    "Progress",
    "SerialExecutor",
    "compare",
    "comparison",
    "estimate",
    "fit_partitions",
    "run_experiment",
]
