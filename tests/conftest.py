"""Fixtures for every test, and how hypothesis draws its examples."""

import os
import signal
from pathlib import Path

import hypothesis
import numpy as np
import pytest

import dissensus

ROOT = Path(__file__).resolve().parents[1]

# A shell script starts what runs in its background with Ctrl-C ignored; some tests send
# it, to this process or to others that would inherit that.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# The same examples everywhere and always; with DISSENSUS_EXPLORE=1 new ones.
hypothesis.settings.register_profile(
    "repeatable", derandomize=True, deadline=None, database=None
)
hypothesis.settings.register_profile("explore", max_examples=2000, deadline=None)
hypothesis.settings.load_profile(
    "explore" if os.environ.get("DISSENSUS_EXPLORE") else "repeatable"
)


def pytest_report_header() -> list[str]:
    """Say which build is under test."""
    seed = os.environ.get("DISSENSUS_TESTS_SEED", "42")
    return [f"dissensus: {dissensus.__file__}", f"global random seed: {seed}"]


@pytest.fixture(scope="session")
def global_random_seed() -> int:
    """Seed of a test's random data: 42, or what DISSENSUS_TESTS_SEED says."""
    return int(os.environ.get("DISSENSUS_TESTS_SEED", "42"))


@pytest.fixture
def rng(global_random_seed: int) -> np.random.Generator:
    """Fresh generator of random data for one test."""
    return np.random.default_rng(global_random_seed)


@pytest.fixture(scope="session")
def project_root() -> Path:
    """Folder of the checkout."""
    return ROOT


@pytest.fixture(scope="session")
def shared_dir() -> Path:
    """Return the folder of shared data, or skip where there is none."""
    folder = Path(os.environ.get("DISSENSUS_SHARED", ROOT.parent / "shared"))
    if not (folder / "data" / "datasets.json").is_file():
        pytest.skip("needs the shared data folder (set DISSENSUS_SHARED)")
    return folder
