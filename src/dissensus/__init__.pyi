from dissensus.bayes import AODEClassifier as AODEClassifier
from dissensus.bayes import NaiveBayesClassifier as NaiveBayesClassifier
from dissensus.ensemble import AdaBoostM1Classifier as AdaBoostM1Classifier
from dissensus.ensemble import BaggingClassifier as BaggingClassifier
from dissensus.ensemble import CascadeClassifier as CascadeClassifier
from dissensus.ensemble import DecorateClassifier as DecorateClassifier
from dissensus.ensemble import LocalCascadeClassifier as LocalCascadeClassifier
from dissensus.ensemble import MaclenClassifier as MaclenClassifier
from dissensus.ensemble import MTForestClassifier as MTForestClassifier
from dissensus.ensemble import (
    StackedGeneralizationClassifier as StackedGeneralizationClassifier,
)
from dissensus.linear import DiscriminantClassifier as DiscriminantClassifier
from dissensus.linear import LeastSquaresClassifier as LeastSquaresClassifier
from dissensus.preprocessing import (
    EqualFrequencyDiscretizer as EqualFrequencyDiscretizer,
)
from dissensus.preprocessing import EqualWidthDiscretizer as EqualWidthDiscretizer
from dissensus.preprocessing import MDLDiscretizer as MDLDiscretizer
from dissensus.preprocessing import MissingValueReplacer as MissingValueReplacer
from dissensus.preprocessing import ValueGrouper as ValueGrouper
from dissensus.table import load_dataset as load_dataset
from dissensus.table import read_table as read_table
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
