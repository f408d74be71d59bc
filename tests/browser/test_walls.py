"""No word of a picture on a wall is cut or lies on another one, on the smallest projector."""

import os

import pytest
from wall_words import faults, open_wall, walls

pytestmark = pytest.mark.browser
PROJECTOR = {"width": 1024, "height": 768}
# Pictures of each kind: names at the ends of curves side by side, of three panels, bars with numbers, a legend that
# wraps, cells with numbers, maps of neurons under curves. FEATDASH_WALLS=all takes every scene, about twenty minutes.
CHOSEN = [("rfm", 2), ("recovery", 4), ("ablation", 5), ("degenerate", 4), ("own_data", 3), ("race", 8)]
SCENES = list(walls()) if os.environ.get("FEATDASH_WALLS") == "all" else CHOSEN


@pytest.fixture(scope="module")
def wall(visitors, server):
    """A wall in a tab of its own that goes from scene to scene, as a lecturer's does: it is loaded once."""
    tab = visitors[0].new_page()
    tab.set_viewport_size(PROJECTOR)
    open_wall(tab, server, *SCENES[0])
    yield tab
    tab.evaluate("localStorage.clear()")
    tab.close()


@pytest.mark.parametrize(("story", "number"), SCENES)
def test_no_word_in_a_picture_on_a_wall_is_cut_or_lies_on_another(wall, server, story, number):
    assert faults(wall, server, story, number) == []
