"""What of a run's film a scene shows: no further than it says, and no phase in which its pictures stand still."""

from dataclasses import replace
from pathlib import Path

import pytest
from app_pages import inline_service
from taken_runs import LESSONS, taken

from featdash.lessons.recovery import lesson
from featdash.stories.library import read_file
from featdash.stories.reader import read_story
from featdash.ui.stage import film
from featdash.ui.story.scene_panels import panels_of

RECOVERY = Path(lesson.__file__).with_name("story.md")
STORY = """# Title

```story
lesson = "more-steps"
minutes = 3
goal = "Goal."
learned = "Learned."
```

## Scene

```scene
show = ["alignment", "samples"]
until = 2
```

{words}
"""


@pytest.fixture(scope="module", autouse=True)
def _private_service(tmp_path_factory):
    with inline_service(tmp_path_factory.mktemp("home")):
        yield


def test_a_scene_that_ends_early_shows_the_run_as_if_it_had():
    story, part, view = read_story(STORY.format(words="word " * 40)), LESSONS["more-steps"], taken("more-steps").view
    panels = panels_of(part, story.scenes[0], lambda _: None)
    alignment, samples = (panel.render(view) for panel in panels)
    assert alignment.alt.startswith("After 2 steps the alignment is 0.46")
    assert set(samples.table["steps"]) == {1, 2}
    whole = film.track(view.run, part.panels, part.film, (), None)["phases"][0]["words"]
    assert film.track(view.run, panels, part.film, (), None)["phases"][0]["words"] == whole[:3]


def test_the_ends_of_the_first_stages_are_moments_of_a_film_that_has_hundreds():
    (scene, *_), part, view = read_file(RECOVERY).scenes, LESSONS["recovery"], taken("recovery").view
    track = film.track(view.run, panels_of(part, scene, lambda _: None), part.film, (), None)
    assert track["phases"][0]["words"] == ["at the start", "after stage 1: one step", "after stage 2: the head"]


def test_a_phase_in_which_nothing_on_show_moves_takes_no_time():
    part, view = LESSONS["ablation"], taken("ablation").view
    fourth = replace(view, options=replace(view.options, line=4))
    (picture,) = [panel.render(fourth) for panel in part.panels if panel.short == "line"]
    words = [phase["words"] for phase in film.track(view.run, part.panels, part.film, (), [picture.film])["phases"]]
    assert picture.film == (1.0, 2.0)
    assert words[0] == []
    assert len(words[1]) > 1
