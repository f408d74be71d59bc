"""Where everything stands, on every part of every page: pictures first, and no word cut."""

import re

import pytest
from playwright.sync_api import TimeoutError as PlaywrightTimeoutError
from test_browser import PATIENCE, follow_window, no_traceback, rest, step_to
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
PANELS = {part.experiment.name: part.panels[0].name for name in PAGES for part in lessons_of(name)}  # one of each part
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
# What lies above many words is measured once.
CUT = """() => {
  const measured = new Map();
  const measure = (node) => {
    const {right, bottom} = node.getBoundingClientRect();
    const {display, overflowX, overflowY, clipPath} = getComputedStyle(node);
    const scrolls = overflowX !== 'visible' && node.scrollWidth > node.clientWidth + 1;
    measured.set(node, {right, bottom, display, overflowX, overflowY, clipPath, scrolls});
    return measured.get(node);
  };
  return [...document.querySelectorAll('.st-key-room *')].filter((node) => {
    const words = [...node.childNodes].some((child) => child.nodeType === 3 && child.data.trim());
    if (!words || !node.checkVisibility({visibilityProperty: true, opacityProperty: true})) return false;
    if (node.closest('svg, style, .katex-mathml, .vlist-s, .featdash-tools, .featdash-larger, [inert]')) return false;
    const box = node.getBoundingClientRect();
    if (!box.width || !box.height) return false;
    for (let above = node; above.parentElement && !above.matches('.stMain'); above = above.parentElement) {
      const edge = measured.get(above) ?? measure(above);
      if (edge.display === 'contents') continue;
      if (edge.clipPath === 'inset(50%)') return false; // it is to be heard and not seen
      if (edge.overflowX !== 'visible' && (edge.scrolls || box.right > edge.right + 1)) return true;
      if (edge.overflowY === 'hidden' && box.bottom > edge.bottom + 2) return true;
    }
    return box.left < -1 || box.right > innerWidth + 1;
  }).map((node) => node.innerText);
}"""
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
# Of each picture that leads and has names between its panels: the pixels there, and those that the names need.
BETWEEN_PANELS = """() => [...document.querySelectorAll('.featdash-first .featdash-chart')].flatMap((chart) => {
  const layout = chart._fullLayout;
  const axes = Object.keys(layout).filter((name) => name.startsWith('xaxis')).map((name) => layout[name]);
  axes.sort((one, other) => one._offset - other._offset);
  const spaces = axes.slice(1).map((axis, index) => axis._offset - axes[index]._offset - axes[index]._length);
  return layout.meta?.between ? spaces.map((space) => [space, layout.meta.between.gap]) : [];
})"""
# Of the pictures, how many are maps whose cells have numbers, none of which is shown.
NUMBERLESS = """() => [...document.querySelectorAll('.featdash-chart')].filter((chart) => {
  const {data = []} = chart, numbers = [...chart.querySelectorAll('.textpoint text')];
  const isMap = data.some(({type}) => type === 'heatmap') && data.some(({mode}) => mode === 'text');
  return isMap && !numbers.some((one) => one.checkVisibility({visibilityProperty: true}));
}).length"""
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


def test_pictures_come_first_and_no_word_is_cut_in_any_part_of_any_page(page, server):
    """The first page is loaded. A visitor goes on to the others, and chooses a part of each; the address leads to
    the rest."""
    faults, end = {}, FIRST
    with complaints_of(page) as complaints:
        for name, parts in PAGES.items():
            for at, part in enumerate(parts):
                go_to_part(page, server, part, at)
                for size in SCREENS[part] if end == FIRST else SCREENS[part][::-1]:  # from where the part before ended
                    if said := list(faults_of(page, part, size)):
                        faults[name, part, size] = said
                    end = size
                no_traceback(page)
    assert faults == {}
    assert complaints == []


def go_to_part(page, server, part, at):
    if part == next(iter(PARTS)):
        explore(page, server, part)
    elif at == 1:
        page.get_by_role("combobox", name="Part of the page").click()
        page.get_by_role("option", name=LABELS[part], exact=True).click()
        page.wait_for_url(f"**part={part}*")
    else:
        step_to(page, f"{server.url}/{PARTS[part]}")
    page.wait_for_selector(f".featdash-chart[data-panel='{PANELS[part]}']", state="attached")
    rest(page)
    page.wait_for_function(DRAWN)


def faults_of(page, part, size):
    """What is wrong at a size of the window, in words."""
    width, height = size
    page.set_viewport_size({"width": width, "height": height})
    follow_window(page)
    try:
        page.wait_for_function(f"() => !({CUT})().length", timeout=SETTLED)
    except PlaywrightTimeoutError:
        yield f"words are cut: {page.evaluate(CUT)}"
    share, whole, panels = page.evaluate(SHARE)
    if size == FIRST:
        yield from faults_at_first(page, share)
        if whole < panels and part == "race":
            yield "not all of the Lab's pictures are on the first screen"
    if share <= 0:
        yield "no picture is on the first screen"
    if outside := page.evaluate(OUTSIDE):
        yield f"titles reach beyond their pictures: {outside}"
    if size == PHONE and page.evaluate(NUMBERLESS):  # it is scrolled there; elsewhere cells may be too narrow
        yield "the cells of a map have no numbers"
    if page.evaluate("document.documentElement.scrollWidth") > width:
        yield "the page scrolls sideways"


def faults_at_first(page, share):
    """Those on a projector."""
    if not page.get_by_text(PURPOSE).is_visible():
        yield "the page does not say what it is for"
    letters = page.evaluate(TYPE)
    if letters[0] < SMALLEST or len(letters) > SIZES:
        yield f"letters are too small, or of too many sizes: {letters}"
    if share < LEAST_SHARE:
        yield f"pictures have {share:.2f} of the window"
    if (lead := page.evaluate(LEAD_SHARE)) < 0.5:
        yield f"the picture that leads has {lead:.2f} of the stage"
    if lying := page.evaluate(WORDS):
        yield f"words in pictures are cut or lie on one another: {lying}"
    for space, needed in page.evaluate(BETWEEN_PANELS):
        if space != pytest.approx(needed, abs=1):
            yield f"{space:.0f} pixels are between panels, and names there need {needed}"
    for away, high in page.evaluate(SPACES):
        if away <= 0.65 * high:
            yield f"what stands at the sides of a space is cut: {away:.2f} times as far, {high:.2f} times as high"


PROJECTOR, TELEPHONE = (1280, 720), (390, 844)
BAND = "document.querySelector('.st-key-band')"  # of a wall
# The smaller side of each map of neurons and of its circle, and whether the page has one H1 that is rendered.
MAPS = """() => [
  ...['.featdash-chart .nsewdrag', '.featdash-first .shapelayer path'].map((parts) =>
    [...document.querySelectorAll(parts)].map((part) => {
      const {width, height} = part.getBoundingClientRect();
      return Math.min(width, height);
    })),
  [...document.querySelectorAll('h1')].map((one) => one.checkVisibility({visibilityProperty: true})),
]"""


# Of each scene in which neurons are the subject: the window, how many maps it has, and the least sides in pixels of a
# map and of its circle, beside which stand a bar and its mark.
NEURONS = {
    "lab?story=race&scene=4": (TELEPHONE, 1, 300, 260),
    "lab?story=race&scene=4&present=1": (PROJECTOR, 1, 420, 420),
    "emergence?story=emergence&scene=3&present=1": (PROJECTOR, 2, 340, 0),
    "one_step?story=ablation&scene=1": (PROJECTOR, 1, 340, 300),
}


def test_a_storys_words_come_first_on_a_phone_and_where_neurons_are_the_subject_their_map_is_large(page, server):
    page.set_default_timeout(PATIENCE)
    page.set_viewport_size(dict(zip(("width", "height"), TELEPHONE, strict=True)))
    page.goto(f"{server.url}/lab?story=race&scene=1")
    page.wait_for_selector(".featdash-chart[data-updates]")
    page.wait_for_selector(".st-key-choices button")
    page.wait_for_selector(".st-key-below", state="attached")
    tops = page.evaluate(TOPS, [".st-key-words", ".st-key-choices", ".featdash-frame", ".st-key-below"])
    assert tops == sorted(tops), "words, what can be guessed, picture, and what is read last"
    assert tops[2] < 844
    assert page.evaluate(CUT) == []
    for address, (size, maps, least, across) in NEURONS.items():
        page.set_viewport_size(dict(zip(("width", "height"), size, strict=True)))
        step_to(page, f"{server.url}/{address}")
        wait_for_scene(page, address)
        sides, shapes, headings = page.evaluate(MAPS)
        assert min(sides[:maps]) >= least, address
        assert max(shapes, default=0) >= across, address
        assert headings == [True], address
        assert page.evaluate(WORDS) == [], f"the names at the sides of {address} are whole"


def wait_for_scene(page, address):
    """Until it stands there, drawn, in place of the one before."""
    number = re.search(r"scene=(\d)", address).group(1)
    page.get_by_text(re.compile(f"^{number} of \\d$")).first.wait_for(state="attached")
    page.wait_for_function(f"isWall => isWall === !!({BAND})", arg="present=1" in address)
    rest(page)
    page.wait_for_selector(".featdash-chart[data-updates]")
    page.wait_for_function(DRAWN)
    follow_window(page)
