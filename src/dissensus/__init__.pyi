from dissensus.ensemble import MaclenClassifier as MaclenClassifier
from dissensus.preprocessing import MDLDiscretizer as MDLDiscretizer
from dissensus.preprocessing import MissingValueReplacer as MissingValueReplacer
from dissensus.table import load_dataset as load_dataset
from dissensus.table import read_table as read_table
from dissensus.tree import C45Classifier as C45Classifier

__version__: str

__all__ = [
    "C45Classifier",
    "MDLDiscretizer",
    "MaclenClassifier",
    "MissingValueReplacer",
    "__version__",
    "load_dataset",
    "read_table",
]
