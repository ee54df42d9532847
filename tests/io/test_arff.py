from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import numpy as np
import pytest

from dissensus.exceptions import TableError
from dissensus.table import Attribute
from tests.io.conftest import Reader

HEADER = """@relation t
@attribute x numeric
@attribute c {a,'b c',"d"}
@attribute class {no,yes}
@data
"""


def test_a_plain_file_is_read(read: Reader) -> None:
    data = read(HEADER + "1,a,no\n2.5,'b c',yes\n?,?,no\n")
    assert data.name == "t"
    assert data.target == "class"
    assert data.classes == ("no", "yes")
    assert data.y.tolist() == ["no", "yes", "no"]
    assert data.schema[1] == Attribute("c", "nominal", ("a", "b c", "d"))
    assert data.X["c"].to_list() == ["a", "b c", None]
    np.testing.assert_array_equal(data.X["x"].to_numpy(), [1, 2.5, np.nan])


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text.replace("\n", "\r\n"),
        lambda text: text.replace("\n", "\r"),
        lambda text: "\ufeff" + text,
        lambda text: text.replace("@attribute", "@ATTRIBUTE").replace("@data", "@Data"),
        lambda text: text.replace("numeric", "REAL"),
        lambda text: text.replace("numeric", "Integer"),
        lambda text: text.replace("\n", "\n\n% a comment, with 'quotes\n"),
        lambda text: text.replace("numeric", "numeric % a comment"),
        lambda text: text.replace(" ", "\t").replace("b\tc", "b c"),
        lambda text: text.replace("1,a,no", "  1 ,\t'a' , no  "),
        lambda text: text.replace("1,a,no", "1 a no"),
        lambda text: text.replace("1,a,no", "1,a,no % it's a, comment"),
        lambda text: text.replace("@attribute c {", "@attribute c{ "),
        lambda text: text.replace("@attribute x", "@attribute 'x'"),
        lambda text: text.removesuffix("\n"),
    ],
)
def test_the_same_content_in_another_dress_is_the_same(
    read: Reader, change: Any
) -> None:
    text = HEADER + "1,a,no\n2.5,'b c',yes\n"
    plain, dressed = read(text), read(change(text))
    assert dressed.schema == plain.schema
    assert dressed.X.equals(plain.X)
    assert dressed.y.tolist() == plain.y.tolist()


def test_a_quoted_question_mark_is_a_label_and_a_bare_one_is_missing(
    read: Reader,
) -> None:
    text = "@attribute a {'?',b}\n@attribute y {0,1}\n@data\n'?',0\n?,1\n\"?\",1\nb,0\n"
    data = read(text)
    assert data.schema[0].categories == ("?", "b")
    assert data.X["a"].to_list() == ["?", None, "?", "b"]


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        (r"'it\'s'", "it's"),
        (r'"say \"hi\""', 'say "hi"'),
        (r"'a\\b'", "a\\b"),
        (r"'a\tb'", "a\tb"),
        (r"'caf\u00e9'", "café"),
        ("'a,b'", "a,b"),
        ("'{x}'", "{x}"),
        ("'50 % off'", "50 % off"),
        ("' padded '", " padded "),
        ("''", ""),
        ("50%", "50%"),
        ("don't", "don't"),
        ("größe", "größe"),
    ],
)
def test_labels_with_quotes_and_escapes(read: Reader, written: str, meant: str) -> None:
    text = (
        f"@attribute a {{{written},z}}\n@attribute y {{0,1}}\n@data\n{written},0\nz,1\n"
    )
    data = read(text)
    assert data.schema[0].categories == (meant, "z")
    assert data.X["a"].to_list() == [meant, "z"]


def test_names_may_be_quoted(read: Reader) -> None:
    data = read("@attribute 'a b' real\n@attribute \"c'd\" {0,1}\n@data\n1,0\n2,1\n")
    assert data.X.columns == ["a b"]
    assert data.target == "c'd"


def test_sparse_rows_leave_out_zeros_and_first_labels(read: Reader) -> None:
    rows = "{0 5, 1 'b c', 2 yes}\n{}\n{ 0 ? , 2 \"yes\" }\n{1 d}, {3}\n"
    data = read(HEADER + rows)
    np.testing.assert_array_equal(data.X["x"].to_numpy(), [5, 0, np.nan, 0])
    assert data.X["c"].to_list() == ["b c", "a", "a", "d"]
    assert data.y.tolist() == ["yes", "no", "yes", "no"]
    assert data.sample_weight is not None
    assert data.sample_weight.tolist() == [1, 1, 1, 3]


def test_a_sparse_row_knows_the_label_question_mark(read: Reader) -> None:
    data = read("@attribute a {'?',b}\n@attribute y {0,1}\n@data\n{1 1}\n{0 b}\n")
    assert data.X["a"].to_list() == ["?", "b"]


def test_weights_stand_in_braces_behind_the_row(read: Reader) -> None:
    data = read(HEADER + "1,a,no, {2.5}\n2,a,yes\n")
    assert data.sample_weight is not None
    assert data.sample_weight.tolist() == [2.5, 1.0]
    assert read(HEADER + "1,a,no\n2,a,yes\n").sample_weight is None


def test_strings_are_nominal(read: Reader) -> None:
    text = "@attribute s string\n@attribute y {0,1}\n@data\n'b b',0\na,1\n?,1\n'?',0\n"
    data = read(text)
    assert data.schema[0] == Attribute("s", "nominal", ("?", "a", "b b"))
    assert data.X["s"].to_list() == ["b b", "a", None, "?"]


@pytest.mark.parametrize(
    ("declared", "written"),
    [
        ("date", "2020-03-04T05:06:07"),
        ("DATE", "'2020-03-04T05:06:07'"),
        ('date "yyyy-MM-dd HH:mm:ss"', "'2020-03-04 05:06:07'"),
        ("date 'dd.MM.yy HH:mm:ss'", "'04.03.20 05:06:07'"),
        ("date \"yyyyMMdd'T'HHmmss\"", "20200304T050607"),
        ("date \"yyyy-MM-dd'T'HH:mm:ssZ\"", "2020-03-04T07:06:07+0200"),
        ('date "h:mm:ss a, d MMM yyyy"', "'5:06:07 AM, 4 Mar 2020'"),
    ],
)
def test_dates_are_seconds(read: Reader, declared: str, written: str) -> None:
    text = f"@attribute d {declared}\n@attribute y {{0,1}}\n@data\n{written},0\n?,1\n"
    seconds = datetime(2020, 3, 4, 5, 6, 7, tzinfo=UTC).timestamp()
    np.testing.assert_array_equal(read(text).X["d"].to_numpy(), [seconds, np.nan])


BAD = [
    (
        HEADER + "1,mauve,no\n",
        r"line 6: attribute 'c' has the value 'mauve', which is not declared in the "
        r"ARFF header. Declared: \['a', 'b c', 'd'\]",
    ),
    (HEADER + "1,a,no\n\n1,a\n", "line 8: 2 values, but 3 attributes"),
    (HEADER + "1,a,no,no\n", "line 6: 4 values, but 3 attributes"),
    (HEADER + "one,a,no\n", "line 6: attribute 'x' is declared numeric, but 'one'"),
    (HEADER + "1_0,a,no\n", "'1_0' is no finite number"),
    (HEADER + "inf,a,no\n", "'inf' is no finite number"),
    (HEADER + "'?',a,no\n", r"'\?' is no finite number"),
    (HEADER + ",a,no\n", "line 6: attribute 'x' is declared numeric, but ''"),
    (HEADER + "1,'a,no\n", "line 6: a quote not closed"),
    (HEADER + "1,'a'b,no\n", "line 6: a quote not closed"),
    (HEADER + "1,'\\u0000',no\n", "line 6: an escape that is no character"),
    (HEADER + "1,'\\ud800',no\n", "line 6: an escape that is no character"),
    (HEADER + "1,a,no,{x}\n", "line 6: the weight 'x'"),
    (HEADER + "1,a,no,{-1}\n", "line 6: the weight '-1'"),
    (HEADER + "{0 1\n", "line 6: a sparse row without a closing brace"),
    (HEADER + "{0 1, x}\n", "line 6: 'x' is no pair"),
    (HEADER + "{3 1}\n", "numbers run from 0 to 2"),
    (HEADER + "{0 1, 0 2}\n", "each at most once"),
    (HEADER + "{99999999999999999999 2}\n", "numbers run from 0 to 2"),
    (HEADER, "no rows"),
    (HEADER.replace("@data", ""), "no @data line"),
    ("@relation t\n@data\n1\n", "no @attribute line"),
    (
        "@attribute a numeric\n@attribute a real\n@data\n1,2\n",
        "line 2: attribute 'a' is declared twice",
    ),
    (
        "@attribute a {x,y,x}\n@data\nx\n",
        "line 1: attribute 'a' declares the value 'x' twice",
    ),
    ("@attribute a {x,,y}\n@data\nx\n", "line 1: an empty value"),
    ("@attribute a {x,y\n@data\nx\n", "do not end with a brace"),
    ("@attribute a text\n@data\nx\n", "unknown type 'text'"),
    ("@attribute\n@data\nx\n", "line 1: @attribute without a name"),
    (
        "@attribute a relational\n@attribute b numeric\n@end a\n@data\n",
        "line 1: attribute 'a' is relational",
    ),
    ('@attribute a date "yyyy-ww"\n@data\nx\n', "the field 'ww'"),
    ("@attribute a date\n@attribute b {0}\n@data\n2020,0\n", "'2020' is no date"),
    ("@attribute a string\n@attribute b {0}\n@data\n{1 0}\n", "has no zero"),
    ("@relation t\nhello\n@data\n", "line 2: 'hello' is no part of an ARFF header"),
]


@pytest.mark.parametrize(("text", "message"), BAD)
def test_a_broken_file_is_an_error_with_its_line(
    read: Reader, text: str, message: str
) -> None:
    with pytest.raises(TableError, match=f"t.arff: .*{message}"):
        read(text)


def test_sparse_and_dense_rows_may_stand_in_one_file(read: Reader) -> None:
    data = read(HEADER + "1,'b c',yes\n{2 yes}, {0.5}\n\n2,d,no, {3}\n")
    assert data.X.rows() == [(1.0, "b c"), (0.0, "a"), (2.0, "d")]
    assert data.y.tolist() == ["yes", "yes", "no"]
    assert data.sample_weight is not None
    assert data.sample_weight.tolist() == [1.0, 0.5, 3.0]
    with pytest.raises(TableError, match="line 7: 2 values, but 3 attributes"):
        read(HEADER + "{2 yes}\n1,a\n")


def test_comment_is_found_behind_quotes_that_are_never_closed(read: Reader) -> None:
    header = "@attribute x string\n@attribute class {no,yes}\n@data\n"
    data = read(header + "don't,no % its\n'a % b',yes % c\n")
    assert data.X["x"].to_list() == ["don't", "a % b"]
