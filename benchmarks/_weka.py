"""Time Weka's J48 beside ours, where Java and `weka.jar` are installed."""

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

HARNESS = Path(__file__).parent / "weka" / "J48Bench.java"
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
class J48Server:
    """A running virtual machine that builds J48 trees from one data set."""

    process: subprocess.Popen[str]
    requests: IO[str]
    answers: IO[str]

    def build(self, options: str) -> tuple[float, int]:
        """Build a tree and return the processor seconds used and its leaves."""
        self.requests.write(f"{options}\n")
        self.requests.flush()
        answer = self.answers.readline()
        if not answer:
            raise RuntimeError(
                f"Weka ended with exit code {self.process.wait()} while it built "
                f"'J48 {options}'; its own message is above."
            )
        nanoseconds, leaves = answer.split()
        return int(nanoseconds) / 1e9, int(leaves)


def find_weka() -> Weka | None:
    """Find `java`, `javac` and `weka.jar` (in WEKA_JAR, or where systems put it)."""
    java, javac = shutil.which("java"), shutil.which("javac")
    jars = (os.environ.get("WEKA_JAR", ""), *USUAL_JARS)
    jar = next((jar for jar in jars if jar and Path(jar).is_file()), None)
    if java is None or javac is None or jar is None:
        return None
    return Weka(java, javac, jar)


@contextmanager
def j48_server(weka: Weka, problem: Problem) -> Iterator[J48Server]:
    """Compile the harness, write the problem as ARFF and start a virtual machine."""
    with tempfile.TemporaryDirectory() as folder:
        arff = Path(folder, "problem.arff")
        write_arff(problem, arff)
        compiler = [weka.javac, "-cp", weka.jar, "-d", folder, str(HARNESS)]
        subprocess.run(compiler, check=True)
        classpath = os.pathsep.join([folder, weka.jar])
        machine = [weka.java, "-Xmx4g", "-Djava.awt.headless=true", "-cp", classpath]
        with subprocess.Popen(
            [*machine, "J48Bench", str(arff)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        ) as process:
            assert process.stdin is not None
            assert process.stdout is not None
            yield J48Server(process, process.stdin, process.stdout)
            process.stdin.close()


def write_arff(problem: Problem, path: Path) -> None:
    """Write `problem` as ARFF, nominal values and classes as integers."""
    codes = problem.codes
    if problem.is_nominal:
        kinds = [
            _declared(range(problem.X.dtypes.iloc[j].categories.size))
            for j in range(codes.shape[1])
        ]
        cells = codes.astype(np.int64).astype(str)
    else:
        kinds = ["numeric"] * codes.shape[1]
        cells = codes.astype(str)  # the shortest text that reads back as the number
    lines = [f"@attribute a{j} {kind}" for j, kind in enumerate(kinds)]
    lines.append(f"@attribute class {_declared(range(problem.y.max() + 1))}")
    with path.open("w", encoding="utf-8") as file:
        file.write("\n".join([f"@relation {problem.name}", *lines, "@data", ""]))
        for row, label in zip(cells, problem.y, strict=True):
            file.write(f"{','.join(row)},{label}\n")


def _declared(values: range) -> str:
    return "{" + ",".join(map(str, values)) + "}"
