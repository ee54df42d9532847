"""Let a committee choose which rows to label, and count how many labels that saves.

A committee of DECORATE starts with a few labelled rows and asks for the labels of the
rows it is least sure of; another is given rows chosen at random. Both are tested on
rows that neither sees. The data come with scikit-learn; the whole takes about half a
minute.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dissensus import DecorateClassifier, load_dataset

DATA = "wdbc"
TARGET = 0.93
START, STEP, MOST = 10, 5, 120
REPEATS = 6


def learning_curve(X: Any, y: Any, ask: bool, seed: int) -> list[float]:
    """Return the test accuracy after each step; rows are asked for or drawn."""
    rng = np.random.default_rng(seed)
    shuffled = rng.permutation(len(y))
    test, rest = shuffled[: len(y) // 3], shuffled[len(y) // 3 :]
    labelled, pool = rest[:START], rest[START:]
    accuracies = []
    while len(labelled) <= MOST:
        committee = DecorateClassifier(random_state=seed)
        committee.fit(X[labelled], y[labelled])
        accuracies.append(committee.score(X[test], y[test]))
        chosen = (
            committee.query(X[pool], n=STEP, strategy="margin")
            if ask
            else rng.permutation(len(pool))[:STEP]
        )
        labelled = np.concatenate([labelled, pool[chosen]])
        pool = np.delete(pool, chosen)
    return accuracies


def labels_needed(curve: NDArray[np.float64]) -> int | None:
    """Return the number of labels at which a curve reaches the target for good."""
    below = np.flatnonzero(curve < TARGET)
    first = 0 if len(below) == 0 else int(below[-1]) + 1
    return None if first == len(curve) else START + STEP * first


def main() -> None:
    """Compare both ways of choosing."""
    data = load_dataset(DATA)
    X, y = data.X, np.asarray(data.y)
    print(f"Mean accuracy on {DATA} over {REPEATS} repetitions:\n")
    curves = {
        name: np.mean([learning_curve(X, y, ask, s) for s in range(REPEATS)], axis=0)
        for name, ask in (("asked for", True), ("at random", False))
    }
    print(f"{'labels':>8}" + "".join(f"{name:>12}" for name in curves))
    for step, pair in enumerate(zip(*curves.values(), strict=True)):
        print(f"{START + STEP * step:>8}" + "".join(f"{a:>12.1%}" for a in pair))
    print()
    for name, curve in curves.items():
        needed = labels_needed(curve)
        print(
            f"Labels {name}: {needed or f'more than {MOST}'} to stay above {TARGET:.0%}"
        )


if __name__ == "__main__":
    main()
