"""Writes and requests for memory that fail: nothing is lost, nothing is doubled.

`DISSENSUS_FAULTS` is the number of calls of each kind that fail, or "all".
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

COMPILER = shutil.which("cc")
N_FAULTS = os.environ.get("DISSENSUS_FAULTS", "6")
pytestmark = pytest.mark.skipif(
    not sys.platform.startswith("linux") or COMPILER is None,
    reason="a library is compiled and loaded before all others",
)


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    assert COMPILER is not None
    made = tmp_path_factory.mktemp("library") / "faults.so"
    source = Path(__file__).with_name("faults.c")
    options = ["-shared", "-fPIC", "-O1", "-o", str(made), str(source), "-ldl"]
    subprocess.run([COMPILER, *options], check=True)
    return made


@pytest.mark.slow
@pytest.mark.parametrize("lasts", ["once", "lasting"])
@pytest.mark.parametrize("error", ["ENOSPC", "EIO", "ENOMEM"])
def test_a_study_goes_on_to_the_same_results_after_any_fault(
    library: Path, tmp_path: Path, project_root: Path, error: str, lasts: str
) -> None:
    said = subprocess.run(
        [
            *(sys.executable, "-m", "tests.store.faults"),
            *(error, lasts, str(tmp_path), N_FAULTS),
        ],
        capture_output=True,
        text=True,
        cwd=project_root,
        env={**os.environ, "LD_PRELOAD": str(library)},
        check=False,
    )
    assert said.returncode == 0, said.stderr
    found = [json.loads(line) for line in said.stdout.splitlines()]
    assert [line for line in found if line["wrong"]] == []
    ends = Counter("error" in line for line in found)
    print(f"\n{error} {lasts}: {found[0]['of']} calls, {len(found)} studies, {ends}")
    assert ends[True] > len(found) / 2
    assert "error" not in found[-1]  # without a fault
