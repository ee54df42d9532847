"""CSV files in blocks: the same tables as `read_table` gives, however they are cut."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st
from numpy.testing import assert_array_equal

from dissensus.exceptions import TableError
from dissensus.io import _stream as stream
from dissensus.io._csv import parse_csv
from dissensus.table import Attribute, Schema, Table

SCHEMA = Schema(
    (
        Attribute("length", "numeric"),
        Attribute("colour", "nominal", ("red", "blue")),
        Attribute("count", "numeric"),
    )
)
SMALL = b"length,colour,count\n1.5,red,3\n,blue,?\n-2e3,NA,0\n"


def read(content: bytes, schema: Schema = SCHEMA, **options: Any) -> Table:
    """Return all rows of a file as one table."""
    tables = list(stream.TableStream(io.BytesIO(content), schema, **options))
    whole = tables[0]
    for table in tables[1:]:
        whole = whole.concat(table)
    return whole


def assert_same(table: Table, other: Table) -> None:
    """Compare two tables cell by cell."""
    assert table.schema == other.schema
    for ours, theirs in zip(table.columns, other.columns, strict=True):
        assert ours.data.dtype == theirs.data.dtype
        assert_array_equal(ours.data, theirs.data)


def slowly(content: bytes, schema: Schema = SCHEMA, **options: Any) -> Table:
    """Return the table without polars."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(stream.TableStream, "_read_fast", lambda self, block: None)
        return read(content, schema, **options)


def test_cells_become_numbers_and_codes() -> None:
    table = read(SMALL)
    assert_array_equal(table.numeric, [[1.5, 3.0], [np.nan, np.nan], [-2000.0, 0.0]])
    assert table.nominal.ravel().tolist() == [0, 1, -1]
    assert_same(table, slowly(SMALL))


def test_small_file_takes_the_fast_way() -> None:
    opened = stream.TableStream(io.BytesIO(SMALL), SCHEMA)
    assert opened._read_fast(opened._first) is not None


@pytest.mark.parametrize(
    "content",
    [
        SMALL.replace(b"\n", b"\r\n"),
        b"\xef\xbb\xbf" + SMALL,
        b"\n\n" + SMALL + b"\n\n",
        SMALL.rstrip(),
        SMALL.replace(b",", b";"),
        SMALL.replace(b",", b"\t"),
        SMALL.replace(b",", b" , "),
        SMALL.replace(b"red", b'"red"').replace(b"count", b'"count"'),
        SMALL.replace(b"red", b' "red"'),
        SMALL.replace(b"red", b" red "),
        SMALL.replace(b"1.5", b'"1.5"').replace(b"?", b'"?"'),
        SMALL.replace(b"1.5", b" 1.5").replace(b"NA", b" NA "),
    ],
)
def test_ways_to_write_the_same_file(content: bytes) -> None:
    assert_same(read(content), read(SMALL))
    assert_same(slowly(content), read(SMALL))


def test_decimal_commas_are_read() -> None:
    content = SMALL.replace(b",", b";").replace(b"1.5", b"1,5")
    assert_same(read(content), read(SMALL))


def test_columns_are_found_by_name_in_any_order() -> None:
    content = b"x,count,colour,length\n9,3,red,1.5\n9,?,blue,\n9,0,NA,-2e3\n"
    assert_same(read(content), read(SMALL))
    assert stream.TableStream(io.BytesIO(content), SCHEMA).unused == ("x",)


def test_columns_without_names_are_found_by_position() -> None:
    content = SMALL.partition(b"\n")[2]
    assert_same(read(content, header=False), read(SMALL))
    unnamed = Schema(SCHEMA.attributes, named=False)
    assert_same(read(SMALL, unnamed), Table(unnamed, read(SMALL).columns))
    with pytest.raises(
        TableError, match="there are 3 columns, but the model .* with 2"
    ):
        read(content, Schema(SCHEMA.attributes[:2]), header=False)


def test_unseen_value_is_told_from_a_missing_one() -> None:
    content = SMALL.replace(b"red", b"mauve")
    assert read(content).nominal.ravel().tolist() == [-2, 1, -1]
    assert_same(read(content), slowly(content))


def test_declared_numbers_and_booleans_are_found_however_they_are_spelt() -> None:
    schema = Schema(
        (
            Attribute("grade", "nominal", (1, 2, 10)),
            Attribute("share", "nominal", (0.5, 1.0)),
            Attribute("ok", "nominal", (False, True)),
        )
    )
    content = b"grade,share,ok\n1,.5,true\n2.0,1,False\n1e1,0.50,1\n3,half,yes\n"
    table = read(content, schema)
    expected = [[0, 0, 1], [1, 1, 0], [2, 0, 1], [-2, -2, -2]]
    assert_array_equal(table.nominal, expected)
    assert_same(table, slowly(content, schema))


@pytest.mark.parametrize("size", [1, 7, 16, 40, 64])
def test_blocks_of_any_size_give_the_same(
    size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    schema = Schema(
        (Attribute("a", "numeric"), Attribute("b", "nominal", ("x,y", "p\nq", 'r"s')))
    )
    content = b'a,b\n1,"x,y"\n2,"p\nq"\n\n3,"r""s"\n4,x\n5,"x,y"\n'
    whole = read(content, schema)
    assert whole.nominal.ravel().tolist() == [0, 1, 2, -2, 0]
    monkeypatch.setattr(stream, "BLOCK", size)
    assert_same(read(content, schema), whole)
    assert_same(read(SMALL), slowly(SMALL))


def test_header_alone_gives_no_rows() -> None:
    assert list(stream.TableStream(io.BytesIO(b"length,colour,count\n"), SCHEMA)) == []


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "the file is empty"),
        (b" \n \n", "the file is empty"),
        (b"length,color,count\n1,red,2\n", "'colour' is missing. Did you mean 'color'"),
        (b"length\n1\n", r"'colour' is missing \(and 1 more\)"),
        (b"1,2,3\n4,5,6\n", "first line names no column of the model.* no header"),
        (b"length,colour,length,count\n1,red,2,3\n", "'length' occurs 2 times"),
        (SMALL.replace(b"?", b"many"), "line 3: column 'count' has 'many'.* no number"),
        (SMALL.replace(b"1.5", b"1_5"), "line 2: column 'length' has '1_5'"),
        (SMALL.replace(b"3", b"inf", 1), "line 2: column 'count' has 'inf'"),
        (SMALL.replace(b"-2e3", b"-1e999"), "line 4: column 'length' has '-1e999'"),
        (SMALL.replace(b",blue,?", b",blue"), "line 3: 2 values, but the header has 3"),
        (SMALL.replace(b"?", b"1,2"), "line 3: 4 values, but the header has 3"),
        (SMALL.replace(b"red", b'"red'), "line 2: .* quotes"),
        (SMALL.replace(b"blue", b"\xff"), "line 3: byte 0xff is not utf-8"),
        (SMALL.replace(b"blue", b"\0"), "line 3: a zero byte"),
    ],
)
@pytest.mark.parametrize("size", [16, 1 << 23])
def test_fault_is_an_error_with_its_line(
    content: bytes, words: str, size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stream, "BLOCK", size)
    with pytest.raises(TableError, match=words):
        read(content)


def test_first_of_several_faults_is_reported() -> None:
    content = b"length,colour,count\n1,red,2\nbad,red,3\nworse,red,3\n"
    with pytest.raises(TableError, match="line 3: column 'length' has 'bad'"):
        read(content)


def test_row_that_never_ends_is_not_gathered_for_ever(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(stream, "BLOCK", 16)
    monkeypatch.setattr(stream, "MAX_ROW", 100)
    with pytest.raises(TableError, match="no row ends within 112 bytes.*quote"):
        read(SMALL + b'1,"' + b"x\n" * 500)


def test_first_line_of_an_empty_cell_is_passed_over() -> None:
    assert_same(read(b'""\n' + SMALL), read(SMALL))
    with pytest.raises(TableError, match="first line names no column"):
        read(b'""\n')


@pytest.mark.parametrize("delimiter", ["", ",,", "\n", "§", '"'])
def test_bad_delimiter_is_an_error(delimiter: str) -> None:
    with pytest.raises(TableError, match="It must be one character"):
        read(SMALL, delimiter=delimiter)


TEXTS = st.text(st.sampled_from(" \"',;\n\tab?NA.-0é"), max_size=6)
NUMBERS = st.floats(allow_nan=False, allow_infinity=False).map(repr) | st.sampled_from(
    ["", "?", "NA", " 1", "1.", ".5", "+3", "1e5", "nan", "NaN", "0x1", "007", "1d3"]
)


@given(st.lists(st.tuples(NUMBERS, TEXTS), min_size=1, max_size=12), st.booleans())
def test_fast_and_slow_way_agree(rows: list[tuple[str, str]], quote: bool) -> None:
    lines = ["length,colour"]
    for number, text in rows:
        needs = quote or any(letter in text for letter in '",\n')
        cell = '"' + text.replace('"', '""') + '"' if needs else text
        lines.append(f"{number},{cell}")
    content = ("\n".join(lines) + "\n").encode()
    labels = sorted({text.strip() for _, text in rows} - {"", "?", "NA"})
    schema = Schema(
        (Attribute("length", "numeric"), Attribute("colour", "nominal", tuple(labels)))
    )
    expected = outcome(slowly, content, schema)
    found = outcome(read, content, schema)
    if isinstance(expected, str):
        assert found == expected
        return
    assert_same(found, expected)
    whole, _ = parse_csv(content.decode(), header=True, nominal=["colour"])
    if not whole.schema[0].is_nominal and whole.n_attributes == 2:
        assert_same(read(content, whole.schema), whole)


def outcome(reader: Any, content: bytes, schema: Schema) -> Any:
    """Return the table of a file, or the words of the error."""
    try:
        return reader(content, schema)
    except TableError as error:
        return str(error)
