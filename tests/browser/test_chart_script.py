"""The charts' script in a real browser: one for all pictures of the page, and asked for again when it does not come."""

import pytest
from test_browser import PATIENCE, RISK

from featdash.ui.stage.chart import ADDRESS, SCRIPT

pytestmark = pytest.mark.browser
MISSING = "The pictures could not be loaded"


def test_pictures_come_as_soon_as_their_script_can_be_had_and_it_comes_once(new_tab, server):
    frames, asked = [], []

    def refuse_two(route):
        asked.append(route.request.url)
        route.abort() if len(asked) <= 2 else route.continue_()

    new_tab.on("websocket", lambda socket: socket.on("framereceived", lambda frame: frames.append(frame)))
    new_tab.route(f"**/{ADDRESS}*", refuse_two)
    new_tab.goto(f"{server.url}/lab?mode=explore")
    new_tab.get_by_text(MISSING).wait_for(timeout=PATIENCE)
    new_tab.wait_for_selector(f"{RISK}[data-updates]", timeout=PATIENCE)
    assert new_tab.get_by_text(MISSING).count() == 0
    tries = len(asked)
    assert tries >= 3
    new_tab.get_by_text("Log risk").first.click()
    new_tab.wait_for_function("s => Number(document.querySelector(s).dataset.updates) > 1", arg=RISK, timeout=PATIENCE)
    assert len(asked) == tries
    inner = SCRIPT.partition("function arrange(")[2][:60].encode()
    assert any(b"featdash_chart" in frame for frame in frames)
    assert not any(inner in frame for frame in frames), "it does not come with what changes in a picture"
