"""A hundred browsers on one live Lab run: PYTHONPATH=. python tests/benchmarks/live_viewers.py [--viewers 100]

Starts the real server, begins a long race in a headless browser, then joins as N websocket clients of Streamlit's own
protocol, each of which asks for the live fragment every second as a browser's timer would, while the worker trains.
Prints the round trips (request to script_finished), the server's processor time and memory, and bytes a look.
"""

import argparse
import asyncio
import re
import statistics
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import psutil
import websockets
from playwright.sync_api import sync_playwright
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "toys"))
from real_server import ARGUMENTS, CHROMIUM, running_server

RACE = "seed=77&n=60000&d=60&width=700&noise=0.5"  # about a minute beside so many viewers: it must not end meanwhile
SETTLE = 12.0  # seconds in which all viewers open the page: a hundred pages are 6 s of one core


@dataclass
class Log:
    """What the viewers saw: seconds a round trip, bytes a look, sentences of trouble."""

    ends: float
    trips: list[float] = field(default_factory=list)
    sizes: list[int] = field(default_factory=list)
    trouble: list[str] = field(default_factory=list)


class Counted(websockets.ClientConnection):
    """A connection that counts the bytes that come, as compressed as they are."""

    received = 0

    def data_received(self, data: bytes) -> None:
        self.received += len(data)
        super().data_received(data)


async def until_finished(socket) -> tuple[str | None, str]:
    """Read one script run: (the auto-rerunning fragment, the page's hash)."""
    fragment, page = None, ""
    while True:
        message = ForwardMsg.FromString(await asyncio.wait_for(socket.recv(), 60))
        kind = message.WhichOneof("type")
        if kind == "auto_rerun":
            fragment = message.auto_rerun.fragment_id
        elif kind == "new_session":
            page = message.new_session.page_script_hash
        elif kind == "script_finished":
            return fragment, page


async def watch(port: int, query: str, delay: float, log: Log) -> None:
    """One viewer: open the page, then a look a second until the end."""
    url = f"ws://127.0.0.1:{port}/_stcore/stream"
    async with websockets.connect(
        url, create_connection=Counted, subprotocols=["streamlit"], max_size=None, ping_interval=None, open_timeout=60
    ) as socket:
        opening = BackMsg()
        opening.rerun_script.query_string, opening.rerun_script.page_name = query, "lab"
        await socket.send(opening.SerializeToString())
        fragment, page = await until_finished(socket)
        if fragment is None:
            log.trouble.append("the page has no live fragment: the run has ended")
            return
        due = time.time() + delay
        while time.time() < log.ends:
            await asyncio.sleep(max(0.0, due - time.time()))
            due += 1.0
            ask = BackMsg()
            ask.rerun_script.fragment_id, ask.rerun_script.is_auto_rerun = fragment, True
            ask.rerun_script.page_script_hash, ask.rerun_script.query_string = page, query
            sent, before = time.time(), socket.received
            await socket.send(ask.SerializeToString())
            await until_finished(socket)
            log.trips.append(time.time() - sent)
            log.sizes.append(socket.received - before)


async def crowd(port: int, pid: int, query: str, viewers: int, seconds: float) -> None:
    """All viewers at once, and what the server spends on them."""
    log, server = Log(time.time() + SETTLE + seconds), psutil.Process(pid)
    tasks = [asyncio.create_task(watch(port, query, SETTLE * i / viewers, log)) for i in range(viewers)]
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
    print(f"{statistics.mean(log.sizes) / 1024:.0f} KB a look, {len(log.trouble)} in trouble {log.trouble[:1]}")


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
