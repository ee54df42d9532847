"""Time Weka's learners beside ours, where Java and `weka.jar` are installed."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import numpy as np

from benchmarks._problems import Problem

HARNESSES = Path(__file__).parent / "weka"
USUAL_JARS = (
    "/usr/share/java/weka.jar",
    "/usr/local/share/java/weka.jar",
    "/opt/weka/weka.jar",
)


@dataclass(frozen=True, slots=True)
class Weka:
    """Where the Java tools and Weka's classes are."""

    java: str
    javac: str
    jar: str


@dataclass(frozen=True, slots=True)
class WekaServer:
    """A running virtual machine that works on one data set."""

    process: subprocess.Popen[str]
    requests: IO[str]
    answers: IO[str]

    def ask(self, request: str) -> tuple[float, int]:
        """Have something done: return the processor seconds used, and a number."""
        self.requests.write(f"{request}\n")
        self.requests.flush()
        answer = self.answers.readline()
        if not answer:
            raise RuntimeError(
                f"Weka ended with exit code {self.process.wait()} while it worked on "
                f"the request '{request}'; its own message is above."
            )
        nanoseconds, number = answer.split()
        return int(nanoseconds) / 1e9, int(number)


def find_weka() -> Weka | None:
    """Find `java`, `javac` and `weka.jar` (in WEKA_JAR, or where systems put it)."""
    java, javac = shutil.which("java"), shutil.which("javac")
    jars = (os.environ.get("WEKA_JAR", ""), *USUAL_JARS)
    jar = next((jar for jar in jars if jar and Path(jar).is_file()), None)
    if java is None or javac is None or jar is None:
        return None
    return Weka(java, javac, jar)


@contextmanager
def weka_server(weka: Weka, harness: str, problem: Problem) -> Iterator[WekaServer]:
    """Compile a harness, write the problem as ARFF and start a virtual machine."""
    with tempfile.TemporaryDirectory() as folder:
        arff = Path(folder, "problem.arff")
        write_arff(problem, arff)
        with subprocess.Popen(
            [*_compiled(weka, harness, folder), str(arff)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        ) as process:
            assert process.stdin is not None
            assert process.stdout is not None
            yield WekaServer(process, process.stdin, process.stdout)
            process.stdin.close()


def run_weka(weka: Weka, harness: str, *arguments: str) -> str:
    """Compile a harness, run it once and return what it prints."""
    with tempfile.TemporaryDirectory() as folder:
        command = [*_compiled(weka, harness, folder), *arguments]
        return subprocess.run(
            command, check=True, stdout=subprocess.PIPE, text=True
        ).stdout


def _compiled(weka: Weka, harness: str, folder: str) -> list[str]:
    """Compile a harness into a folder and return the command that starts it."""
    source = HARNESSES / f"{harness}.java"
    compiler = [weka.javac, "-cp", weka.jar, "-d", folder, str(source)]
    subprocess.run(compiler, check=True)
    classpath = os.pathsep.join([folder, weka.jar])
    machine = [weka.java, "-Xmx4g", "-Djava.awt.headless=true", "-cp", classpath]
    return [*machine, harness]


def write_arff(problem: Problem, path: Path) -> None:
    """Write `problem` as ARFF, nominal values and classes as integers, missing as ?."""
    codes = problem.codes
    if problem.is_nominal:
        kinds = [
            _declared(range(problem.X.dtypes.iloc[j].categories.size))
            for j in range(codes.shape[1])
        ]
        cells = np.where(codes < 0, "?", codes.astype(np.int64).astype(str))
    else:
        kinds = ["numeric"] * codes.shape[1]
        # Numbers as the shortest text that reads back as the number.
        cells = np.where(np.isnan(codes), "?", codes.astype(str))
    lines = [f"@attribute a{j} {kind}" for j, kind in enumerate(kinds)]
    lines.append(f"@attribute class {_declared(range(problem.y.max() + 1))}")
    with path.open("w", encoding="utf-8") as file:
        file.write("\n".join([f"@relation {problem.name}", *lines, "@data", ""]))
        for row, label in zip(cells, problem.y, strict=True):
            file.write(f"{','.join(row)},{label}\n")


def _declared(values: range) -> str:
    return "{" + ",".join(map(str, values)) + "}"
