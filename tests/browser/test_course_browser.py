"""The course in a real browser: from Home into the first story, on to the next one, and what is remembered of both."""

import pytest
from test_browser import PATIENCE, no_traceback, rest

from featdash.stories.course import ORDER
from featdash.ui import storybook

pytestmark = pytest.mark.browser
NOTHING_STORED = "() => !localStorage['featdash.progress']"


def test_what_was_finished_survives_a_reload_until_it_is_forgotten(new_tab, server):
    new_tab.set_default_timeout(PATIENCE)
    new_tab.goto(f"{server.url}/")
    new_tab.get_by_role("button", name="Start the course").click()
    new_tab.wait_for_url(f"**/lab?story={ORDER[0]}&scene=1")
    last = len(storybook.library().stories[ORDER[0]].scenes)
    new_tab.goto(f"{server.url}/lab?story={ORDER[0]}&scene={last}")
    new_tab.wait_for_function(f"() => (localStorage['featdash.progress'] ?? '').includes('{ORDER[0]}')")
    new_tab.get_by_role("button", name="Next story").click()
    new_tab.wait_for_url(f"**/one_step?story={ORDER[1]}&scene=1")
    new_tab.goto(f"{server.url}/")  # a session that knows nothing: the browser tells it
    done = new_tab.get_by_text("✓ done")
    done.wait_for()
    assert done.count() == 1
    new_tab.get_by_role("button", name="Forget my answers").click()
    done.wait_for(state="detached")
    new_tab.wait_for_function(NOTHING_STORED)
    new_tab.reload()
    new_tab.get_by_role("button", name="Start the course").wait_for()
    rest(new_tab)
    assert done.count() == 0
    no_traceback(new_tab)
