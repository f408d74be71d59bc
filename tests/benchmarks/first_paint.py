"""How soon the Lab is on screen: PYTHONPATH=. python tests/benchmarks/first_paint.py [--loads 5] [--page lab]

A warm server, a cold browser for each load (a new process, an empty cache), 1280 by 720. Prints the seconds from the
navigation to the first words, to the first picture and to all pictures of the page, each once it is painted; before
them the floor, which is the first words of a Streamlit app that has one line.
"""

import argparse
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import sync_playwright

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "toys"))
from real_server import ARGUMENTS, CHROMIUM, free_port, running_server

WORDS = "words"
WATCH = f"""
const seen = window.painted = {{}};
const note = (name) => {{
  if (name in seen) return;
  seen[name] = null;
  requestAnimationFrame(() => setTimeout(() => (seen[name] = performance.now() / 1000)));
}};
new MutationObserver((changes) => {{
  if (!("{WORDS}" in seen) && document.querySelector("[data-testid=stMarkdownContainer] p")) note("{WORDS}");
  for (const {{target}} of changes) if (target.dataset?.updates) note(target.dataset.panel);
}}).observe(document, {{subtree: true, childList: true, attributes: true, attributeFilter: ["data-updates"]}});
"""
# Words alone are not enough: on a busy machine the first picture may come seconds after them.
COMPLETE = f"""(pictures) => {{
  const panels = [...document.querySelectorAll("[data-panel]")].map((node) => node.dataset.panel);
  return (!pictures || panels.length) && ["{WORDS}", ...panels].every((name) => window.painted[name]);
}}"""


@contextmanager
def empty_app(folder: Path) -> Iterator[str]:
    """The address of an app of one line."""
    (folder / "app.py").write_text('import streamlit as st\nst.write("Hello")\n')
    port = free_port()
    options = ["--server.port", str(port), "--server.address", "127.0.0.1", "--server.headless", "true"]
    server = subprocess.Popen(
        [sys.executable, "-m", "streamlit", "run", "app.py", *options, "--browser.gatherUsageStats", "false"],
        cwd=folder,
        stdout=subprocess.DEVNULL,
    )
    try:
        for _ in range(100):
            time.sleep(0.1)
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{port}/_stcore/health", timeout=1).close()
                break
            except OSError:
                continue
        yield f"http://127.0.0.1:{port}"
    finally:
        server.terminate()
        server.wait()


def load(playwright, url: str, pictures: bool = True) -> dict[str, float]:
    """What was painted when, in seconds after the navigation.

    pictures : whether the page has any.
    """
    browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
    page = browser.new_page(viewport={"width": 1280, "height": 720})
    page.add_init_script(WATCH)
    page.goto(url, wait_until="commit")
    page.wait_for_function(COMPLETE, arg=pictures, polling=100, timeout=60_000)
    painted = page.evaluate("window.painted")
    browser.close()
    return painted


def tell(name: str, times: list[float]) -> None:
    print(f"{name:>22}: median {statistics.median(times):5.2f} s, from {min(times):.2f} to {max(times):.2f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--loads", type=int, default=5)
    parser.add_argument("--page", default="lab")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        with empty_app(Path(folder)) as url:
            load(playwright, url, pictures=False)
            floor = [load(playwright, url, pictures=False)[WORDS] for _ in range(options.loads)]
            tell("an empty app, words", floor)
        with running_server(Path(folder) / "home") as server:
            load(playwright, f"{server.url}/{options.page}")  # the server builds its pictures, once for all
            loads = [load(playwright, f"{server.url}/{options.page}") for _ in range(options.loads)]
    pictures = [[at for name, at in painted.items() if name != WORDS] for painted in loads]
    tell(f"{options.page}, words", [painted[WORDS] for painted in loads])
    tell("first picture", [min(times) for times in pictures])
    tell(f"all {len(pictures[0])} pictures", [max(times) for times in pictures])


if __name__ == "__main__":
    main()
