"""Benchmark of the runner: what a cell costs beside its learner, and reading results.

Run it from the root of the repository, on a machine that does nothing else::

    python -m benchmarks.bench_runner
    python -m benchmarks.bench_runner --markdown

"ours" is wall time, as a user meets it; "other" is the processor time of all processes
together, which other programs on the machine disturb less.
"""

import argparse
import multiprocessing.forkserver
import os
import shlex
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median

from benchmarks._report import Line, Outcome, Target, as_markdown, as_text
from dissensus.experiment import ExperimentSpec, ProcessExecutor, run_experiment
from dissensus.experiment.run._cell import run_cell
from dissensus.experiment.spec._spec import Plan
from dissensus.results import Results
from dissensus.store._store import Store

TITLES = {
    "overhead": "What one more cell of a constant learner costs (milliseconds)",
    "study": "100 cells of C4.5 on iris, saved in a file (seconds)",
    "table": "Opening a store of 100,000 cells and making a table (seconds)",
}
REPEAT = 5
N_MORE = 900
REAP = 0.3  # seconds after which a worker's time is known


@dataclass(frozen=True, slots=True)
class Spent:
    """What some work took: seconds on the clock, and of processors."""

    wall: float
    processor: float


def spent(work: Callable[[], object]) -> Spent:
    """Do some work and return what it took."""
    before = _processor_time()
    start = time.perf_counter()
    work()
    wall = time.perf_counter() - start
    time.sleep(REAP)
    return Spent(wall, _processor_time() - before)


def _processor_time() -> float:
    """Return the time of this process, the server of workers, and ended workers."""
    server = multiprocessing.forkserver._forkserver._forkserver_pid  # type: ignore[attr-defined]
    own = time.process_time()
    if server is None or not Path("/proc").exists():
        return own
    fields = Path(f"/proc/{server}/stat").read_text().rpartition(")")[2].split()
    return own + sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


def outcome(found: list[Spent], unit: str, scale: float = 1.0) -> Outcome:
    """Return the median of several measurements, and the spread of their wall times."""
    wall = [scale * each.wall for each in found]
    processor = median(scale * each.processor for each in found)
    figure = median(wall)
    return Outcome(figure, processor, unit, figure, min(wall), max(wall))


def run(learner: str, repeats: int, executor: object) -> Callable[[], Results]:
    """Return the work of a study of iris with ten folds, saved in a file."""

    def work() -> Results:
        spec = ExperimentSpec(["iris"], [learner], repeats=repeats)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "study.sqlite")
            return run_experiment(spec, path, executor=executor)  # type: ignore[arg-type]

    return work


def overhead(executor: object) -> Outcome:
    """Measure what 900 more cells of a constant learner add to a study of 100."""
    run("majority", 1, executor)()  # the server of the processes is started
    found = []
    for _ in range(REPEAT):
        few = spent(run("majority", 10, executor))
        many = spent(run("majority", 100, executor))
        found.append(Spent(many.wall - few.wall, many.processor - few.processor))
    return outcome(found, "ms", 1000.0 / N_MORE)


def first_study() -> Outcome:
    """Measure a small study in a process that has just begun, server and all."""
    code = (
        "from benchmarks.bench_runner import run, spent;"
        "from dissensus.experiment import ProcessExecutor;"
        "found = spent(run('c45', 10, ProcessExecutor(2)));"
        "print(found.wall, found.processor)"
    )
    command = [sys.executable, "-c", code]
    said = [
        subprocess.run(command, capture_output=True, text=True, check=True).stdout
        for _ in range(REPEAT)
    ]
    return outcome([Spent(*map(float, line.split())) for line in said], "s")


def next_study() -> Outcome:
    """Measure the same in a process whose server is there."""
    work = run("c45", 10, ProcessExecutor(2))
    work()
    return outcome([spent(work) for _ in range(REPEAT)], "s")


def table(make: Callable[[Results], object]) -> Outcome:
    """Measure a table over 100,000 saved cells."""
    learners = [f"c45(min_samples_leaf={leaf})" for leaf in range(1, 51)]
    spec = ExperimentSpec(["iris", "wine"], learners, repeats=100)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "large.sqlite")
        fill(path, spec.check())
        found = [spent(lambda: make(Results.open(path))) for _ in range(REPEAT)]
    return outcome(found, "s")


def fill(path: Path, plan: Plan) -> None:
    """Save an outcome for each job, in one transaction."""
    example = run_cell(plan.study, plan.jobs[0])
    with Store(path) as store:
        store.begin_run(plan.study, plan.data, plan.spec)
        with store._transaction():
            for job in plan.jobs:
                store._insert(plan.study, replace(example, job=job))


CASES: list[tuple[str, str, Target, Callable[[], Outcome]]] = [
    ("overhead", "2 workers", Target("<=", 5.0), lambda: overhead(ProcessExecutor(2))),
    ("overhead", "serial", Target("<=", 5.0), lambda: overhead("serial")),
    ("study", "2 workers, first", Target("<=", 3.0), first_study),
    ("study", "2 workers, again", Target("<=", 3.0), next_study),
    ("table", "means", Target("<=", 2.0), lambda: table(Results.means)),
    ("table", "summary", Target("<=", 2.0), lambda: table(Results.summary)),
]


def main(arguments: list[str]) -> None:
    """Measure the cases and print a line for each."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.bench_runner")
    parser.add_argument("--only", choices=list(TITLES), default=None)
    parser.add_argument("--markdown", action="store_true")
    options = parser.parse_args(arguments)
    lines = []
    for group, problem, target, measure in CASES:
        if options.only in (None, group):
            lines.append(Line(group, problem, target, measure()))
            out = sys.stderr if options.markdown else sys.stdout
            print(as_text(lines[-1]), file=out, flush=True)
    if options.markdown:
        command = shlex.join(["python", "-m", "benchmarks.bench_runner", *arguments])
        print(as_markdown(lines, TITLES, command))


if __name__ == "__main__":
    main(sys.argv[1:])
