"""How soon a dragged setting is on screen: PYTHONPATH=. python tests/benchmarks/drag_speed.py [--drags 20]

The Lab's Explore at its quick size, in a headless browser on a server of its own. The thumb of «Samples n» is dragged
to a value that was not computed before, and let go. The clock is the page's: from there to the first change of the
pictures (those of the run before turn pale, or one is drawn), to the first picture of the new run, and to the last
drawing of any picture. Prints medians and ranges, and the processor time of the server and of its workers a drag.
"""

import argparse
import re
import statistics
import sys
import tempfile
from pathlib import Path

import psutil
from playwright.sync_api import sync_playwright

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "toys"))
from real_server import ARGUMENTS, CHROMIUM, running_server

QUICK = "mode=explore&width=100&holdout=1000&test=4000"
PATIENCE = 90_000  # milliseconds
PLACES = (0.5, 0.58, 0.54, 0.62)  # of the slider, one after another: n from 400 to 2000; with each seed they are fresh
QUIET = 1500  # milliseconds without a drawing, after which the run and its pictures are at rest
POLL = 250  # milliseconds between two looks at the page: with one each frame they would take a tenth of its time
WATCH = """() => {
  const seen = window.seen = {let_go: 0, changes: [], drawings: []};
  window.addEventListener('pointerup', () => (seen.let_go = performance.now()), true);
  new MutationObserver((records) => {
    const now = performance.now();
    for (const {attributeName, target} of records) {
      if (attributeName === 'data-updates') seen.drawings.push(now);
      else if (!target.classList.contains('featdash-frame')) continue;
      seen.changes.push(now);
    }
  }).observe(document.body, {subtree: true, attributes: true, attributeFilter: ['class', 'data-updates']});
}"""
RESTS = """([quiet, address]) => location.search !== address
  && document.body.innerText.includes('Finished, computed in')
  && performance.now() - Math.max(seen.let_go, ...seen.changes) > quiet"""
SECONDS = """() => {
  const {let_go, changes, drawings} = seen;
  return [changes[0], drawings[0], drawings.at(-1)].map((at) => (at - let_go) / 1000);
}"""


def drag(page, place: float) -> list[float]:
    """Seconds from letting the thumb go, at that part of the slider, to what the pictures then do."""
    slider = page.get_by_role("slider", name="Samples n")
    track = slider.locator("xpath=ancestor::*[@data-testid='stSlider']//*[@role='group']").bounding_box()
    thumb = slider.locator("xpath=ancestor::*[@data-rac][1]").bounding_box()
    height = thumb["y"] + thumb["height"] / 2
    page.mouse.move(thumb["x"] + thumb["width"] / 2, height)
    page.mouse.down()
    page.mouse.move(track["x"] + place * track["width"], height, steps=5)
    address = page.evaluate("location.search")
    page.evaluate("Object.assign(seen, {changes: [], drawings: []})")
    page.mouse.up()
    page.wait_for_function(RESTS, arg=[QUIET, address], timeout=PATIENCE, polling=POLL)
    return page.evaluate(SECONDS)


def measure(page, url: str, drags: int, seed: int = 0) -> list[list[float]]:
    """The drags, each of them to a fresh setting, if no seed after this one was run before."""
    taken: list[list[float]] = []
    while len(taken) < drags:
        seed += 1
        page.goto(f"{url}/lab?{QUICK}&n=300&seed={seed}")
        page.get_by_text(re.compile("Finished, computed in")).wait_for(timeout=PATIENCE)
        page.wait_for_function("document.querySelectorAll('.featdash-chart[data-updates]').length === 6")
        page.evaluate(WATCH)
        page.wait_for_timeout(QUIET)
        taken += [drag(page, place) for place in PLACES][: drags - len(taken)]
    return taken


def processor_time(server: psutil.Process) -> tuple[float, float]:
    """Seconds of the server, and of the processes that it has begun."""
    spent = [sum(one.cpu_times()[:2]) for one in [server, *server.children(recursive=True)]]
    return spent[0], sum(spent[1:])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--drags", type=int, default=20)
    drags = parser.parse_args().drags
    with (
        tempfile.TemporaryDirectory() as folder,
        running_server(Path(folder) / "home") as server,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        page = browser.new_page(viewport={"width": 1280, "height": 720})
        measure(page, server.url, len(PLACES), seed=1000)  # warm: the workers have imported torch
        process = psutil.Process(server.process.pid)
        before = processor_time(process)
        taken = measure(page, server.url, drags)
        spent = [(after - at_first) / drags for after, at_first in zip(processor_time(process), before, strict=True)]
        browser.close()
    names = ("first change", "first picture", "last picture")
    for name, seconds in zip(names, zip(*taken, strict=True), strict=True):
        middle = statistics.median(seconds)
        print(f"drag to {name}: median {middle:.2f} s, from {min(seconds):.2f} to {max(seconds):.2f}")
    print(f"{drags} drags: {spent[0]:.2f} s of the server a drag, {spent[1]:.2f} s of the workers, pages included")


if __name__ == "__main__":
    main()
