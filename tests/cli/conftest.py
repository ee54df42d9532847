"""Run commands as a user would, in a folder of their own."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from dissensus.cli._main import run

WEATHER = """\
outlook,temperature,humidity,windy,play
sunny,85,85,no,no
sunny,80,90,yes,no
overcast,83,86,no,yes
rainy,70,96,no,yes
rainy,68,80,no,yes
rainy,65,70,yes,no
overcast,64,65,yes,yes
sunny,72,95,no,no
sunny,69,70,no,yes
rainy,75,80,no,yes
sunny,75,70,yes,yes
overcast,72,90,yes,yes
overcast,81,75,no,yes
rainy,71,?,yes,no
"""


@dataclass(frozen=True)
class Done:
    """What a command has left behind."""

    code: int
    out: str
    err: str

    @property
    def error(self) -> str:
        """The only line of the standard error, of a command that was refused."""
        lines = [line for line in self.err.splitlines() if line.startswith("Error: ")]
        assert self.code == 2, self.err
        assert len(lines) == 1, self.err
        assert self.err.splitlines()[-1] == lines[0]
        assert self.out == ""
        return lines[0]


Runner = Callable[..., Done]


@pytest.fixture
def command(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfdbinary: pytest.CaptureFixture[bytes],
) -> Runner:
    """Return the function that runs a command in a folder with weather.csv."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("DISSENSUS_DATA", raising=False)
    (tmp_path / "weather.csv").write_text(WEATHER)

    def call(*arguments: str, stdin: bytes = b"") -> Done:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        capfdbinary.readouterr()
        code = run(list(arguments))
        sys.stdout.flush()
        captured = capfdbinary.readouterr()
        return Done(code, captured.out.decode(), captured.err.decode())

    return call


@pytest.fixture(scope="session")
def in_process() -> Runner:
    """Return the function that runs a command in a process of its own."""

    def call(*arguments: str, cwd: Path | None = None, **environment: str) -> Done:
        done = subprocess.run(
            [sys.executable, "-m", "dissensus", *arguments],
            cwd=cwd,
            env={**os.environ, **environment},
            capture_output=True,
            check=False,
        )
        return Done(done.returncode, done.stdout.decode(), done.stderr.decode())

    return call
