"""Grow C4.5 trees on data sets that need no network, and print what they say.

The sets are generated, or come with scikit-learn; the whole takes a few seconds.
"""

from collections import Counter

from sklearn.model_selection import StratifiedKFold, cross_val_score

from dissensus import C45Classifier, load_dataset
from dissensus.tree import export_text

NAMES = ("monks-2", "monks-3", "balance-scale", "tic-tac-toe", "iris", "wine")
FOLDS = StratifiedKFold(n_splits=10, shuffle=True, random_state=1)


def summary(name: str) -> str:
    """Return one line: how well C4.5 does on a data set, and how large its tree is."""
    data = load_dataset(name)
    accuracy = cross_val_score(C45Classifier(), data.X, data.y, cv=FOLDS).mean()
    guess = Counter(data.y.tolist()).most_common(1)[0][1] / len(data.y)
    leaves = C45Classifier().fit(data.X, data.y).n_leaves_
    return f"{name:15}{len(data.y):>6}{guess:>12.1%}{accuracy:>12.1%}{leaves:>10}"


def main() -> None:
    """Run the demonstration."""
    print("\nC4.5 in ten-fold cross-validation, beside always guessing one class:\n")
    print(f"{'data set':15}{'rows':>6}{'guessing':>12}{'C4.5':>12}{'leaves':>10}")
    for name in NAMES:
        print(summary(name))

    monks = load_dataset("monks-3")
    print(f"\nThe tree of {monks.name}, read from top to bottom:\n")
    print(export_text(C45Classifier().fit(monks.X, monks.y)))
    print(
        "\nA leaf shows its class and how many rows reached it, then how many of those"
    )
    print("are of another class. On monks-2, whose rule counts values over all six")
    print("attributes, no single test helps, and pruning leaves one leaf.")
    print("\nNext: the README grows a tree from a file.")


if __name__ == "__main__":
    main()
