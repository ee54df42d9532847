"""Benchmark of the commands: start, prediction of a long file, a comparison.

Run it from the root of the repository, on a machine that does nothing else::

    python -m benchmarks.bench_commands
    python -m benchmarks.bench_commands --rows 100000 --skip compare

Each command runs in a process of its own, as a user starts it. Files are made in a
temporary folder. Processor time is that of the process and of all it started; a busy
machine adds to the wall time only.
"""

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np

COMMAND = (sys.executable, "-c", "from dissensus.cli import main; main()")
N_NUMERIC, N_NOMINAL = 14, 6
LABELS = np.array(["red", "green", "blue", "white", "black"])
BLOCK = 100_000  # rows written at a time
BENCHMARKS = ("start", "predict", "compare")


@dataclass(frozen=True, slots=True)
class Spent:
    """What a command took: seconds on the clock and of processors, and mebibytes."""

    wall: float
    processor: float
    memory: float


def spend(arguments: list[str], folder: Path) -> Spent:
    """Run a command to its end."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    process = subprocess.Popen(
        [*COMMAND, *arguments],
        cwd=folder,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    _, status, used = os.wait4(process.pid, 0)
    wall = time.perf_counter() - start
    if status:
        raise SystemExit(f"dissensus {' '.join(arguments)} failed.")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Spent(wall, processor, used.ru_maxrss / 1024)


def write_rows(path: Path, n_rows: int) -> None:
    """Write a CSV file of 20 columns and a class that depends on a few of them."""
    rng = np.random.default_rng(0)
    names = [f"number{i}" for i in range(N_NUMERIC)]
    names += [f"label{i}" for i in range(N_NOMINAL)]
    with path.open("w") as file:
        file.write(",".join([*names, "class"]) + "\n")
        for begin in range(0, n_rows, BLOCK):
            n = min(BLOCK, n_rows - begin)
            numbers = rng.normal(size=(n, N_NUMERIC)).round(4)
            codes = rng.integers(len(LABELS), size=(n, N_NOMINAL))
            score = numbers[:, 0] * (codes[:, 0] - 2) + numbers[:, 1] + numbers[:, 2]
            answers = np.where(score + 0.3 * rng.normal(size=n) > 0, "yes", "no")
            for row, coded, answer in zip(numbers, codes, answers, strict=True):
                cells = [*map(repr, row.tolist()), *LABELS[coded], answer]
                file.write(",".join(cells) + "\n")


def start(folder: Path, _: argparse.Namespace) -> None:
    """Measure the first answer of the command line."""
    spent = min((spend(["--help"], folder) for _ in range(5)), key=lambda s: s.wall)
    print(f"--help: {spent.wall:.2f} s wall, {spent.processor:.2f} s processor")


def predict(folder: Path, options: argparse.Namespace) -> None:
    """Measure predictions of one tree, and whether memory grows with the file."""
    write_rows(folder / "train.csv", 5_000)
    spend(["fit", "train.csv", "--target", "class", "-o", "tree.skops"], folder)
    for n_rows in (options.rows // 10, options.rows):
        write_rows(folder / "rows.csv", n_rows)
        size = (folder / "rows.csv").stat().st_size / 2**20
        arguments = ["predict", "tree.skops", "rows.csv", "-o", "answers.csv"]
        spent = min((spend(arguments, folder) for _ in range(3)), key=lambda s: s.wall)
        print(
            f"predict, {n_rows:,} rows, {size:.0f} MiB: {spent.wall:.2f} s wall "
            f"({n_rows / spent.wall:,.0f} rows/s), {spent.processor:.2f} s processor "
            f"({n_rows / spent.processor:,.0f} rows/s), {spent.memory:.0f} MiB at most"
        )


def compare(folder: Path, options: argparse.Namespace) -> None:
    """Measure a comparison of the usual learners, 10 x 10 folds, two processes."""
    arguments = ["compare", options.data, "--jobs", "2"]
    arguments += ["--repeats", "10", "--folds", "10"]
    spent = spend(arguments, folder)
    print(
        f"compare {Path(options.data).stem}, 10 x 10, page included: {spent.wall:.1f} s"
    )


def main() -> None:
    """Run the benchmarks."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--data", default="wdbc", help="a file or name for compare")
    parser.add_argument("--skip", choices=BENCHMARKS, action="append", default=[])
    options = parser.parse_args()
    if Path(options.data).is_file():
        options.data = str(Path(options.data).resolve())
    for benchmark in (start, predict, compare):
        if benchmark.__name__ not in options.skip:
            with tempfile.TemporaryDirectory() as folder:
                benchmark(Path(folder), options)


if __name__ == "__main__":
    main()
