"""The campaign: `python -m tests.campaign --count 20000`.

Every case is drawn from the seed and its own number, and tried in a process that may
die of it. The end is a table of what was tried and what happened; the exit code is 1
if a case ended in any way but a sound answer or a refusal in words.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import count
from math import inf
from threading import Lock
from time import monotonic
from typing import Any

from tests.campaign.judge import ANSWERED, FAULT, REFUSED
from tests.campaign.worker import Report, Worker, serve, try_number


def main() -> int:
    """Run what the arguments say, and return the exit code."""
    arguments = read_arguments()
    if arguments.serve is not None:
        serve(partial(try_number, arguments.serve))
        return 0
    if arguments.case is not None:
        report = try_number(arguments.seed, arguments.case)
        print(report["estimator"], *report["traits"], sep="\n  ")
        for end, detail in report["outcomes"]:
            print(end, detail)
        return int(has_fault(report))
    reports = run(arguments)
    print_faults(reports, arguments.seed)
    print_counts("estimator", [[r["class"]] for r in reports], reports)
    print_counts("what is odd", [r["traits"] for r in reports], reports)
    return int(any(map(has_fault, reports)))


def read_arguments() -> Any:
    """Return the arguments of the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.campaign")
    parser.add_argument("--count", type=int, default=1000, help="number of cases")
    parser.add_argument("--seed", type=int, default=0, help="seed of all cases")
    parser.add_argument("--jobs", type=int, default=2, help="number of processes")
    parser.add_argument("--seconds", type=float, default=120, help="limit of one case")
    parser.add_argument("--minutes", type=float, help="stop then, with fewer cases")
    parser.add_argument("--case", type=int, help="try one case, in this process")
    parser.add_argument("--serve", type=int, help=argparse.SUPPRESS)
    return parser.parse_args()


def run(arguments: Any) -> list[Report]:
    """Try the cases, as many at once as there are jobs."""
    numbers, lock = count(), Lock()
    reports: list[Report] = []
    end = monotonic() + 60 * (arguments.minutes or inf)

    def work(_: int) -> None:
        worker = Worker(arguments.seed, arguments.seconds)
        while True:
            with lock:
                number = next(numbers)
            if number >= arguments.count or monotonic() > end:
                break
            reports.append(worker.ask(number))
            if len(reports) % 1000 == 0:
                print(f"{len(reports)} cases tried", file=sys.stderr, flush=True)
        worker.close()

    with ThreadPoolExecutor(arguments.jobs) as pool:
        list(pool.map(work, range(arguments.jobs)))
    return sorted(reports, key=lambda report: int(report["number"]))


def has_fault(report: Report) -> bool:
    """Whether the fit or a question of a case ended in a fault."""
    return any(end == FAULT for end, _ in report["outcomes"])


def print_faults(reports: list[Report], seed: int) -> None:
    """Print each kind of fault once, with the line that brings it back."""
    kinds: dict[tuple[str, str], list[int]] = {}
    for report in reports:
        for end, detail in report["outcomes"]:
            if end == FAULT:
                key = report["class"], detail
                kinds.setdefault(key, []).append(report["number"])
    for (name, detail), numbers in sorted(kinds.items()):
        again = f"python -m tests.campaign --seed {seed} --case {numbers[0]}"
        print(f"FAULT {len(numbers)}x {name}: {detail}\n    {again}")


def print_counts(title: str, keys: list[list[str]], reports: list[Report]) -> None:
    """Print how often each key was tried, and how fits and questions ended."""
    tried: Counter[str] = Counter()
    ended: Counter[tuple[str, str]] = Counter()
    for names, report in zip(keys, reports, strict=True):
        for name in names:
            tried[name] += 1
            ended[name, "fits " + report["outcomes"][0][0]] += 1
            for end, _ in report["outcomes"][1:]:
                ended[name, "questions " + end] += 1
    ends = [
        f"{what} {end}"
        for what in ("fits", "questions")
        for end in (ANSWERED, REFUSED, FAULT)
    ]
    print("\n|", title, "| cases |", " | ".join(ends), "|")
    print("|---" * (len(ends) + 2) + "|")
    for name in sorted(tried):
        cells = [str(ended[name, end]) for end in ends]
        print(f"| {name} | {tried[name]} | {' | '.join(cells)} |")
    total = [str(sum(ended[name, end] for name in tried)) for end in ends]
    if title == "estimator":
        print(f"| all | {sum(tried.values())} | {' | '.join(total)} |")


if __name__ == "__main__":
    sys.exit(main())
