"""The course holds each story once, and nobody meets a story before what it needs."""

from graphlib import TopologicalSorter
from pathlib import Path

from featdash import lessons
from featdash.stories.course import COURSE, NEEDS, ORDER, REMOVED, next_story, place_in_course, removal
from featdash.stories.library import name_of

SHIPPED = sorted(name_of(path) for path in Path(lessons.__file__).parent.glob("*/*story.md"))


def test_each_story_stands_in_the_course_once():
    assert sorted(name for part in COURSE for name in part.stories) == SHIPPED


def test_what_a_story_needs_comes_before_it_and_nothing_needs_itself():
    assert set(TopologicalSorter(NEEDS).static_order()) == set(ORDER)  # CycleError if there is a cycle
    late = [
        (name, one) for name, needs in NEEDS.items() for one in needs if place_in_course(one) >= place_in_course(name)
    ]
    assert late == []
    assert [name for name, needs in NEEDS.items() if not needs] == [ORDER[0]]


def test_from_the_first_story_next_leads_through_all_of_them_and_ends():
    walked = [ORDER[0]]
    while (name := next_story(walked[-1])) is not None:
        walked.append(name)
    assert walked == list(ORDER)
    assert next_story("my-own") is None


def test_what_was_removed_is_neither_a_story_nor_an_experiment_and_says_so_by_either_name():
    for name, sentence in REMOVED.items():
        assert name not in ORDER
        assert name.replace("_", "-") not in lessons.EXPERIMENTS
        assert removal(name) == removal(name.replace("_", "-")) == sentence
        assert "no longer here" in sentence
    assert removal(ORDER[0]) == removal("melted") == ""
