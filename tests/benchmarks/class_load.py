"""A class of 300 phones: PYTHONPATH=. python tests/benchmarks/class_load.py [--phones 300] [--questions 3]

Starts the real server with one worker and a race that computes meanwhile. The phones join within 30 s from one network
address, as behind a campus's router, and look at the room as the phone's page does: each with a request that waits for
news. Every question has a countdown; all phones answer within its last 3 s, each with a number of its own; then it is
closed, revealed and left. Prints the answers that were acknowledged and are not there, percentiles of an answer
and of the way from the reveal to a phone, and the server's processor time and memory.
"""

import argparse
import asyncio
import json
import random
import sys
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import psutil

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from conftest import ROOT, running_server

JOIN, BURST = 30.0, 3.0  # seconds
COUNTDOWN = 6.0
RACE = {"n": 60_000, "d": 60, "width": 700, "noise": 0.5}  # about a minute
QUESTION = {"id": "load", "kind": "number", "prompt": "How large is $n$?", "low": 0, "high": 1_000_000}


class Connection:
    """HTTP/1.1 that is kept open, as a browser's."""

    def __init__(self, port: int) -> None:
        self.port, self.streams = port, None

    async def ask(self, method: str, path: str, body: bytes = b"", token: str = "") -> tuple[int, bytes]:
        """(status, body); on a new connection if the server has closed the old one, as it does after five seconds."""
        try:
            return await self._ask(method, path, body, token)
        except (asyncio.IncompleteReadError, ConnectionError):
            self.close()
            return await self._ask(method, path, body, token)

    async def _ask(self, method: str, path: str, body: bytes, token: str) -> tuple[int, bytes]:
        if self.streams is None:
            self.streams = await asyncio.open_connection("127.0.0.1", self.port)
        reader, writer = self.streams
        head = f"{method} {path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(body)}\r\n"
        head += f"X-Token: {token}\r\n" if token else ""
        writer.write(f"{head}Content-Type: application/json\r\n\r\n".encode() + body)
        lines = (await reader.readuntil(b"\r\n\r\n")).decode().lower().split("\r\n")
        length = next((int(line[15:]) for line in lines if line.startswith("content-length:")), 0)
        return int(lines[0].split()[1]), await reader.readexactly(length)

    def close(self) -> None:
        if self.streams:
            self.streams[1].close()
            self.streams = None


@dataclass
class Log:
    """What the phones saw: seconds of each answer, when each heard of which reveal, and what was acknowledged."""

    answers: list[float] = field(default_factory=list)
    heard: dict[str, list[float]] = field(default_factory=dict)
    kept: dict[str, set[float]] = field(default_factory=dict)
    trouble: list[str] = field(default_factory=list)


async def phone(number: int, port: int, code: str, log: Log, end: asyncio.Event) -> None:
    """Join at a time of its own, then look and answer until the end."""
    await asyncio.sleep(random.uniform(0, JOIN))
    looking, saying, token = Connection(port), Connection(port), f"load-phone-{number:06d}"
    version, answered, revealed = "", "", ""
    sayings: set[asyncio.Task] = set()
    while not end.is_set():
        status, body = await looking.ask("GET", f"/room/{code}/state{version}", token=token)
        if status != 200:
            log.trouble.append(body.decode())
            await asyncio.sleep(1 + random.random())
            continue
        state = json.loads(body)
        version, question = f"?version={state['version']}", state["question"]
        if state["status"] == "open" and question["id"] != answered:
            answered = question["id"]
            delay = max(0.0, state["left"] - random.uniform(0, BURST))
            sayings.add(asyncio.create_task(answer(number, saying, code, question, delay, token, log)))
        if state["status"] == "revealed" and question["id"] != revealed:
            revealed = question["id"]
            log.heard.setdefault(revealed, []).append(time.time())
    await asyncio.gather(*sayings)
    for connection in (looking, saying):
        connection.close()


async def answer(
    number: int, saying: Connection, code: str, question: dict, delay: float, token: str, log: Log
) -> None:
    """The phone's own number, once."""
    await asyncio.sleep(delay)
    said = {"question": question["id"], "round": question["round"], "value": number, "token": token}
    started = time.perf_counter()
    status, body = await saying.ask("POST", f"/room/{code}/answers", json.dumps(said).encode())
    log.answers.append(time.perf_counter() - started)
    if status == 204:
        log.kept.setdefault(question["id"], set()).add(float(number))
    else:
        log.trouble.append(body.decode())


class Host:
    """The script's commands."""

    def __init__(self, port: int) -> None:
        self.connection = Connection(port)

    async def __call__(self, command: str, *arguments: object) -> object:
        status, body = await self.connection.ask("POST", f"/script/{command}", json.dumps(arguments).encode())
        assert status == 200, body
        return json.loads(body)


async def ask_question(host: Host, name: str) -> float:
    """One question from its opening to the next; when it was revealed."""
    await host("open", {**QUESTION, "id": name}, COUNTDOWN)
    await asyncio.sleep(COUNTDOWN + 3.0)  # it has closed itself, and all have heard so
    revealed = time.time()
    await host("reveal")
    await asyncio.sleep(2.5)
    await host("show", "next")
    return revealed


async def lesson(port: int, pid: int, options: argparse.Namespace) -> None:
    """All of it, with what the server spends."""
    host, log, end = Host(port), Log(), asyncio.Event()
    server, code = psutil.Process(pid), str(await host("code"))
    share = share_of_core()
    race = await host("race", RACE)
    before, started = server.cpu_times(), time.time()
    phones = [asyncio.create_task(phone(number, port, code, log, end)) for number in range(options.phones)]
    await asyncio.sleep(JOIN + 1)
    joining = cores(server, before, started)
    delays, memory = [], []
    before, started = server.cpu_times(), time.time()
    for number in range(options.questions):
        if await host("status", race) not in ("queued", "running"):
            race = await host("race", {**RACE, "seed": number + 1})
        revealed = await ask_question(host, f"q{number}")
        delays += [when - revealed for when in log.heard.get(f"q{number}", ())]
        memory.append(server.memory_info().rss / 2**20)
    asking = cores(server, before, started)
    await host("show", "end")
    end.set()
    for outcome in await asyncio.gather(*phones, return_exceptions=True):
        if isinstance(outcome, BaseException):
            log.trouble.append(repr(outcome)[:120])
    kept: dict[str, set[float]] = {}
    for one in await host("answers"):
        kept.setdefault(one["question"], set()).add(one["value"])
    lost = sum(len(said - kept.get(name, set())) for name, said in log.kept.items())
    workers = sum(child.memory_info().rss for child in server.children(recursive=True)) / 2**20
    print(
        f"{options.phones} phones, {options.questions} questions: {len(log.answers)} answers, "
        f"{sum(map(len, log.kept.values()))} acknowledged, {lost} of them lost"
    )
    print(
        f"an answer in a burst of {BURST:g} s: p50 {percentile(log.answers, 50)}, p95 {percentile(log.answers, 95)}, "
        f"slowest {percentile(log.answers, 100)}"
    )
    print(
        f"from reveal to phone: {len(delays)} heard, p50 {percentile(delays, 50)}, p95 {percentile(delays, 95)}, "
        f"slowest {percentile(delays, 100)}"
    )
    print(
        f"server: {joining:.2f} cores while they join, {asking:.2f} while they are asked; "
        f"{memory[0]:.0f} MB after the first question, {memory[-1]:.0f} after the last; workers {workers:.0f} MB"
    )
    print(f"a busy loop got {share:.2f} of a core before, {share_of_core():.2f} after")
    print(f"{len(log.trouble)} in trouble {sorted(set(log.trouble))[:2]}")


def cores(server: psutil.Process, before: object, started: float) -> float:
    """Processor seconds a second since then."""
    after = server.cpu_times()
    return (after.user + after.system - before.user - before.system) / (time.time() - started)


def share_of_core(seconds: float = 0.3) -> float:
    """Of a core, as a busy loop gets it now; where others have the rest, every time below is as much longer."""
    started, begun = time.time(), time.process_time()
    while time.process_time() - begun < seconds:
        pass
    return seconds / (time.time() - started)


def percentile(seconds: list[float], share: float) -> str:
    return f"{np.percentile(seconds, share) * 1000:.0f} ms" if seconds else "none"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--phones", type=int, default=300)
    parser.add_argument("--questions", type=int, default=3)
    options = parser.parse_args()
    app = str(ROOT / "tests" / "toys" / "class_app.py")
    with (
        tempfile.TemporaryDirectory() as folder,
        running_server(Path(folder) / "home", app, FEATDASH_WORKERS="1") as server,
        suppress(KeyboardInterrupt),
    ):
        asyncio.run(lesson(server.port, server.process.pid, options))


if __name__ == "__main__":
    main()
