"""The estimators of scikit-learn that model files may hold, and what they must keep.

An estimator is on the list because its fitted attributes are checked here: arrays by
type, shape and finiteness, trees against the features of their owner, and whatever its
compiled code would take on trust. Others are refused, both when a model is saved and
when it is opened.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from scipy.sparse import issparse

from dissensus.persistence._sklearn_compositions import (
    check_columns,
    check_pipeline,
    check_stacking,
    check_union,
    check_voting,
    class_name,
)
from dissensus.persistence._sklearn_trees import is_tree
from dissensus.persistence._walk import expect, is_floats, is_integers, is_whole
from dissensus.utils._sklearn import predictor_record_dtype

Check = Callable[[Any], None]
TOLERANCE = 1e-9
# Larger numbers, and smaller scales, are no statistics of any data: their products
# overflow, and scikit-learn refuses what is then infinite.
LARGEST = 1e100
SMALLEST = 1e-100


def check_sklearn(part: Any, owner: Any) -> None:
    """Raise an error unless a part of scikit-learn is sound."""
    name = f"{type(part).__module__}.{type(part).__name__}"
    if name == "sklearn.tree._tree.Tree":
        _check_owned_tree(part, owner)
    if name not in SKLEARN or not _is_fitted(part):
        return
    _check_common(part)
    for attribute, shape in SHAPES.get(name, {}).items():
        _check_array(part, attribute, shape)
    check = CHECKS.get(name)
    if check is not None:
        check(part)


def _is_fitted(part: Any) -> bool:
    if class_name(part) in ("Pipeline", "FeatureUnion"):  # by their steps
        steps = vars(part).get("steps", vars(part).get("transformer_list"))
        return any(
            _is_fitted(step[1]) for step in steps if hasattr(step[1], "__dict__")
        )
    return any(name.endswith("_") and not name.startswith("__") for name in vars(part))


def _check_common(part: Any) -> None:
    """Check what all fitted estimators have: numbers and names of features, classes."""
    held = vars(part)
    label = type(part).__name__
    n_features = held.get("n_features_in_")
    expect(n_features is None or is_whole(n_features, 0, 2**31), f"{label}: features")
    names = held.get("feature_names_in_")
    if names is not None:
        sound = isinstance(names, np.ndarray) and names.ndim == 1
        fits = n_features is None or len(names) == n_features
        expect(sound and fits, f"{label}: names of features")
        expect(all(isinstance(n, str) for n in names), f"{label}: names of features")
    if "classes_" in held:
        _check_labels(held["classes_"], label)
        n_classes = held.get("n_classes_", len(held["classes_"]))
        expect(n_classes == len(held["classes_"]), f"{label}: number of classes")
    expect(
        held.get("n_outputs_", 1) == 1 or label == "MLPClassifier", f"{label}: outputs"
    )


def _check_labels(labels: Any, label: str) -> None:
    sound = isinstance(labels, np.ndarray) and labels.ndim == 1 and len(labels) > 0
    expect(sound and labels.dtype.kind in "iufbUSO", f"{label}: class labels")
    if labels.dtype == object:
        plain = all(isinstance(x, str | int | float | bool) for x in labels)
        expect(plain, f"{label}: class labels")
    expect(len(set(labels.tolist())) == len(labels), f"{label}: equal class labels")


def _check_array(part: Any, attribute: str, shape: str) -> None:
    """Check an array of finite numbers; `shape` is a letter for each axis.

    n is the number of features, k that of classes, b that of classes or 1 if there are
    two, a the `n_components_`; o before them says that the array may be absent.
    """
    value = vars(part).get(attribute)
    if shape.startswith("o"):
        if value is None:
            return
        shape = shape[1:]
    if issparse(value):  # whose arrays were checked in the file
        value = np.zeros(value.shape)
    lengths = tuple(_length(part, letter) for letter in shape)
    words = f"{type(part).__name__}: {attribute}"
    sound = isinstance(value, np.ndarray) and value.dtype.kind in "fiu"
    expect(sound and value.shape == lengths, words)
    expect((abs(value) < LARGEST).all(), words)  # NaN is not either


def _length(part: Any, letter: str) -> int:
    if letter == "n":
        return int(part.n_features_in_)
    if letter == "a":
        return int(part.n_components_)
    n_classes = len(part.classes_)
    return 1 if letter == "b" and n_classes == 2 else n_classes


def _check_owned_tree(tree: Any, owner: Any) -> None:
    """Check a compiled tree, which was sound in itself, against its estimator."""
    expect(
        tree.n_features == getattr(owner, "n_features_in_", -1), "features of a tree"
    )
    held = vars(owner)
    if "classes_" in held:
        expect(tree.max_n_classes == len(held["classes_"]), "classes of a tree")
        expect((tree.value >= 0).all(), "class weights of a tree")
        even = abs(tree.value.sum(axis=2) - 1) < TOLERANCE
        expect(even.all(), "class weights of a tree")
    else:
        expect(tree.max_n_classes == 1, "classes of a tree")


def _check_tree_owner(part: Any) -> None:
    expect(
        type(vars(part).get("tree_")).__name__ == "Tree", "an estimator without a tree"
    )


def _check_members(part: Any) -> None:
    """Check an ensemble whose members see all of its features."""
    members = vars(part).get("estimators_")
    expect(isinstance(members, list) and len(members) > 0, "members of an ensemble")
    n_classes = len(part.classes_)
    for member in members or ():
        expect(hasattr(member, "predict"), "members of an ensemble")
        n_features = getattr(member, "n_features_in_", part.n_features_in_)
        expect(n_features == part.n_features_in_, "features of a member")
        expect(len(getattr(member, "classes_", ())) == n_classes, "classes of a member")


def _check_bagging(part: Any) -> None:
    members, features = part.estimators_, part.estimators_features_
    sound = isinstance(members, list) and isinstance(features, list)
    expect(sound and 0 < len(members) == len(features), "members of an ensemble")
    # Work is shared out to threads by the parameter, not by what was fitted.
    expect(part.n_estimators == len(members), "the number of members")
    for member, places in zip(members, features, strict=True):
        expect(is_integers(places, 0, part.n_features_in_), "features of a member")
        n_features = getattr(member, "n_features_in_", len(places))
        expect(n_features == len(places), "features of a member")
        codes = np.asarray(member.classes_)
        expect(is_integers(codes, 0, len(part.classes_)), "classes of a member")


def _check_adaboost(part: Any) -> None:
    _check_members(part)
    expect(is_floats(part.estimator_weights_), "weights of members")
    expect(len(part.estimator_weights_) >= len(part.estimators_), "weights of members")
    expect(part.estimator_weights_.sum() > 0, "weights of members")


def _check_boosting(part: Any) -> None:
    """Check gradient boosting: its kernel adds up a matrix of trees."""
    n_classes = len(part.classes_)
    width = 1 if n_classes == 2 else n_classes
    trees = part.estimators_
    expect(isinstance(trees, np.ndarray) and trees.ndim == 2, "trees of a boosting")
    expect(trees.shape[1] == width and len(trees) > 0, "trees of a boosting")
    expect(part.n_trees_per_iteration_ == width, "trees of a boosting")
    expect(trees.flags.c_contiguous, "trees of a boosting")
    for tree in trees.ravel():
        expect(type(tree).__name__ == "DecisionTreeRegressor", "trees of a boosting")
        expect(tree.n_features_in_ == part.n_features_in_, "features of a tree")
        _check_tree_owner(tree)
    init = part.init_
    if init != "zero":
        expect(hasattr(init, "predict_proba"), "the start of a boosting")
        expect(init.n_features_in_ == part.n_features_in_, "the start of a boosting")
        expect(len(init.classes_) == n_classes, "the start of a boosting")
    _check_loss(part._loss, n_classes)


def _check_loss(loss: Any, n_classes: int) -> None:
    expected = {2: ("HalfBinomialLoss", "ExponentialLoss")}
    names = expected.get(n_classes, ("HalfMultinomialLoss",))
    expect(type(loss).__name__ in names, "a loss")
    expect(n_classes in (2, getattr(loss, "n_classes", 2)), "a loss")
    expect(type(getattr(loss, "closs", None)).__name__.startswith("Cy"), "a loss")
    link = {
        "HalfMultinomialLoss": "MultinomialLogit",
        "ExponentialLoss": "HalfLogitLink",
    }
    expected_link = link.get(type(loss).__name__, "LogitLink")
    expect(type(getattr(loss, "link", None)).__name__ == expected_link, "a loss")


def _check_histograms(part: Any) -> None:
    """Check boosting of histograms: its trees, and its sets of categories."""
    n_classes, n_features = len(part.classes_), part.n_features_in_
    width = 1 if n_classes == 2 else n_classes
    expect(part.n_trees_per_iteration_ == width, "trees of a boosting")
    expect(is_floats(part._baseline_prediction, (1, width)), "the start of a boosting")
    expect(part._n_features == n_features, "features of a boosting")
    _check_loss(part._loss, n_classes)
    categorical = _check_bins(part._bin_mapper, n_features)
    nominal = part.is_categorical_
    if nominal is None:
        expect(part._preprocessor is None and not categorical.any(), "categories")
    else:
        sound = isinstance(nominal, np.ndarray) and nominal.dtype == np.bool_
        expect(sound and nominal.shape == (n_features,), "categories")
        expect(nominal.sum() == categorical.sum(), "categories")
        expect(part._preprocessor.n_features_in_ == n_features, "categories")
    rounds = part._predictors
    expect(isinstance(rounds, list) and len(rounds) > 0, "trees of a boosting")
    for trees in rounds:
        expect(isinstance(trees, list) and len(trees) == width, "trees of a boosting")
        for tree in trees:
            expect(type(tree).__name__ == "TreePredictor", "trees of a boosting")
            _check_predictor(tree, n_features, categorical)


def _check_bins(mapper: Any, n_features: int) -> Any:
    """Check the bins of the features; return which features are categories."""
    expect(type(mapper).__name__ == "_BinMapper", "bins")
    categorical = mapper.is_categorical_
    sound = isinstance(categorical, np.ndarray) and categorical.dtype == np.uint8
    expect(sound and categorical.shape == (n_features,), "bins of categories")
    expect((categorical <= 1).all(), "bins of categories")
    edges = mapper.bin_thresholds_
    expect(isinstance(edges, list) and len(edges) == n_features, "bins")
    for values, is_category in zip(edges, categorical.tolist(), strict=True):
        floats = isinstance(values, np.ndarray) and values.dtype == np.float64
        expect(floats and values.ndim == 1 and not np.isnan(values).any(), "bins")
        if is_category:  # each is a bit in a set of 256
            whole = (values >= 0) & (values < 256) & (values == np.floor(values))
            expect(whole.all(), "bins of categories")
        else:
            expect((np.diff(values) > 0).all(), "bins that do not ascend")
    return categorical.astype(bool)


def _check_predictor(tree: Any, n_features: int, categorical: Any) -> None:
    nodes = tree.nodes
    sound = isinstance(nodes, np.ndarray) and nodes.dtype == predictor_record_dtype()
    expect(sound and nodes.ndim == 1 and len(nodes) > 0, "nodes of a tree")
    for flag in ("is_leaf", "is_categorical", "missing_go_to_left"):
        expect((nodes[flag] <= 1).all(), f"nodes of a tree: {flag}")
    inner = nodes["is_leaf"] == 0
    children = np.stack(
        [nodes[side][inner].astype(np.int64) for side in ("left", "right")]
    )
    expect(
        is_tree(np.flatnonzero(inner), children, len(nodes)), "children before parents"
    )
    feature = nodes["feature_idx"][inner]
    expect(((feature >= 0) & (feature < n_features)).all(), "an attribute")
    is_category = nodes["is_categorical"][inner] == 1
    expect(categorical[feature[is_category]].all(), "a test of categories")
    sets = [tree.binned_left_cat_bitsets, tree.raw_left_cat_bitsets]
    for bits in sets:
        expect(isinstance(bits, np.ndarray) and bits.dtype == np.uint32, "categories")
        expect(bits.ndim == 2 and bits.shape[1] == 8, "categories")
    n_sets = min(map(len, sets))
    expect((nodes["bitset_idx"][inner][is_category] < n_sets).all(), "categories")
    leaf = ~inner
    expect(np.isfinite(nodes["value"][leaf]).all(), "the value of a leaf")


def _check_network(part: Any) -> None:
    coefs, intercepts = part.coefs_, part.intercepts_
    sound = isinstance(coefs, list) and isinstance(intercepts, list)
    expect(sound and 0 < len(coefs) == len(intercepts), "layers of a network")
    expect(part.n_layers_ == len(coefs) + 1, "layers of a network")
    n_classes = len(part.classes_)
    width, last = part.n_features_in_, (1 if n_classes == 2 else n_classes)
    expect(part.n_outputs_ == last, "outputs of a network")
    activation = "logistic" if n_classes == 2 else "softmax"
    expect(part.out_activation_ == activation, "outputs of a network")
    for weights, heights in zip(coefs, intercepts, strict=True):
        floats = all(
            isinstance(a, np.ndarray) and a.dtype.kind == "f"
            for a in (weights, heights)
        )
        expect(floats and weights.ndim == 2, "layers of a network")
        expect(weights.shape[0] == width, "layers of a network")
        width = weights.shape[1]
        expect(heights.shape == (width,), "layers of a network")
        expect(np.isfinite(weights).all() and np.isfinite(heights).all(), "layers")
    expect(width == last, "outputs of a network")
    labels = part._label_binarizer
    expect(type(labels).__name__ == "LabelBinarizer", "labels of a network")
    expect(np.array_equal(labels.classes_, part.classes_), "labels of a network")
    expect(labels.y_type_ == ("binary" if n_classes == 2 else "multiclass"), "labels")


def _check_support(part: Any) -> None:
    """Check a support vector machine, whose library trusts all of its arrays."""
    n_classes, n_features = len(part.classes_), part.n_features_in_
    expect(part._sparse is False and n_classes > 1, "support vectors")
    vectors, counts = part.support_vectors_, part._n_support
    n_vectors = len(part.support_)
    expect(is_floats(vectors, (n_vectors, n_features)), "support vectors")
    expect(vectors.flags.c_contiguous, "support vectors")
    shape = part.shape_fit_
    expect(isinstance(shape, tuple) and len(shape) == 2, "support vectors")
    expect(is_whole(shape[0], 1, 2**31) and shape[1] == n_features, "support vectors")
    expect(is_integers(part.support_, 0, shape[0], np.int32), "support vectors")
    expect(is_integers(counts, 0, n_vectors + 1, np.int32), "support vectors")
    expect(
        counts.shape == (n_classes,) and counts.sum() == n_vectors, "support vectors"
    )
    n_pairs = n_classes * (n_classes - 1) // 2
    expect(0 <= part._gamma < LARGEST, "the width of a kernel")
    for name in ("dual_coef_", "_dual_coef_"):
        expect(
            is_floats(getattr(part, name), (n_classes - 1, n_vectors)), f"SVC: {name}"
        )
        expect(getattr(part, name).flags.c_contiguous, f"SVC: {name}")
    for name in ("intercept_", "_intercept_"):
        expect(is_floats(getattr(part, name), (n_pairs,)), f"SVC: {name}")
    for name in ("_probA", "_probB"):
        array = getattr(part, name)
        expect(is_floats(array) and array.shape in ((0,), (n_pairs,)), f"SVC: {name}")
    expect(part._probA.shape == part._probB.shape, "SVC: _probA")
    expect(is_floats(part.class_weight_, (n_classes,)), "SVC: class_weight_")
    expect(part.kernel in ("linear", "poly", "rbf", "sigmoid"), "SVC: kernel")
    gamma = part._gamma
    expect(
        isinstance(gamma, float | np.floating | int) and np.isfinite(gamma),
        "SVC: gamma",
    )


def _check_neighbours(part: Any) -> None:
    """Check neighbours that are looked up one by one; their classes are places."""
    rows, codes = part._fit_X, part._y
    expect(part._fit_method == "brute" and part._tree is None, "neighbours")
    sound = isinstance(rows, np.ndarray) and rows.ndim == 2 and is_floats(rows)
    expect(sound and rows.shape[1] == part.n_features_in_, "neighbours")
    expect(rows.flags.c_contiguous, "neighbours")
    expect(is_integers(codes, 0, len(part.classes_), np.int64), "classes of neighbours")
    expect(len(codes) == len(rows) == part.n_samples_fit_, "neighbours")
    expect(part.outputs_2d_ is False, "classes of neighbours")
    expect(0 < part.n_neighbors <= len(rows), "a number of neighbours")
    expect(part.metric == "minkowski" and part.p in (1, 2), "a distance")
    names = {1: "manhattan", 2: "euclidean"}
    expect(part.effective_metric_ == names[part.p], "a distance")
    expect(not part.effective_metric_params_, "a distance")
    expect(not callable(part.weights), "weights of neighbours")


def _check_categories(part: Any) -> None:
    categories = part.categories_
    sound = isinstance(categories, list) and len(categories) == part.n_features_in_
    expect(sound, "categories")
    for values in categories:
        expect(isinstance(values, np.ndarray) and values.ndim == 1, "categories")
        if values.dtype == object:
            plain = (str, bytes, int, float, np.generic, type(None))
            expect(all(isinstance(value, plain) for value in values), "categories")
    expect(part._infrequent_enabled is False, "categories that are seldom")


def _check_onehot(part: Any) -> None:
    """Check that the encoder makes as many columns as its codes point at."""
    _check_categories(part)
    expect(part.drop is None and part.drop_idx_ is None, "categories that are dropped")
    expect(part._drop_idx_after_grouping is None, "categories that are dropped")
    made = part._n_features_outs
    expect(isinstance(made, list) and len(made) == len(part.categories_), "columns")
    for number, values in zip(made, part.categories_, strict=True):
        expect(is_whole(number, 0, 2**31) and number == len(values), "columns")


def _check_ordinal(part: Any) -> None:
    _check_categories(part)
    missing = part._missing_indices
    expect(isinstance(missing, dict), "categories that are missing")
    for place, code in missing.items():
        expect(is_whole(place, 0, len(part.categories_)), "categories that are missing")
        known = is_whole(code, 0, len(part.categories_[place]))
        expect(known, "categories that are missing")


def _check_imputer(part: Any) -> None:
    values = part.statistics_
    sound = isinstance(values, np.ndarray) and values.shape == (part.n_features_in_,)
    expect(sound and values.dtype.kind in "iufO", "what stands for missing values")
    expect(isinstance(part._fit_dtype, np.dtype), "a type of columns")
    if values.dtype == object:
        plain = all(isinstance(x, str | int | float | bool) for x in values)
        expect(plain, "what stands for missing values")
    elif values.dtype.kind == "f":  # NaN is a column without any value
        expect(not (abs(values) >= LARGEST).any(), "what stands for missing values")
    missing = part.missing_values
    expect(isinstance(missing, str | float | int | None), "what counts as missing")
    expect(not isinstance(missing, bool), "what counts as missing")
    expect(part.indicator_ is None and part.add_indicator is False, "an indicator")


def _check_isotonic(part: Any) -> None:
    x, y = part.X_thresholds_, part.y_thresholds_
    expect(is_floats(x) and is_floats(y), "a step function")
    expect(x.ndim == 1 and x.shape == y.shape and len(x) > 0, "a step function")
    expect((np.diff(x) > 0).all(), "a step function")
    with np.errstate(over="ignore"):
        expect(np.isfinite(np.diff(y) / np.diff(x)).all(), "a step function")
    # What is outside goes to the ends, beyond which there are no values.
    expect((part.X_min_, part.X_max_) == (x[0], x[-1]), "the ends of a step function")


def _check_calibrated(part: Any) -> None:
    rows = part.calibrated_classifiers_
    expect(isinstance(rows, list) and len(rows) > 0, "calibrated members")
    n_classes = len(part.classes_)
    for row in rows:
        expect(type(row).__name__ == "_CalibratedClassifier", "calibrated members")
        expect(np.array_equal(row.classes, part.classes_), "calibrated members")
        expect(np.array_equal(row.estimator.classes_, part.classes_), "members")
        expect(row.method in ("sigmoid", "isotonic", "temperature"), "a calibration")
        one = n_classes == 2 or row.method == "temperature"
        kind = {
            "sigmoid": "_SigmoidCalibration",
            "isotonic": "IsotonicRegression",
            "temperature": "_TemperatureScaling",
        }[row.method]
        expect(isinstance(row.calibrators, list), "calibrators")
        expect(len(row.calibrators) == (1 if one else n_classes), "calibrators")
        for calibrator in row.calibrators:
            expect(type(calibrator).__name__ == kind, "calibrators")
            _check_calibrator(calibrator)
            if row.method == "isotonic":
                steps = calibrator.y_thresholds_
                expect(((steps >= 0) & (steps <= 1)).all(), "calibrators")
                expect(calibrator.out_of_bounds == "clip", "calibrators")


def _check_calibrator(calibrator: Any) -> None:
    fitted = {"_SigmoidCalibration": ("a_", "b_"), "_TemperatureScaling": ("beta_",)}
    for name in fitted.get(class_name(calibrator), ()):
        value = vars(calibrator).get(name)
        expect(isinstance(value, float | np.floating | int), f"calibration: {name}")
        expect(np.isfinite(value), f"calibration: {name}")


def _check_dummy(part: Any) -> None:
    prior = part.class_prior_
    expect(is_floats(prior, (len(part.classes_),)), "frequencies of classes")
    expect((prior >= 0).all() and abs(prior.sum() - 1) < 1e-9, "frequencies of classes")
    expect(part._strategy == part.strategy, "a strategy")


def _check_gaussian(part: Any) -> None:
    expect((part.var_ > SMALLEST).all(), "variances")
    prior = part.class_prior_
    expect((prior > 0).all() and abs(prior.sum() - 1) < TOLERANCE, "priors")


def _check_scale(part: Any) -> None:
    expect(part.scale_ is None or (abs(part.scale_) > SMALLEST).all(), "a scale")


def _check_function(part: Any) -> None:
    """Check that a function is none, or the check of arrays that boosting keeps."""
    func = getattr(part.func, "func", part.func)
    name = f"{getattr(func, '__module__', '')}.{getattr(func, '__name__', '')}"
    expect(func is None or name == "sklearn.utils.validation.check_array", "a function")


LINEAR = {"coef_": "bn", "intercept_": "b"}
SHAPES: Mapping[str, Mapping[str, str]] = {
    "sklearn.decomposition._pca.PCA": {
        "components_": "an",
        "explained_variance_": "a",
        "mean_": "n",
    },
    "sklearn.discriminant_analysis.LinearDiscriminantAnalysis": {
        **LINEAR,
        "means_": "kn",
        "priors_": "k",
        "xbar_": "on",
    },
    "sklearn.linear_model._logistic.LogisticRegression": LINEAR,
    "sklearn.linear_model._stochastic_gradient.SGDClassifier": LINEAR,
    "sklearn.naive_bayes.GaussianNB": {
        "class_prior_": "k",
        "theta_": "kn",
        "var_": "kn",
    },
    "sklearn.preprocessing._data.MinMaxScaler": {"min_": "n", "scale_": "n"},
    "sklearn.preprocessing._data.StandardScaler": {"mean_": "on", "scale_": "on"},
}
CHECKS: Mapping[str, Check] = {
    "sklearn.calibration.CalibratedClassifierCV": _check_calibrated,
    "sklearn.compose._column_transformer.ColumnTransformer": check_columns,
    "sklearn.dummy.DummyClassifier": _check_dummy,
    "sklearn.ensemble._bagging.BaggingClassifier": _check_bagging,
    "sklearn.ensemble._forest.ExtraTreesClassifier": _check_members,
    "sklearn.ensemble._forest.RandomForestClassifier": _check_members,
    "sklearn.ensemble._gb.GradientBoostingClassifier": _check_boosting,
    "sklearn.ensemble._hist_gradient_boosting.gradient_boosting."
    "HistGradientBoostingClassifier": _check_histograms,
    "sklearn.ensemble._stacking.StackingClassifier": check_stacking,
    "sklearn.ensemble._voting.VotingClassifier": check_voting,
    "sklearn.ensemble._weight_boosting.AdaBoostClassifier": _check_adaboost,
    "sklearn.impute._base.SimpleImputer": _check_imputer,
    "sklearn.isotonic.IsotonicRegression": _check_isotonic,
    "sklearn.naive_bayes.GaussianNB": _check_gaussian,
    "sklearn.neighbors._classification.KNeighborsClassifier": _check_neighbours,
    "sklearn.neural_network._multilayer_perceptron.MLPClassifier": _check_network,
    "sklearn.pipeline.FeatureUnion": check_union,
    "sklearn.pipeline.Pipeline": check_pipeline,
    "sklearn.preprocessing._data.MinMaxScaler": _check_scale,
    "sklearn.preprocessing._data.StandardScaler": _check_scale,
    "sklearn.preprocessing._encoders.OneHotEncoder": _check_onehot,
    "sklearn.preprocessing._encoders.OrdinalEncoder": _check_ordinal,
    "sklearn.preprocessing._function_transformer.FunctionTransformer": _check_function,
    "sklearn.svm._classes.SVC": _check_support,
    "sklearn.tree._classes.DecisionTreeClassifier": _check_tree_owner,
    "sklearn.tree._classes.DecisionTreeRegressor": _check_tree_owner,
    "sklearn.tree._classes.ExtraTreeClassifier": _check_tree_owner,
}
# Those that hold labels only, which all are checked for.
LABELS_ONLY = frozenset(
    {
        "sklearn.preprocessing._label.LabelBinarizer",
        "sklearn.preprocessing._label.LabelEncoder",
    }
)
SKLEARN = LABELS_ONLY.union(CHECKS, SHAPES)
