"""Whatever the bytes, only our own error escapes from the readers."""

from __future__ import annotations

import contextlib
import io
from pathlib import Path

import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from dissensus.exceptions import TableError
from dissensus.io import read_table

ARFF = b"""% comment
@relation 'r s'
@attribute x numeric
@attribute 'c d' {a,'b c',"d\\'e",'?'}
@attribute s string
@attribute t date "yyyy-MM-dd"
@attribute class {no,yes}
@data
1,a,'some, text',2020-01-02,no
?,'b c',"x",?,yes, {2}
{0 2.5, 1 'b c', 2 z, 3 2020-01-02, 4 yes}
1e3, '?' , q , 1999-12-31 , no % done
"""
CSV = b'a;b;"c ""d""";class\r\n1;x;2,5;no\r\n?;"y;z";NA;yes\r\n3;x;"4\r\n5";no\r\n'


def parquet() -> bytes:
    out = io.BytesIO()
    columns = {"a": [1, None, 3], "b": ["x", "y", None], "class": ["n", "y", "n"]}
    pl.DataFrame(columns).write_parquet(out)
    return out.getvalue()


SEEDS = {"t.arff": ARFF, "t.csv": CSV, "t.parquet": parquet()}
PIECES = [b"'", b'"', b"\\", b",", b"{", b"}", b"%", b"?", b"@", b"\n", b"\r", b" "]
PIECES += [
    b"\x00",
    b"\xff",
    b"\t",
    b";",
    b"nan",
    b"inf",
    b"1_0",
    b"\\u",
    b"@data",
    b"-",
]
FEW = settings(
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)


# Each starts a process.
FEWER = settings(FEW, max_examples=20)


def attempt(folder: Path, name: str, content: bytes) -> None:
    path = folder / name
    path.write_bytes(content)
    with contextlib.suppress(TableError):
        data = read_table(path)
        assert len(data.y) == data.X.height > 0
        assert tuple(data.X.columns) == data.schema.names


@st.composite
def mutated(draw: st.DrawFn, content: bytes) -> bytes:
    """Return the content with some pieces cut out, doubled or replaced."""
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(content)))
        stop = min(len(content), start + draw(st.integers(0, 12)))
        piece = draw(st.sampled_from([*PIECES, b"", content[start:stop] * 2]))
        content = content[:start] + piece + content[stop:]
    return content


def test_the_seeds_themselves_are_read(tmp_path: Path) -> None:
    for name, content in SEEDS.items():
        path = tmp_path / name
        path.write_bytes(content)
        assert len(read_table(path).y) in (3, 4)


@FEWER
@given(content=st.binary(max_size=200))
def test_random_bytes_called_parquet(tmp_path: Path, content: bytes) -> None:
    attempt(tmp_path, "t.parquet", content)


@pytest.mark.parametrize("name", ["t.arff", "t.csv", "t.tsv", "t"])
@FEW
@given(content=st.binary(max_size=200))
def test_random_bytes(tmp_path: Path, name: str, content: bytes) -> None:
    attempt(tmp_path, name, content)


@pytest.mark.parametrize("name", ["t.arff", "t.csv", "t"])
@FEW
@given(text=st.text(max_size=120))
def test_random_text(tmp_path: Path, name: str, text: str) -> None:
    attempt(tmp_path, name, text.encode("utf-8", "surrogatepass"))


@FEW
@given(text=st.text("@atribue {},'\"\\%?\n\t 1aé\x00", max_size=150))
def test_random_rows_below_an_arff_header(tmp_path: Path, text: str) -> None:
    header = b"@attribute a {1,'?',a}\n@attribute b numeric\n@data\n"
    attempt(tmp_path, "t.arff", header + text.encode())


@FEWER
@given(content=mutated(SEEDS["t.parquet"]))
def test_mutated_parquet_files(tmp_path: Path, content: bytes) -> None:
    attempt(tmp_path, "t.parquet", content)


@pytest.mark.parametrize("name", ["t.arff", "t.csv"])
@FEW
@given(data=st.data())
def test_mutated_files(tmp_path: Path, name: str, data: st.DataObject) -> None:
    attempt(tmp_path, name, data.draw(mutated(SEEDS[name])))
