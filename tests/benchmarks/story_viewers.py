"""Thirty visitors of a story: PYTHONPATH=. python tests/benchmarks/story_viewers.py [--visitors 30] [--seconds 40]

Starts the real server and joins as N websocket clients of Streamlit's own protocol. Each of them opens the Lab's story
at a time of its own and goes on to another scene every 2 to 6 s, as a browser does whose address changes. Prints the
seconds from that to the end of the script, when the scene is with the browser, and the server's processor time.
"""

import argparse
import asyncio
import random
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import psutil
import websockets
from streamlit.proto.BackMsg_pb2 import BackMsg

sys.path[:0] = [str(Path(__file__).resolve().parent), str(Path(__file__).resolve().parents[1] / "toys")]
from live_viewers import Timer, until_finished  # noqa: E402
from real_server import running_server  # noqa: E402

SCENES = 8


async def visit(port: int, ends: float, seconds: list[float], trouble: list[str]) -> None:
    """One visitor, from the front door through scene after scene."""
    await asyncio.sleep(random.uniform(0, 5))
    url = f"ws://127.0.0.1:{port}/_stcore/stream"
    options = {"subprotocols": ["streamlit"], "max_size": None, "ping_interval": None, "open_timeout": 60}
    try:
        async with websockets.connect(url, **options) as socket:
            scene = 1
            while time.time() < ends:
                ask = BackMsg()
                ask.rerun_script.query_string = f"story=race&scene={scene}"
                ask.rerun_script.page_name = "lab"
                began = time.time()
                await socket.send(ask.SerializeToString())
                await until_finished(socket, Timer())
                if scene > 1:
                    seconds.append(time.time() - began)
                scene = scene % SCENES + 1
                await asyncio.sleep(random.uniform(2, 6))
    except (OSError, TimeoutError, websockets.WebSocketException) as error:
        trouble.append(repr(error)[:120])


async def crowd(port: int, pid: int, visitors: int, lasting: float) -> None:
    """All visitors at once, and what the server spends on them."""
    seconds, trouble, server = list[float](), list[str](), psutil.Process(pid)
    before, started = server.cpu_times(), time.time()
    await asyncio.gather(*(visit(port, started + lasting, seconds, trouble) for _ in range(visitors)))
    after, elapsed = server.cpu_times(), time.time() - started
    cores = (after.user + after.system - before.user - before.system) / elapsed
    p50, p95, slowest = np.percentile(seconds, [50, 95, 100]) * 1000
    print(f"{visitors} visitors, {len(seconds)} scenes: p50 {p50:.0f} ms, p95 {p95:.0f} ms, slowest {slowest:.0f} ms")
    print(
        f"server: {cores:.2f} cores, {server.memory_info().rss / 2**20:.0f} MB; {len(trouble)} in trouble {trouble[:1]}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--visitors", type=int, default=30)
    parser.add_argument("--seconds", type=float, default=40)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, running_server(Path(folder) / "home") as server:
        asyncio.run(crowd(server.port, server.process.pid, options.visitors, options.seconds))


if __name__ == "__main__":
    main()
