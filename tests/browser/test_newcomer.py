"""What a newcomer wants takes at most three clicks from Home, each on something whose label says so.

To go on where one stopped, and from a story to the next one, is in `test_course_browser.py`: one click each.
"""

import re

import pytest
from test_browser import PATIENCE, no_traceback, rest, stop_race

pytestmark = pytest.mark.browser
MOST = 3
LAB = ("button", "Open the Lab")
POLYNOMIAL = "He2(z1)/2 + z1*z2/2"
TASKS = {  # what they want -> the labels that they click on and what they type, and the address or the words at the end
    "find the story on transfer": ([("link", "transfer")], "url", "story=transfer"),
    "see the race with 300 samples": ([LAB, ("slider", "Samples"), ("slide to", "300")], "url", "n=300"),
    "get the link to a run, and a picture for a slide": (
        [LAB, ("button", "Take away"), ("text", "to what you see"), ("save", r"Picture \(PNG\)")],
        "file",
        r"\.png$",
    ),
    "race on a polynomial of their own": (
        [LAB, ("combobox", "Target"), ("type", POLYNOMIAL), ("button", "Run race")],
        "url",
        r"run=[0-9a-f]{16}.*target=He2",
    ),
    # The first on show may be of any lesson: a text with a formula waits for KaTeX.
    "see what a claim rests on": ([("link", "^Claims"), ("link", "Check it")], "url", r"/(?!claims)\w+\?"),
    "open a room for a class": ([("link", "^Class"), ("button", "Open a room")], "heading", "A class"),
    "compare width 50 with 1000": (
        [LAB, ("spinbutton", "Width"), ("type", "50"), ("button", "Run race")],
        "text",
        "before, width = 1000",
    ),
    "know what NTK means": ([("button", "Glossary")], "text", "^The neural tangent kernel: a network"),
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


@pytest.mark.parametrize("task", TASKS)
def test_a_newcomer_gets_there_in_three_clicks(page, server, task):
    steps, where, goal = TASKS[task]
    page.set_default_timeout(PATIENCE)
    page.goto(f"{server.url}/")
    page.locator(".featdash-first .featdash-frame").first.wait_for(state="attached")
    rest(page)
    saved = ""
    for kind, name in steps:
        if steps[0] == LAB and (kind, name) == steps[1]:
            page.wait_for_selector(".featdash-chart[data-panel='race-risk'][data-updates]")
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
    stop_race(page)
