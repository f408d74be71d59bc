"""Whose run it is: all tabs of one browser are one visitor, another browser is another, also below a path."""

import pytest
from real_server import Server
from test_browser import LONG, PATIENCE, ledger, press, wait_for_text

from featdash.ui.kit.shared import COOKIE

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """A server of one worker, below the path /course."""
    home = tmp_path_factory.mktemp("course") / "home"
    home.mkdir()
    server = Server(home, FEATDASH_WORKERS="1", STREAMLIT_SERVER_BASE_URL_PATH="course")
    server.url += "/course"
    server.start()
    yield server
    server.stop()


def stop_button(page):
    return page.get_by_role("button", name="Stop race", exact=True)


def test_two_tabs_of_a_browser_are_one_visitor_and_another_browser_is_not(page, other, course):
    for visitor in (page, other):  # who may have names from servers of other tests, since ports share cookies
        visitor.context.clear_cookies()
    page.goto(f"{course.url}/lab?seed=71&{LONG}")
    page.wait_for_selector(".featdash-state progress", timeout=PATIENCE)
    ((run, *_),) = ledger(course)
    (cookie,) = [one for one in page.context.cookies() if one["name"] == COOKIE]
    assert (cookie["httpOnly"], cookie["sameSite"], cookie["path"]) == (True, "Lax", "/course")
    other.goto(f"{course.url}/lab?run={run}")
    other.wait_for_selector(".featdash-state progress", timeout=PATIENCE)
    assert stop_button(other).is_disabled(), "it was asked for by another"
    second = page.context.new_page()
    second.goto(f"{course.url}/lab?run={run}")
    second.wait_for_selector(".featdash-state progress", timeout=PATIENCE)
    assert stop_button(second).is_enabled(), "it is this browser's own"
    press(second, "Stop race")
    wait_for_text(page, r"Stopped at \d+%")
    wait_for_text(other, r"Stopped at \d+%")
    second.close()
