"""Readers take time and memory in proportion to the file, however odd it is.

Each case is read in a process of its own that is killed after a time in which a linear
reader would be done a hundred times over, or when it asks for more than 2 GB. Before
they were linear, every one of them took minutes, or more than that memory.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

SECONDS = 60
READ = """
import resource, sys
from pathlib import Path
from dissensus.exceptions import TableError
from dissensus.datasets import load_dataset
from dissensus.io import read_like, read_table

gigabytes = 2 << 30
resource.setrlimit(resource.RLIMIT_DATA, (gigabytes, gigabytes))
try:
    if len(sys.argv) > 2:
        print("read", len(read_like(sys.argv[1], load_dataset(sys.argv[2])).y))
    else:
        print("read", len(read_table(sys.argv[1]).y))
except TableError as error:
    print("refused", str(error)[-300:])
"""
HEADER = "@attribute a numeric\n@attribute b {x,y}\n@data\n"


def unclosed_single_quotes() -> str:
    return HEADER + "1," + "\\'" * 200_000 + " %"


def sparse(n_rows: int, n_columns: int) -> str:
    names = "".join(f"@attribute a{i} numeric\n" for i in range(n_columns))
    return f"{names}@attribute class {{x,y}}\n@data\n" + "{0 1}\n" * n_rows


def distinct_blanks(n: int) -> str:
    """Return a CSV text with many ways to write an empty cell."""
    spaces = " \t\x0b\x0c\x1c\x1d\x1e\x1f"
    cells = ("".join(spaces[(i >> s) & 7] for s in range(0, 18, 3)) for i in range(n))
    return "a,class\n" + "".join(f"1{c},x\n{c},y\n" for c in cells)


CASES: dict[str, tuple[str, Callable[[], str], str]] = {
    "blank lines": ("t.txt", lambda: "\n" * 200_000 + "a,b\n1,x\n2,y\n", "read 2"),
    "blanks and comments": ("t", lambda: " \n%\n" * 100_000 + "x", "refused"),
    "blanks before an unclosed quote": (
        "t.arff",
        lambda: HEADER + "1," + " " * 200_000 + "'",
        "quote not closed",
    ),
    "quotes that are never closed": ("t.arff", unclosed_single_quotes, "refused"),
    "quotes and a comment": (
        "t.arff",
        lambda: HEADER + "1," + "'\"" * 200_000 + "%",
        "refused",
    ),
    "blanks of a sparse row": (
        "t.arff",
        lambda: HEADER + "{0" + " " * 200_000 + "'}",
        "no pair of a sparse row",
    ),
    "braces": ("t.arff", lambda: HEADER + ",{" * 200_000 + "}", "refused"),
    "a value declared twice": (
        "t.arff",
        lambda: f"@attribute a {{{','.join(map(str, range(60_000)))},59999}}\n@data\n",
        "declares the value '59999' twice",
    ),
    "quotes of a date": (
        "t.arff",
        lambda: f"@attribute a date \"{chr(39) * 200_001}\"\n{HEADER}'1',1,x\n",
        "refused",
    ),
    "sparse rows": ("t.arff", lambda: sparse(30_000, 1000), "read 30000"),
    "too many sparse rows": (
        "t.arff",
        lambda: sparse(100_000, 10_000),
        "more than 100,000,000 cells",
    ),
    "ways to write an empty cell": (
        "t.csv",
        lambda: distinct_blanks(100_000),
        "read 200000",
    ),
    "one long label": (
        "t.csv",
        lambda: "a,class\n1," + "x" * 100_000 + "\n" + "1,y\n" * 100_000,
        "label of 100,000 characters",
    ),
    "too many columns": (
        "t.csv",
        lambda: "," * 1_000_000 + "\n" + "," * 1_000_000,
        "there are 1,000,001 columns",
    ),
    "a long number": (
        "t.csv",
        lambda: f"a,class\n{'1' * 100_000},x\n1,y\n",
        "infinite",
    ),
}


def run(path: Path, *more: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", READ, str(path), *more],
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-1000:]
    return done.stdout


@pytest.mark.parametrize("case", CASES)
def test_small_odd_file_is_read_or_refused_at_once(tmp_path: Path, case: str) -> None:
    name, make, words = CASES[case]
    path = tmp_path / name
    path.write_text(make())
    assert words in run(path)


@pytest.mark.parametrize(
    "rows",
    ["\n" * 300_000 + "1,b\n", "".join(f"x{i},1,1,1,1\n" for i in range(100_000))],
)
def test_odd_test_file_is_refused_at_once(tmp_path: Path, rows: str) -> None:
    path = tmp_path / "t.csv"
    names = "left-weight,left-distance,right-weight,right-distance,class\n"
    path.write_text(names + rows if rows[0] == "x" else rows + names)
    assert "refused" in run(path, "iris" if rows[0] != "x" else "balance-scale")
