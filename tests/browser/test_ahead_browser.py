"""Pictures go ahead of their page, in a real browser, and come with it where they cannot."""

import re

import pytest
from test_browser import PATIENCE, no_traceback, rest, wait_for_text, wait_until

pytestmark = pytest.mark.browser
QUICK = "mode=explore&width=40&holdout=1000&test=1000&steps=1000"
PAGE, AHEAD = re.compile("_stcore/stream"), re.compile("featdash/ahead/")
DRAWN = "() => [...document.querySelectorAll('.featdash-chart')].map(({ dataset }) => Number(dataset.updates ?? 0))"
# A socket that has closed is not opened again at once.
THREE_SECONDS_LATER = "document.querySelector('.featdash-frame').featdash.stage.ahead.next = 0"
CHANGED = f"before => ({DRAWN})().some((count, index) => count > before[index])"


class Messages:
    """Those of a page to its browser, which may be kept back."""

    def __init__(self):
        self.kept, self._waits = [], False

    def open(self, route):
        self._browser, there = route, route.connect_to_server()
        there.on_message(lambda message: self.kept.append(message) if self._waits else route.send(message))

    def keep(self):
        self._waits = True

    def let_go(self):
        self._waits = False
        while self.kept:
            self._browser.send(self.kept.pop(0))


class WayAhead:
    """A tab's sockets on which pictures go ahead. Once it is shut, those are closed and no other is let through.

    refused : the addresses of those that were not let through.
    """

    def __init__(self, tab):
        self.refused, self._open, self._is_shut = [], [], False
        tab.route_web_socket(AHEAD, self._come)

    def _come(self, socket):
        if self._is_shut:
            self.refused.append(socket.url)
            socket.close()
        else:
            self._open.append(socket)
            socket.connect_to_server()

    def shut(self):
        self._is_shut = True
        for socket in self._open:
            socket.close()


def change_n(tab):
    tab.get_by_role("slider", name="Samples n").press("ArrowRight")


def test_pictures_of_a_new_setting_are_there_before_their_page_and_with_it_where_they_cannot(new_tab, server):
    messages, ahead = Messages(), WayAhead(new_tab)
    new_tab.route_web_socket(PAGE, messages.open)
    new_tab.goto(f"{server.url}/lab?{QUICK}&n=300&seed=41")
    wait_for_text(new_tab, "Finished, computed in")
    rest(new_tab)
    address, drawn = new_tab.url, new_tab.evaluate(DRAWN)
    messages.keep()
    change_n(new_tab)
    new_tab.wait_for_function(CHANGED, arg=drawn, timeout=PATIENCE)
    new_tab.wait_for_selector(".featdash-state progress:visible", timeout=PATIENCE)
    wait_until(new_tab, lambda: len(messages.kept) > 100)
    assert new_tab.url == address, "the page itself has said nothing yet"
    messages.let_go()
    new_tab.wait_for_url(lambda url: url != address, timeout=PATIENCE)
    wait_for_text(new_tab, "Finished, computed in")
    rest(new_tab)
    no_traceback(new_tab)

    assert ahead.refused == []
    ahead.shut()
    new_tab.evaluate(THREE_SECONDS_LATER)
    address, drawn = new_tab.url, new_tab.evaluate(DRAWN)
    change_n(new_tab)
    new_tab.wait_for_url(lambda url: url != address, timeout=PATIENCE)
    new_tab.wait_for_function(CHANGED, arg=drawn, timeout=PATIENCE)
    wait_for_text(new_tab, "Finished, computed in")
    assert ahead.refused
    no_traceback(new_tab)
