"""A hundred browsers on one live Lab run: PYTHONPATH=. python tests/benchmarks/live_viewers.py [--viewers 100]

Starts the real server, begins a long race in a headless browser, then joins as N websocket clients of Streamlit's own
protocol, each of which asks for the live fragment as often as the page tells its browser to, while the worker trains,
and listens on the stage's own websocket as well.
Prints the round trips (request to script_finished), the server's processor time and memory, and bytes a look.
"""

import argparse
import asyncio
import re
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import numpy as np
import psutil
import websockets
from playwright.sync_api import sync_playwright
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "toys"))
from real_server import ARGUMENTS, CHROMIUM, running_server

RACE = "seed=77&n=100000&d=20&width=1500&noise=0.5"  # more than a minute: it must not end meanwhile
TICKET = re.compile(rb'"ahead": ?{"ticket": ?"([^"]+)"')
HEARTBEAT = 60.0  # seconds between two of the fragment that only says that the page is open
SETTLE = 12.0  # seconds in which all viewers open the page: a hundred pages are 6 s of one core


@dataclass
class Log:
    """What the viewers saw: seconds a round trip, bytes a look, sentences of trouble.

    ahead : bytes of all stages' own websockets.
    """

    ends: float
    ahead: int = 0
    trips: list[float] = field(default_factory=list)
    sizes: list[int] = field(default_factory=list)
    trouble: list[str] = field(default_factory=list)


class Timer(NamedTuple):
    """Which fragment a browser asks for, "" for none, after how many seconds each time, and on which page.

    ticket : of the stage's websocket.
    """

    fragment: str = ""
    interval: float = 1.0
    page: str = ""
    ticket: str = ""


class Counted(websockets.ClientConnection):
    """A connection that counts the bytes that come, as compressed as they are."""

    received = 0

    def data_received(self, data: bytes) -> None:
        self.received += len(data)
        super().data_received(data)


async def until_finished(socket, timer: Timer) -> Timer:
    """Read one script run: the timer of its live fragment, the one before if it has set none."""
    while True:
        message = ForwardMsg.FromString(await asyncio.wait_for(socket.recv(), 60))
        kind = message.WhichOneof("type")
        if kind == "auto_rerun" and message.auto_rerun.interval < HEARTBEAT:
            timer = timer._replace(fragment=message.auto_rerun.fragment_id, interval=message.auto_rerun.interval)
        elif kind == "new_session":
            timer = timer._replace(page=message.new_session.page_script_hash)
        elif kind == "delta" and (ticket := TICKET.search(message.delta.new_element.bidi_component.bytes)):
            timer = timer._replace(ticket=ticket[1].decode())
        elif kind == "script_finished":
            return timer


async def drain(port: int, timer: Timer, log: Log) -> None:
    """Take what comes over the stage's own websocket."""
    url = f"ws://127.0.0.1:{port}/featdash/ahead/{timer.ticket}"
    async with websockets.connect(url, create_connection=Counted, max_size=None, ping_interval=None) as socket:
        try:
            while True:
                await socket.recv()
        finally:
            log.ahead += socket.received


async def watch(port: int, query: str, delay: float, log: Log) -> None:
    """One viewer: open the page, then look at it until the end."""
    url = f"ws://127.0.0.1:{port}/_stcore/stream"
    async with websockets.connect(
        url, create_connection=Counted, subprotocols=["streamlit"], max_size=None, ping_interval=None, open_timeout=60
    ) as socket:
        opening = BackMsg()
        opening.rerun_script.query_string, opening.rerun_script.page_name = query, "lab"
        await socket.send(opening.SerializeToString())
        timer = await until_finished(socket, Timer())
        if not timer.fragment:
            log.trouble.append("the page has no live fragment: the run has ended")
            return
        due, ahead = time.time() + delay, asyncio.create_task(drain(port, timer, log))
        while time.time() < log.ends:
            await asyncio.sleep(max(0.0, due - time.time()))
            due += timer.interval
            ask = BackMsg()
            ask.rerun_script.fragment_id, ask.rerun_script.is_auto_rerun = timer.fragment, True
            ask.rerun_script.page_script_hash, ask.rerun_script.query_string = timer.page, query
            sent, before = time.time(), socket.received
            await socket.send(ask.SerializeToString())
            timer = await until_finished(socket, timer)
            log.trips.append(time.time() - sent)
            log.sizes.append(socket.received - before)
        if ahead.done():
            log.trouble.append(f"the stage's websocket ended: {ahead.exception()!r}")
        ahead.cancel()
        await asyncio.wait([ahead])


async def crowd(port: int, pid: int, query: str, viewers: int, seconds: float) -> None:
    """All viewers at once, and what the server spends on them."""
    log, server = Log(time.time() + SETTLE + seconds), psutil.Process(pid)
    delays = np.random.default_rng(0).uniform(0, SETTLE, viewers)  # evenly spaced, many would look at the same time
    tasks = [asyncio.create_task(watch(port, query, delay, log)) for delay in delays]
    await asyncio.sleep(SETTLE)
    opening = len(log.trips)
    before, started = server.cpu_times(), time.time()
    await asyncio.sleep(seconds)
    after, elapsed = server.cpu_times(), time.time() - started
    for outcome in await asyncio.gather(*tasks, return_exceptions=True):
        if isinstance(outcome, BaseException):
            log.trouble.append(repr(outcome)[:120])
    cores = (after.user + after.system - before.user - before.system) / elapsed
    for when, trips in (("", log.trips), (" once all have opened the page", log.trips[opening:])):
        p50, p95 = np.percentile(trips, [50, 95]) * 1000
        print(f"{viewers} viewers, {len(trips)} round trips{when}: p50 {p50:.0f} ms, p95 {p95:.0f} ms")
    print(f"server: {cores:.2f} cores, {server.memory_info().rss / 2**20:.0f} MB")
    looks = len(log.sizes)
    print(
        f"{(sum(log.sizes) + log.ahead) / looks / 1024:.0f} KB a look, {len(log.trouble)} in trouble {log.trouble[:1]}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--viewers", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=20)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, running_server(Path(folder) / "home") as server:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
            page = browser.new_page()
            page.goto(f"{server.url}/lab?{RACE}")
            page.get_by_role("button", name="Run race", exact=True).click(timeout=60_000)
            page.wait_for_url(re.compile(r"run=[0-9a-f]{16}"), timeout=60_000)
            page.wait_for_selector(".featdash-state progress", timeout=60_000)
            query = page.url.partition("?")[2]
            browser.close()
        asyncio.run(crowd(server.port, server.process.pid, query, options.viewers, options.seconds))


if __name__ == "__main__":
    main()
