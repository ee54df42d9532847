"""Files of rows: what a model answers for each, in their order."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from sklearn.compose import make_column_transformer
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder

from dissensus import C45Classifier, MissingValueReplacer
from dissensus.exceptions import ModelError, TableError
from dissensus.io import _stream as stream
from dissensus.persistence import predict_file
from dissensus.table import Table
from tests.estimator_data import as_polars, make_problem


@pytest.fixture
def rows() -> tuple[Any, Any]:
    cells, y = make_problem()
    return as_polars(cells), np.array(["no", "yes", "perhaps", "never"])[y]


def answers(model: Any, source: Any, **options: Any) -> pl.DataFrame:
    """Return the answers for a file as a frame."""
    output = io.BytesIO()
    n_rows = predict_file(model, source, output, **options)
    frame = pl.read_csv(output.getvalue(), infer_schema_length=None)
    assert len(frame) == n_rows
    return frame


def test_answers_of_a_file_are_those_of_its_frame(
    rows: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    X, y = rows
    monkeypatch.setattr(stream, "BLOCK", 1000)
    X.write_csv(tmp_path / "new.csv")
    X.write_parquet(tmp_path / "new.parquet")
    model = C45Classifier(smoothing="laplace").fit(X, y)
    for name in ("new.csv", "new.parquet"):
        found = answers(model, tmp_path / name, proba=True)
        assert found["prediction"].to_list() == model.predict(X).tolist()
        assert found.columns == ["prediction", *(f"p({c})" for c in model.classes_)]
        assert (found.drop("prediction").to_numpy() == model.predict_proba(X)).all()


def test_arff_file_is_read_with_its_types(rows: Any, tmp_path: Path) -> None:
    path = tmp_path / "new.arff"
    path.write_text(
        "@relation new\n@attribute count real\n@attribute size {s,m,l,xl}\n"
        "@attribute colour {blue,red}\n@attribute length real\n@data\n"
        "3,m,red,0.5\n?,?,blue,-1\n"
    )
    X, y = rows
    model = C45Classifier().fit(X, y)
    new = pl.DataFrame(
        {"colour": ["red", "blue"], "size": ["m", None], "length": [0.5, -1.0]}
    ).with_columns(pl.Series("count", [3.0, None]))
    found = answers(model, path)
    assert found["prediction"].to_list() == model.predict(new).tolist()


@pytest.mark.parametrize(
    "model",
    [
        make_pipeline(MissingValueReplacer(), C45Classifier()),
        make_pipeline(
            make_column_transformer(
                (SimpleImputer(), ["length", "count"]),
                (OneHotEncoder(handle_unknown="ignore"), ["colour", "size"]),
            ),
            LogisticRegression(max_iter=1000),
        ),
    ],
    ids=["ours", "theirs"],
)
def test_pipelines_answer_too(model: Any, rows: Any) -> None:
    X, y = rows
    model.fit(X, y)
    source = io.BytesIO(X.write_csv().encode())
    found = answers(model, source, proba=True, schema=Table.from_any(X).schema)
    assert found["prediction"].to_list() == model.predict(X).tolist()


def test_labels_of_every_type_are_written() -> None:
    for labels in ([1, 2], [1.0, 2.0], [True, False], ['a,"b"', "c\nd"]):
        model = C45Classifier().fit([[0.0], [1.0]] * 4, labels * 4)
        source = io.BytesIO(b"x0\n0\n1\n")
        assert answers(model, source)["prediction"].to_list() == labels


def test_columns_that_are_not_used_are_told(rows: Any) -> None:
    X, y = rows
    model = C45Classifier().fit(X, y)
    notes: list[str] = []
    wider = X.with_columns(pl.lit("?").alias("class"), pl.lit(1).alias("id"))
    source = io.BytesIO(wider.write_csv().encode())
    answers(model, source, tell=notes.append)
    assert notes == ["columns that the model does not use: 'class', 'id'"]
    answers(model, io.BytesIO(X.write_csv().encode()), tell=notes.append)
    assert len(notes) == 1


def test_errors_name_the_file(rows: Any, tmp_path: Path) -> None:
    X, y = rows
    model = C45Classifier().fit(X, y)
    path = tmp_path / "new.csv"
    X.with_columns(pl.lit("long").alias("length")).write_csv(path)
    with pytest.raises(
        TableError, match=r"new.csv: line 2: column 'length' has 'long'"
    ):
        answers(model, path)
    with pytest.raises(TableError, match="absent.csv: there is no such file"):
        answers(model, tmp_path / "absent.csv")
    with pytest.raises(TableError, match="this is a folder"):
        answers(model, tmp_path)
    path.with_suffix(".parquet").write_bytes(b"nothing")
    with pytest.raises(TableError, match="no readable Parquet file"):
        answers(model, path.with_suffix(".parquet"))


def test_model_without_attributes_is_an_error() -> None:
    model = LogisticRegression().fit([[0.0], [1.0]], [0, 1])
    with pytest.raises(ModelError, match="Give `schema`"):
        predict_file(model, io.BytesIO(b"a\n1\n"), io.BytesIO())
