"""A hundred browsers on one finished run: PYTHONPATH=. python tests/benchmarks/finished_viewers.py [--viewers 100]

Starts the real server and joins as N websocket clients of Streamlit's own protocol, each of which opens the Lab's
recorded race and asks for whatever the page asks its browser to repeat, when it asks for it. A browser plays the film
by itself. Prints the server's cores once all have opened the page, and how many requests came meanwhile.
"""

import argparse
import asyncio
import sys
import tempfile
import time
from pathlib import Path

import psutil
import websockets
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "toys"))
from real_server import running_server

QUERY = "mode=explore"  # of the default race, which is recorded
PATIENCE = 120.0  # seconds in which all must have opened the page


async def opened(socket) -> tuple[dict[str, float], str]:
    """Read one drawing of the page: (fragment -> seconds between two requests for it, the page's hash)."""
    timers, page = {}, ""
    while True:
        message = ForwardMsg.FromString(await asyncio.wait_for(socket.recv(), PATIENCE))
        kind = message.WhichOneof("type")
        if kind == "auto_rerun":
            timers[message.auto_rerun.fragment_id] = message.auto_rerun.interval
        elif kind == "new_session":
            page = message.new_session.page_script_hash
        elif kind == "script_finished":
            return timers, page


async def watch(port: int, ready: asyncio.Semaphore, ends: asyncio.Event, asked: list[str]) -> None:
    """One viewer: open the page, then what its timers ask for."""
    url = f"ws://127.0.0.1:{port}/_stcore/stream"
    async with websockets.connect(url, subprotocols=["streamlit"], max_size=None, ping_interval=None) as socket:
        opening = BackMsg()
        opening.rerun_script.query_string, opening.rerun_script.page_name = QUERY, "lab"
        await socket.send(opening.SerializeToString())
        timers, page = await opened(socket)
        ready.release()

        async def repeat(fragment: str, seconds: float) -> None:
            while True:
                await asyncio.sleep(seconds)
                ask = BackMsg()
                ask.rerun_script.fragment_id, ask.rerun_script.is_auto_rerun = fragment, True
                ask.rerun_script.page_script_hash, ask.rerun_script.query_string = page, QUERY
                asked.append(fragment)
                await socket.send(ask.SerializeToString())

        async def read() -> None:
            async for _ in socket:
                pass

        tasks = [asyncio.create_task(one) for one in [read(), *(repeat(*timer) for timer in timers.items())]]
        await ends.wait()
        for task in tasks:
            task.cancel()


async def crowd(port: int, pid: int, viewers: int, seconds: float) -> None:
    """All viewers at once, and what the server spends on them."""
    ready, ends, asked = asyncio.Semaphore(0), asyncio.Event(), list[str]()
    tasks = [asyncio.create_task(watch(port, ready, ends, asked)) for _ in range(viewers)]
    for _ in range(viewers):
        await asyncio.wait_for(ready.acquire(), PATIENCE)
    server, begun = psutil.Process(pid), len(asked)
    before, started = server.cpu_times(), time.time()
    await asyncio.sleep(seconds)
    after, elapsed = server.cpu_times(), time.time() - started
    cores = (after.user + after.system - before.user - before.system) / elapsed
    ends.set()
    await asyncio.gather(*tasks)
    looks = len(asked) - begun
    print(f"{viewers} viewers of a finished run: server {cores:.3f} cores, {looks} requests in {elapsed:.0f} s")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--viewers", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=60)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, running_server(Path(folder) / "home") as server:
        asyncio.run(crowd(server.port, server.process.pid, options.viewers, options.seconds))


if __name__ == "__main__":
    main()
