"""Compositions of scikit-learn in model files: what each part must hand to the next.

Pipelines, unions, column transformers, votes and stacks. Each part must have been
fitted on as many columns, and with the classes, that its neighbours give it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from dissensus.persistence._walk import expect, is_integers, is_whole


def _check_steps(part: Any) -> None:
    """Check the form of a list of named steps."""
    for name in ("steps", "transformer_list", "estimators"):
        held = vars(part).get(name)
        if held is None:
            continue
        expect(isinstance(held, list | tuple) and len(held) > 0, "steps")
        for step in held:
            sound = isinstance(step, tuple) and len(step) >= 2
            expect(sound and isinstance(step[0], str), "steps")
        names = [step[0] for step in held]
        expect(len(set(names)) == len(names), "steps of one name")


def check_pipeline(part: Any) -> None:
    """Check that each step of a pipeline gets as many columns as it was fitted on."""
    _check_steps(part)
    width = None
    for _, step in part.steps:
        width = _width_after(step, width)


def check_union(part: Any) -> None:
    _check_steps(part)
    _width_after(part, None)


def _width_after(step: Any, width: int | None) -> int | None:
    """Return the number of columns after a fitted step, if it is known; check before.

    Parameters
    ----------
    step : estimator, or str or None for no step
        What columns go through.
    width : int or None
        Their number, if it is known.
    """
    if step is None or isinstance(step, str):
        expect(step in (None, "passthrough", "drop"), "a step")
        return width if step != "drop" else 0
    check_is_fitted(step)
    own = getattr(step, "n_features_in_", None)
    expect(
        width is None or own is None or own == width, f"columns for {class_name(step)}"
    )
    held = vars(step)
    if "schema_out_" in held:
        return len(step.schema_out_)
    if class_name(step) == "FeatureUnion":
        widths = [_width_after(one, own) for _, one in step.transformer_list]
        return None if None in widths else sum(w for w in widths if w is not None)
    if class_name(step) == "Pipeline":
        for _, one in step.steps:
            width = _width_after(one, width)
        return width
    if class_name(step) == "ColumnTransformer":
        return max((place.stop for place in step.output_indices_.values()), default=0)
    if class_name(step) == "SimpleImputer":  # which drops columns without any value
        values = step.statistics_
        kept = values == values  # noqa: PLR0124 - NaN
        return own if step.keep_empty_features else int(np.count_nonzero(kept))
    if class_name(step) == "OneHotEncoder":
        return sum(step._n_features_outs)
    return held.get("n_components_", own)


def class_name(step: Any) -> str:
    return type(step).__name__


def check_voting(part: Any) -> None:
    _check_steps(part)
    members = part.estimators_
    expect(isinstance(members, list) and len(members) > 0, "members of a vote")
    for member in members:
        expect(hasattr(member, "predict"), "members of a vote")
        codes = np.asarray(member.classes_)
        expect(
            np.array_equal(codes, np.arange(len(part.classes_))), "classes of a member"
        )
    weights = part.weights
    if weights is not None:
        numbers = np.asarray(weights, dtype=np.float64)
        sound = numbers.shape == (len(members),) and np.isfinite(numbers).all()
        expect(
            sound and (numbers >= 0).all() and numbers.sum() > 0, "weights of a vote"
        )
    expect(np.array_equal(part.le_.classes_, part.classes_), "labels of a vote")


def check_stacking(part: Any) -> None:
    _check_steps(part)
    members, methods = part.estimators_, part.stack_method_
    sound = isinstance(members, list) and isinstance(methods, list)
    expect(sound and 0 < len(members) == len(methods), "members of a stacking")
    known = {"predict_proba", "decision_function", "predict"}
    for member, method in zip(members, methods, strict=True):
        expect(method in known and hasattr(member, method), "members of a stacking")
    codes = np.asarray(part.final_estimator_.classes_)
    expect(np.array_equal(codes, np.arange(len(part.classes_))), "a decider")
    expect(np.array_equal(part._label_encoder.classes_, part.classes_), "labels")


def check_columns(part: Any) -> None:
    """Check that columns go where they were when the transformers were fitted."""
    words = "transformers of columns"
    made, n_features = part.transformers_, part.n_features_in_
    expect(isinstance(made, list) and len(made) > 0, words)
    outputs, inputs = part.output_indices_, part._transformer_to_input_indices
    expect(isinstance(outputs, dict) and isinstance(inputs, dict), words)
    expect(type(part.sparse_output_) is bool, words)
    for step in made:
        expect(isinstance(step, tuple) and len(step) == 3, words)
        expect(isinstance(step[0], str), words)
    names = [step[0] for step in made]
    expect(len(set(names)) == len(names), words)
    for known in (inputs, outputs):
        expect(set(names) <= known.keys() <= {*names, "remainder"}, words)
    end = 0
    for name, transformer, columns in made:
        places = inputs[name]
        expect(isinstance(places, list), words)
        expect(all(is_whole(place, 0, n_features) for place in places), words)
        expect(_places(columns, part) == places, words)
        _check_names(transformer, part, places)
        width = _width_after(transformer, len(places)) if places else 0
        place = outputs[name]
        expect(isinstance(place, slice), words)
        expect(width is None or place.stop - place.start in (width, 0), words)
        if place.stop > place.start:
            expect(place.start == end, words)
            end = place.stop


def _places(columns: Any, part: Any) -> list[int]:
    """Return the places that names, places or a mask of columns stand for."""
    chosen = np.asarray(columns)
    expect(chosen.ndim == 1, "columns")
    if chosen.dtype == np.bool_:
        expect(len(chosen) == part.n_features_in_, "columns")
        return [int(place) for place in np.flatnonzero(chosen)]
    if chosen.dtype.kind in "US":
        known = list(getattr(part, "feature_names_in_", ()))
        expect(set(known).issuperset(chosen.tolist()), "columns")
        return [known.index(name) for name in chosen.tolist()]
    if len(chosen) == 0:
        return []
    low = -part.n_features_in_
    expect(is_integers(chosen, low, part.n_features_in_), "columns")
    return [int(place) % part.n_features_in_ for place in chosen]


def _check_names(transformer: Any, part: Any, places: list[int]) -> None:
    """Check that a transformer of columns knows them by the names that they have."""
    known = getattr(transformer, "feature_names_in_", None)
    names = getattr(part, "feature_names_in_", None)
    if known is not None and names is not None:
        expect(list(known) == [names[place] for place in places], "names of columns")
