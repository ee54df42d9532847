"""Trees whose nodes build attributes: the paper's CGBtree, CGLtree and CGBLtree.

Which side of a balance goes down hangs on two weights and two distances at once. A
plain tree asks for them one at a time and grows large. With naive Bayes or a
discriminant at its nodes it asks what all of them say together, and a few leaves are
enough.
"""

from sklearn.model_selection import StratifiedKFold, cross_validate

from dissensus import C45Classifier, LocalCascadeClassifier, load_dataset
from dissensus.tree import export_text

FOLDS = StratifiedKFold(n_splits=10, shuffle=True, random_state=0)
TREES = {
    "C4.5": C45Classifier(),
    "Dtree": C45Classifier(smoothing="path"),
    "CGBtree": LocalCascadeClassifier("bayes"),
    "CGLtree": LocalCascadeClassifier("discriminant"),
    "CGBLtree": LocalCascadeClassifier("bayes+discriminant"),
}


def main() -> None:
    """Print errors and sizes, one tree with its models, and why it answers."""
    balance = load_dataset("balance-scale")
    print(f"\n{'balance-scale':12}{'error':>8}{'leaves':>8}")
    for name, tree in TREES.items():
        runs = cross_validate(
            tree, balance.X, balance.y, cv=FOLDS, return_estimator=True
        )
        error = 100 * (1 - runs["test_score"].mean())
        leaves = sum(fitted.n_leaves_ for fitted in runs["estimator"]) / 10
        print(f"{name:12}{error:9.1f}{leaves:8.1f}")

    tree = TREES["CGBtree"].fit(balance.X, balance.y)
    print(f"\n{export_text(tree, decimals=3)}\n")
    print(tree.explain(balance.X, 1).text(max_terms=3))


if __name__ == "__main__":
    main()
