"""Open thousands of model files that were edited at random.

    python -m tests.persistence.campaign 20000 --seed 1

Each file has fitting checksums. It must be refused with `ModelError`, or give answers:
probabilities that are finite and add up. (Or it is a model of another table, which
refuses the rows with `TableError`.) Edits are tried in child processes, so that a
crash, a hang or a hunger for memory is counted and the campaign goes on.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
import warnings
import zipfile
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

from dissensus.exceptions import ModelError, TableError
from dissensus.learners import parse_learner
from dissensus.persistence import load_model, save_model
from dissensus.persistence._archive import write_parts
from tests.estimator_checks import answers
from tests.persistence.edits import edited
from tests.persistence.test_round_trip import COMPOSITIONS, TEXTS, fitted, short
from tests.test_common import ESTIMATORS

SECONDS = 5  # of the processor, for an edit
WAITING = 60  # seconds by the clock, however busy the machine is
BYTES = 2**30  # of memory beyond what a child has at its start
BATCH = 1000  # edits that a child tries
# Learners with fewer members than by default, so that a file opens in milliseconds.
SMALL = {
    "forest": "forest(n_estimators=4)",
    "hgb": "hgb(max_iter=3)",
    "mlp": "mlp(max_iter=3)",
}
GOOD = ("refused", "refused when asked", "same answers", "other answers")


def models() -> list[tuple[str, Any]]:
    """Return all kinds of models: of the registry, ours, and compositions."""
    texts = [SMALL.get(text, text) for text in TEXTS]
    named = [(text, parse_learner(text).build()) for text in texts]
    return [*named, *((short(e), e) for e in (*ESTIMATORS, *COMPOSITIONS))]


def write_models(folder: Path) -> list[str]:
    """Fit and save all models; return their names."""
    names = []
    for number, (name, estimator) in enumerate(models()):
        model, _ = fitted(estimator)
        save_model(model, folder / f"{number}.skops")
        names.append(name)
    return names


def read_parts(path: Path) -> dict[str, bytes]:
    """Return the parts of a model file."""
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def outcome(path: Path, X: Any, expected: Any) -> str:
    """Say what comes of opening and using a file."""
    try:
        model = load_model(path)
    except ModelError:
        return "refused"
    except Exception as error:  # noqa: BLE001 - what must not happen is counted
        return f"foreign error when opened: {type(error).__name__}"
    try:
        found = used(model, X)
    except TableError:
        return "refused when asked"
    except Exception as error:  # noqa: BLE001 - what must not happen is counted
        return f"error when used: {type(error).__name__}"
    if found is None:
        return "bad answers"
    same = found.shape == expected.shape and found.tobytes() == expected.tobytes()
    return "same answers" if same else "other answers"


def used(model: Any, X: Any) -> Any:
    """Return the answers of a model; None if they are no probabilities."""
    if hasattr(model, "predict_proba"):
        proba = model.predict_proba(X)
        model.predict(X)
        sound = np.isfinite(proba).all() and (abs(proba.sum(axis=1) - 1) < 1e-6).all()
        return np.ascontiguousarray(proba) if sound else None
    if hasattr(model, "decision_function"):
        scores = model.decision_function(X)
        model.predict(X)
        return np.ascontiguousarray(scores) if np.isfinite(scores).all() else None
    return np.ascontiguousarray(answers(model, X))


def try_edits(folder: Path, first: int, last: int, seed: int) -> None:
    """Try edits one after the other, and print what came of each."""
    warnings.simplefilter("ignore")
    n_models = len(list(folder.glob("*.skops")))
    _, X = fitted(models()[0][1])
    known: dict[int, tuple[dict[str, bytes], Any]] = {}
    begun = (
        int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    )
    resource.setrlimit(resource.RLIMIT_AS, (begun + BYTES, begun + BYTES))
    with tempfile.TemporaryDirectory() as work:
        path = Path(work, "model.skops")
        for number in range(first, last):
            which = number % n_models
            if which not in known:
                source = folder / f"{which}.skops"
                known[which] = read_parts(source), used(load_model(source), X)
            parts, expected = known[which]
            print(json.dumps({"begin": number, "edit": ""}), flush=True)
            parts, words = edited(parts, np.random.default_rng([seed, number]))
            print(json.dumps({"begin": number, "edit": words}), flush=True)
            path.write_bytes(write_parts(parts.items(), zipfile.ZIP_STORED))
            # Without a handler, the end of the time is the end of the process.
            signal.setitimer(signal.ITIMER_PROF, SECONDS)
            signal.alarm(WAITING)
            found = outcome(path, X, expected)
            signal.alarm(0)
            signal.setitimer(signal.ITIMER_PROF, 0)
            print(json.dumps({"end": number, "outcome": found}), flush=True)


def run_batch(
    folder: Path, first: int, last: int, seed: int
) -> Iterator[tuple[int, str, str]]:
    """Give number, edit and outcome of a batch, tried in one child or several."""
    while first < last:
        command = [
            sys.executable,
            "-m",
            "tests.persistence.campaign",
            "--child",
            str(folder),
        ]
        command += [str(first), str(last), str(seed)]
        words = ""
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as child:
            for line in child.stdout or ():
                event = json.loads(line) if line.startswith('{"') else {}
                if "begin" in event:
                    words = event["edit"]
                elif "end" in event:
                    first = event["end"] + 1
                    yield event["end"], words, event["outcome"]
        if first < last:
            hang = -child.returncode in (signal.SIGALRM, signal.SIGPROF)
            end = "hang" if hang else f"death of the process ({child.returncode})"
            if child.returncode > 0:  # a fault of the campaign itself
                raise RuntimeError("The campaign itself failed; see above.")
            yield first, words, end
            first += 1


def campaign(
    count: int, seed: int, n_jobs: int = 2, batch: int = BATCH
) -> tuple[Counter[str], list[str]]:
    """Try so many edits; return how often each outcome came, and the bad ones."""
    totals: Counter[str] = Counter()
    bad: list[str] = []
    with tempfile.TemporaryDirectory() as work:
        folder = Path(work)
        names = write_models(folder)
        starts = range(0, count, batch)

        def tried(start: int) -> list[tuple[int, str, str]]:
            return list(run_batch(folder, start, min(start + batch, count), seed))

        with ThreadPoolExecutor(n_jobs) as pool:
            for done in pool.map(tried, starts):
                for number, words, found in done:
                    totals[found] += 1
                    if found not in GOOD:
                        name = names[number % len(names)]
                        bad.append(f"{number} {name}: {words}: {found}")
                        print(bad[-1], file=sys.stderr, flush=True)
    return totals, bad


def main() -> int:
    """Run a campaign, or be a child of one."""
    if sys.argv[1:2] == ["--child"]:
        folder, first, last, seed = sys.argv[2:]
        try_edits(Path(folder), int(first), int(last), int(seed))
        return 0
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("count", type=int)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--batch", type=int, default=BATCH)
    options = parser.parse_args()
    start = time.monotonic()
    totals, bad = campaign(options.count, options.seed, options.jobs, options.batch)
    for found, number in totals.most_common():
        print(f"{number:8d}  {found}")
    print(f"{options.count} edits in {time.monotonic() - start:.0f} s")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
