"""The types that a model file may ask for: a fixed list, by kind of entry.

A file says which class it wants by module and name, and how to make it by the name of
an entry ("loader"). Both must be known here. A name is never looked up in a module to
see whether it is good, since modules also hold what they import.

Nothing on the list runs code of the file's choice: methods and operators are not on it,
the one function is harmless, constructors are called for plain records of ours only,
and all else is made without its constructor and gets its attributes.
"""

from __future__ import annotations

from dissensus.persistence._sklearn_structure import SKLEARN

NUMBERS = ("bool", "int", "float", "str")

# Estimators and records of this package, by the package that exports them. Files of
# modules may move; these names stay.
OURS = frozenset(
    f"dissensus.{name}"
    for name in (
        "bayes.AODEClassifier",
        "bayes.Counts",
        "bayes.NaiveBayesClassifier",
        "bayes.Normal",
        "bayes.PairFactors",
        "bayes.ValueFactors",
        "ensemble.AdaBoostM1Classifier",
        "ensemble.AttributeTask",
        "ensemble.BaggingClassifier",
        "ensemble.CascadeClassifier",
        "ensemble.Construction",
        "ensemble.DecorateClassifier",
        "ensemble.LevelDiagnosis",
        "ensemble.LocalCascadeClassifier",
        "ensemble.MTForestClassifier",
        "ensemble.MaclenClassifier",
        "ensemble.PairBayes",
        "ensemble.PriorClassifier",
        "ensemble.StackedGeneralizationClassifier",
        "learners.DiscretizedClassifier",
        "learners.EncodedClassifier",
        "linear.DiscriminantClassifier",
        "linear.LeastSquaresClassifier",
        "preprocessing.EqualFrequencyDiscretizer",
        "preprocessing.EqualWidthDiscretizer",
        "preprocessing.MDLDiscretizer",
        "preprocessing.MissingValueReplacer",
        "preprocessing.ValueGrouper",
        "table.Attribute",
        "table.Schema",
        "tree.C45Classifier",
    )
)
# Records of ours that are made from their arrays.
OUR_RECORDS = frozenset(
    f"dissensus.{name}"
    for name in ("ensemble.ProductLabels", "tree.ClassWeights", "tree.Tree")
)

# What fitted estimators of scikit-learn hold beside arrays.
SKLEARN_PARTS = frozenset(
    f"sklearn.{name}"
    for name in (
        "_loss.link.HalfLogitLink",
        "_loss.link.IdentityLink",
        "_loss.link.Interval",
        "_loss.link.LogLink",
        "_loss.link.LogitLink",
        "_loss.link.MultinomialLogit",
        "_loss.loss.ExponentialLoss",
        "_loss.loss.HalfBinomialLoss",
        "_loss.loss.HalfMultinomialLoss",
        "calibration._CalibratedClassifier",
        "calibration._SigmoidCalibration",
        "calibration._TemperatureScaling",
        "ensemble._hist_gradient_boosting.binning._BinMapper",
        "ensemble._hist_gradient_boosting.predictor.TreePredictor",
        "neural_network._stochastic_optimizers.AdamOptimizer",
        "neural_network._stochastic_optimizers.SGDOptimizer",
    )
)
SKLEARN_LOSSES = frozenset(
    {
        "sklearn._loss._loss.CyExponentialLoss",
        "sklearn._loss._loss.CyHalfBinomialLoss",
        "sklearn._loss._loss.CyHalfMultinomialLoss",
        "sklearn.linear_model._sgd_fast.EpsilonInsensitive",
        "sklearn.linear_model._sgd_fast.Hinge",
        "sklearn.linear_model._sgd_fast.ModifiedHuber",
        "sklearn.linear_model._sgd_fast.SquaredEpsilonInsensitive",
        "sklearn.linear_model._sgd_fast.SquaredHinge",
    }
)
NUMPY_SCALARS = frozenset(
    f"numpy.{name}"
    for name in (
        *("bool", "bool_", "bytes_", "str_", "float16", "float32", "float64"),
        *("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"),
    )
)
SPARSE = frozenset(
    f"scipy.sparse._{kind}.{kind}_{form}"
    for kind in ("csr", "csc")
    for form in ("array", "matrix")
)

# Names by loader. What a loader does with a name was read in skops; a new one of skops
# is unknown here, and therefore refused.
BY_LOADER = {
    "BytesNode": frozenset({"builtins.bytes"}),
    "ConstructorFromReduceNode": OUR_RECORDS,
    "DTypeNode": frozenset({"numpy.dtype"}),
    "DictNode": frozenset(
        {"builtins.dict", "collections.OrderedDict", "sklearn.utils._bunch.Bunch"}
    ),
    "JsonNode": frozenset({"builtins.str"}),
    "ListNode": frozenset({"builtins.list"}),
    "LossNode": SKLEARN_LOSSES,
    "NdArrayNode": NUMPY_SCALARS | {"numpy.ndarray"},
    "ObjectNode": OURS | SKLEARN_PARTS | SKLEARN,
    "RandomGeneratorNode": frozenset({"numpy.random._generator.Generator"}),
    "RandomStateNode": frozenset({"numpy.random.mtrand.RandomState"}),
    "SetNode": frozenset({"builtins.set", "builtins.frozenset"}),
    "SliceNode": frozenset({"builtins.slice"}),
    "SparseMatrixNode": SPARSE,
    "TreeNode": frozenset({"sklearn.tree._tree.Tree"}),
    "TupleNode": frozenset({"builtins.tuple"}),
    "TypeNode": NUMPY_SCALARS | {f"builtins.{name}" for name in NUMBERS},
}
# Loaders of what can be called. Refused, but for a check of arrays that scikit-learn's
# histogram boosting keeps, with its arguments, when it is given nominal attributes.
CALLABLES = frozenset({"FunctionNode", "MethodNode", "OperatorFuncNode", "PartialNode"})
HARMLESS = {
    "FunctionNode": frozenset({"sklearn.utils.validation.check_array"}),
    "PartialNode": frozenset({"functools.partial"}),  # of what is on the list itself
}


def is_allowed(loader: str, name: str) -> bool:
    """Return whether an entry of this loader may ask for this class."""
    known = BY_LOADER.get(loader, HARMLESS.get(loader))
    return known is not None and name in known
