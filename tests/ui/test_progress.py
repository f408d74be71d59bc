"""What a visitor has answered and finished: kept, merged, read from a browser's storage that anyone can write into."""

import pytest

from featdash.ui.progress import Progress, read, text_of

KNOWN = Progress(frozenset({"race"}), {"race": frozenset({1, 3}), "lemma": frozenset({2})})


def test_what_is_written_is_read_again():
    assert read(text_of(KNOWN)) == KNOWN
    assert text_of(Progress()) == ""


def test_two_tabs_together_know_what_either_knows():
    other = Progress(frozenset({"lemma"}), {"race": frozenset({4})})
    both = Progress(frozenset({"race", "lemma"}), {"race": frozenset({1, 3, 4}), "lemma": frozenset({2})})
    assert KNOWN.merged(other) == other.merged(KNOWN) == both


@pytest.mark.parametrize(
    "text", ["", "[]", "{", "3", '{"finished": 3, "answered": {}}', '{"finished": [], "answered": []}', "[" * 9999]
)
def test_what_makes_no_sense_is_nothing(text):
    assert read(text) == Progress()


def test_of_what_makes_sense_in_part_that_part_is_taken():
    text = '{"finished": ["race", "melted", 3], "answered": {"race": [1, "2", -1, 10000000000], "melted": [1]}}'
    assert read(text) == Progress(frozenset({"race"}), {"race": frozenset({1})})
