"""The charts' script in a real browser: one for all pictures of the page, and asked for again when it does not come."""

import pytest
from test_browser import PATIENCE, RISK, open_lab

from featdash.ui.stage.chart import ADDRESS, SCRIPT

pytestmark = pytest.mark.browser
MISSING = "The pictures could not be loaded"


def test_pictures_come_as_soon_as_their_script_can_be_had(new_tab, server):
    asked = []

    def refuse_two(route):
        asked.append(route.request.url)
        route.abort() if len(asked) <= 2 else route.continue_()

    new_tab.route(f"**/{ADDRESS}*", refuse_two)
    new_tab.goto(f"{server.url}/lab?mode=explore")
    new_tab.get_by_text(MISSING).wait_for(timeout=PATIENCE)
    new_tab.wait_for_selector(f"{RISK}[data-updates]", timeout=PATIENCE)
    assert new_tab.get_by_text(MISSING).count() == 0
    assert len(asked) >= 3


def test_the_script_comes_once_and_not_with_what_changes_in_a_picture(new_tab, server):
    frames, asked = [], []
    new_tab.on("websocket", lambda socket: socket.on("framereceived", lambda frame: frames.append(frame)))
    new_tab.on("request", lambda request: ADDRESS in request.url and asked.append(request.url))
    open_lab(new_tab, server)
    new_tab.get_by_text("Log risk").first.click()
    new_tab.wait_for_function("s => Number(document.querySelector(s).dataset.updates) > 1", arg=RISK, timeout=PATIENCE)
    assert len(asked) == 1
    inner = SCRIPT.partition("function arrange(")[2][:60].encode()
    assert any(b"featdash_chart" in frame for frame in frames)
    assert not any(inner in frame for frame in frames)
