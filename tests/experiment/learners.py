"""Learners that are quick, and learners that misbehave."""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
import time
import warnings
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin


class Constant(ClassifierMixin, BaseEstimator):
    """CellPredictions the class frequencies; `seconds` make it slower."""

    def __init__(self, seconds: float = 0.0) -> None:
        self.seconds = seconds

    def fit(self, X: Any, y: Any) -> Self:
        self.classes_, counts = np.unique(y, return_counts=True)
        self.shares_ = counts / counts.sum()
        self.misbehave()
        return self

    def misbehave(self) -> None:
        if self.seconds:
            time.sleep(self.seconds)

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        return np.tile(self.shares_, (len(X), 1))

    def predict(self, X: Any) -> NDArray[Any]:
        return np.full(len(X), self.classes_[self.shares_.argmax()])


class Raises(Constant):
    def misbehave(self) -> None:
        raise ZeroDivisionError("it was bound to happen")


class UnspeakableError(Exception):
    """An error whose text does as it is told."""

    def __init__(self, what: str) -> None:
        super().__init__(what)
        self.what = what

    def __str__(self) -> str:
        if self.what == "raise":
            raise ValueError("no words")
        if self.what == "exit":
            sys.exit("no words")
        if self.what == "no text":
            return NotImplemented
        return {
            "surrogate": "half of \ud83d a pair",
            "giant": "x" * 100_000_000,
            "escape": "red \x1b[31m, NUL \x00, back \r over it",
        }[self.what]


class RaisesUnspeakably(Constant):
    """Raises, and warns of, an error that cannot be told."""

    def __init__(self, what: str = "raise", seconds: float = 0.0) -> None:
        self.what = what
        self.seconds = seconds

    def misbehave(self) -> None:
        if self.what == "surrogate":
            warnings.warn(UnspeakableWarning(self.what), stacklevel=2)
        raise UnspeakableError(self.what)


class RaisesInterrupt(Constant):
    """Raises what Ctrl-C does."""

    def misbehave(self) -> None:
        raise KeyboardInterrupt("really")


class UnspeakableWarning(UserWarning):
    """A warning of the same kind."""

    __str__ = UnspeakableError.__str__

    def __init__(self, what: str) -> None:
        super().__init__(what)
        self.what = what


class ComesBackTwice(Constant):
    """Comes back twice: as it is, and as a copy of its process."""

    def misbehave(self) -> None:
        os.fork()


class RaisesOnLargeSets(Constant):
    """Fails on part of the tasks."""

    def __init__(self, most: int = 100) -> None:
        self.most = most

    def fit(self, X: Any, y: Any) -> Self:
        if len(y) > self.most:
            raise ValueError(f"{len(y)} rows are too many")
        self.seconds = 0.0
        return super().fit(X, y)


class Exits(Constant):
    def misbehave(self) -> None:
        sys.exit(3)


class Warns(Constant):
    def misbehave(self) -> None:
        for _ in range(5):
            warnings.warn("it did not converge", UserWarning, stacklevel=2)


class Endless(Constant):
    def misbehave(self) -> None:
        while True:
            time.sleep(0.01)


class HoldsTheLock(Constant):
    """Touches a file, then sleeps in compiled code that lets no other thread run."""

    def __init__(self, file: str) -> None:
        self.file = file

    def fit(self, X: Any, y: Any) -> Self:
        Path(self.file).touch()
        ctypes.PyDLL(None).sleep(1000)
        return self


class Forks(Constant):
    """Goes on twice: as itself, and as a copy that comes `seconds` later."""

    def misbehave(self) -> None:
        if os.fork() == 0:
            time.sleep(self.seconds)


class Leaves(Constant):
    """Leaves a process behind, whose number it writes to a file."""

    def __init__(self, file: str, then: str = "returns") -> None:
        self.file = file
        self.then = then

    def fit(self, X: Any, y: Any) -> Self:
        self.seconds = 0.0
        return super().fit(X, y)

    def misbehave(self) -> None:
        left = subprocess.Popen(["sleep", "1000"])
        with Path(self.file).open("a") as file:
            file.write(f"{left.pid}\n")
        left.returncode = 0  # so that nobody warns about it
        if self.then == "dies":
            os.kill(os.getpid(), signal.SIGKILL)
        if self.then == "stays":
            time.sleep(1000)


class Prints(Constant):
    """Prints in all ways there are."""

    def misbehave(self) -> None:
        print("printed by Python")
        os.write(1, b"written to the file\n")
        ctypes.CDLL(None).puts(b"put by compiled code")


class Hungry(Constant):
    """Takes memory in steps until it gets no more, or has 8 GB."""

    def misbehave(self) -> None:
        self.blocks_ = [np.ones(2**22) for _ in range(256)]


class Crashes(Constant):
    """Ends its process; with a file, only if that is not there yet."""

    def __init__(self, file: str = "") -> None:
        self.file = file

    def misbehave(self) -> None:
        if self.file and Path(self.file).exists():
            return
        if self.file:
            Path(self.file).touch()
        os.kill(os.getpid(), signal.SIGKILL)

    def fit(self, X: Any, y: Any) -> Self:
        self.seconds = 0.0
        return super().fit(X, y)


class AnswersNan(Constant):
    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        return super().predict_proba(X) * np.nan


class AnswersTooFew(Constant):
    def predict(self, X: Any) -> NDArray[Any]:
        return super().predict(X)[1:]


class AnswersStrangers(Constant):
    def predict(self, X: Any) -> NDArray[Any]:
        return np.full(len(X), 99)


class Voter(ClassifierMixin, BaseEstimator):
    """Has no probabilities to give."""

    def fit(self, X: Any, y: Any) -> Self:
        self.classes_ = np.unique(y)
        return self

    def predict(self, X: Any) -> NDArray[Any]:
        return np.full(len(X), self.classes_[0])


class Lottery(Constant):
    """Draws its answers; the same for the same seed."""

    def __init__(self, random_state: int | None = None) -> None:
        self.random_state = random_state

    def fit(self, X: Any, y: Any) -> Self:
        self.seconds = 0.0
        super().fit(X, y)
        rng = np.random.default_rng(self.random_state)
        self.shares_ = rng.dirichlet(np.ones(len(self.classes_)))
        return self


class Unpicklable(Constant):
    def __init__(self, what: Any = None) -> None:
        self.what = what
        self.seconds = 0.0
