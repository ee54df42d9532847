"""The campaign itself: what it counts as a fault, and a few cases of each estimator."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.naive_bayes import GaussianNB

from dissensus.exceptions import TableError
from dissensus.tree import C45Classifier
from tests.campaign.estimators import NAMES
from tests.campaign.judge import ANSWERED, FAULT, REFUSED, attempt, check_answer
from tests.campaign.worker import Worker, try_number
from tools.read_reports import find_faults

CASES = int(os.environ.get("DISSENSUS_HOSTILE", "6"))


@pytest.mark.parametrize("name", NAMES)
def test_hostile_tables_are_answered_or_refused_in_words(
    name: str, global_random_seed: int
) -> None:
    first = NAMES.index(name)
    for number in range(first, first + CASES * len(NAMES), len(NAMES)):
        report = try_number(global_random_seed, number)
        assert report["class"] == name
        for end, detail in report["outcomes"]:
            assert end != FAULT, f"case {number}, seed {global_random_seed}: {detail}"


def test_the_same_number_is_the_same_case(global_random_seed: int) -> None:
    number = NAMES.index("C45Classifier")
    first, second = (try_number(global_random_seed, number) for _ in range(2))
    assert first == second


def raising(error: BaseException) -> Any:
    def work() -> None:
        raise error

    return work


def test_errors_that_nobody_wrote_down_are_faults() -> None:
    assert attempt(raising(MemoryError())).end == FAULT
    assert attempt(raising(ValueError("not from the package at all"))).end == FAULT
    assert attempt(lambda: np.zeros((2, 2)) @ np.zeros((3, 3))).end == FAULT
    assert attempt(lambda: np.float64(1e308) * 10).end == FAULT  # a warning of numpy


def test_refusals_in_words_are_none() -> None:
    y = np.array([0, 1])
    assert attempt(lambda: C45Classifier().fit([[np.inf], [1]], y)).end == REFUSED
    assert attempt(lambda: C45Classifier().fit([[0.0], [1.0]], y)).end == ANSWERED
    with pytest.raises(TableError):
        C45Classifier().fit([[np.inf], [1]], y)


def test_probabilities_that_are_no_numbers_are_faults() -> None:
    model = GaussianNB().fit([[0.0], [1.0]], [0, 1])
    model.var_[:] = np.nan
    outcome = attempt(lambda: check_answer(model, [[0.5]]))
    assert outcome.end == FAULT
    assert "not finite" in outcome.detail


def script(code: str) -> list[str]:
    return [
        sys.executable,
        "-c",
        f"import os, time\nprint('ready', flush=True)\n{code}",
    ]


def test_a_process_that_dies_is_a_fault_and_is_started_again() -> None:
    worker = Worker(0, 60, script("input()\nos.abort()"))
    for number in range(2):
        ((end, detail),) = worker.ask(number)["outcomes"]
        assert end == FAULT
        assert detail.startswith("crash")


def test_a_process_that_hangs_is_a_fault() -> None:
    worker = Worker(0, 0.2, script("time.sleep(600)"))
    ((end, detail),) = worker.ask(0)["outcomes"]
    assert end == FAULT
    assert detail.startswith("hang")


LEAK = """==1==ERROR: LeakSanitizer: detected memory leaks

Direct leak of {size} byte(s) in 20 object(s) allocated from:
    #0 0x7f in malloc asan_malloc_linux.cpp:69
    #1 0x7f in {where}
"""
NUMPY = "PyUFunc_New numpy/_core/_multiarray_umath.so"
KERNEL = "grab src/dissensus/_core/_memory.cpython-311.so.p/_memory.pyx.c:1"


@pytest.mark.parametrize(
    ("report", "n_faults"),
    [
        (LEAK.format(size=84840, where=NUMPY), 0),
        (LEAK.format(size=84840, where=KERNEL), 1),
        (LEAK.format(size=160, where=NUMPY), 1),  # the leak made on purpose is not seen
        ("==1==ERROR: AddressSanitizer: heap-buffer-overflow", 1),
    ],
)
def test_reports_of_sanitizers_are_read(
    report: str, n_faults: int, tmp_path: Path
) -> None:
    (tmp_path / "report.1").write_text(report)
    assert len(find_faults(tmp_path)) == n_faults


def test_leaks_that_nobody_looked_for_are_a_fault(tmp_path: Path) -> None:
    folder = tmp_path / "sanitized-address-reports"
    folder.mkdir()
    assert find_faults(folder) == ["no process has looked for leaks"]
