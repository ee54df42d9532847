"""Single learners and committees that disagree, on data sets that need no network.

The sets are generated, or come with scikit-learn; the whole takes about a minute.
"""

from typing import Any

from sklearn.model_selection import StratifiedKFold, cross_val_score

from dissensus import (
    BaggingClassifier,
    C45Classifier,
    CascadeClassifier,
    DecorateClassifier,
    LocalCascadeClassifier,
    MaclenClassifier,
    NaiveBayesClassifier,
    load_dataset,
)
from dissensus.tree import export_text

NAMES = ("monks-2", "balance-scale", "iris")
LEARNERS: dict[str, Any] = {
    "C4.5": C45Classifier(),
    "naive Bayes": NaiveBayesClassifier(),
    "C4.5 after naive Bayes": CascadeClassifier(
        [NaiveBayesClassifier(), C45Classifier()]
    ),
    "local cascade": LocalCascadeClassifier(),
    "MACLEN of C4.5": MaclenClassifier(),
    "DECORATE of C4.5": DecorateClassifier(random_state=1),
    "bagging of C4.5": BaggingClassifier(n_estimators=15, random_state=1),
}
FOLDS = StratifiedKFold(n_splits=10, shuffle=True, random_state=1)


def main() -> None:
    """Run the demonstration."""
    data = [load_dataset(name) for name in NAMES]
    print("\nAccuracy in ten-fold cross-validation:\n")
    print(f"{'':24}" + "".join(f"{name:>15}" for name in NAMES))
    for title, learner in LEARNERS.items():
        scores = (cross_val_score(learner, d.X, d.y, cv=FOLDS).mean() for d in data)
        cells = "".join(f"{score:>15.1%}" for score in scores)
        print(f"{title:24}{cells}", flush=True)

    monks = data[0]
    cascade = LEARNERS["C4.5 after naive Bayes"].fit(monks.X, monks.y)
    print(f"\nThe tree on top of naive Bayes, {monks.name}:\n")
    print(export_text(cascade.estimators_[-1], decimals=3))
    print(
        "\nThe class is 1 if exactly two of the six attributes have their first value."
    )
    print("No single test tells; what naive Bayes makes of all six does. A leaf shows")
    print("its class and how many rows reached it, then how many are of another class.")
    print("\nNext: the README grows a tree from a file.")


if __name__ == "__main__":
    main()
