"""A visitor's table: comma-separated values with numbers alone, read whole or refused with one sentence."""

from __future__ import annotations

import csv
import io
import math
from dataclasses import dataclass

import numpy as np

MOST_BYTES = 5_000_000
MOST_COLUMNS, MOST_ROWS = 200, 20_000
FEWEST_COLUMNS, FEWEST_ROWS = 2, 50
LARGEST = 1e100
NAME = 24  # letters of a column's name that are kept
DELIMITERS = ",;\t"


@dataclass(frozen=True, eq=False, repr=False)
class NumericTable:
    """Named columns of numbers; none of them is constant. values (n, p). Its text form tells none of them."""

    columns: tuple[str, ...]
    values: np.ndarray


def read_csv(data: bytes) -> NumericTable:
    """The table of a file; a first line with any word in it holds the names of the columns.

    Errors: ValueError, one sentence with the name, the rule, the value and the remedy.
    """
    rows = _rows(data)
    width = len(rows[0])
    if not FEWEST_COLUMNS <= width <= MOST_COLUMNS:
        rule = f"a table must have {FEWEST_COLUMNS} to {MOST_COLUMNS} columns with commas between them, got {width}"
        raise ValueError(f"{rule}; {'leave some out' if width > MOST_COLUMNS else 'check that the file is a CSV'}")
    headed = any(cell.strip() and _number(cell) is None for cell in rows[0])
    columns = _names(rows[0]) if headed else tuple(f"column {index + 1}" for index in range(width))
    first = 2 if headed else 1
    body = rows[1:] if headed else rows
    if not FEWEST_ROWS <= len(body) <= MOST_ROWS:
        rule = f"a table must have {FEWEST_ROWS} to {MOST_ROWS:,} rows of numbers, got {len(body):,}"
        raise ValueError(f"{rule}; {'add some' if len(body) < FEWEST_ROWS else 'leave some out'}")
    values = np.empty((len(body), width))
    for index, row in enumerate(body):
        if len(row) != width:
            rule = f"row {index + first} must have {width} cells, as the first row has, got {len(row)}"
            raise ValueError(f"{rule}; fill or remove it")
        try:
            values[index] = [float(cell) for cell in row]
        except ValueError:
            values[index] = np.nan  # which cell it is, and why, is found out below
    strange = ~(np.abs(values) < LARGEST).all(axis=1)
    written_apart = b"_" in data.partition(b"\n")[2]  # Python reads 1_000 as a number
    for place in range(len(body)) if written_apart else np.flatnonzero(strange).tolist():
        for cell, column in zip(body[place], columns, strict=True):
            _check(cell, column, place + first)
    _check_constant(columns, values)
    return NumericTable(columns, values)


def check_target(table: NumericTable, target: str) -> None:
    """ValueError unless the column is there, and enough rows have another value than the most frequent one."""
    if target not in table.columns:
        raise ValueError(f"target must be a column of the table, got {target[:NAME]!r}; choose one of its columns")
    counts = np.unique(table.values[:, table.columns.index(target)], return_counts=True)[1]
    others = len(table.values) - int(counts.max())
    if others < 10:
        rule = f"target must differ from its most frequent value in at least 10 rows, {target!r} does in {others}"
        raise ValueError(f"{rule}; choose another column")


def _rows(data: bytes) -> list[list[str]]:
    """The cells of the lines that are not empty."""
    if len(data) > MOST_BYTES:
        raise ValueError(f"a file must have at most {MOST_BYTES:,} bytes, got {len(data):,}; leave rows or columns out")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        place = f"got a byte that is none at place {error.start + 1:,}"
        raise ValueError(f"a file must be a CSV in UTF-8, {place}; save the table as CSV in UTF-8") from None
    if "\0" in text:
        raise ValueError("a file must be a CSV, got one with zero bytes; save the table as CSV in UTF-8")
    head = text.lstrip().partition("\n")[0]
    delimiter = max(DELIMITERS, key=head.count)
    try:
        rows = [row for row in csv.reader(io.StringIO(text), delimiter=delimiter) if any(map(str.strip, row))]
    except csv.Error as error:
        raise ValueError(f"a file must be a CSV, got one that breaks off ({error}); save the table as CSV") from None
    if not rows:
        raise ValueError("a file must be a CSV with rows of numbers, got an empty one; choose another")
    return rows


def _names(cells: list[str]) -> tuple[str, ...]:
    """The names of the columns, shortened and told apart."""
    names: list[str] = []
    for index, cell in enumerate(cells):
        plain = "".join(letter if letter.isprintable() and letter not in "<>&$`" else " " for letter in cell)
        name = " ".join(plain.split())[:NAME] or f"column {index + 1}"
        count = 2
        while name in names:
            ending = f" ({count})"
            name, count = " ".join(plain.split())[: NAME - len(ending)] + ending, count + 1
        names.append(name)
    return tuple(names)


def _number(cell: str) -> float | None:
    """What the cell stands for; None if it is no number that is written with digits."""
    if "_" in cell:
        return None
    try:
        return float(cell)
    except ValueError:
        return None


def _check(cell: str, column: str, row: int) -> None:
    """ValueError unless the cell holds a finite number of a sensible size."""
    value = _number(cell)
    where = f"column {column!r} must have a number in row {row}"
    if value is None and not cell.strip():
        raise ValueError(f"{where}, got an empty cell; fill it or remove the row")
    if value is None:
        shown = cell if len(cell) <= NAME else f"{cell[: NAME - 1]}…"
        raise ValueError(f"{where}, got {shown!r}; write digits with a point, or leave the column out")
    if not math.isfinite(value):
        raise ValueError(f"{where}, got {cell.strip()[:NAME]}; fill it or remove the row")
    if abs(value) >= LARGEST:
        raise ValueError(f"{where} below {LARGEST:g}, got {value:g}; use another unit")


def _check_constant(columns: tuple[str, ...], values: np.ndarray) -> None:
    spread = values.max(axis=0) - values.min(axis=0)
    for place in np.flatnonzero(spread == 0):
        rule = f"column {columns[place]!r} must have more than one value, got {values[0, place]:g} in every row"
        raise ValueError(f"{rule}; leave it out")
