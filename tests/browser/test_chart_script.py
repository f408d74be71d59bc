"""The charts' script in a real browser: one for all pictures of the page, and asked for again when it does not come."""

import json

import pytest
from test_browser import PATIENCE, RISK

from featdash.ui.kit import glossary, settings_sheet
from featdash.ui.page import commands, take_away
from featdash.ui.stage.chart import ADDRESS, FOLDER, LOADER, SCRIPT

pytestmark = pytest.mark.browser
MISSING = "The pictures could not be loaded"
STAGE = {"names": ["a"], "wide": [], "listening": [], "subject": "a run", "least": 1, "caption": None, "panels": {}}
BUTTONS = {"place": "there", "session": "a", "done": 0, "noun": "race", "state": "none", "ready": True, "help": {}}
# How often it stands in its place after two calls, after the end of the first of them, and after that of both, when the
# place has left the page. What needs no end goes with its place.
OVERTAKEN = """async ([script, text, isBytes, selector]) => {
  const { default: show } = await import(URL.createObjectURL(new Blob([script], { type: "text/javascript" })));
  const parentElement = document.body.appendChild(document.createElement("div"));
  const data = isBytes ? new TextEncoder().encode(text) : JSON.parse(text);
  const call = () => show({ data, parentElement, setStateValue: () => {}, setTriggerValue: () => {} });
  const ends = [call(), call()];
  const count = () => parentElement.querySelectorAll(selector).length;
  while (!count()) await new Promise(requestAnimationFrame);
  const counts = [count(), (ends[0]?.(), count())];
  parentElement.remove();
  ends.forEach((end) => end?.());
  return ends[1] ? [...counts, count()] : counts;
}"""


def test_pictures_come_as_soon_as_their_script_can_be_had_and_it_comes_once(new_tab, server):
    frames, asked = [], []

    def refuse_two(route):
        asked.append(route.request.url)
        route.abort() if len(asked) <= 2 else route.continue_()

    new_tab.on("websocket", lambda socket: socket.on("framereceived", lambda frame: frames.append(frame)))
    new_tab.route(f"**/{ADDRESS}*", refuse_two)
    new_tab.goto(f"{server.url}/lab?mode=explore")
    new_tab.get_by_text(MISSING).wait_for(timeout=PATIENCE)
    new_tab.wait_for_selector(f"{RISK}[data-updates]", timeout=PATIENCE)
    assert new_tab.get_by_text(MISSING).count() == 0
    tries = len(asked)
    assert tries >= 3
    new_tab.get_by_text("Log risk").first.click()
    new_tab.wait_for_function("s => Number(document.querySelector(s).dataset.updates) > 1", arg=RISK, timeout=PATIENCE)
    assert len(asked) == tries
    inner = SCRIPT.partition("function arrange(")[2][:60].encode()
    assert any(b"featdash_chart" in frame for frame in frames)
    assert not any(inner in frame for frame in frames), "it does not come with what changes in a picture"


def test_what_is_called_twice_stands_there_once_until_it_leaves_the_page(page, server):
    """Where two looks come within a moment, Streamlit ends the call for the first one after that for the second: the
    stage stood empty once in a hundred runs on a busy machine, until somebody pressed something. Where the theme
    changes, it ends the first one never: each change put one more «Settings» into the bar of a phone."""
    page.goto(f"{server.url}/lab?mode=explore")
    page.wait_for_selector(RISK, timeout=PATIENCE)
    for script, data, selector, stands in (
        (LOADER, STAGE | {"timeline": None, "state": {"words": "Here it is."}}, ".featdash-stage", [1, 1, 0]),
        ((commands.FOLDER / "commands.js").read_text(encoding="utf-8"), BUTTONS, ".featdash-commands", [1, 1]),
        (settings_sheet.SCRIPT, {}, ".featdash-settings", [1, 1, 0]),
        (take_away.SAVE_SCRIPT, {}, ".featdash-picture-file", [1, 1]),
        (glossary.SCRIPT, {}, ".featdash-bubble", [1, 1, 0]),
    ):
        assert page.evaluate(OVERTAKEN, [script, json.dumps(data), script is LOADER, selector]) == stands, selector


PALE = f"""([whole, before]) => {{
  {(FOLDER / "before.js").read_text(encoding="utf-8")}
  const pale = paleCurves({{ whole, before }});
  return [pale.above, withPale({{ pale }}, whole.data)];
}}"""


@pytest.mark.parametrize(
    ("span", "word"),
    [
        ([-1, 0.5], [2, 0.5, "top"]),
        ([0, 0.5], [3, 1, "top"]),
        ([-3, 0.01], [2, 0.5, "bottom"]),
        ([2, 3], None),
    ],
)
def test_before_is_written_on_a_pale_curve_that_is_in_sight_and_not_beyond_its_axis(page, span, word):
    axes = {"xaxis": {"type": "linear"}, "yaxis": {"type": "log"}}
    curve = {"type": "scatter", "x": [0, 1, 2, 3, 4]}
    before = {"data": [curve | {"y": [9] * 5}, curve | {"y": [0.1, 0.2, 0.5, 1, 20]}], "layout": axes}
    now = {"data": [], "layout": axes | {"yaxis": axes["yaxis"] | {"range": span}}}
    above, _ = page.evaluate(PALE, [now, before])
    words = [[*one["x"], *one["y"], one["textposition"].split()[0]] for one in above if one["mode"] == "text"]
    assert words == ([word] if word else [])


def test_numbers_stand_on_the_marks_of_the_bars_before(page):
    layout = {"barmode": "stack", "xaxis": {}, "yaxis": {}, "ink": "black"}
    bars = {"type": "bar", "x": ["a", "b"], "y": [1, 2]}
    numbers = {"type": "scatter", "mode": "text", "x": ["a", "b"], "y": [1, 2], "text": ["1", "2"]}
    now, before = {"data": [bars, numbers], "layout": layout}, {"data": [bars | {"y": [3, 2]}], "layout": layout}
    _, drawn = page.evaluate(PALE, [now, before])
    assert [one.get("mode", one["type"]) for one in drawn] == ["bar", "markers", "text"]
    assert drawn[1]["y"] == [3], "of the bar that has changed"


RUN_ON = f"""() => {{
  {(FOLDER / "picture_words.js").read_text(encoding="utf-8")}
  document.body.innerHTML = `<svg width="400" height="150" font-family="sans-serif" font-size="20">
    <text x="0" y="20">measured: 0.938</text><text x="120" y="28">RFM 0.94</text>
    <text x="0" y="90">your guess: 0.5</text><text x="4" y="80">measured: 0.6</text>
    <text x="0" y="130">Algorithm 1</text><text x="0" y="138">RFM</text></svg>`;
  const words = [...document.querySelectorAll("text")];
  const [long, short] = words.slice(-2).map((one) => one.getBoundingClientRect().width);
  words.at(-1).setAttribute("x", long - short); // they end at one place, as over the ends of curves on a phone
  for (const [one, share] of runningOn(words, 1)) shrink(one, share, SMALLEST_WORDS);
  const boxes = words.map((one) => one.getBoundingClientRect());
  return [boxes[1].left - boxes[0].right, words.map((one) => parseFloat(getComputedStyle(one).fontSize))];
}}"""


def test_words_in_a_narrow_plot_end_before_the_name_beside_it(page):
    between, (size, *others) = page.evaluate(RUN_ON)
    assert 0 < between < 10
    assert size < 20
    assert others == [20] * 5, "nothing stands in their way, or only what is moved away"
