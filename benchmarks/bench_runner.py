"""Benchmark of the runner: what a cell costs beside its learner, and reading results.

Run it from the root of the repository, on a machine that does nothing else::

    python -m benchmarks.bench_runner
    python -m benchmarks.bench_runner --markdown

All times are wall time: processes that work side by side are what is measured.
"""

import argparse
import shlex
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from statistics import median

from benchmarks._report import Line, Outcome, Target, as_markdown, as_text
from dissensus.experiment import (
    ExperimentSpec,
    ProcessExecutor,
    Results,
    run_experiment,
)
from dissensus.experiment._cell import Outcome as CellOutcome
from dissensus.experiment._spec import Plan
from dissensus.experiment._store import Store, _row

TITLES = {
    "overhead": "A cell of a constant learner on iris, two workers (milliseconds)",
    "study": "100 cells of C4.5 on iris, two workers, start included (seconds)",
    "table": "Opening a store of 100,000 cells and making a table (seconds)",
}
REPEAT = 5
N_MORE = 900


def seconds(work: Callable[[], object]) -> float:
    """Return the wall time of some work."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def run(learner: str, repeats: int, executor: object) -> Callable[[], Results]:
    """Return the work of a study of iris with ten folds, saved in a file."""

    def work() -> Results:
        spec = ExperimentSpec(["iris"], [learner], repeats=repeats)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "study.sqlite")
            return run_experiment(spec, path, executor=executor)  # type: ignore[arg-type]

    return work


def overhead() -> Outcome:
    """Measure what 900 more cells of a constant learner add to a study of 100."""
    figures = {}
    for name, executor in (("ours", ProcessExecutor(2)), ("other", "serial")):
        run("majority", 1, executor)()  # the server of the processes is started
        figures[name] = [
            1000 * (seconds(run("majority", 100, executor)) - few) / N_MORE
            for few in (seconds(run("majority", 10, executor)) for _ in range(3))
        ]
    ours, other = median(figures["ours"]), median(figures["other"])
    low, high = min(figures["ours"]), max(figures["ours"])
    return Outcome(ours, other, "ms", ours, low, high, "other: one after the other")


def study() -> Outcome:
    """Measure a small study as a user meets it, in a process that has just begun."""
    code = (
        "from benchmarks.bench_runner import run, seconds;"
        "from dissensus.experiment import ProcessExecutor;"
        "print(seconds(run('c45', 10, ProcessExecutor(2))))"
    )
    first = [_in_a_new_process(code) for _ in range(REPEAT)]
    again = [seconds(run("c45", 10, ProcessExecutor(2))) for _ in range(REPEAT)]
    note = "ours: in a new process, which starts the workers' server; other: once more"
    figure = median(first)
    return Outcome(figure, median(again), "s", figure, min(first), max(first), note)


def _in_a_new_process(code: str) -> float:
    import subprocess

    said = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    return float(said.stdout)


def table() -> Outcome:
    """Measure the table of means over 100,000 saved cells."""
    learners = [f"c45(min_samples_leaf={leaf})" for leaf in range(1, 51)]
    spec = ExperimentSpec(["iris", "wine"], learners, repeats=100)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "large.sqlite")
        fill(path, spec.check())
        means = [seconds(lambda: Results.open(path).means()) for _ in range(REPEAT)]
        wins = [seconds(lambda: Results.open(path).summary()) for _ in range(REPEAT)]
    figure = median(means)
    note = "other: the summary, with ranks and tests against the first learner"
    return Outcome(figure, median(wins), "s", figure, min(means), max(means), note)


def fill(path: Path, plan: Plan) -> None:
    """Save an outcome for each job, in one transaction."""
    example = CellOutcome(plan.jobs[0], n_train=135, n_test=15, n_correct=14)
    rows = [
        tuple(_row(plan.study, replace(example, job=job)).values()) for job in plan.jobs
    ]
    names = list(_row(plan.study, example))
    with Store(path) as store:
        store.begin_run(plan.study, plan.data, plan.spec)
        with store._transaction():
            marks = ", ".join("?" * len(names))
            insert = f"INSERT INTO cells ({', '.join(names)}) VALUES ({marks})"
            store._db.executemany(insert, rows)
            score = (
                "INSERT INTO scores SELECT id, 'accuracy', n_correct / 15.0 FROM cells"
            )
            store._db.execute(score)


CASES: dict[str, tuple[str, Target, Callable[[], Outcome]]] = {
    "overhead": ("iris", Target("<=", 5.0), overhead),
    "study": ("iris", Target("<=", 3.0), study),
    "table": ("100,000 cells", Target("<=", 2.0), table),
}


def main(arguments: list[str]) -> None:
    """Measure the cases and print a line for each."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.bench_runner")
    parser.add_argument("--only", choices=sorted(CASES), default=None)
    parser.add_argument("--markdown", action="store_true")
    options = parser.parse_args(arguments)
    lines = []
    for group, (problem, target, measure) in CASES.items():
        if options.only in (None, group):
            lines.append(Line(group, problem, target, measure()))
            out = sys.stderr if options.markdown else sys.stdout
            print(as_text(lines[-1]), file=out, flush=True)
    if options.markdown:
        command = shlex.join(["python", "-m", "benchmarks.bench_runner", *arguments])
        print(as_markdown(lines, TITLES, command))


if __name__ == "__main__":
    main(sys.argv[1:])
