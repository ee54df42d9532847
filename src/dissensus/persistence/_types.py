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

# Estimators and records of this package.
OURS = frozenset(
    f"dissensus.{name}"
    for name in (
        "bayes._aode.AODEClassifier",
        "bayes._counts.Counts",
        "bayes._estimates.PairFactors",
        "bayes._estimates.ValueFactors",
        "bayes._naive_bayes.NaiveBayesClassifier",
        "bayes._normal.Normal",
        "ensemble._adaboost_m1.AdaBoostM1Classifier",
        "ensemble._bagging.BaggingClassifier",
        "ensemble.cascade._classifier.CascadeClassifier",
        "ensemble.local_cascade._constructor.Construction",
        "ensemble.decorate._classifier.DecorateClassifier",
        "ensemble.cascade._diagnosis.LevelDiagnosis",
        "ensemble.local_cascade._classifier.LocalCascadeClassifier",
        "ensemble.maclen._classifier.MaclenClassifier",
        "ensemble._mtforest.MTForestClassifier",
        "ensemble.maclen._pair_bayes.PairBayes",
        "ensemble.maclen._prior.PriorClassifier",
        "ensemble._stacking.StackedGeneralizationClassifier",
        "ensemble._views.AttributeTask",
        "learners._encoded.EncodedClassifier",
        "learners._prepared.DiscretizedClassifier",
        "linear._discriminant.DiscriminantClassifier",
        "linear._least_squares.LeastSquaresClassifier",
        "preprocessing._equal_frequency.EqualFrequencyDiscretizer",
        "preprocessing._equal_width.EqualWidthDiscretizer",
        "preprocessing._mdl.MDLDiscretizer",
        "preprocessing._missing.MissingValueReplacer",
        "preprocessing._value_grouper.ValueGrouper",
        "table._schema.Attribute",
        "table._schema.Schema",
        "tree._c45.C45Classifier",
    )
)
# Records of ours that are made from their arrays.
OUR_RECORDS = frozenset(
    {
        "dissensus.ensemble.maclen._product_labels.ProductLabels",
        "dissensus.tree._class_weights.ClassWeights",
        "dissensus.tree._tree.Tree",
    }
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
