"""Where everything stands, on every part of every page: pictures first, and no word cut."""

from contextlib import suppress

import pytest
from playwright.sync_api import TimeoutError as PlaywrightTimeoutError
from test_browser import PATIENCE, follow_window, no_traceback, rest
from test_every_page import LEAD_SHARE, complaints_of
from wall_words import WORDS

from featdash.lessons import PAGES, lessons_of
from featdash.ui.kit.layout import PURPOSE

pytestmark = pytest.mark.browser
PARTS = {
    name: f"{page}?mode=explore" if index == 0 else f"{page}?part={name}"
    for page, names in PAGES.items()
    for index, name in enumerate(names)
}
LABELS = {part.experiment.name: part.label for name in PAGES for part in lessons_of(name)}
FIRST, PHONE = (1280, 720), (390, 844)
BETWEEN = ((1280, 600), (1024, 768), (640, 360))  # the last one is 200 % of the first
# Every part at the first size and on a phone, and two parts, one of them with a wide table, at those between them too.
SCREENS = dict.fromkeys(PARTS, (FIRST, PHONE)) | dict.fromkeys(("race", "own-data"), (FIRST, *BETWEEN, PHONE))
LEAST_SHARE = 0.6  # of the first screen that is pictures, timeline and the lines beside it, where a page is explored
SETTLED = 5000  # milliseconds in which a page has followed the size of its window
SMALLEST, SIZES = 13.0, 5  # of type
DRAWN = "() => [...document.querySelectorAll('.featdash-chart')].every((chart) => chart.dataset.updates)"

# The share of the window that is pictures, and how many of them reach into it.
SHARE = """() => {
  let area = 0, seen = 0;
  for (const frame of document.querySelectorAll('.featdash-frame')) {
    const {left, right, top, bottom} = frame.getBoundingClientRect();
    const wide = Math.min(right, innerWidth) - Math.max(left, 0);
    const high = Math.min(bottom, innerHeight) - Math.max(top, 0);
    area += Math.max(wide, 0) * Math.max(high, 0);
    seen += bottom <= innerHeight + 1 ? 1 : 0;
  }
  for (const bar of document.querySelectorAll('.featdash-timeline, .featdash-lines')) {
    const {width, height, bottom} = bar.getBoundingClientRect();
    if (bottom <= innerHeight + 1) area += width * height;
  }
  return [area / innerWidth / innerHeight, seen, document.querySelectorAll('.featdash-frame').length];
}"""
# Words that reach beyond the window, or beyond what lets them be seen; a line that one types into scrolls by itself.
CUT = """() => [...document.querySelectorAll('.st-key-room *')].filter((node) => {
  const words = [...node.childNodes].some((child) => child.nodeType === 3 && child.data.trim());
  if (!words || !node.checkVisibility({visibilityProperty: true, opacityProperty: true})) return false;
  if (node.closest('svg, style, .katex-mathml, .vlist-s, .featdash-tools, .featdash-larger, [inert]')) return false;
  const box = node.getBoundingClientRect();
  if (!box.width || !box.height) return false;
  for (let above = node; above.parentElement && !above.matches('.stMain'); above = above.parentElement) {
    const edge = above.getBoundingClientRect(), {display, overflowX, overflowY, clipPath} = getComputedStyle(above);
    if (display === 'contents') continue;
    if (clipPath === 'inset(50%)') return false; // it is to be heard and not seen
    const wider = box.right > edge.right + 1 || above.scrollWidth > above.clientWidth + 1;
    if (overflowX !== 'visible' && wider) return true;
    if (overflowY === 'hidden' && box.bottom > edge.bottom + 2) return true;
  }
  return box.left < -1 || box.right > innerWidth + 1;
}).map((node) => node.innerText)"""
# Titles of pictures and of their axes along them that reach beyond the picture, or below the dots of its tools.
OUTSIDE = """() => [...document.querySelectorAll('.featdash-chart :is(.gtitle, [class^=x][class$=title])')]
  .filter((words) => {
    const chart = words.closest('.featdash-chart').getBoundingClientRect();
    const {left, right, top, bottom} = words.getBoundingClientRect(), range = document.createRange();
    const frame = words.closest('.featdash-frame');
    range.selectNode(frame.querySelector('.featdash-larger').checkVisibility({opacityProperty: true})
      ? frame.querySelector('.featdash-larger') : frame.querySelector('.featdash-tools'));
    const dots = range.getBoundingClientRect();
    if (right > dots.left && top < dots.bottom && bottom > dots.top) return true;
    return left < chart.left - 1 || right > chart.right + 1 || top < chart.top - 3; // a line is higher than its letters
  }).map((words) => words.textContent)"""
# Of each space, how many times further away than usual it is seen from, and how many times higher than wide it is.
SPACES = """() => [...document.querySelectorAll('.featdash-chart')].flatMap(({_fullLayout: layout}) =>
  (layout?._subplots.gl3d ?? []).map((name) => {
    const {x, y, z} = layout[name].camera.eye, box = layout[name]._scene.container.getBoundingClientRect();
    return [Math.hypot(x, y, z) / Math.hypot(0.98, 0.98, 0.66), box.height / box.width];
  }))"""
TOPS = "(selectors) => selectors.map((one) => document.querySelector(one).getBoundingClientRect().top)"
TYPE = """() => {
  const room = document.querySelector('.st-key-room'), sizes = new Set();
  const words = document.createTreeWalker(room, NodeFilter.SHOW_TEXT);
  while (words.nextNode()) {
    const node = words.currentNode.parentElement;
    if (!words.currentNode.data.trim() || !node.checkVisibility()) continue;
    if (node.closest('svg, style, .katex, [data-testid=stIconMaterial]')) continue;
    sizes.add(parseFloat(getComputedStyle(node).fontSize));
  }
  return [...sizes].sort((a, b) => a - b);
}"""


def explore(page, server, part):
    page.set_default_timeout(PATIENCE)
    page.goto(f"{server.url}/{PARTS[part]}")
    page.wait_for_selector(".featdash-chart[data-updates]")
    page.wait_for_function(DRAWN)


@pytest.mark.parametrize("name", PAGES)
def test_pictures_come_first_and_no_word_is_cut(page, server, name):
    """In each part of a page that is loaded once, chosen in turn as a visitor does."""
    with complaints_of(page) as complaints:
        for at, part in enumerate(PAGES[name]):
            if at == 0:
                explore(page, server, part)
            else:
                page.get_by_role("combobox", name="Part of the page").click()
                page.get_by_role("option", name=LABELS[part], exact=True).click()
                page.wait_for_url(f"**part={part}*")
                page.wait_for_function(DRAWN)
            rest(page)
            sizes = SCREENS[part] if at % 2 == 0 else SCREENS[part][::-1]  # from the size that the part before ended at
            for size in sizes:
                check_screen(page, part, size)
            no_traceback(page)
    assert complaints == []


def check_screen(page, part, size):
    width, height = size
    page.set_viewport_size({"width": width, "height": height})
    follow_window(page)
    with suppress(PlaywrightTimeoutError):
        page.wait_for_function(f"() => !({CUT})().length", timeout=SETTLED)
    share, whole, panels = page.evaluate(SHARE)
    if size == FIRST:
        assert page.get_by_text(PURPOSE).is_visible()
        letters = page.evaluate(TYPE)
        assert letters[0] >= SMALLEST, (part, letters)
        assert len(letters) <= SIZES, (part, letters)
        assert share >= LEAST_SHARE, part
        assert page.evaluate(LEAD_SHARE) >= 0.5, f"the picture that leads has half of the stage: {part}"
        assert page.evaluate(WORDS) == [], part
        for away, high in page.evaluate(SPACES):
            assert away > 0.65 * high, f"what stands at the sides of a space is cut: {part}"
        assert whole == panels or part != "race", "all of the Lab's pictures are on the first screen"
    assert share > 0, f"a picture of {part} is on the first screen of {width} by {height}"
    assert page.evaluate(CUT) == [], (part, size)
    assert page.evaluate(OUTSIDE) == [], (part, size)
    assert page.evaluate("document.documentElement.scrollWidth") <= width, (part, size)


def test_a_storys_words_come_first_on_a_phone_and_its_picture_right_below(page, server):
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{server.url}/lab?story=race&scene=1")
    page.wait_for_selector(".featdash-chart[data-updates]", timeout=PATIENCE)
    page.wait_for_selector(".st-key-choices button")
    page.wait_for_selector(".st-key-below", state="attached")
    tops = page.evaluate(TOPS, [".st-key-words", ".st-key-choices", ".featdash-frame", ".st-key-below"])
    assert tops == sorted(tops), "words, what can be guessed, picture, and what is read last"
    assert tops[2] < 844
    assert page.evaluate(CUT) == []


PROJECTOR, TELEPHONE = (1280, 720), (390, 844)
# The smaller side of each map of neurons and of its circle, and whether the page has one H1 that is rendered.
MAPS = """() => [
  ...['.featdash-chart .nsewdrag', '.featdash-first .shapelayer path'].map((parts) =>
    [...document.querySelectorAll(parts)].map((part) => {
      const {width, height} = part.getBoundingClientRect();
      return Math.min(width, height);
    })),
  [...document.querySelectorAll('h1')].map((one) => one.checkVisibility({visibilityProperty: true})),
]"""


@pytest.mark.parametrize(
    ("address", "size", "maps", "least", "across"),
    [
        ("emergence?story=emergence&scene=3&present=1", PROJECTOR, 2, 340, 0),
        ("one_step?story=ablation&scene=1", PROJECTOR, 1, 340, 300),
        ("lab?story=race&scene=4&present=1", PROJECTOR, 1, 420, 420),
        ("lab?story=race&scene=4", TELEPHONE, 1, 300, 260),
    ],
)
def test_where_neurons_are_the_subject_their_map_is_large(page, server, address, size, maps, least, across):
    page.set_viewport_size(dict(zip(("width", "height"), size, strict=True)))
    page.goto(f"{server.url}/{address}")
    page.wait_for_selector(".featdash-chart[data-updates]", timeout=PATIENCE)
    page.wait_for_function(DRAWN)
    follow_window(page)
    sides, shapes, headings = page.evaluate(MAPS)
    assert min(sides[:maps]) >= least
    assert max(shapes, default=0) >= across, "the circle, beside which stand a bar and its mark"
    assert headings == [True]
    assert page.evaluate(WORDS) == [], "the names at its sides are whole"
