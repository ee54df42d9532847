"""The example of the paper on Cascade Generalization: C4.5 after naive Bayes.

Neither learner can count, so both fail on Monks-2, where the class says whether exactly
two of six attributes have their first value. Together they come close: naive Bayes adds
up what the attributes say, and the tree cuts the sum where it likes.
"""

from sklearn.model_selection import StratifiedKFold, cross_val_score

from dissensus import C45Classifier, NaiveBayesClassifier, load_dataset
from dissensus.ensemble import after

FOLDS = StratifiedKFold(n_splits=10, shuffle=True, random_state=0)
LEARNERS = {
    "C4.5": C45Classifier(),
    "naive Bayes": NaiveBayesClassifier(),
    "C4.5 after naive Bayes": after(C45Classifier(), NaiveBayesClassifier()),
}
PUBLISHED = (32.9, 34.2, 8.9)


def main() -> None:
    """Print the errors beside the published ones, and explain one answer."""
    monks = load_dataset("monks-2")
    print(f"\n{'error in per cent':24}{'published':>10}{'here':>8}")
    for (name, learner), published in zip(LEARNERS.items(), PUBLISHED, strict=True):
        accuracy = cross_val_score(learner, monks.X, monks.y, cv=FOLDS).mean()
        print(f"{name:24}{published:10.1f}{100 * (1 - accuracy):8.1f}")

    cascade = LEARNERS["C4.5 after naive Bayes"].fit(monks.X, monks.y)
    print(
        f"\nThe tree that decides has {cascade.n_leaves_} leaves. One of its answers:\n"
    )
    print(cascade.explain(monks.X, 7))


if __name__ == "__main__":
    main()
