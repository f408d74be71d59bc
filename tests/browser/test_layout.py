"""Where everything stands, on every part of every page: pictures first, no word cut, nothing that jumps."""

import os
import re
import signal
from contextlib import suppress

import pytest
from playwright.sync_api import TimeoutError as PlaywrightTimeoutError
from test_browser import (
    LONG,
    PATIENCE,
    RISK,
    SMALL,
    follow_window,
    no_traceback,
    open_lab,
    press,
    rest,
    wait_for_text,
    worker_processes,
)
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
STANDS = 2.0  # pixels that something may move when a run begins or ends
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


# The lowest edge of the names of a picture's curves, and where its plot begins.
NAMED = """panel => {
  const chart = document.querySelector(`[data-panel=${panel}]`);
  const names = [...chart.querySelectorAll('.annotation-text .line')].filter((one) => one.textContent.includes('NTK'));
  const lowest = Math.max(...names.map((one) => one.getBoundingClientRect().bottom));
  return [names.length, lowest, chart.querySelector('.nsewdrag').getBoundingClientRect().top];
}"""


def test_the_column_stays_in_sight_and_on_a_phone_a_bar_opens_it_below_the_pictures(page, server):
    explore(page, server, "race")
    page.locator(".st-key-below").last.scroll_into_view_if_needed()
    page.mouse.move(900, 400)
    page.mouse.wheel(0, 2000)
    page.wait_for_function("() => document.querySelector('.featdash-stage').getBoundingClientRect().top < 0")
    assert 0 <= page.evaluate(TOPS, [".st-key-aside"])[0] < 60, "its controls are where they were"
    page.set_viewport_size({"width": 390, "height": 844})
    follow_window(page)
    lines, lowest, top = page.evaluate(NAMED, "race-risk")
    assert lines == 1
    assert lowest <= top, "names stand above the plot, and on no curve"
    bar, sheet = page.get_by_role("button", name="Settings", exact=True), page.locator(".st-key-settings")
    assert bar.bounding_box()["y"] > 780
    assert page.get_by_role("button", name="Run race", exact=True).bounding_box()["y"] > 780
    assert not sheet.is_visible()
    bar.click()
    assert sheet.is_visible()
    stage, top = page.evaluate(TOPS, [".featdash-stage", ".st-key-settings"])
    assert 0 < stage < top - 200, "the pictures stay in sight above it"
    assert page.evaluate(CUT) == []
    page.get_by_role("spinbutton", name="Seed").fill("7")
    page.keyboard.press("Enter")
    wait_for_text(page, "New settings: press Run")
    assert sheet.is_visible(), "it stays open while one sets"
    page.keyboard.press("Escape")
    assert not sheet.is_visible()


# The picture that leads: its name, its share of the stage, and the smaller side of its plot.
LEAD = """() => {
  const box = (selector) => document.querySelector(selector).getBoundingClientRect();
  const [stage, lead, plot] = ['stage', 'first .featdash-frame', 'first .nsewdrag'].map((part) =>
    box(`.featdash-${part}`));
  return {
    name: document.querySelector('.featdash-first .featdash-chart').dataset.panel,
    share: lead.width * lead.height / (stage.width * stage.height),
    plot: Math.min(plot.width, plot.height),
    window: lead.width / innerWidth,
  };
}"""
LEADS = "name => document.querySelector('.featdash-first .featdash-chart').dataset.panel === name"
COUNT = """() => {
  window.drawings = {};
  for (const chart of document.querySelectorAll('.featdash-chart')) {
    drawings[chart.dataset.panel] = 0;
    chart.on('plotly_afterplot', () => (drawings[chart.dataset.panel] += 1));
  }
}"""
LARGE = "at => document.querySelector('.featdash-first').getBoundingClientRect().width / innerWidth > at"


def test_one_picture_leads_another_is_enlarged_by_a_click_or_enter_and_f_fills_the_window(page, server):
    explore(page, server, "race")
    told = page.evaluate(LEAD)
    assert told["name"] == "race-neurons"
    assert told["plot"] >= 420
    assert told["share"] >= 0.5
    page.locator(f"{RISK} .nsewdrag").click(position={"x": 5, "y": 5})
    page.wait_for_function(LEADS, arg="race-risk")
    page.press("[data-panel='race-profile']", "Enter")
    page.wait_for_function(LEADS, arg="race-profile")
    page.keyboard.press("f")
    page.wait_for_function(LARGE, arg=0.9)
    assert page.get_by_role("slider", name="Moment").is_visible(), "the timeline stays at hand"
    page.keyboard.press("Escape")
    page.wait_for_function(f"at => !({LARGE})(at)", arg=0.9)
    assert page.evaluate(LEAD)["name"] == "race-profile", "it stays as it was chosen"
    page.get_by_role("spinbutton", name="Seed").press("f")
    assert page.evaluate(LEAD)["window"] < 0.9, "who types is left alone"
    no_traceback(page)

    page.evaluate(COUNT)
    page.set_viewport_size({"width": 1024, "height": 600})
    page.wait_for_function("() => Object.values(window.drawings).every((times) => times)")
    follow_window(page)
    assert set(page.evaluate("Object.values(window.drawings)")) == {1}, "another size draws each picture once"
    wide = "node => Math.abs(node._fullLayout.width - node.clientWidth)"
    assert all(page.evaluate(wide, chart) < 1 for chart in page.query_selector_all(".featdash-chart"))


# Where everything stood, noted by the page itself, for a busy machine looks too seldom.
WATCH = """() => {
  const seen = window.places = {};
  const note = () => {
    const fixed = '.featdash-frame, .st-key-question, .st-key-commands, .featdash-state';
    for (const node of document.querySelectorAll(fixed)) {
      const kind = node.className.match(/st-key-\\w+|featdash-state/)?.[0];
      const name = node.querySelector('.featdash-chart')?.dataset.panel ?? kind;
      const {left, top, width, height} = node.getBoundingClientRect();
      const now = name === 'featdash-state' ? [left, top] : [left, top, width, height];
      const [least, most] = seen[name] ??= [now, now];
      const over = (values, which) => values.map((value, at) => which(value, now[at]));
      seen[name] = [over(least, Math.min), over(most, Math.max)];
    }
    requestAnimationFrame(note);
  };
  note();
}"""
MOVED = """() => Object.entries(window.places).map(([name, [least, most]]) =>
  [name, Math.max(...most.map((value, at) => value - least[at]))])"""


# The parts of a line that it has no room for.
OVER = """(line) => [...line.children].filter((part) => part.scrollWidth > part.clientWidth + 1
  || part.getBoundingClientRect().right > line.getBoundingClientRect().right).map((part) => part.textContent)"""


def test_nothing_moves_when_a_run_begins_ends_is_replayed_or_fails(page, server):
    page.set_default_timeout(PATIENCE)
    open_lab(page, server, f"seed=81&{SMALL}")
    wait_for_text(page, "Finished")
    page.wait_for_function(DRAWN)
    page.get_by_text("Run by itself", exact=True).click()  # off: Run is the way
    rest(page)
    page.evaluate(WATCH)
    box = page.get_by_role("spinbutton", name="Seed")
    box.fill("82")
    box.press("Enter")
    wait_for_text(page, "New settings: press Run")
    press(page, "Run race")
    page.wait_for_selector(".featdash-state progress")
    wait_for_text(page, "Finished")
    page.get_by_role("button", name="Play", exact=True).click()
    moment = "document.querySelector(s).dataset.moment"
    page.wait_for_function(f"s => {moment} > 0.1 && {moment} < 1", arg=RISK)
    page.get_by_role("slider", name="Moment").press("End")
    page.wait_for_function(f"s => {moment} === '1.0000'", arg=RISK)
    moved = dict(page.evaluate(MOVED))
    assert len(moved) == 6 + 3, "six pictures, title, commands and the line of state"
    assert {name: by for name, by in moved.items() if by > STANDS} == {}
    page.get_by_role("radio", name="full", exact=True).click()
    wait_for_text(page, r"New settings: press Run race \(about")
    line = page.locator(".featdash-state")
    line.get_by_text("Pale: before, seed = 81", exact=True).wait_for()
    assert line.evaluate(OVER) == [], "how long the run took, what is to be done, and what is pale, in one line"
    assert page.eval_on_selector(RISK, "chart => chart.data[0].name.startsWith('before: ')"), "it lies below the others"
    assert page.locator("[data-panel=race-error] .xtick").first.text_content().startswith("answer"), "the bars' order"
    assert page.locator(f"{RISK} .cartesianlayer > .subplot").count() == 1, (
        "else Plotly cuts the marks at the curves' ends"
    )
    open_lab(page, server, f"seed=83&{LONG}")
    wait_for_text(page, "training the heads")
    page.wait_for_selector(f"{RISK}[data-updates]")
    page.evaluate(WATCH)
    for process in worker_processes(server):
        os.kill(process.pid, signal.SIGKILL)
    wait_for_text(page, "The run failed")
    follow_window(page)
    assert {name: by for name, by in page.evaluate(MOVED) if by > STANDS} == {}


# Contrast of the words on what can be pressed, by WCAG's formula; the nearest background that is not clear counts.
CONTRAST = """() => {
  const numbers = (colour) => colour.match(/[\\d.]+/g).map(Number);
  const linear = (c) => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  const light = ([r, g, b]) => 0.2126 * linear(r / 255) + 0.7152 * linear(g / 255) + 0.0722 * linear(b / 255);
  const behind = (node) => {
    const colours = [], {top, bottom} = node.getBoundingClientRect();
    for (let above = node; above; above = above.parentElement) {
      const box = above.getBoundingClientRect();
      const beside = bottom <= box.top + 1 || top >= box.bottom - 1;
      if (beside && box.height < bottom - top) continue; // a slider's number stands above its knob, not on it
      const [r, g, b, a = 1] = numbers(getComputedStyle(above).backgroundColor);
      colours.push([r, g, b, a]);
      if (a === 1) break;
    }
    const over = (under, [r, g, b, a]) => [r, g, b].map((c, at) => a * c + (1 - a) * under[at]);
    return colours.reverse().reduce(over, [255, 255, 255]);
  };
  const ours = '.featdash-command button:not([aria-disabled=true]) > :is(span, kbd)';
  const words = `button:not(:disabled) :is(p, kbd), ${ours}, [data-testid=stSliderThumbValue], label p`;
  return [...document.querySelectorAll(`.st-key-room :is(${words})`)]
    .filter((node) => node.checkVisibility()).map((node) => {
      const [a, b] = [light(numbers(getComputedStyle(node).color)), light(behind(node))].sort((a, b) => b - a);
      return [node.innerText, (a + 0.05) / (b + 0.05)];
    }).filter(([words]) => words);
}"""


PAPER = "([chart, colour]) => document.querySelector(chart)._fullLayout.paper_bgcolor === colour"
INK = "(colour) => getComputedStyle(document.documentElement).getPropertyValue('--featdash-ink') === colour"


def check_contrast(tab):
    found = tab.evaluate(CONTRAST)
    assert "Run race" in dict(found)
    assert len(found) > 10
    assert {words: ratio for words, ratio in found if ratio < 4.5} == {}


def test_words_on_controls_stand_out_in_both_themes_and_the_dark_one_is_printed_in_black_on_white(new_tab, server):
    tab = new_tab
    open_lab(tab, server)
    check_contrast(tab)
    tab.get_by_test_id("stMainMenu").locator("button").first.click()
    tab.get_by_role("menuitemradio", name="Dark").click()
    tab.wait_for_function(PAPER, arg=[RISK, "#0E1117"], timeout=PATIENCE)  # without another click
    tab.wait_for_function(INK, arg="#F2F2F2", timeout=PATIENCE)  # pictures go ahead of their page
    tab.keyboard.press("Escape")
    check_contrast(tab)
    tab.evaluate("""() => {
        const stage = document.querySelector('.featdash-stage');
        const note = () => { window.sheet = [stage.clientWidth, stage.style.zoom]; };
        window.addEventListener('beforeprint', note);
    }""")
    tab.pdf(format="A4")
    width, zoom = tab.evaluate("() => window.sheet")
    assert 600 < width * float(zoom) < 700, "as wide as a sheet of A4, whatever the window"
    assert tab.evaluate("() => document.querySelector('.featdash-stage').style.zoom") == "", "on the screen as before"
    tab.emulate_media(media="print")
    seen = "(words) => [...document.querySelectorAll(words)].filter((node) => node.checkVisibility()).length"
    assert tab.evaluate(seen, ".st-key-room :is(button, input, [role=slider])") == 0
    assert tab.evaluate(seen, ".featdash-frame") == 6
    colours = (
        "(words) => [...new Set([...document.querySelectorAll(words)].map((node) => getComputedStyle(node).color))]"
    )
    assert tab.evaluate(colours, ".st-key-room :is(h1, p, li)") == ["rgb(0, 0, 0)"]
    assert (
        tab.evaluate("() => getComputedStyle(document.querySelector('.stApp')).backgroundColor") == "rgb(255, 255, 255)"
    )


def test_larger_text_is_large_everywhere_and_its_word_is_in_the_link(page, server):
    open_lab(page, server)
    page.get_by_text("Larger text", exact=True).click()
    page.wait_for_function("() => getComputedStyle(document.documentElement).fontSize === '18px'", timeout=PATIENCE)
    page.wait_for_url(re.compile("text=large"), timeout=PATIENCE)
    page.wait_for_function(f"() => ({TYPE})()[0] >= 18")
    page.reload()
    page.wait_for_selector(f"{RISK}[data-updates]", timeout=PATIENCE)
    page.wait_for_function(f"() => ({TYPE})()[0] >= 18")
    assert page.evaluate(CUT) == []
