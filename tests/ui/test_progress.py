"""What a visitor has answered and finished: kept, merged, read from a browser's storage that anyone can write into."""

import pytest

from featdash.stories.course import ORDER
from featdash.ui.story.progress import Progress, read, text_of

KNOWN = Progress(frozenset({"race"}), {"race": frozenset({1, 3}), "lemma": frozenset({2})}, {"lemma": (7, 2)})


def test_what_is_written_is_read_again():
    assert read(text_of(KNOWN)) == KNOWN
    assert text_of(Progress()) == ""


def test_two_tabs_together_know_what_either_knows():
    other = Progress(frozenset({"lemma"}), {"race": frozenset({4})}, {"race": (8, 5), "lemma": (6, 3)})
    answered, places = {"race": frozenset({1, 3, 4}), "lemma": frozenset({2})}, {"race": (8, 5), "lemma": (7, 2)}
    both = Progress(frozenset({"race", "lemma"}), answered, places)
    assert KNOWN.merge(other) == other.merge(KNOWN) == both


@pytest.mark.parametrize(
    "text", ["", "[]", "{", "3", '{"finished": 3, "answered": {}}', '{"finished": [], "answered": []}', "[" * 9999]
)
def test_what_makes_no_sense_is_nothing(text):
    assert read(text) == Progress()


def test_of_what_makes_sense_in_part_that_part_is_taken():
    text = '{"finished": ["race", "melted", 3], "answered": {"race": [1, "2", -1, 10000000000], "melted": [1]}}'
    assert read(text) == Progress(frozenset({"race"}), {"race": frozenset({1})})
    text = '{"finished": [], "answered": {}, "places": {"race": [3, 2], "lemma": [0, 1], "sweep": [1, 999]}}'
    assert read(text) == Progress(places={"race": (3, 2)})


def test_one_goes_on_with_the_story_seen_last_and_after_a_finished_one_with_the_next():
    first, second, third = ORDER[:3]
    assert Progress().ahead() == first
    seen = Progress().after_visit(first, 4).after_visit(third, 2)
    assert (seen.ahead(), seen.scene(third), seen.scene(first)) == (third, 2, 4)
    assert seen.after_visit(first, 5).ahead() == first
    done = Progress(frozenset({first}), {}, {first: (1, 8)})
    assert (done.ahead(), done.scene(first)) == (second, 1)
    assert Progress(frozenset(ORDER), {}, {third: (1, 2)}).ahead() is None
