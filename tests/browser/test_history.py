"""Back and Forward lead where the visitor wants, though what was asked for before arrives late, or asks once more.

A slow connection is a fast one whose answers are held back until the test lets them through.
"""

import re

import pytest
from playwright.sync_api import expect
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from test_browser import PATIENCE, go_to_page, no_traceback, rest, wait_until

pytestmark = pytest.mark.browser
SOCKET = re.compile("_stcore/stream")
EMERGENCE = "emergence?mode=explore"
AT_EMERGENCE, AT_LAB = "Run emergence", "Run race"


class Connection:
    """A tab's connection to its server. While it is held, what the server says waits.

    address : of the page that the tab shows, as its next request tells it, in place of the true one: (url, query).
    """

    def __init__(self, tab):
        self.tab, self.held, self.asked, self.address = tab, None, None, None
        tab.route_web_socket(SOCKET, self._open)

    def _open(self, browser):
        self.browser, self.server = browser, browser.connect_to_server()
        browser.on_message(self._asked)
        self.server.on_message(self._told)

    def _asked(self, message):
        request = BackMsg.FromString(message)
        if request.HasField("rerun_script") and not request.rerun_script.fragment_id:
            if self.address:
                request.rerun_script.context_info.url, request.rerun_script.query_string = self.address
                self.address, message = None, request.SerializeToString()
            self.asked = message
        self.server.send(message)

    def _told(self, message):
        if self.held is None:
            self.browser.send(message)
        else:
            self.held.append(message)

    def hold(self):
        self.held = []

    def wait_for_answer(self, runs=1):
        """Until the server has drawn its page so many times."""

        def answered():
            kinds = [ForwardMsg.FromString(message).WhichOneof("type") for message in self.held]
            return kinds.count("script_finished") >= runs

        wait_until(self.tab, answered)

    def release(self):
        while self.held:
            self.browser.send(self.held.pop(0))
        self.held = None


@pytest.fixture
def connection(new_tab):
    return Connection(new_tab)


def come(tab, server, address):
    tab.goto(f"{server.url}/{address}")
    rest(tab)


def stands(tab, name):
    tab.get_by_role("button", name=name, exact=True).wait_for(timeout=PATIENCE)
    rest(tab)
    no_traceback(tab)


def explore_the_lab(tab):
    tab.get_by_role("link", name="Lab", exact=True).click()
    tab.wait_for_url("**/lab")
    tab.locator(".st-key-walk").wait_for()  # of its story: the page before has the same control
    rest(tab)
    tab.get_by_text("Explore", exact=True).first.click()
    stands(tab, AT_LAB)


def from_emergence_to_the_lab(tab, server):
    come(tab, server, EMERGENCE)
    stands(tab, AT_EMERGENCE)
    explore_the_lab(tab)


def is_at_emergence_and_goes_forward(tab, lab):
    stands(tab, AT_EMERGENCE)
    assert tab.url.endswith(EMERGENCE)
    tab.go_forward()
    tab.go_forward()
    stands(tab, AT_LAB)
    assert tab.url == lab


def test_back_holds_while_the_page_before_is_drawn_and_though_it_asks_once_more(new_tab, connection, server):
    from_emergence_to_the_lab(new_tab, server)
    lab, asked = new_tab.url, connection.asked

    connection.hold()  # the page before is still being drawn
    new_tab.get_by_text("Log risk", exact=True).click()
    connection.wait_for_answer()
    answers = [ForwardMsg.FromString(message) for message in connection.held]
    assert max(map(len, connection.held)) > 10_000  # a picture, of what Streamlit would keep
    assert not any(one.metadata.cacheable or one.WhichOneof("type") == "ref_hash" for one in answers), (
        "the browser may have dropped what an answer refers to"
    )
    new_tab.go_back()
    new_tab.go_back()
    connection.release()
    is_at_emergence_and_goes_forward(new_tab, lab)

    connection.hold()  # the page before asks to be drawn again
    new_tab.go_back()
    new_tab.go_back()
    connection.server.send(asked)  # as a run that ends asks for the whole page, in place of what its visitor has asked
    connection.wait_for_answer()
    connection.release()
    is_at_emergence_and_goes_forward(new_tab, lab)


def test_a_page_takes_no_settings_from_the_address_of_the_page_before(new_tab, connection, server):
    from_emergence_to_the_lab(new_tab, server)
    new_tab.get_by_role("spinbutton", name="Dimension d").fill("9")
    new_tab.keyboard.press("Enter")
    new_tab.wait_for_url(re.compile("d=9"))
    rest(new_tab)
    url, query = new_tab.url.split("?")
    connection.address = (url, query)  # as of a click that is made before the page has its address
    go_to_page(new_tab, "Around it", "Emergence")
    stands(new_tab, AT_EMERGENCE)
    assert connection.address is None
    assert new_tab.url.endswith(EMERGENCE)


def test_back_from_a_scene_that_was_not_drawn_yet_leads_to_the_one_before(new_tab, connection, server):
    come(new_tab, server, "lab?story=race&scene=2")
    new_tab.get_by_role("button", name=re.compile("^Next")).click()
    new_tab.wait_for_url(re.compile("scene=3"))
    rest(new_tab)
    connection.hold()
    new_tab.get_by_role("button", name=re.compile("^Next")).click()
    connection.wait_for_answer()
    new_tab.go_back()
    connection.release()
    new_tab.get_by_text("Three contenders").first.wait_for()
    rest(new_tab)
    assert "scene=2" in new_tab.url
    new_tab.go_forward()
    new_tab.wait_for_url(re.compile("scene=3"))
    new_tab.get_by_text("Three contenders").first.wait_for(state="detached")
    rest(new_tab)
    assert "scene=3" in new_tab.url


def test_back_from_a_page_that_was_clicked_on_is_one_step(new_tab, server):
    come(new_tab, server, "sample_complexity?part=phase-map")
    explore_the_lab(new_tab)
    new_tab.get_by_role("spinbutton", name="Dimension d").fill("9")
    new_tab.keyboard.press("Enter")
    new_tab.wait_for_url(re.compile("d=9"))
    rest(new_tab)
    lab = new_tab.url
    go_to_page(new_tab, "The paper", "Sample complexity")
    new_tab.wait_for_url("**/sample_complexity?part=phase-map")
    rest(new_tab)
    new_tab.go_back()
    stands(new_tab, AT_LAB)
    assert new_tab.url == lab
    expect(new_tab.get_by_role("spinbutton", name="Dimension d")).to_have_value("9", timeout=PATIENCE)
    new_tab.go_forward()
    new_tab.get_by_text("Click on a cell to load it into the Lab").wait_for()
    assert new_tab.url.endswith("sample_complexity?part=phase-map")


def test_run_far_from_the_server_computes_the_number_just_typed(new_tab, connection, server):
    come(new_tab, server, "lab?mode=explore&n=1000&width=40&holdout=1000&test=1000&steps=1000")
    stands(new_tab, AT_LAB)
    rest(new_tab)
    connection.hold()
    box = new_tab.get_by_role("spinbutton", name="Width m", exact=True)
    box.fill("44")
    box.press("Enter")
    connection.wait_for_answer()  # with the number in the address, of which the browser has not heard
    new_tab.get_by_role("button", name=AT_LAB, exact=True).click()
    connection.wait_for_answer(2)
    connection.release()
    new_tab.wait_for_url(re.compile("width=44"))
    rest(new_tab)
    expect(box).to_have_value("44")
    query = dict(pair.split("=") for pair in new_tab.url.partition("?")[2].split("&"))
    assert (query["width"], "run" in query) == ("44", True), "the run of 44 neurons is on show"
    no_traceback(new_tab)


def test_who_goes_on_in_a_story_far_from_the_server_stays_at_the_scene(new_tab, connection, server):
    come(new_tab, server, "lab?story=race&scene=1")
    new_tab.get_by_text("1 of 8", exact=True).wait_for()
    rest(new_tab)
    connection.hold()
    new_tab.get_by_role("button", name="Next").click()
    connection.wait_for_answer()
    new_tab.get_by_text("all three", exact=True).click()  # still on show
    connection.wait_for_answer(2)
    connection.release()
    new_tab.get_by_text("2 of 8", exact=True).wait_for()
    rest(new_tab)
    assert new_tab.get_by_text("2 of 8", exact=True).is_visible()
    assert "scene=2" in new_tab.url
    no_traceback(new_tab)
