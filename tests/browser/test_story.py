"""A story in a real browser: from the front door to a revealed prediction, by hand, by keyboard and on a wall."""

import re
from contextlib import contextmanager

import pytest
from playwright.sync_api import expect
from test_browser import PATIENCE, follow_window, no_traceback, press, rest, step_to, wait_for_text

from featdash.figures.prediction import HIDDEN, HINT

pytestmark = pytest.mark.browser
CHART = ".featdash-chart[data-updates]"
WALLS = [(1280, 720), (1920, 1080), (1024, 768)]
BAND, IN_PICTURE = 24, 18  # pixels of a letter that is read from the back row
# What a picture tells: of each trace that was not known before, its opacity; and the words in the picture.
TOLD = """() => [...document.querySelectorAll('.featdash-chart')].map((node) => ({
  alt: node.getAttribute('aria-label'),
  traces: (node.data ?? []).filter((trace) => !(trace.name ?? '').startsWith('target'))
    .map((trace) => trace.visible === false ? 0 : trace.opacity ?? 1),
  words: (node.layout?.annotations ?? []).map((one) => one.text),
  headline: node.closest('.featdash-frame').querySelector('.featdash-headline').textContent}))"""
REVEALED = f"hidden => ({TOLD})().every((one) => one.alt && one.alt !== hidden)"
# On a wall: letters of the band, of the pictures as magnified, and where the lowest picture ends and the band begins.
WALL = """() => {
  const size = (node) => parseFloat(getComputedStyle(node).fontSize);
  const band = document.querySelector('.st-key-band').getBoundingClientRect();
  const pictures = [...document.querySelectorAll('.featdash-chart')].flatMap((node) => {
    const scale = node.getBoundingClientRect().width / node.offsetWidth;
    const words = [...node.querySelectorAll('svg text')].filter((text) => text.textContent.trim());
    return words.map((text) => size(text) * scale);
  });
  return {
    band: Math.min(...[...document.querySelectorAll('.st-key-band p')].map(size)),
    picture: Math.min(...pictures),
    lowest: Math.max(...[...document.querySelectorAll('.featdash-frame')].map((n) => n.getBoundingClientRect().bottom)),
    begins: band.top,
    overflow: document.querySelector('.st-key-band').scrollHeight - band.height,
  };
}"""
AT = """selector => {
  const {x, y, width, height} = document.querySelector(selector).getBoundingClientRect();
  return [x, y, width, height];
}"""
BUTTONS = ["Back", "Next", "End presenting", "Hide the words"]
# Remembers buttons by their names; and those of them that are not on the page any more.
MARK = """names => names.forEach((name) => {
  window[name] = document.evaluate(`//button[contains(., '${name}')]`, document, null, 9).singleNodeValue;
})"""
LOST = "names => names.filter((name) => !window[name]?.isConnected)"


def come(page, server, where):
    page.set_default_timeout(PATIENCE)
    page.goto(f"{server.url}/{where}")
    page.wait_for_selector(CHART)


def scene(page, number, of=8):
    page.get_by_text(f"{number} of {of}", exact=True).wait_for()
    page.wait_for_url(re.compile(f"scene={number}"))


@contextmanager
def traffic_of(page):
    """The addresses that a page asks for in this block, and what it says in its console."""
    asked, said = [], []

    def ask(request):
        asked.append(request.url)

    def say(message):
        said.append((message.type, message.text, message.location.get("url", "")))

    page.on("request", ask)
    page.on("console", say)
    yield asked, said
    page.remove_listener("request", ask)
    page.remove_listener("console", say)


def show_me(page):
    page.get_by_role("button", name=re.compile("^Show me")).click()


def reveal_the_first_prediction(page, server):
    """In two clicks, and nothing is asked of another server."""
    with traffic_of(page) as (asked, said):
        come(page, server, "lab")
        before = page.evaluate(TOLD)
        assert [one["alt"] for one in before] == [HIDDEN] * len(before)
        page.get_by_text("only one of them", exact=True).click()
        show_me(page)
        page.locator("[data-testid=stAlert]", has_text="✓ Only one does: Algorithm 1.").wait_for()
        page.wait_for_function(REVEALED, arg=HIDDEN)
        rest(page)
    ours = (server.url, "data:", "blob:", server.url.replace("http", "ws"))
    assert [url for url in asked if not url.startswith(ours)] == []
    # Streamlit looks for its server below each page's address first, and is told that it is not there.
    assert [one for one in said if one[0] in ("error", "warning") and "_stcore" not in one[2]] == []


def go_back_and_refresh(page):
    """The place is in the address; it ends at the scene that asks for a number on the risk's axis."""
    for number in (2, 3):
        page.get_by_role("button", name=re.compile("^Next")).click()
        scene(page, number)
    page.go_back()
    scene(page, 2)
    page.get_by_text("Three contenders").first.wait_for()
    page.go_forward()
    scene(page, 3)
    page.reload()
    scene(page, 3)


def guess_in_a_hidden_picture(page):
    """It gives nothing away, and the guess stays beside the answer."""
    risk = ".featdash-chart[data-panel='race-risk']"
    page.wait_for_selector(f"{risk} .nsewdrag", state="attached")
    rest(page)
    (before,) = page.evaluate(TOLD)
    assert before["alt"] == HIDDEN
    assert before["headline"] == ""
    assert set(before["traces"]) == {0}, "no curve is seen"
    assert before["words"] == [HINT]
    told = "s => document.querySelector(s).layout.annotations.map((note) => note.text).join()"
    left, top, width, height = page.evaluate(AT, f"{risk} .nsewdrag")
    page.mouse.move(left + width / 2, top + height / 4)
    page.mouse.down()
    page.mouse.move(left + width / 2, top + height / 2, steps=3)
    assert page.locator(".featdash-guess").count() == 1, "a line follows the pointer"
    page.mouse.up()
    page.wait_for_function(f"s => ({told})(s).includes('your guess: 0.2')", arg=risk)
    dragged = page.evaluate(told, risk)
    page.get_by_role("slider").first.press("ArrowRight")  # as a guess is changed by keyboard
    page.wait_for_function(f"([s, was]) => ({told})(s) !== was", arg=[risk, dragged])
    show_me(page)
    wait_for_text(page, "Your guess was .* times too low")
    (after,) = page.evaluate(TOLD)
    assert after["alt"] != HIDDEN
    assert max(after["traces"]) == 1
    assert "your guess: 0.2" in page.evaluate(told, risk)
    assert "measured: 0.4" in page.evaluate(told, risk)


def choose_by_a_key_and_in_the_picture(page, server):
    step_to(page, f"{server.url}/sample_complexity?story=sweep&scene=1")
    page.wait_for_selector(".featdash-asks .nsewdrag", state="attached")
    rest(page)
    chosen = page.locator(".st-key-choices button[kind=primary]")
    page.keyboard.press("2")
    expect(chosen).to_contain_text("between 0.2 and 0.6")
    left, top, width, height = page.evaluate(AT, ".featdash-asks .nsewdrag")
    page.mouse.click(left + width / 2, top + height / 5)
    expect(chosen).to_contain_text("above 0.6: little is learned")


def be_quicker_than_the_page(page, server):
    """What was guessed is answered, although the page has not drawn the choice."""
    step_to(page, f"{server.url}/lab?story=race&scene=6")
    scene(page, 6)
    page.wait_for_selector(".st-key-choices button:has-text('near 0.06')")
    rest(page)
    page.evaluate(
        """() => {
          document.querySelector('.st-key-choices button').click();
          [...document.querySelectorAll('button')].find((one) => one.innerText.startsWith('Show me')).click();
        }"""
    )
    answer = page.locator("[data-testid=stAlert]").first
    answer.wait_for()
    assert not answer.inner_text().startswith("•"), "the page has heard of no guess"
    assert page.get_by_text("You said: near 0.06, as before").count() == 1


def test_a_newcomer_reveals_predictions_finds_the_place_again_opens_explore_and_goes_on(page, server):
    reveal_the_first_prediction(page, server)
    go_back_and_refresh(page)
    guess_in_a_hidden_picture(page)
    press(page, "Open in Explore")
    page.wait_for_url(re.compile("mode=explore"))
    rest(page)
    no_traceback(page)
    choose_by_a_key_and_in_the_picture(page, server)
    be_quicker_than_the_page(page, server)
    no_traceback(page)


def answer_by_keyboard(page, server):
    come(page, server, "lab")
    page.wait_for_selector(".st-key-choices button")
    rest(page)  # a button that is drawn anew between the press of a key and its release is not pressed
    page.evaluate("document.activeElement.blur()")
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.matches('.st-key-choices button')"):
            break
    page.keyboard.press("Space")  # of the choice alone: it does not show the answer
    page.wait_for_selector(".st-key-choices button[kind=primary]")
    follow_window(page)
    rest(page)
    assert "1 of 8" in page.locator(".st-key-scene").inner_text()
    page.wait_for_function("() => document.activeElement.matches('.st-key-choices button[kind=primary]')")
    said = page.locator("[role=status]").first.inner_text().split("\n\n")
    assert said[0] == "A puzzle with a hidden direction, scene 1 of 8."
    assert said[1].startswith("You said: ")
    assert said[2:] in ([], [""]), "a recorded run has not finished just now"
    page.get_by_role("button", name="Keep this").focus()
    page.keyboard.press("Space")  # of this button alone
    page.get_by_text("See the page Lecture").wait_for()
    rest(page)  # a button that is drawn anew loses the focus for a moment
    assert page.get_by_role("button", name="Show me").is_visible()
    for _ in range(10):
        page.keyboard.press("Shift+Tab")
        if page.evaluate("document.activeElement.innerText?.startsWith('Show me')"):
            break
    page.keyboard.press("Enter")
    page.locator(".st-key-scene").get_by_text("You said:").wait_for()
    page.wait_for_function("() => document.activeElement.matches('.st-key-answer, h2')")  # not lost with its button
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("ArrowRight")
    scene(page, 2)
    page.keyboard.press("ArrowLeft")
    scene(page, 1)
    no_traceback(page)


def put_on_the_wall(page):
    """Pictures and a band alone."""
    rest(page)  # the keys are listened to from the end of the page on
    page.keyboard.press("p")
    page.wait_for_url(re.compile("present=1"))
    band = page.locator(".st-key-band")
    band.wait_for()
    rest(page)
    assert not page.locator("[data-testid=stHeader]").is_visible()
    assert "Esc end" in band.evaluate("band => getComputedStyle(band, '::after').content"), "how it is led"
    assert not page.locator(".st-key-aside").is_visible()


def look_from_the_back_row(page):
    """At each size of a wall, and in a small window, or one that is magnified."""
    assert "This is the scene to stop at" not in page.inner_text("body"), "notes are the lecturer's"
    for width, height in WALLS:
        page.set_viewport_size({"width": width, "height": height})
        follow_window(page)
        told = page.evaluate(WALL)
        assert told["band"] >= BAND, (width, told)
        assert told["picture"] >= IN_PICTURE - 0.1, (width, told)
        assert told["lowest"] <= told["begins"] + 1, (width, told)
        assert told["begins"] < height
        assert told["overflow"] <= 0, (width, told)
        assert round(told["band"]) == (34 if width == 1920 else 24), "words are as much larger as a large wall is"
    page.set_viewport_size({"width": 640, "height": 450})
    follow_window(page)
    words = page.locator(".st-key-band").bounding_box()
    picture = page.locator(".featdash-frame").first.bounding_box()
    assert words["y"] + words["height"] <= picture["y"], "words stand over the picture, and not on it"
    page.set_viewport_size({"width": 1280, "height": 720})


def hide_the_words_and_show_them(page):
    band = page.locator(".st-key-band")
    page.keyboard.press("h")
    band.wait_for(state="hidden")
    page.locator("button", has_text="Show the words").wait_for(state="attached")  # which the next key presses
    page.keyboard.press("h")
    band.wait_for()


def lead_by_keys(page):
    """From the first scene to the last. Streamlit takes a button away, and its key, for as long as another element is
    drawn in its place: each keeps its button."""
    page.evaluate(MARK, BUTTONS)
    for number in range(2, 9):
        page.keyboard.press("ArrowRight")
        page.wait_for_url(re.compile(f"scene={number}"))
        rest(page)
        assert page.evaluate(LOST, BUTTONS) == [], number
        if page.get_by_role("button", name=re.compile("^Show me"), include_hidden=True).count():
            page.keyboard.press("Space")
            page.wait_for_function(REVEALED, arg=HIDDEN)
            rest(page)
            assert page.evaluate(LOST, BUTTONS) == [], number
        if number == 5:
            look_from_the_back_row(page)
    hide_the_words_and_show_them(page)
    page.keyboard.press("Escape")
    page.wait_for_url(lambda url: "present" not in url)
    page.locator(".st-key-aside").wait_for()
    no_traceback(page)


def open_ones_own_lecture(page, server):
    """It outlives the tab, and a link holds its place."""
    page.wait_for_function("() => JSON.parse(localStorage['featdash.lecture'] ?? '[]').length === 1")
    come(page, server, "kernels?mode=explore")  # loaded anew: another session, which has kept nothing
    page.get_by_role("button", name="Keep this").click()
    page.wait_for_function("() => JSON.parse(localStorage['featdash.lecture']).length === 2")
    step_to(page, f"{server.url}/lecture")
    page.get_by_text("My lecture").wait_for()
    page.locator(".st-key-lecture-open-kept button").click()
    scene(page, 1, of=2)
    page.keyboard.press("ArrowRight")
    scene(page, 2, of=2)
    page.keyboard.press("p")
    page.wait_for_url("**present=1**")
    page.reload()
    page.wait_for_selector(CHART)
    assert "kept=" in page.url
    title = page.locator(".st-key-band strong").first
    title.wait_for()
    assert title.inner_text().startswith("Dimension")
    page.goto(f"{server.url}/lecture?story=kept&scene=2")  # an address without the lecture, as of one too long for it
    scene(page, 2, of=2)
    page.evaluate("localStorage.removeItem('featdash.lecture')")
    page.reload()
    page.get_by_text("This lecture is not in this browser").wait_for()
    no_traceback(page)


def test_a_lecturer_goes_by_keyboard_alone_to_the_answer_and_on_to_a_wall_and_keeps_a_lecture(page, server):
    answer_by_keyboard(page, server)
    put_on_the_wall(page)
    lead_by_keys(page)
    open_ones_own_lecture(page, server)
