"""A process that tries cases: it may crash or hang, and the campaign goes on."""

from __future__ import annotations

import json
import select
import subprocess
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import numpy as np

from tests.campaign.cases import draw_case
from tests.campaign.estimators import NAMES, draw_estimator
from tests.campaign.judge import FAULT, try_case
from tests.sanitizers import check_leaks

Report = dict[str, Any]


def try_number(seed: int, number: int) -> Report:
    """Draw one case and try it; the two numbers say everything about it."""
    rng = np.random.default_rng([seed, number])
    estimator = draw_estimator(number, rng)
    case = draw_case(rng)
    outcomes = try_case(estimator, case)
    return {
        "number": number,
        "estimator": "".join(repr(estimator).split()),
        "class": type(estimator).__name__,
        "traits": sorted(set(case.traits)),
        "outcomes": [[outcome.end, outcome.detail] for outcome in outcomes],
    }


def serve(work: Callable[[int], Report]) -> None:
    """Read numbers of cases, a line each, and answer each with a line."""
    print("ready", flush=True)
    for line in sys.stdin:
        print(json.dumps(work(int(line))), flush=True)
    check_leaks()


class Worker:
    """A process that tries cases, started again when it has died."""

    def __init__(
        self, seed: int, seconds: float, command: list[str] | None = None
    ) -> None:
        self.seconds = seconds
        serve = [sys.executable, "-m", "tests.campaign", "--serve", str(seed)]
        self.command = command or serve
        self.process: subprocess.Popen[str] | None = None

    def ask(self, number: int) -> Report:
        """Return the report on a case, or the words on how its process ended."""
        if self.process is None:
            self._start()
        assert self.process is not None
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        with suppress(BrokenPipeError):  # dead already: its answer is the end of file
            self.process.stdin.write(f"{number}\n")
            self.process.stdin.flush()
        ready, _, _ = select.select([self.process.stdout], [], [], self.seconds)
        line = self.process.stdout.readline() if ready else ""
        if line:
            return dict(json.loads(line))
        why = self._end(hung=not ready)
        return {
            "number": number,
            "class": NAMES[number % len(NAMES)],
            "traits": [],
            "outcomes": [[FAULT, why]],
        }

    def close(self) -> None:
        """Let the process look for leaks and end."""
        if self.process is None:
            return
        self.process.communicate()
        self.process = None
        self.errors.close()

    def _start(self) -> None:
        self.errors = tempfile.TemporaryFile("w+")  # noqa: SIM115 - read in _end
        self.process = subprocess.Popen(
            self.command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.errors,
            text=True,
        )
        assert self.process.stdout is not None
        self.process.stdout.readline()  # "ready": what it imports takes seconds

    def _end(self, *, hung: bool) -> str:
        """Bury the process, and say what it died of."""
        assert self.process is not None
        if hung:
            self.process.kill()
        self.process.communicate()
        status = self.process.returncode
        self.process = None
        self.errors.seek(0)
        notes = [line.strip() for line in self.errors if "rror:" in line]
        self.errors.close()
        words = f"hang: no answer in {self.seconds} s" if hung else f"crash: {status}"
        return "; ".join([words, *notes[:1]])
