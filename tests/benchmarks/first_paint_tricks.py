"""What each first-paint trick gives: python tests/benchmarks/first_paint_tricks.py [--loads 9] [--page lab]

Run with `PYTHONPATH=.:tests`. A server for each trick, without it, beside two as they are; each round loads the page
from every one of them, with a cold browser, in an order of its own. What a trick gives is the median over the rounds of
the difference to the same round's load from the server as it is; the interval, from the order statistics of the
differences, holds the median of all loads at 95 %. The second server as it is tells the noise. `warm_up` shows at a
server's first load only: its rounds start two servers anew. With `--mbit 20 --delay 10` the browser is on a network
like a lecture hall's (`slow_link.py`; with Chromium's own emulation one load in ten never ends), in place of loopback.
A trick that gives under 0.15 s of the first picture and of all should go.
"""

import argparse
import os
import random
import runpy
import signal
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from functools import partial
from math import comb
from pathlib import Path

from first_paint import WORDS, load
from playwright.sync_api import sync_playwright
from real_server import ROOT, free_port
from slow_link import slow_link

from featdash.server import asgi
from featdash.ui.stage import chart

WORTH = 0.15  # seconds that a trick must give
AS_IT_IS, AGAIN, COLD = "as it is", "as it is, again", "warm_up"
WARM = 6.0  # seconds that a server needs for its warm start
MEASURES = ("words", "first picture", "all pictures")
ONE_BY_ONE = "if (page.waiting.size) await shown();"


def middleware_off(name: str) -> Callable[[], None]:
    return lambda: setattr(asgi, name, lambda app, *_, **__: app)


def identity_for(module: object, name: str) -> Callable[[], None]:
    return lambda: setattr(module, name, lambda value: value)


def draw_all_at_once() -> None:
    assert ONE_BY_ONE in chart.SCRIPT, "chart.js draws its pictures otherwise; name the line here"
    chart.SCRIPT = chart.SCRIPT.replace(ONE_BY_ONE, "")


# Trick -> what takes it from a server before it starts.
TRICKS: dict[str, Callable[[], None]] = {
    "compression of Streamlit's files": middleware_off("GZipMiddleware"),
    "EarlyScript: names in the page": middleware_off("EarlyScript"),
    "send_at_once": lambda: setattr(asgi, "send_at_once", lambda: None),
    "light plotly.js": identity_for(chart, "register_only"),
    "call_eagerly": identity_for(chart, "call_eagerly"),
    "pictures shown one by one": draw_all_at_once,
}


def serve(trick: str, port: int) -> None:
    """Streamlit in this process, without the trick."""
    if trick == COLD:
        asgi.warm_up = lambda: None
    elif trick in TRICKS:
        TRICKS[trick]()
    sys.argv = ["streamlit", "run", "app.py", "--server.port", str(port)]
    runpy.run_module("streamlit", run_name="__main__")


Link = Callable[[int], AbstractContextManager[int]]  # a server's port -> that at which a browser asks for it


@contextmanager
def server(trick: str, home: Path, link: Link) -> Iterator[str]:
    """The address of a server without the trick, at the end of that link."""
    port = free_port()
    environment = {**os.environ, "FEATDASH_HOME": str(home), "FEATDASH_ENGINE": "inline"}
    environment["PYTHONPATH"] = os.pathsep.join([str(ROOT), str(ROOT / "tests")])
    command = [sys.executable, __file__, "--serve", trick, "--port", str(port)]
    with (home.parent / f"{home.name}.log").open("wb") as log:
        process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=log, stderr=log)
    try:
        for _ in range(300):
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{port}/_stcore/health", timeout=1).close()
                break
            except OSError:
                time.sleep(0.1)
        with link(port) as near:
            yield f"http://127.0.0.1:{near}"
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(30)


def times(painted: dict[str, float]) -> tuple[float, float, float]:
    """Seconds to the words, the first picture, all pictures."""
    pictures = [at for name, at in painted.items() if name != WORDS]
    return painted[WORDS], min(pictures), max(pictures)


def interval(values: list[float]) -> tuple[float, float]:
    """The narrowest pair of order statistics that holds the median at 95 %; the ends where there are too few."""
    ordered, n = sorted(values), len(values)
    outside = [sum(comb(n, j) for j in range(k)) / 2 ** (n - 1) for k in range(1, n // 2 + 1)]  # beyond the k-th
    k = max([k for k, chance in enumerate(outside, 1) if chance <= 0.05], default=1)
    return ordered[k - 1], ordered[n - k]


def told(name: str, without: list[tuple], usual: list[tuple]) -> str:
    """One line of the table: the differences, and what follows from them."""
    line, verdicts = f"{name:44}", []
    for one in range(len(MEASURES)):
        gains = [w[one] - u[one] for w, u in zip(without, usual, strict=True)]
        gain, (low, high) = statistics.median(gains), interval(gains)
        line += f" {gain:+6.2f} ({low:+5.2f} to {high:+5.2f})"
        if one:
            verdicts.append("stays" if low >= WORTH else "goes" if high < WORTH else "unsure")
    word = next(one for one in ("stays", "unsure", "goes") if one in verdicts)
    likely = max(statistics.median([w[one] - u[one] for w, u in zip(without, usual, strict=True)]) for one in (1, 2))
    word += f", rather {'stays' if likely >= WORTH else 'goes'}" if word == "unsure" else ""
    return f"{line}  {'(noise)' if name == AGAIN else word}"


def warm_rounds(
    names: list[str], page: str, rounds: int, load_page: Callable[[str], dict], link: Link
) -> dict[str, list]:
    """Loads of servers that are warm, and that have built their pictures."""
    found: dict[str, list[tuple]] = {name: [] for name in names}
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        urls = {}
        for index, name in enumerate(names):
            urls[name] = f"{stack.enter_context(server(name, Path(folder) / str(index), link))}/{page}"
            load_page(urls[name])
        for done in range(rounds):
            for name in random.sample(names, len(names)):
                found[name].append(times(load_page(urls[name])))
            print(f"round {done + 1} of {rounds}", file=sys.stderr, flush=True)
    return found


def cold_rounds(page: str, rounds: int, load_page: Callable[[str], dict], link: Link) -> dict[str, list]:
    """First loads of servers that have just been started, long enough ago for a warm start."""
    found: dict[str, list[tuple]] = {AS_IT_IS: [], COLD: []}
    for done in range(rounds):
        for name in random.sample([AS_IT_IS, COLD], 2):
            with tempfile.TemporaryDirectory() as folder, server(name, Path(folder) / "home", link) as url:
                time.sleep(WARM)
                found[name].append(times(load_page(f"{url}/{page}")))
        print(f"cold round {done + 1} of {rounds}", file=sys.stderr, flush=True)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--loads", type=int, default=9)
    parser.add_argument("--page", default="lab")
    parser.add_argument("--mbit", type=float, default=0.0, help="of the network; 0 is loopback's rate")
    parser.add_argument("--delay", type=float, default=0.0, help="milliseconds to the server, and as many back")
    parser.add_argument("--only", default="", help="tricks whose names hold this word")
    parser.add_argument("--serve", help=argparse.SUPPRESS)
    parser.add_argument("--port", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve:
        serve(options.serve, options.port)
        return
    names = [name for name in TRICKS if options.only in name]
    slow = options.mbit or options.delay
    link: Link = partial(slow_link, mbit=options.mbit or 1000.0, delay=options.delay) if slow else nullcontext
    with sync_playwright() as playwright:
        load_page = partial(load, playwright)
        found = warm_rounds([AS_IT_IS, AGAIN, *names], options.page, options.loads, load_page, link)
        first = cold_rounds(options.page, options.loads, load_page, link) if options.only in COLD else {}
    usual = found[AS_IT_IS]
    network = f"{options.mbit:g} Mbit/s, {options.delay:g} ms each way" if slow else "loopback"
    print(f"{options.page}, {options.loads} loads, {network}; medians as it is:", end=" ")
    print(", ".join(f"{name} {statistics.median(t[i] for t in usual):.2f} s" for i, name in enumerate(MEASURES)))
    print(f"{'seconds later without':44}" + "".join(f" {name:>24}" for name in MEASURES))
    for name in [AGAIN, *names]:
        print(told(name, found[name], usual))
    if first:
        print(told(f"{COLD} (first load of a server)", first[COLD], first[AS_IT_IS]))


if __name__ == "__main__":
    main()
