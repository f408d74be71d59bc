"""The longest questions and sheets of all stories: they have room on the first screen, and on one page."""

import re

import pytest
from test_browser import PATIENCE, rest, step_to
from trial_runs import PARTS
from wall_words import walls

from featdash.ui.kit.plain_text import plain_text
from featdash.ui.story.sheet import QUESTIONS
from featdash.ui.story.storybook import lectures, stories_of

pytestmark = pytest.mark.browser
# Streamlit's script for HTML, and with it our styles, comes after the words where the browser has not kept it.
STYLED = "() => [...document.querySelectorAll('style')].some((one) => one.textContent.includes('@media print'))"


def open_page_of_words(page, server):
    """Where the visitor begins who steps to the others."""
    page.goto(f"{server.url}/lecture")
    page.get_by_role("heading", name="Lectures", level=1).wait_for(timeout=PATIENCE)
    rest(page)


def page_is_styled(page):
    page.wait_for_function(STYLED, timeout=PATIENCE)
    page.evaluate("document.fonts.ready")  # those of formulas come last


def test_the_longest_questions_have_button_and_answer_on_the_first_screen(page, server):
    page.set_default_timeout(PATIENCE)
    page.set_viewport_size({"width": 1280, "height": 720})
    scenes = {
        walls()[name, number].removesuffix("&present=1"): scene
        for name, story in stories_of(PARTS).items()
        for number, scene in enumerate(story.scenes, 1)
        if scene.question
    }

    def letters(address):
        asked = scenes[address].question
        return len(scenes[address].words + asked.prompt) + sum(40 + len(one.text) for one in asked.options)

    open_page_of_words(page, server)
    for address in sorted(scenes, key=letters)[-4:]:
        step_to(page, f"{server.url}/{address}")
        page.get_by_role("heading", name=plain_text(scenes[address].title), level=2, exact=True).wait_for()
        show = page.get_by_role("button", name=re.compile("^Show me"))
        show.wait_for()
        rest(page)
        page_is_styled(page)
        box = show.bounding_box()
        assert box["y"] + box["height"] <= 720, address
        show.click()
        answer = page.locator(".st-key-answer")
        answer.wait_for()
        rest(page)
        box = answer.bounding_box()
        assert box["y"] > 0, address
        assert box["y"] + box["height"] <= 720, address


def length(story):
    """Letters of what a sheet prints of it."""
    asked = [scene for scene in story.scenes if scene.question][:QUESTIONS]
    titles = sum(len(scene.title) for scene in story.scenes)
    return titles + sum(len(one.notes + one.question.prompt + one.question.because) for one in asked)


def test_the_longest_sheets_print_on_one_page(page, server):
    stories = stories_of(PARTS) | lectures(PARTS)
    longest = sorted(stories, key=lambda name: length(stories[name]))[-4:]
    margin = dict.fromkeys(("top", "bottom", "left", "right"), "10mm")
    open_page_of_words(page, server)
    for name in longest:
        step_to(page, f"{server.url}/lecture?sheet={name}")
        heading = plain_text(stories[name].title)
        page.get_by_role("heading", name=heading, level=1, exact=True).wait_for(timeout=PATIENCE)
        page.get_by_text("If a run does not come").wait_for(timeout=PATIENCE)
        rest(page)
        page_is_styled(page)
        for paper in ("A4", "Letter"):
            printed = page.pdf(format=paper, margin=margin)
            assert len(re.findall(rb"/Type\s*/Page[^s]", printed)) == 1, (name, paper)
