"""How long the answer takes after «Show me», and the next scene after «Next», in a browser on a server of its own.

    python tests/benchmarks/story_speed.py [--rounds 5]

Prints the median and the slowest of each, in milliseconds; the aim is 300 for the answer, 500 for a scene.
"""

import argparse
import statistics
import sys
import tempfile
import time
from pathlib import Path

from playwright.sync_api import sync_playwright

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "toys"))
from real_server import ARGUMENTS, CHROMIUM, running_server

PATIENCE = 90_000  # milliseconds
# The clock runs in the page: from the press to the first frame in which what is waited for stands there.
TIMED = """([button, seen, words]) => new Promise((resolve) => {
  const pressed = [...document.querySelectorAll('button')].find((node) => node.innerText.startsWith(button));
  const began = performance.now();
  const look = () => [...document.querySelectorAll(seen)].some((node) => node.innerText.includes(words))
    ? resolve(performance.now() - began) : requestAnimationFrame(look);
  pressed.click();
  requestAnimationFrame(look);
})"""


def measure(page, url):
    """Milliseconds to the answer of the first scene, and from there to the second one."""
    page.goto(f"{url}/lab")
    page.wait_for_selector(".featdash-chart[data-updates]", timeout=PATIENCE)
    time.sleep(1)  # a visitor reads before the guess
    answer = page.evaluate(TIMED, ["Show me", "[data-testid=stAlert]", ""])
    time.sleep(1)
    return answer, page.evaluate(TIMED, ["Next", ".st-key-scene", "2 of "])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    rounds = parser.parse_args().rounds
    with (
        tempfile.TemporaryDirectory() as home,
        running_server(Path(home) / "home") as server,
        sync_playwright() as play,
    ):
        browser = play.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        taken = [
            measure(browser.new_page(viewport={"width": 1280, "height": 720}), server.url) for _ in range(rounds + 1)
        ]
        browser.close()
    for name, times in zip(("Show me to the answer", "Next to the scene"), zip(*taken[1:], strict=True), strict=True):
        print(f"{name}: median {statistics.median(times):.0f} ms, slowest {max(times):.0f} ms")


if __name__ == "__main__":
    main()
