"""Every story of ours can be played from its first scene to its last, without computing anything."""

import re
from pathlib import Path

import pytest

from featdash import lessons, stories
from featdash.__main__ import main
from featdash.stories.answer import sentence_of, truth
from featdash.stories.library import name_of, read_file
from featdash.stories.reader import count_words
from featdash.story_check import lesson_parts, mistakes_in
from featdash.ui.story.question import write_number

FILES = sorted(Path(lessons.__file__).parent.glob("*/*story.md"))
LECTURES = sorted((Path(stories.__file__).parent / "lectures").glob("*.md"))
LINE = 40  # letters
MOST_WORDS = 70  # of a scene of ours, which stands beside its pictures; a lecturer's own may have more
BAD = """# A title

```story
lesson = "race"
minutes = 5
goal = "To be seen."
```

## A scene

```scene
show = ["melted"]
settings = { n = -1 }
```

Some words about nothing at all, so that there are twenty of them here for the reader to count and be content.

```ask
kind = "choice"
prompt = "Which?"
answer = "lowest methods.*.melted"
options = [{ name = "ntk", text = "NTK" }, { name = "algorithm1", text = "Algorithm 1" }]
says = ["The NTK.", "Algorithm 1, by {methods.ntk.lead}."]
because = "So it is."
```
"""


@pytest.fixture(scope="module")
def parts():
    return lesson_parts()


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_a_story_names_only_what_there_is(path, parts):
    assert not [str(mistake) for mistake in mistakes_in(path, parts)]


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_an_option_stands_on_one_line_beside_the_pictures(path):
    asked = [scene.question for scene in read_file(path).scenes if scene.question]
    assert [option.text for question in asked for option in question.options if len(option.text) > LINE] == []


@pytest.mark.parametrize("path", FILES + LECTURES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_scene_has_at_most_seventy_words(path):
    counts = {scene.title: count_words(scene.words) for scene in read_file(path).scenes}
    assert {title: count for title, count in counts.items() if count > MOST_WORDS} == {}


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_a_story_asks_and_its_runs_are_recorded(path, parts):
    story = read_file(path)
    questions = [scene.question for scene in story.scenes if scene.question]
    assert len(questions) >= 2
    assert 1 <= len(re.findall(r"[.!?](?= |$)", story.learned)) <= 2, "say in at most two sentences what one learned"
    for scene in story.scenes:
        assert scene.notes, f"{scene.title}: no notes for the lecturer"
        summary = parts[scene.lesson].summary(parts[scene.lesson].experiment.recipe(scene.settings))
        assert summary, f"{scene.title}: its run is not recorded; python -m featdash record {scene.lesson} " + " ".join(
            f"--set {name}={value}" for name, value in scene.settings.items()
        )
        if scene.question:
            assert truth(scene.question, summary)
            assert sentence_of(scene.question, summary, write_number)


def test_the_command_names_every_mistake(tmp_path, capsys):
    file = tmp_path / "bad.md"
    file.write_text(BAD)
    assert main(["story", "check", str(file)]) == 1
    told = capsys.readouterr().out
    assert "line 9: show must name pictures of the lesson, got 'melted'" in told
    assert "n must be" in told
    file.write_text(BAD.replace("-1", "100"))
    assert main(["story", "check", str(file)]) == 1
    assert "melted" in capsys.readouterr().out
    file.write_text(BAD.replace("-1", "100").replace("melted", "excess_risk"))
    assert main(["story", "check", str(file)]) == 1
    told = capsys.readouterr().out
    assert "answer must be in the run's summary, got 'methods.ntk.lead' where 'lead' is not" in told
    file.write_text(BAD.replace('says = ["The NTK.", "Algorithm 1, by {methods.ntk.lead}."]\n', ""))
    assert main(["story", "check", str(file)]) == 1
    assert "line 18: says must have one sentence for each of the 2 options, got 0; write" in capsys.readouterr().out
    assert main(["story", "check", str(FILES[0])]) == 0
    assert main(["story", "check", str(tmp_path / "none.md")]) == 1
