"""The words in pictures: which of them are cut by their picture's frame, or lie on one another; and all walls."""

import re

from test_browser import PATIENCE, follow_window, rest, step_to
from trial_runs import PARTS

from featdash.lessons import PAGES
from featdash.ui.kit.plain_text import plain_text
from featdash.ui.story.storybook import stories_of

CHART = ".featdash-chart[data-updates]"
# Each chart's words, in pairs that overlap, and those that leave the frame; boxes are a little larger than letters.
# Words aslant, all at one angle, overlap where their lines are nearer than seven tenths of a line's height.
WORDS = """() => {
  const found = [];
  for (const chart of document.querySelectorAll('.featdash-chart')) {
    const frame = chart.getBoundingClientRect(), scale = frame.width / chart.clientWidth;
    const seen = (text) => text.checkVisibility({visibilityProperty: true, opacityProperty: true});
    const words = [...chart.querySelectorAll('svg text')].filter((text) =>
      text.textContent.trim() && seen(text) && !text.closest('.hoverlayer, .table')); // a table scrolls
    const lines = words.flatMap((text) => text.querySelector('.line') ? [...text.querySelectorAll('.line')] : [text]);
    const all = lines.map((node) => {
      const turned = Number(/rotate\\(([-\\d.]+)/.exec(node.closest('text').getAttribute('transform'))?.[1] ?? 0) % 90;
      const high = node.getBBox().height * scale;
      return {text: node.textContent.trim().slice(0, 60), box: node.getBoundingClientRect(), turned, high};
    }).filter(({box}) => box.width && box.height);
    const tell = (what) => found.push(`${chart.dataset.panel}: ${what}`);
    for (const {text, box} of all) {
      const out = [frame.left - box.left, box.right - frame.right, frame.top - box.top, box.bottom - frame.bottom];
      if (Math.max(...out) > 1.5) tell(`cut: ${text}`);
    }
    all.forEach((one, index) => all.slice(index + 1).forEach((other) => {
      const a = one.box, b = other.box;
      const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      if (wide <= 2 || high <= 4) return;
      const angle = one.turned * Math.PI / 180;
      const across = (a.left + a.right - b.left - b.right) / 2, up = (a.top + a.bottom - b.top - b.bottom) / 2;
      const apart = Math.abs(across * Math.sin(angle) - up * Math.cos(angle));
      if (one.turned && one.turned === other.turned && apart > 0.7 * one.high) return;
      tell(`overlap: ${one.text} | ${other.text}`);
    }));
  }
  return found;
}"""


def walls():
    """(story, scene from 1 on) -> the address of that scene on a wall; of all scenes of all stories."""
    homes = {name: page for page, names in PAGES.items() for name in names}
    return {
        (name, number): f"{homes[story.scenes[0].lesson]}?story={name}&scene={number}&present=1"
        for name, story in stories_of(PARTS).items()
        for number in range(1, len(story.scenes) + 1)
    }


def open_wall(page, server, story, number):
    """The first scene of a wall; from there `faults` steps to others."""
    page.goto(f"{server.url}/{walls()[story, number]}")
    _settle(page)


def faults(page, server, story, number):
    """What is wrong with the words of a scene's pictures, before the answer of its question and after it."""
    step_to(page, f"{server.url}/{walls()[story, number]}")
    title = plain_text(stories_of(PARTS)[story].scenes[number - 1].title)
    page.locator(".st-key-band strong").filter(has_text=re.compile(f"^{re.escape(title)}$")).wait_for(timeout=PATIENCE)
    _settle(page)
    told = [f"before: {fault}" for fault in page.evaluate(WORDS)]
    show = page.get_by_role("button", name=re.compile("^Show me"), include_hidden=True)
    if show.count():
        page.keyboard.press("Space")
        show.wait_for(state="detached")
        _settle(page)
        told += [f"after: {fault}" for fault in page.evaluate(WORDS)]
    return told


def _settle(page):
    """Until all pictures are drawn; films stand at their end (see conftest.CALM)."""
    page.wait_for_selector(CHART)
    rest(page)
    follow_window(page)
