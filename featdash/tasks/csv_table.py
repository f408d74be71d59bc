"""A visitor's table: comma-separated values with numbers alone, read whole or refused with one sentence."""

from __future__ import annotations

import csv
import itertools
import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

MOST_BYTES = 5_000_000
MOST_COLUMNS, MOST_ROWS = 200, 20_000
FEWEST_COLUMNS, FEWEST_ROWS = 2, 50
LARGEST = 1e100
NAME = 24  # letters of a column's name that are kept
DELIMITERS = ",;\t"
LINE = re.compile(r"[^\n]*\n|[^\n]+")
CHUNK = 500  # rows that are held as text
MOST_LINES = 3 * MOST_ROWS  # empty ones too
MOST_CELLS = 50 * MOST_COLUMNS  # that a line seems to have: names in quotes may hold commas
COLUMNS_RULE = f"a table must have {FEWEST_COLUMNS} to {MOST_COLUMNS} columns with commas between them"
ROWS_RULE = f"a table must have {FEWEST_ROWS} to {MOST_ROWS:,} rows of numbers"
TOO_MANY = f"{ROWS_RULE}, got {MOST_ROWS + 1:,} or more; leave some out"


@dataclass(frozen=True, eq=False, repr=False)
class NumericTable:
    """Named columns of numbers; none of them is constant. values (n, p). Its text form tells none of them."""

    columns: tuple[str, ...]
    values: np.ndarray


def read_csv(data: bytes) -> NumericTable:
    """The table of a file; a first line with any word in it holds the names of the columns.

    One pass, which ends at the first row that cannot be: a file that is refused costs little more than its bytes.
    Errors: ValueError, one sentence with the name, the rule, the value and the remedy.
    """
    rows = _rows(data)
    head = next(rows, None)
    if head is None:
        raise ValueError("a file must be a CSV with rows of numbers, got an empty one; choose another")
    width = len(head)
    if not FEWEST_COLUMNS <= width <= MOST_COLUMNS:
        remedy = "leave some out" if width > MOST_COLUMNS else "check that the file is a CSV"
        raise ValueError(f"{COLUMNS_RULE}, got {width}; {remedy}")
    has_names = any(cell.strip() and _number(cell) is None for cell in head)
    columns = _names(head) if has_names else tuple(f"column {index + 1}" for index in range(width))
    body = rows if has_names else itertools.chain([head], rows)
    chunks, count = [np.empty((0, width))], 0
    while chunk := list(itertools.islice(body, CHUNK)):
        chunks.append(_values(chunk, columns, count + (2 if has_names else 1)))
        count += len(chunk)
        if count > MOST_ROWS:
            raise ValueError(TOO_MANY)
    if count < FEWEST_ROWS:
        raise ValueError(f"{ROWS_RULE}, got {count}; add some")
    values = np.concatenate(chunks)
    _check_constant(columns, values)
    return NumericTable(columns, values)


def _values(rows: Sequence[Sequence[str]], columns: Sequence[str], first: int) -> np.ndarray:
    """The numbers of these rows (k, p), the first of which is row `first` of the file."""
    values = np.empty((len(rows), len(columns)))
    for index, row in enumerate(rows):
        if len(row) != len(columns):
            rule = f"row {index + first} must have {len(columns)} cells, as the first row has, got {len(row)}"
            raise ValueError(f"{rule}; fill or remove it")
        try:
            values[index] = [float(cell) for cell in row]
        except ValueError:
            values[index] = np.nan  # which cell it is, and why, is found out below
    strange = set(np.flatnonzero(~(np.abs(values) < LARGEST).all(axis=1)).tolist())
    for place, row in enumerate(rows):
        if place in strange or any("_" in cell for cell in row):  # Python reads 1_000 as a number
            for cell, column in zip(row, columns, strict=True):
                _check(cell, column, place + first)
    return values


def check_target(table: NumericTable, target: str) -> None:
    """ValueError unless the column is there, and enough rows have another value than the most frequent one."""
    if target not in table.columns:
        raise ValueError(f"target must be a column of the table, got {target[:NAME]!r}; choose one of its columns")
    counts = np.unique(table.values[:, table.columns.index(target)], return_counts=True)[1]
    others = len(table.values) - int(counts.max())
    if others < 10:
        rule = f"target must differ from its most frequent value in at least 10 rows, {target!r} does in {others}"
        raise ValueError(f"{rule}; choose another column")


def _rows(data: bytes) -> Iterator[list[str]]:
    """The cells of the lines that are not empty, one row at a time."""
    if len(data) > MOST_BYTES:
        raise ValueError(f"a file must have at most {MOST_BYTES:,} bytes, got {len(data):,}; leave rows or columns out")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        place = f"got a byte that is none at place {error.start + 1:,}"
        raise ValueError(f"a file must be a CSV in UTF-8, {place}; save the table as CSV in UTF-8") from None
    if "\0" in text:
        raise ValueError("a file must be a CSV, got one with zero bytes; save the table as CSV in UTF-8")
    head = re.search(r"\S.*", text)
    delimiter = max(DELIMITERS, key=head[0].count) if head else ","
    try:
        for row in csv.reader(_lines(text, delimiter), delimiter=delimiter):
            if any(map(str.strip, row)):
                yield row
    except csv.Error as error:
        raise ValueError(f"a file must be a CSV, got one that breaks off ({error}); save the table as CSV") from None


def _lines(text: str, delimiter: str) -> Iterator[str]:
    """The lines; ValueError at the first that cannot be of a table, before it is cut into cells."""
    for count, line in enumerate(LINE.finditer(text)):
        if count > MOST_LINES:
            raise ValueError(TOO_MANY)
        cells = line[0].count(delimiter) + 1
        if cells > MOST_CELLS:
            raise ValueError(f"{COLUMNS_RULE}, got {cells:,} in one line; leave some out")
        yield line[0]


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
        excerpt = cell if len(cell) <= NAME else f"{cell[: NAME - 1]}…"
        raise ValueError(f"{where}, got {excerpt!r}; write digits with a point, or leave the column out")
    if not math.isfinite(value):
        raise ValueError(f"{where}, got {cell.strip()[:NAME]}; fill it or remove the row")
    if abs(value) >= LARGEST:
        raise ValueError(f"{where} below {LARGEST:g}, got {value:g}; use another unit")


def _check_constant(columns: tuple[str, ...], values: np.ndarray) -> None:
    spread = values.max(axis=0) - values.min(axis=0)
    for place in np.flatnonzero(spread == 0):
        rule = f"column {columns[place]!r} must have more than one value, got {values[0, place]:g} in every row"
        raise ValueError(f"{rule}; leave it out")
