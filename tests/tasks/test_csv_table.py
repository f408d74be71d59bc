"""A visitor's table: what is read, and one sentence with name, rule, value and remedy for all that is not."""

import tracemalloc

import numpy as np
import pytest

from featdash.tasks.csv_table import MOST_BYTES, check_target, read_csv

ROWS = 60


def file_of(*lines, head="a,b,c"):
    body = lines or [f"{i},{i * i % 7},{i % 3}.5" for i in range(ROWS)]
    return "\n".join([head, *body]).encode()


GOOD = [f"{i},{i * i % 7},{i % 3}.5" for i in range(ROWS)]
VALUES = np.array([[i, i * i % 7, i % 3 + 0.5] for i in range(ROWS)], float)


@pytest.mark.parametrize(
    "data",
    [
        file_of(),
        file_of().replace(b"\n", b"\r\n"),
        b"\xef\xbb\xbf" + file_of(),
        file_of().replace(b",", b";"),
        file_of().replace(b",", b"\t"),
        b"\n\n" + file_of() + b"\n\n",
        file_of(*[line.replace(",", " , ") for line in GOOD]),
    ],
)
def test_a_table_is_read_as_it_was_written(data):
    table = read_csv(data)
    assert table.columns == ("a", "b", "c")
    np.testing.assert_array_equal(table.values, VALUES)


def test_without_names_columns_are_numbered_and_no_row_is_lost():
    table = read_csv("\n".join(GOOD).encode())
    assert table.columns == ("column 1", "column 2", "column 3")
    np.testing.assert_array_equal(table.values, VALUES)


def test_names_are_told_apart_shortened_and_carry_no_markup():
    table = read_csv(file_of(head='<b>x</b>,"long name, with a comma and much more",x'))
    assert len(set(table.columns)) == 3
    assert all(len(name) <= 24 and not set(name) & set("<>&$`") for name in table.columns)
    assert len(set(read_csv(file_of(head="x,x,x")).columns)) == 3
    assert all(read_csv(file_of(head="x,,")).columns)


REFUSED = {
    "empty": (b"", "rows of numbers", "empty"),
    "blank": (b"\n\n  \n", "rows of numbers", "empty"),
    "no text": (b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 20, "UTF-8", "byte"),
    "zero bytes": (b"a,b\n1,\x002\n", "CSV", "zero bytes"),
    "prose": (b"Dear all\n" + b"this is no table\n" * 60, "columns", "got 1"),
    "too few rows": (file_of(*GOOD[:10]), "50 to", "got 10"),
    "too many rows": (file_of(*[f"{i},{i % 5},{i % 3}" for i in range(20_001)]), "20,000 rows", "20,001"),
    "too many columns": (file_of(*[",".join(map(str, range(201)))] * 60, head=",".join("x" * 201)), "200", "got 201"),
    "too large": (b"a,b\n" + b"1,2\n" * (MOST_BYTES // 4), f"{MOST_BYTES:,} bytes", "5,000,004"),
    "text": (file_of(*GOOD[:20], "1,two,3", *GOOD[20:]), "'b'", "'two'"),
    "empty cell": (file_of(*GOOD[:20], "1,,3", *GOOD[20:]), "'b'", "row 22"),
    "NaN": (file_of(*GOOD[:20], "1,nan,3", *GOOD[20:]), "'b'", "nan"),
    "infinite": (file_of(*GOOD[:20], "1,-inf,3", *GOOD[20:]), "'b'", "-inf"),
    "underscore": (file_of(*GOOD[:20], "1,1_000,3", *GOOD[20:]), "'b'", "1_000"),
    "beyond": (file_of(*GOOD[:20], "1,1e300,3", *GOOD[20:]), "1e+100", "1e+300"),
    "constant": (file_of(*[f"{i},5,{i % 3}" for i in range(60)]), "'b' must have more than one value", "5"),
    "a line of cells": (b"a,b\n" + b"1," * 20_000, "2 to 200 columns", "got 20,001 in one line"),
    "empty lines": (file_of(*GOOD) + b"\n" * 100_000, "20,000 rows", "20,001 or more"),
    "ragged": (file_of(*GOOD[:20], "1,2", *GOOD[20:]), "row 22 must have 3 cells", "got 2"),
    "broken quotes": (b'a,b\n"' + b"x" * 140_000, "CSV", "breaks off"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_no_table_of_numbers_is_refused_in_one_sentence(name):
    data, rule, value = REFUSED[name]
    with pytest.raises(ValueError, match="must") as refused:
        read_csv(data)
    text = str(refused.value)
    assert rule in text
    assert value in text
    assert text.count("; ") == 1
    assert ", got " in text
    assert "\n" not in text
    assert len(text) < 200


def test_a_target_must_be_there_and_vary():
    table = read_csv(file_of(*[f"{i},{int(i < 3)},{i % 3}" for i in range(60)]))
    check_target(table, "a")
    with pytest.raises(ValueError, match="at least 10 rows, 'b' does in 3; choose another column"):
        check_target(table, "b")
    with pytest.raises(ValueError, match="target must be a column of the table, got 'z'"):
        check_target(table, "z")


def test_a_table_tells_nothing_of_itself_where_objects_are_written_out():
    assert "[" not in repr(read_csv(file_of()))


@pytest.mark.parametrize(
    "data", [b"11\n" * (MOST_BYTES // 3), b"a,b\n" + b"11," * (MOST_BYTES // 3 - 2), b"12,34\n" * (MOST_BYTES // 6)]
)
def test_a_file_that_is_refused_costs_little_more_than_its_bytes(data):
    tracemalloc.start()
    try:
        with pytest.raises(ValueError, match="must have"):
            read_csv(data)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 3 * MOST_BYTES
