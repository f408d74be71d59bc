"""A network of a given rate and delay in front of a server on this machine: a proxy that holds bytes back."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager

CHUNK = 16_384  # bytes that are held back together


class Direction:
    """One way of the link, shared by all connections: a chunk begins once the one before it has gone."""

    def __init__(self, rate: float, delay: float) -> None:
        self.rate, self.delay, self.free = rate, delay, 0.0

    async def carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Every byte from one end to the other, in order, each at its time."""
        arrivals: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue(64)
        delivery = asyncio.create_task(self._deliver(arrivals, writer))
        clock = asyncio.get_running_loop().time
        try:
            while chunk := await reader.read(CHUNK):
                self.free = max(clock(), self.free) + len(chunk) / self.rate
                await arrivals.put((self.free + self.delay, chunk))
        except ConnectionError:
            pass
        await arrivals.put((self.free + self.delay, b""))
        await delivery

    @staticmethod
    async def _deliver(arrivals: asyncio.Queue[tuple[float, bytes]], writer: asyncio.StreamWriter) -> None:
        clock = asyncio.get_running_loop().time
        broken = False
        while True:
            at, chunk = await arrivals.get()
            await asyncio.sleep(max(0.0, at - clock()))
            if not chunk:
                break
            if not broken:
                try:
                    writer.write(chunk)
                    await writer.drain()
                except ConnectionError:
                    broken = True
        writer.close()


@contextmanager
def slow_link(port: int, mbit: float, delay: float) -> Iterator[int]:
    """The port at which the server of `port` answers over a link of so many Mbit/s, `delay` ms each way."""
    loop = asyncio.new_event_loop()
    down, up = (Direction(mbit * 125_000, delay / 1000) for _ in range(2))

    async def connect(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            back, forth = await asyncio.open_connection("127.0.0.1", port)
        except OSError:
            writer.close()
            return
        await asyncio.gather(up.carry(reader, forth), down.carry(back, writer))

    listening = asyncio.run_coroutine_threadsafe
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    server = listening(asyncio.start_server(connect, "127.0.0.1", 0), loop).result(10)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        loop.call_soon_threadsafe(server.close)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(5)
