"""What a newcomer wants takes at most three clicks from Home, each on something whose label says so.

A visitor goes back to Home after each task. The Lab keeps the settings of a visitor who comes back: who moves settings
has not been there before.

To go on where one stopped, and from a story to the next one, is in `test_course_browser.py`: one click each. To see
what a claim rests on is in `test_claims_browser.py`.
"""

import re

import pytest
from test_browser import PATIENCE, RISK, no_traceback, rest, step_to, stop_race

pytestmark = pytest.mark.browser
MOST = 3
LAB = ("button", "Open the Lab")
POLYNOMIAL = "He2(z1)/2 + z1*z2/2"
# What they want -> the labels that they click on and what they type, and the address or the words at the end.
LOOKING = {
    "know what NTK means": ([("button", "Glossary")], "text", "^The neural tangent kernel: a network"),
    "find the story on transfer": ([("link", "transfer")], "url", "story=transfer"),
    "open a room for a class": ([("link", "^Class"), ("button", "Open a room")], "heading", "A class"),
    "get the link to a run, and a picture for a slide": (
        [LAB, ("button", "Take away"), ("text", "to what you see"), ("save", r"Picture \(PNG\)")],
        "file",
        r"\.png$",
    ),
}
MOVING = {
    "see the race with 300 samples": ([LAB, ("slider", "Samples"), ("slide to", "300")], "url", "n=300"),
    "race on a polynomial of their own": (
        [LAB, ("combobox", "Target"), ("type", POLYNOMIAL), ("button", "Run race")],
        "url",
        r"run=[0-9a-f]{16}.*target=He2",
    ),
    "compare width 50 with 1000": (
        [LAB, ("spinbutton", "Width"), ("type", "50"), ("button", "Run race")],
        "text",
        "before, width = 1000",
    ),
}


def press(page, kind, name):
    """One step of a task; what a file was called, if it saves one."""
    if kind == "type":
        page.keyboard.press("Control+A")
        page.keyboard.type(name)
        if name == POLYNOMIAL:
            page.get_by_role("option", name=f"Add: {name}").wait_for()
        page.keyboard.press("Enter")
    elif kind == "text":
        page.get_by_text(name).first.wait_for()
    elif kind == "slide to":
        slider = page.get_by_role("slider", name="Samples")
        while (value := int(re.sub(r"\D", "", slider.get_attribute("aria-valuetext")))) != int(name):
            slider.press("ArrowLeft" if value > int(name) else "ArrowRight")
            page.wait_for_function(
                "([one, was]) => one.getAttribute('aria-valuetext').replace(/\\D/g, '') !== was",
                arg=[slider.element_handle(), str(value)],
            )
    elif kind == "save":
        with page.expect_download() as download:
            page.get_by_role("button", name=re.compile(name)).click()
        return download.value.suggested_filename
    else:
        control = page.get_by_role(kind, name=re.compile(name, re.IGNORECASE)).first
        control.click(force=kind == "slider")  # of which the browser hears through its track
    rest(page)
    return ""


def wait_for_home(page):
    page.get_by_role("heading", name="Watch a network learn its features").wait_for()
    page.locator(".featdash-first .featdash-frame").first.wait_for(state="attached")
    rest(page)


def carry_out(page, steps, where, goal):
    """A task from Home on, in at most three clicks."""
    saved = ""
    for kind, name in steps:
        if steps[0] == LAB and (kind, name) == steps[1]:
            page.wait_for_selector(f"{RISK}[data-updates]")
        saved = press(page, kind, name)
    assert sum(kind not in ("type", "text", "slide to") for kind, _ in steps) <= MOST
    if where == "url":
        page.wait_for_url(re.compile(goal))
    elif where == "file":
        assert re.search(goal, saved)
    elif where == "heading":
        page.get_by_role("heading", name=re.compile(goal)).wait_for(state="attached")
    else:
        page.get_by_text(re.compile(goal)).first.wait_for()
    no_traceback(page)


def test_a_newcomer_who_looks_around_gets_to_each_place_in_three_clicks(page, server, subtests):
    page.set_default_timeout(PATIENCE)
    page.goto(f"{server.url}/")
    for task, way in LOOKING.items():
        with subtests.test(task):
            wait_for_home(page)
            carry_out(page, *way)
        page.keyboard.press("Escape")  # what is open follows a page that is scrolled, over what is clicked on next
        page.locator(".featdash-glossary").wait_for(state="hidden")
        step_to(page, f"{server.url}/")


@pytest.mark.parametrize("task", MOVING)
def test_a_newcomer_who_moves_settings_gets_there_in_three_clicks(page, server, task):
    page.set_default_timeout(PATIENCE)
    page.goto(f"{server.url}/")
    wait_for_home(page)
    carry_out(page, *MOVING[task])
    stop_race(page)
