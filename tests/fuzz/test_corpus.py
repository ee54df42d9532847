"""Inputs that once broke a reader, and those with which the search begins."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fuzz.targets import TARGETS

CORPUS = Path(__file__).parent / "corpus"
CASES = sorted(path.relative_to(CORPUS) for path in CORPUS.glob("*/*"))


def test_every_target_has_inputs_to_begin_with() -> None:
    assert {case.parts[0] for case in CASES} == set(TARGETS)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_only_our_own_errors_escape(case: Path) -> None:
    TARGETS[case.parts[0]]((CORPUS / case).read_bytes())
