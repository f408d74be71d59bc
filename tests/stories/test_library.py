"""Stories are collected from files; a file that holds none costs none of the others."""

import os

import pytest

from featdash.lessons.race.lesson import LESSON
from featdash.stories import library
from featdash.stories.library import collect, read_file
from featdash.stories.story import StoryError
from featdash.ui.story import storybook

STORY = """# {title}

```story
lesson = "race"
minutes = 5
goal = "See it."
```

## One scene

```scene
show = ["risk"]
```

{words}
"""
WORDS = "One two three four five six seven eight nine ten. " * 5


def write(path, title="A story", words=WORDS):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(STORY.format(title=title, words=words), encoding="utf-8")
    return path


def test_stories_are_called_as_their_folder_or_as_a_lecturers_file(tmp_path):
    found = collect([write(tmp_path / "race" / "story.md")], [write(tmp_path / "monday.md", "Mine")])
    assert {name: story.title for name, story in found.stories.items()} == {"race": "A story", "my-monday": "Mine"}
    assert found.own == {"my-monday"}
    assert found.mistakes == {}


def test_a_bad_file_is_told_with_line_and_remedy_and_the_others_load(tmp_path):
    bad = tmp_path / "bad.md"
    bad.write_text("no title here", encoding="utf-8")
    found = collect([write(tmp_path / "race" / "story.md")], [bad])
    assert list(found.stories) == ["race"]
    assert list(found.mistakes) == [bad]
    assert all(one.line >= 1 and one.rule and one.remedy for one in found.mistakes[bad])


@pytest.mark.parametrize("content", [b"\xff\xfe not text \xff", b"x" * (library.LARGEST + 1), None])
def test_what_is_no_text_too_large_or_missing_is_one_sentence(tmp_path, content):
    path = tmp_path / "story.md"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(StoryError, match="line 1: a story must"):
        read_file(path)


@pytest.mark.parametrize(
    ("bad", "trouble"),
    [
        ("minutes = " + "9" * 5000, "4300 digits"),
        ("minutes = 5.0\ngoal = 0x" + "f" * 5000, "4300 digits"),
        ("minutes = " + "[" * 3000 + "]" * 3000, "nested too deeply"),
    ],
)
def test_what_a_parser_cannot_take_costs_that_file_alone_and_is_told_where_own_stories_are(
    tmp_path, monkeypatch, bad, trouble
):
    monkeypatch.setenv(storybook.FOLDER, str(tmp_path))
    good, path = write(tmp_path / "good.md"), tmp_path / "bad.md"
    path.write_text(good.read_text(encoding="utf-8").replace('minutes = 5\ngoal = "See it."', bad), encoding="utf-8")
    lab = {"race": LESSON}
    assert {"race", "my-good"} <= set(storybook.stories_of(lab))
    wrong = storybook.wrong_files(lab)
    assert list(wrong) == [path]
    (mistake,) = map(str, wrong[path])
    assert "bad.md must be a story that can be read" in mistake
    assert trouble in mistake
    assert len(mistake) < 200


def test_a_lecturers_folder_is_read_again_when_a_file_changes(tmp_path, monkeypatch):
    monkeypatch.setenv(storybook.FOLDER, str(tmp_path))
    before = set(storybook.library().stories)
    path = write(tmp_path / "monday.md", "Before")
    assert set(storybook.library().stories) - before == {"my-monday"}
    write(path, "After")
    os.utime(path, ns=(1, 1))
    assert storybook.library().stories["my-monday"].title == "After"
    assert "race" in storybook.library().stories, "those that are shipped stay"


def test_a_page_has_the_stories_of_its_lessons_with_those_shipped_first(tmp_path, monkeypatch):
    monkeypatch.setenv(storybook.FOLDER, str(tmp_path))
    write(tmp_path / "aaa.md")
    lab = {"race": LESSON}
    found = storybook.stories_of(lab)
    assert list(found)[-1] == "my-aaa"
    assert all(story.lesson == "race" for story in found.values())
    assert storybook.wrong_files(lab) == {}
    assert storybook.stories_of({}) == {}


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ('show = ["risk"]', 'show = ["melted"]', "got 'melted'; known are neurons, risk"),
        ('show = ["risk"]', 'show = ["risk"]\nsettings = { n = -1 }', "n must be a whole number"),
        ('show = ["risk"]', 'show = ["risk"]\nlesson = "sweep"', "lesson must be one of race, got 'sweep'"),
    ],
)
def test_a_story_that_names_what_there_is_not_is_told_and_not_played(tmp_path, monkeypatch, before, after, said):
    monkeypatch.setenv(storybook.FOLDER, str(tmp_path))
    path = write(tmp_path / "wrong.md")
    assert before in path.read_text()
    path.write_text(path.read_text().replace(before, after))
    lab = {"race": LESSON}
    assert "my-wrong" not in storybook.stories_of(lab)
    assert "race" in storybook.stories_of(lab), "the others are played"
    (mistake,) = storybook.wrong_files(lab)[path]
    assert said in str(mistake)
