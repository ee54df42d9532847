"""What is opened: files and pipes; and files that break their reader."""

from __future__ import annotations

import contextlib
import os
import socket
import threading
from pathlib import Path

import polars as pl
import pytest

from dissensus.datasets import load_dataset
from dissensus.exceptions import TableError
from dissensus.io import _files, _parquet, _parquet_child, read_table
from dissensus.io._files import MAX_CELLS, reading_errors
from dissensus.io._same_columns import open_tables, read_like
from dissensus.table import Attribute, Schema

CSV = "a,class\n1,x\n2,y\n"


def fifo(folder: Path) -> Path:
    path = folder / "pipe"
    os.mkfifo(path)
    return path


def write_later(path: Path, content: bytes) -> threading.Thread:
    writer = threading.Thread(target=path.write_bytes, args=(content,))
    writer.start()
    return writer


def test_pipe_is_read_as_a_file(tmp_path: Path) -> None:
    path = fifo(tmp_path)
    writer = write_later(path, CSV.encode())
    assert load_dataset(path).y.tolist() == ["x", "y"]
    writer.join()


def test_parquet_file_is_read_from_a_pipe(tmp_path: Path) -> None:
    pl.DataFrame({"a": [1, 2], "class": ["x", "y"]}).write_parquet(tmp_path / "f")
    path = fifo(tmp_path)
    writer = write_later(path, (tmp_path / "f").read_bytes())
    assert read_table(path).y.tolist() == ["x", "y"]
    writer.join()


def test_test_set_is_read_from_a_pipe(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text(CSV)
    path = fifo(tmp_path)
    writer = write_later(path, CSV.encode())
    assert read_like(path, read_table(tmp_path / "t.csv")).y.tolist() == ["x", "y"]
    writer.join()


def test_pipe_without_a_writer_is_not_waited_for_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_files, "WAIT_FOR_WRITER", 0.05)
    path = fifo(tmp_path)
    with pytest.raises(TableError, match=r"pipe: this is a pipe .* Start what writes"):
        read_table(path)
    train = load_dataset("iris")
    with pytest.raises(TableError, match="this is a pipe"):
        read_like(path, train)


def test_devices_and_sockets_are_refused(tmp_path: Path) -> None:
    with pytest.raises(TableError, match="/dev/zero: this is a device or a socket"):
        read_table("/dev/zero")
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(tmp_path / "s"))
        with pytest.raises(TableError, match="this is a device or a socket"):
            read_table(tmp_path / "s")


@pytest.mark.parametrize("name", ["a\0b", "\udcff", "x" * 5000])
def test_impossible_names_are_our_error(name: str) -> None:
    with pytest.raises(TableError):
        read_table(name)
    with pytest.raises(TableError):
        load_dataset(name)


@pytest.mark.parametrize("encoding", ["idna", "punycode", "utf-7", "hex", "no\0", "x"])
def test_odd_encodings_are_our_error(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(b"a,class\n1,+2AA-\n2,\xff..\n")
    with pytest.raises(TableError):
        read_table(path, encoding=encoding)
    with pytest.raises(TableError):
        read_like(path, load_dataset("iris"), encoding=encoding)


def test_want_of_memory_is_said_in_words() -> None:
    with (
        pytest.raises(TableError, match="not enough memory to read the file"),
        reading_errors(),
    ):
        raise MemoryError


def test_panic_of_polars_is_our_error() -> None:
    with pytest.raises(TableError, match="polars cannot read"), reading_errors():
        raise pl.exceptions.PanicException("in the Rust side")


def test_errors_of_what_is_done_with_the_tables_are_not_of_reading(
    tmp_path: Path,
) -> None:
    path = tmp_path / "t.csv"
    path.write_text("a\n1\n")
    schema = Schema((Attribute("a", "numeric"),))

    def use() -> None:
        with open_tables(path, schema) as tables:
            for _ in tables:
                raise OSError("disk full")

    with pytest.raises(OSError, match="disk full"):
        use()


def test_dropping_every_column_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text(CSV)
    with pytest.raises(TableError, match="leaves no column|there is no column"):
        read_table(path, drop=["a", "class"])


def test_test_set_without_rows_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text(CSV)
    train = read_table(path)
    path.write_text("a,class\n")
    with pytest.raises(TableError, match="there are no rows, only a header"):
        read_like(path, train)


def test_sample_for_the_delimiter_may_end_inside_a_character(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text(CSV)
    train = read_table(path)
    path.write_bytes(b"a,class,more\n" + b"1,x,\xc3\xa4\n" * 20_000)
    assert len(read_like(path, train).y) == 20_000


# Parquet


def parquet(path: Path, **columns: object) -> Path:
    pl.DataFrame(columns).write_parquet(path)
    return path


def test_parquet_file_that_kills_its_reader_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = parquet(tmp_path / "t.parquet", a=[1, 2], y=["u", "v"])
    killer = tmp_path / "killer.py"
    killer.write_text("import os\nos.abort()\n")
    monkeypatch.setattr(_parquet_child, "__file__", str(killer))
    with pytest.raises(TableError, match=r"ends the program that reads it, code -6"):
        read_table(path)


def test_parquet_file_that_never_ends_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = parquet(tmp_path / "t.parquet", a=[1, 2], y=["u", "v"])
    sleeper = tmp_path / "sleeper.py"
    sleeper.write_text("import time\ntime.sleep(600)\n")
    monkeypatch.setattr(_parquet_child, "__file__", str(sleeper))
    monkeypatch.setattr(_parquet, "SECONDS", 0.2)
    with pytest.raises(TableError, match="not read within 0 seconds"):
        read_table(path)


def test_small_parquet_file_with_too_many_cells_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "t.parquet"
    rows = pl.DataFrame({"i": pl.zeros(MAX_CELLS // 20 + 1, pl.Int8, eager=True)})
    rows.select(*(pl.col("i").alias(f"a{i}") for i in range(20))).write_parquet(path)
    with pytest.raises(TableError, match=r"5,000,001 rows of 20 columns are more than"):
        read_table(path)


def test_every_type_of_column_arrives_as_it_was(tmp_path: Path) -> None:
    frame = pl.DataFrame(
        {
            "f": [1.5, None, float("nan")],
            "i": [1, 2, None],
            "b": [True, None, False],
            "s": ["p", None, "q"],
            "e": pl.Series(["u", "v", None], dtype=pl.Enum(["w", "v", "u"])),
            "c": pl.Series(["u", "v", None], dtype=pl.Categorical),
            "n": [None, None, None],
            "d": pl.Series(["1.5", "2.25", None]).cast(pl.Decimal(10, 2)),
            "class": ["x", "y", "x"],
        }
    )
    path = tmp_path / "t.parquet"
    frame.write_parquet(path)
    data = read_table(path)
    assert data.X["e"].dtype.categories.to_list() == ["w", "v", "u"]
    assert data.X["s"].to_list() == ["p", None, "q"]
    assert data.X["d"].to_list()[:2] == [1.5, 2.25]
    assert data.X.columns == frame.columns[:-1]


def test_folder_of_the_caller_hides_no_module_from_the_reader(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = parquet(tmp_path / "t.parquet", a=[1, 2], y=["u", "v"])
    for name in ("polars", "re", "subprocess"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit(9)\n")
    monkeypatch.chdir(tmp_path)
    assert len(read_table("t.parquet").y) == 2
    with contextlib.suppress(FileNotFoundError):
        path.unlink()
