"""Back and Forward lead where the visitor wants, though what was asked for before arrives late, or asks once more.

A slow connection is a fast one whose answers are held back until the test lets them through.
"""

import re

import pytest
from playwright.sync_api import expect
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from test_browser import PATIENCE, SMALL, go_on_to, go_to_page, no_traceback, rest, wait_until

pytestmark = pytest.mark.browser
SOCKET = re.compile("_stcore/stream")
EMERGENCE = "emergence?mode=explore"
AT_EMERGENCE, AT_LAB = "Run emergence", "Run race"


class Connection:
    """A tab's connection to its server. While it is held, what the server says waits.

    address : of the page that the tab shows, as its next request tells it, in place of the true one: (url, query);
    drawn : how often the server has drawn its page since the connection is held.
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
            self.drawn += ForwardMsg.FromString(message).WhichOneof("type") == "script_finished"

    def hold(self):
        self.held, self.drawn = [], 0

    def wait_for_answer(self, runs=1):
        """Until the server has drawn its page so many times."""
        wait_until(self.tab, lambda: self.drawn >= runs)

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


def test_back_and_forward_lead_from_page_to_page_as_the_visitor_went(new_tab, connection, server):
    come(new_tab, server, EMERGENCE)
    stands(new_tab, AT_EMERGENCE)
    explore_the_lab(new_tab)
    lab, asked = new_tab.url, connection.asked
    back_holds_while_the_page_before_is_drawn(new_tab, connection)
    is_at_emergence_and_goes_forward(new_tab, lab)
    back_holds_though_the_page_before_asks_once_more(new_tab, connection, asked)
    is_at_emergence_and_goes_forward(new_tab, lab)

    types_a_dimension(new_tab)
    lab = new_tab.url
    a_page_takes_no_settings_from_the_address_of_the_page_before(new_tab, connection)
    back_from_a_page_that_was_clicked_on_is_one_step(new_tab, lab)
    run_far_from_the_server_computes_the_number_just_typed(new_tab, connection, server)


def explore_the_lab(tab):
    tab.get_by_role("link", name="Lab", exact=True).click()
    tab.wait_for_url("**/lab")
    tab.locator(".st-key-walk").wait_for()  # of its story: the page before has the same control
    rest(tab)
    tab.get_by_text("Explore", exact=True).first.click()
    stands(tab, AT_LAB)


def is_at_emergence_and_goes_forward(tab, lab):
    stands(tab, AT_EMERGENCE)
    assert tab.url.endswith(EMERGENCE)
    tab.go_forward()
    tab.go_forward()
    stands(tab, AT_LAB)
    assert tab.url == lab


def back_holds_while_the_page_before_is_drawn(tab, connection):
    connection.hold()
    tab.get_by_text("Log risk", exact=True).click()
    connection.wait_for_answer()
    answers = [ForwardMsg.FromString(message) for message in connection.held]
    assert max(map(len, connection.held)) > 10_000  # a picture, of what Streamlit would keep
    assert not any(one.metadata.cacheable or one.WhichOneof("type") == "ref_hash" for one in answers), (
        "the browser may have dropped what an answer refers to"
    )
    tab.go_back()
    tab.go_back()
    connection.release()


def back_holds_though_the_page_before_asks_once_more(tab, connection, asked):
    connection.hold()
    tab.go_back()
    tab.go_back()
    connection.server.send(asked)  # as a run that ends asks for the whole page, in place of what its visitor has asked
    connection.wait_for_answer()
    connection.release()


def types_a_dimension(tab):
    tab.get_by_role("spinbutton", name="Dimension d").fill("9")
    tab.keyboard.press("Enter")
    tab.wait_for_url(re.compile("d=9"))
    rest(tab)


def a_page_takes_no_settings_from_the_address_of_the_page_before(tab, connection):
    url, query = tab.url.split("?")
    connection.address = (url, query)  # as of a click that is made before the page has its address
    go_to_page(tab, "Around it", "Emergence")
    stands(tab, AT_EMERGENCE)
    assert connection.address is None
    assert tab.url.endswith(EMERGENCE)


def back_from_a_page_that_was_clicked_on_is_one_step(tab, lab):
    tab.go_back()
    stands(tab, AT_LAB)
    assert tab.url == lab
    expect(tab.get_by_role("spinbutton", name="Dimension d")).to_have_value("9", timeout=PATIENCE)
    tab.go_forward()
    stands(tab, AT_EMERGENCE)
    assert tab.url.endswith(EMERGENCE)


def run_far_from_the_server_computes_the_number_just_typed(tab, connection, server):
    go_on_to(tab, f"{server.url}/lab?mode=explore&{SMALL}")
    stands(tab, AT_LAB)
    box = tab.get_by_role("spinbutton", name="Width m", exact=True)
    expect(box).to_have_value("40", timeout=PATIENCE)
    connection.hold()
    box.fill("44")
    box.press("Enter")
    connection.wait_for_answer()  # with the number in the address, of which the browser has not heard
    tab.get_by_role("button", name=AT_LAB, exact=True).click()
    connection.wait_for_answer(2)
    connection.release()
    tab.wait_for_url(re.compile("width=44"))
    rest(tab)
    expect(box).to_have_value("44")
    query = dict(pair.split("=") for pair in tab.url.partition("?")[2].split("&"))
    assert (query["width"], "run" in query) == ("44", True), "the run of 44 neurons is on show"
    no_traceback(tab)


def test_next_and_back_in_a_story_far_from_the_server_lead_to_the_scene_that_was_wanted(new_tab, connection, server):
    come(new_tab, server, "lab?story=race&scene=1")
    who_goes_on_stays_at_the_scene(new_tab, connection)
    back_from_a_scene_that_was_not_drawn_yet_leads_to_the_one_before(new_tab, connection)
    no_traceback(new_tab)


def who_goes_on_stays_at_the_scene(tab, connection):
    """Though the scene before, which is still on show, is clicked on."""
    tab.get_by_text("1 of 8", exact=True).wait_for()
    rest(tab)
    connection.hold()
    tab.get_by_role("button", name="Next").click()
    connection.wait_for_answer()
    tab.get_by_text("all three", exact=True).click()
    connection.wait_for_answer(2)
    connection.release()
    tab.get_by_text("2 of 8", exact=True).wait_for()
    rest(tab)
    assert tab.get_by_text("2 of 8", exact=True).is_visible()
    assert "scene=2" in tab.url


def back_from_a_scene_that_was_not_drawn_yet_leads_to_the_one_before(tab, connection):
    tab.get_by_role("button", name=re.compile("^Next")).click()
    tab.wait_for_url(re.compile("scene=3"))
    rest(tab)
    connection.hold()
    tab.get_by_role("button", name=re.compile("^Next")).click()
    connection.wait_for_answer()
    tab.go_back()
    connection.release()
    tab.get_by_text("Three contenders").first.wait_for()
    rest(tab)
    assert "scene=2" in tab.url
    tab.go_forward()
    tab.wait_for_url(re.compile("scene=3"))
    tab.get_by_text("Three contenders").first.wait_for(state="detached")
    rest(tab)
    assert "scene=3" in tab.url
