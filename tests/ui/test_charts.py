"""What the charts' component is given to read, look after look."""

import json
from types import SimpleNamespace

import pytest

from featdash.ui.kit.shared import RenderedPicture
from featdash.ui.stage import chart


def picture(text):
    return RenderedPicture(json.dumps({"figure": text}).encode(), "A sentence.", {}, mark=f"mark of {text}")


@pytest.fixture
def browser(monkeypatch):
    """Reads what is mounted as the browser does; `ask` is what its request for all pictures calls."""
    browser = SimpleNamespace()

    def component(*, data, on_missing_change, on_point_change, **_):
        browser.panels, browser.ask = json.loads(data)["panels"], on_missing_change
        browser.click = on_point_change
        return SimpleNamespace(theme=None, flat=None)

    monkeypatch.setattr(chart, "_component", component)
    return browser


def mount(sent, **pictures):
    chart.mount(pictures, key="pictures", marks=sent)


def received(browser):
    return {name for name, panel in browser.panels.items() if "picture" in panel}


def test_a_picture_that_has_not_changed_is_not_sent_again(browser):
    sent = {}
    mount(sent, map=picture("a"), curve=picture("b"))
    assert received(browser) == {"map", "curve"}
    mount(sent, map=picture("a"), curve=picture("c"))
    assert received(browser) == {"curve"}
    assert browser.panels["map"] == {"mark": "mark of a"}
    assert browser.panels["curve"] == {"mark": "mark of c", "picture": {"figure": "c"}}


def test_a_picture_that_was_gone_for_a_look_is_sent_again(browser):
    """The browser lets it go with its place."""
    sent = {}
    mount(sent, map=picture("a"), curve=picture("b"))
    mount(sent, map=picture("a"))
    mount(sent, map=picture("a"), curve=picture("b"))
    assert received(browser) == {"curve"}


def test_a_browser_that_asks_is_sent_all(browser):
    sent = {}
    mount(sent, map=picture("a"), curve=picture("b"))
    browser.ask()
    mount(sent, map=picture("a"), curve=picture("b"))
    assert received(browser) == {"map", "curve"}


def test_a_page_that_is_drawn_whole_is_sent_all(browser):
    for _ in range(2):
        mount(None, map=picture("a"))
        assert received(browser) == {"map"}


def test_a_click_on_a_point_is_taken_before_the_page_is_drawn(browser, monkeypatch):
    taken = []
    said = SimpleNamespace(session_state={"pictures": {"point": {"panel": "map", "data": [7, 31]}}})
    monkeypatch.setattr(chart, "st", said)
    chart.mount({"map": picture("a")}, key="pictures", point=lambda *what: taken.append(what))
    assert taken == []
    browser.click()
    assert taken == [("map", [7, 31])]
