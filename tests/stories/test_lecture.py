"""Lectures: scenes borrowed from stories, kept runs, a file and a link that bring them back."""

import hashlib
from dataclasses import replace

import pytest

from featdash.lessons import PAGES, lessons_of
from featdash.stories.lecture import (
    LONGEST,
    MOST,
    TO_WRITE,
    WORDS,
    gone_from_link,
    is_unwritten,
    link_of,
    no_longer_there,
    read_stored,
    scenes_of,
    stored_text,
    story_of,
    story_text,
)
from featdash.stories.library import collect
from featdash.stories.reader import read_story
from featdash.stories.story import LECTURE, Scene
from featdash.ui.story import storybook

PARTS = {part.experiment.name: part for page in PAGES for part in lessons_of(page)}
KEPT = Scene("Race: n = 100", WORDS, "race", ("risk", "neurons"), {"n": 100, "target": "pretrain"}, {"risk": "train"})


@pytest.fixture(scope="module")
def stories():
    return storybook.library().stories


def test_three_lectures_are_shipped_and_all_their_scenes_are_there(stories):
    assert not storybook.library().mistakes
    lectures = storybook.lectures(PARTS)
    assert set(lectures) == {"ten-minutes", "paper", "reading-group"}
    for story in lectures.values():
        assert story.lesson == LECTURE
        for scene in story.scenes:
            assert scene.words == next(one for one in stories[scene.story].scenes if one.title == scene.title).words
            assert scene.show


def test_a_file_of_borrowed_and_kept_scenes_is_read_back(tmp_path):
    borrowed = storybook.lectures(PARTS)["ten-minutes"].scenes[0]
    story = story_of([borrowed, KEPT, KEPT])
    told = read_story(story_text(story))
    assert [scene.title for scene in told.scenes] == [borrowed.title, KEPT.title, f"{KEPT.title} (2)"]
    assert told.scenes[0].story == "race"
    assert (told.scenes[1].settings, told.scenes[1].view, told.scenes[1].show) == (KEPT.settings, KEPT.view, KEPT.show)
    (tmp_path / "mine.md").write_text(story_text(story))
    (tmp_path / "bad.md").write_text(story_text(story).replace(borrowed.title, "No such scene"))
    shipped = sorted((storybook.PACKAGE / "lessons").glob("*/*story.md"))
    library = collect(shipped, [tmp_path / "mine.md", tmp_path / "bad.md"])
    assert library.own == {"my-mine"}
    assert library.stories["my-mine"].scenes[0].words == borrowed.words
    ((path, (mistake,)),) = library.mistakes.items()
    assert path.name == "bad.md"
    assert "got 'No such scene'; known are A puzzle with a hidden direction" in str(mistake)


def test_a_link_brings_the_lecture_back(stories):
    borrowed = storybook.lectures(PARTS)["paper"].scenes
    back = scenes_of(link_of([*borrowed[:3], KEPT]), stories)
    assert [scene.title for scene in back] == [*(scene.title for scene in borrowed[:3]), KEPT.title]
    assert back[0].words == borrowed[0].words
    assert (back[3].settings, back[3].view, back[3].show) == (KEPT.settings, KEPT.view, KEPT.show)


@pytest.mark.parametrize("link", ["", "melted", "e" * 20_000, link_of([KEPT])[:-9], "eJwDAAAAAAE"])
def test_a_bad_link_is_one_sentence(link, stories):
    with pytest.raises(ValueError, match="the lecture of this link cannot be read; ask for"):
        scenes_of(link, stories)


def test_a_link_finds_a_scene_by_the_title_that_it_had(stories):
    kept = replace(KEPT, story="degenerate", title="Learning from noise")
    (found,) = scenes_of(link_of([kept]), stories)
    assert found.title == "Fewer dimensions"
    assert gone_from_link(link_of([kept]), stories) == []


def test_a_link_brings_what_there_still_is_and_names_what_there_is_not(stories):
    gone = [replace(KEPT, story="race", title="No such scene"), replace(KEPT, story="melted", title="Nor this")]
    link = link_of([gone[0], KEPT, gone[1]])
    assert [scene.title for scene in scenes_of(link, stories)] == [KEPT.title]
    assert no_longer_there(gone_from_link(link, stories)).endswith("no longer there: «No such scene», «Nor this»")
    with pytest.raises(ValueError, match="A scene of this lecture is no longer there: «No such scene»"):
        scenes_of(link_of(gone[:1]), stories)


def test_a_lecture_too_long_for_a_link_says_so():
    digests = ["".join(hashlib.sha256(bytes([index, part])).hexdigest() for part in range(8)) for index in range(MOST)]
    many = [Scene(digest, WORDS, "race", ("risk",)) for digest in digests]
    with pytest.raises(ValueError, match=f"at most {LONGEST} characters"):
        link_of(many)


def test_half_a_character_in_a_link_is_the_same_sentence(stories):
    """Which JSON can tell and no page can draw."""
    for told in (replace(KEPT, title="\ud800"), replace(KEPT, settings={"target": "\udfff"})):
        with pytest.raises(ValueError, match="the lecture of this link cannot be read"):
            scenes_of(link_of([told]), stories)


def test_what_a_browser_has_stored_is_read_without_what_there_is_no_longer(stories):
    borrowed = storybook.lectures(PARTS)["paper"].scenes[0]
    gone = replace(borrowed, title="No such scene")
    assert [scene.title for scene in read_stored(stored_text([gone, borrowed, KEPT]), stories)] == [
        borrowed.title,
        KEPT.title,
    ]
    for text in ("", "melted", "{}", "[" * 99_000, stored_text([KEPT]).replace("Race", "\\ud800")[:-1]):
        with pytest.raises(ValueError, match=r"scenes|JSON|line|char|Expecting"):
            read_stored(text, stories)


@pytest.mark.parametrize("entry", ['{"title": "Race", "lesson": "race"}', '"race"', "[]", "null"])
def test_a_stored_scene_that_lacks_something_is_there_no_longer(stories, entry):
    assert read_stored(f"[{entry}, {stored_text([KEPT])[1:]}", stories) == read_stored(stored_text([KEPT]), stories)


def test_a_link_into_which_something_strayed_cannot_be_read(stories):
    link = link_of([KEPT])
    for stray in ("!", " ", "%"):
        with pytest.raises(ValueError, match="the lecture of this link cannot be read"):
            scenes_of(link[:20] + stray + link[20:], stories)


def test_a_lecture_has_an_end():
    with pytest.raises(ValueError, match=f"at most {MOST} scenes, got {MOST + 1}; remove one"):
        stored_text([KEPT] * (MOST + 1))


def test_only_a_file_asks_for_words_where_they_can_be_written():
    assert TO_WRITE in story_text(story_of([KEPT]))
    assert "Write" not in WORDS
    assert is_unwritten(read_story(story_text(story_of([KEPT]))).scenes[0])


def test_a_scene_is_unwritten_until_someone_says_what_to_look_at():
    assert is_unwritten(KEPT)
    assert is_unwritten(replace(KEPT, words=f"{WORDS}\n".replace(" with", "\nwith"))), "however its lines are broken"
    assert not is_unwritten(replace(KEPT, words="Look at the bars."))


def test_a_second_link_reads_no_recorded_run_again(monkeypatch):
    storybook.scenes_in_link(link_of([replace(KEPT, title="A")]), PARTS)
    read, once = [], storybook.read_archive
    monkeypatch.setattr(storybook, "read_archive", lambda path, **how: read.append(path) or once(path, **how))
    assert storybook.scenes_in_link(link_of([replace(KEPT, title="B")]), PARTS)[0].title == "B"
    assert read == []
