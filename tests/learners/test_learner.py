"""Learners as text: what is read, what is refused, and what is built."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given, strategies as st
from sklearn.ensemble import RandomForestClassifier

from dissensus.exceptions import LearnerError
from dissensus.experiment._compare import DEFAULT_LEARNERS
from dissensus.learners import Learner, parse_learner
from dissensus.learners._encoded import EncodedClassifier
from dissensus.learners._grammar import parse
from dissensus.learners._learner import _read
from dissensus.learners._registry import LEARNERS
from dissensus.tree import C45Classifier


def test_a_name_is_a_learner() -> None:
    assert parse_learner("c45") == Learner("c45")
    assert isinstance(parse_learner("c45").build(), C45Classifier)


def test_parameters_have_their_types() -> None:
    model = parse_learner(
        "c45(confidence=0.1, min_samples_leaf=5, prune=false, smoothing=laplace)"
    ).build()
    assert (
        model.get_params()
        == C45Classifier(
            0.1, min_samples_leaf=5, prune=False, smoothing="laplace"
        ).get_params()
    )


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("-3", -3),
        ("1e-3", 0.001),
        (".5", 0.5),
        ("none", None),
        ("True", True),
        ("'two words'", "two words"),
        ('"none"', "none"),
        ("m-estimate", "m-estimate"),
        ("bayes+discriminant", "bayes+discriminant"),
        ("[1, 'a', b]", (1, "a", "b")),
        ("[]", ()),
    ],
)
def test_values_of_each_kind_are_read(text: str, value: object) -> None:
    learner = parse_learner(f"c45(confidence={text})")
    assert learner.parameters == (("confidence", value),)
    assert parse_learner(str(learner)) == learner


def test_the_written_form_does_not_depend_on_spaces_order_or_names() -> None:
    first = parse_learner("c45( min_samples_leaf = 5,confidence=.10 )")
    assert str(first) == "c45(confidence=0.1, min_samples_leaf=5)"
    assert _read(parse("bagging(estimator=c45)"), "") == _read(
        parse("bagging(c45)"), ""
    )
    assert _read(parse("cascade(levels=[nb, c45])"), "") == _read(
        parse("cascade(nb, c45)"), ""
    )


values = st.one_of(
    st.integers(),
    st.floats(allow_nan=False, allow_infinity=False),
    st.booleans(),
    st.none(),
    st.text(
        st.characters(exclude_characters="'\"\\", min_codepoint=32, max_codepoint=126)
    ),
)


@given(st.dictionaries(st.sampled_from(["confidence", "prune", "smoothing"]), values))
def test_what_is_written_is_read_again(parameters: dict[str, object]) -> None:
    learner = Learner("c45", (), tuple(sorted(parameters.items())))
    assert parse_learner(str(learner)) == learner


def test_dtree_is_c45_smoothed_along_paths() -> None:
    assert parse_learner("dtree").build().smoothing == "path"
    assert parse_learner("dtree(smoothing=none)").build().smoothing is None


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("baging(c45)", "no learner 'baging'. Did you mean 'bagging'?"),
        ("c45(confidenc=1)", "no parameter 'confidenc'. Did you mean 'confidence'?"),
        ("majority(strateg=x)", "no parameter 'strateg'. Did you mean 'strategy'?"),
        ("c45(0.1)", "takes no learner in brackets. Name the parameter"),
        ("bagging(0.1)", "0.1 stands where 'bagging' takes a learner"),
        ("bagging(c45, dtree)", "takes one learner, not 2"),
        ("bagging(c45, estimator=c45)", "has 'estimator' twice"),
        ("c45(prune=true, prune=true)", "given twice"),
        ("c45(", "it ends too early"),
        ("c45)", "')' at character 4"),
        ("c45 c45", "'c45' at character 5"),
        ("", "it ends too early"),
        ("c45(confidence=#)", "'#' at character 16 has no meaning"),
        ("c45(confidence=1x)", "'1' at character 16"),
        ("__import__('os')", "no learner '__import__'"),
        ("c45(smoothing=c45(a=1))", "no parameter 'a'"),
        ("(" * 50, "expected a name"),
        ("bagging(" * 50, "more than 20 brackets"),
        ("c45(prune=" + "[" * 50, "more than 20 brackets"),
    ],
)
def test_a_mistake_is_named_with_its_cure(text: str, words: str) -> None:
    with pytest.raises(LearnerError) as error:
        parse_learner(text)
    assert words in str(error.value)
    assert "\n" not in str(error.value)


@given(st.text())
def test_any_text_is_read_or_refused(text: str) -> None:
    with suppress(LearnerError):
        parse_learner(text)


def test_a_class_that_is_not_there_is_an_error_only_when_asked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    entry = LEARNERS["c45"]
    absent = type(entry)("absent", "dissensus.tree:Absent", "not there")
    monkeypatch.setitem(LEARNERS, "absent", absent)
    learner = parse_learner("absent")
    with pytest.raises(LearnerError, match="dissensus.tree.Absent is not installed"):
        learner.build()


def test_learners_of_sklearn_come_with_their_encoding() -> None:
    model = parse_learner("forest(n_estimators=7)").build()
    assert isinstance(model, EncodedClassifier)
    assert isinstance(model.estimator, RandomForestClassifier)
    assert model.estimator.n_estimators == 7


@pytest.mark.parametrize("text", DEFAULT_LEARNERS)
def test_the_usual_learners_are_known(text: str) -> None:
    assert str(_read(parse(text), text)) == text
