from dissensus.bayes import (
    AODEClassifier as AODEClassifier,
    NaiveBayesClassifier as NaiveBayesClassifier,
)
from dissensus.datasets import load_dataset as load_dataset
from dissensus.ensemble import (
    AdaBoostM1Classifier as AdaBoostM1Classifier,
    BaggingClassifier as BaggingClassifier,
    CascadeClassifier as CascadeClassifier,
    DecorateClassifier as DecorateClassifier,
    LocalCascadeClassifier as LocalCascadeClassifier,
    MaclenClassifier as MaclenClassifier,
    MTForestClassifier as MTForestClassifier,
    StackedGeneralizationClassifier as StackedGeneralizationClassifier,
)
from dissensus.io import read_table as read_table
from dissensus.linear import (
    DiscriminantClassifier as DiscriminantClassifier,
    LeastSquaresClassifier as LeastSquaresClassifier,
)
from dissensus.preprocessing import (
    EqualFrequencyDiscretizer as EqualFrequencyDiscretizer,
    EqualWidthDiscretizer as EqualWidthDiscretizer,
    MDLDiscretizer as MDLDiscretizer,
    MissingValueReplacer as MissingValueReplacer,
    ValueGrouper as ValueGrouper,
)
from dissensus.tree import C45Classifier as C45Classifier

__version__: str

__all__ = [
    "AODEClassifier",
    "AdaBoostM1Classifier",
    "BaggingClassifier",
    "C45Classifier",
    "CascadeClassifier",
    "DecorateClassifier",
    "DiscriminantClassifier",
    "EqualFrequencyDiscretizer",
    "EqualWidthDiscretizer",
    "LeastSquaresClassifier",
    "LocalCascadeClassifier",
    "MDLDiscretizer",
    "MTForestClassifier",
    "MaclenClassifier",
    "MissingValueReplacer",
    "NaiveBayesClassifier",
    "StackedGeneralizationClassifier",
    "ValueGrouper",
    "__version__",
    "load_dataset",
    "read_table",
]
