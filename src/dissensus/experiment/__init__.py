"""Studies: a specification, its jobs, their store and results."""

from dissensus.experiment._compare import compare, comparison
from dissensus.experiment._dask import DaskExecutor
from dissensus.experiment._errors import (
    ExecutorError,
    ExperimentError,
    LearnerError,
    PaperError,
    SpecError,
    StoreError,
)
from dissensus.experiment._estimate import Estimate, estimate
from dissensus.experiment._executor import SerialExecutor
from dissensus.experiment._learner import Learner, parse_learner
from dissensus.experiment._paper import Paper, Scale
from dissensus.experiment._paper_plan import MissingDataError
from dissensus.experiment._paper_run import Reproduction, reproduce
from dissensus.experiment._partitions import fit_partitions
from dissensus.experiment._processes import ProcessExecutor
from dissensus.experiment._progress import Progress
from dissensus.experiment._results import Results
from dissensus.experiment._runner import run_experiment
from dissensus.experiment._salvage import salvage_store
from dissensus.experiment._spec import ExperimentSpec
from dissensus.experiment._spec_data import DatasetSpec
from dissensus.experiment._spec_learners import LearnerSpec
from dissensus.experiment._tables import ResultTable
from dissensus.experiment.papers import find_paper

__all__ = [
    "DaskExecutor",
    "DatasetSpec",
    "Estimate",
    "ExecutorError",
    "ExperimentError",
    "ExperimentSpec",
    "Learner",
    "LearnerError",
    "LearnerSpec",
    "MissingDataError",
    "Paper",
    "PaperError",
    "ProcessExecutor",
    "Progress",
    "Reproduction",
    "ResultTable",
    "Results",
    "Scale",
    "SerialExecutor",
    "SpecError",
    "StoreError",
    "compare",
    "comparison",
    "estimate",
    "find_paper",
    "fit_partitions",
    "parse_learner",
    "reproduce",
    "run_experiment",
    "salvage_store",
]
