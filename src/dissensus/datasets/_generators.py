"""Data sets that are rules: the same rows on every machine, without a download."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import product

import numpy as np
from numpy.typing import NDArray

from dissensus.table import Attribute, Column, Schema, Table

MONKS_VALUES = (3, 3, 2, 3, 4, 2)
ROWS = ((0, 1, 2), (3, 4, 5), (6, 7, 8))
LINES = (*ROWS, *zip(*ROWS, strict=True), (0, 4, 8), (2, 4, 6))
# Lit segments of the digits 0 to 9: top, upper left, upper right, middle, lower left,
# lower right, bottom.
SEGMENTS = (
    "1110111",
    "0010010",
    "1011101",
    "1011011",
    "0111010",
    "1101011",
    "1101111",
    "1010010",
    "1111111",
    "1111011",
)


def _nominal(name: str, values: str, cells: Iterable[str]) -> Column:
    """Return a nominal column whose declared values are single letters."""
    position = {value: code for code, value in enumerate(values)}
    codes = np.array([position[cell] for cell in cells], dtype=np.int32)
    return Column(Attribute(name, "nominal", tuple(values)), codes)


def _table(columns: Sequence[Column]) -> Table:
    return Table(Schema(tuple(column.attribute for column in columns)), columns)


def _monks(rule: Callable[[tuple[int, ...]], bool]) -> Table:
    """Return all 432 robots, labelled by a rule [1]_.

    References
    ----------
    .. [1] Thrun et al., "The MONK's Problems", CMU-CS-91-197, 1991.
    """
    rows = list(product(*(range(1, size + 1) for size in MONKS_VALUES)))
    columns = [
        _nominal(f"a{i + 1}", "1234"[:size], (str(row[i]) for row in rows))
        for i, size in enumerate(MONKS_VALUES)
    ]
    labels = ("1" if rule(row) else "0" for row in rows)
    return _table([*columns, _nominal("class", "01", labels)])


def monks_1() -> Table:
    """Return MONK's problem 1: head and body of one shape, or a red jacket."""
    return _monks(lambda a: a[0] == a[1] or a[4] == 1)


def monks_2() -> Table:
    """Return MONK's problem 2: exactly two attributes have their first value."""
    return _monks(lambda a: a.count(1) == 2)


def monks_3() -> Table:
    """Return MONK's problem 3: green jacket and sword, or no blue and no octagon."""
    return _monks(lambda a: (a[4] == 3 and a[3] == 1) or (a[4] != 4 and a[1] != 3))


def balance_scale() -> Table:
    """Return the 625 settings of a balance: it tips left, right, or not at all."""
    rows = np.array(list(product(range(1, 6), repeat=4)), dtype=np.float64)
    names = ("left-weight", "left-distance", "right-weight", "right-distance")
    columns = [
        Column(Attribute(name, "numeric"), np.ascontiguousarray(rows[:, i]))
        for i, name in enumerate(names)
    ]
    difference = rows[:, 0] * rows[:, 1] - rows[:, 2] * rows[:, 3]
    labels = ("BLR"[int(sign)] for sign in np.sign(difference))
    return _table([*columns, _nominal("class", "LBR", labels)])


def tic_tac_toe() -> Table:
    """Return the 958 boards on which a game can end when x moves first."""
    boards = ["".join(cells) for cells in product("xob", repeat=9)]
    ends = [board for board in boards if _is_end(board)]
    ends.sort(key=lambda board: not _wins(board, "x"))  # stable: wins of x come first
    names = [
        f"{row}-{column}-square"
        for row in ("top", "middle", "bottom")
        for column in ("left", "middle", "right")
    ]
    columns = [
        _nominal(name, "box", (board[i] for board in ends))
        for i, name in enumerate(names)
    ]
    codes = np.array([_wins(board, "x") for board in ends], dtype=np.int32)
    target = Attribute("Class", "nominal", ("negative", "positive"))
    return _table([*columns, Column(target, codes)])


def _wins(board: str, player: str) -> bool:
    return any(all(board[square] == player for square in line) for line in LINES)


def _is_end(board: str) -> bool:
    """Return whether a game ends here: one side has just won, or the board is full."""
    lead = board.count("x") - board.count("o")
    x_wins, o_wins = _wins(board, "x"), _wins(board, "o")
    if x_wins or o_wins:
        return not (x_wins and o_wins) and lead == (1 if x_wins else 0)
    return "b" not in board and lead == 1


def waveform(n_rows: int = 5000, seed: int = 0) -> Table:
    """Return noisy mixtures of two of three triangular waves [1]_.

    References
    ----------
    .. [1] Breiman, Friedman, Olshen, Stone, "Classification and Regression Trees",
       1984, section 2.6.1.
    """
    rng = np.random.default_rng(seed)
    steps = np.arange(1, 22)
    waves = np.array([np.maximum(6 - abs(steps - peak), 0) for peak in (7, 15, 11)])
    classes = rng.integers(3, size=n_rows)
    first = waves[[0, 0, 1]][classes]
    second = waves[[1, 2, 2]][classes]
    share = rng.random((n_rows, 1))
    values = share * first + (1 - share) * second + rng.normal(size=first.shape)
    values = np.round(values, 2)  # as in the published files
    columns = [
        Column(Attribute(f"x{i + 1}", "numeric"), np.ascontiguousarray(values[:, i]))
        for i in range(21)
    ]
    target = Attribute("class", "nominal", ("0", "1", "2"))
    return _table([*columns, Column(target, classes.astype(np.int32))])


def led(n_rows: int = 1000, noise: float = 0.1, seed: int = 0) -> Table:
    """Return digits on a display of seven segments, each wrong with some chance [1]_.

    References
    ----------
    .. [1] Breiman, Friedman, Olshen, Stone, "Classification and Regression Trees",
       1984, section 2.6.1.
    """
    rng = np.random.default_rng(seed)
    lit = np.array([[int(segment) for segment in digit] for digit in SEGMENTS])
    digits = rng.integers(10, size=n_rows)
    flipped = rng.random((n_rows, 7)) < noise
    shown: NDArray[np.int32] = (lit[digits] ^ flipped).astype(np.int32)
    columns = [
        Column(
            Attribute(f"segment-{i + 1}", "nominal", ("0", "1")),
            np.ascontiguousarray(shown[:, i]),
        )
        for i in range(7)
    ]
    target = Attribute("class", "nominal", tuple("0123456789"))
    return _table([*columns, Column(target, digits.astype(np.int32))])


GENERATORS: dict[str, tuple[Callable[[], Table], str]] = {
    "balance-scale": (balance_scale, "generated: all 625 settings"),
    "led": (led, "generated: 1000 rows, 10 % of the segments wrong, seed 0"),
    "monks-1": (monks_1, "generated: all 432 combinations"),
    "monks-2": (monks_2, "generated: all 432 combinations"),
    "monks-3": (monks_3, "generated: all 432 combinations, without label noise"),
    "tic-tac-toe": (tic_tac_toe, "generated: all 958 boards at the end of a game"),
    "waveform": (
        waveform,
        "generated: 5000 rows, seed 0; not the rows of the UCI file",
    ),
}
