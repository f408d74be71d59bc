"""A class of 300 phones: PYTHONPATH=. python tests/benchmarks/class_load.py [--phones 300] [--minutes 0]

Starts the real server with one worker and a race that computes meanwhile. The phones join within 30 s from one network
address, as behind a campus's router, and look at the room as the phone's page does: each with a request that waits for
news. Every question has a countdown; all phones answer within its last 3 s, each with a number of its own; then it is
closed, revealed and left. A browser is the wall meanwhile: a scene of the Lab with the class's numbers on its axis.
Prints the answers that were acknowledged and are not there, percentiles of an answer and of the way from the reveal
to a phone and to the wall, and the server's processor time and memory.
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
from playwright.async_api import Page, async_playwright

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "toys"))
from real_server import ARGUMENTS, CHROMIUM, ROOT, running_server

JOIN, BURST = 30.0, 3.0  # seconds
COUNTDOWN = 6.0
QUESTIONS = 90  # into which `--minutes` is divided; a room may ask 100
RACE = {"n": 60_000, "d": 60, "width": 700, "noise": 0.5}  # about a minute
QUESTION = {"id": "race.3", "kind": "number", "prompt": "Where will the NTK stop?", "low": 0.03, "high": 1, "log": True}
PLACE = {"story": "race", "number": 3, "told": [], "plays": 0, "kept": ""}  # what the wall shows; see position.py
ON_AXIS = """() => [...document.querySelectorAll('.featdash-chart')].some((node) =>
  (node.layout?.shapes ?? []).some((shape) => shape.name === 'guesses')) ? Date.now() / 1000 : 0"""


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
    """What phones and wall saw.

    answers : seconds of each; heard : when each phone heard of which reveal; kept : what was acknowledged.
    drawn : seconds from a reveal to the class's numbers on the wall's axis; counted : what the wall counted before.
    """

    answers: list[float] = field(default_factory=list)
    heard: dict[str, list[float]] = field(default_factory=dict)
    drawn: list[float] = field(default_factory=list)
    counted: list[str] = field(default_factory=list)
    kept: dict[str, set[float]] = field(default_factory=dict)
    trouble: list[str] = field(default_factory=list)


async def phone(number: int, value: float, room: tuple[int, str], log: Log, end: asyncio.Event) -> None:
    """Join at a time of its own, then look and answer until the end."""
    port, code = room
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
            sayings.add(asyncio.create_task(answer(value, saying, code, question, delay, token, log)))
        if state["status"] == "revealed" and question["id"] != revealed:
            revealed = question["id"]
            log.heard.setdefault(revealed, []).append(time.time())
    await asyncio.gather(*sayings)
    for connection in (looking, saying):
        connection.close()


async def answer(
    value: float, saying: Connection, code: str, question: dict, delay: float, token: str, log: Log
) -> None:
    """The phone's own number, once."""
    await asyncio.sleep(delay)
    said = {"question": question["id"], "round": question["round"], "value": value, "token": token}
    started = time.perf_counter()
    status, body = await saying.ask("POST", f"/room/{code}/answers", json.dumps(said).encode())
    log.answers.append(time.perf_counter() - started)
    if status == 204:
        log.kept.setdefault(question["id"], set()).add(value)
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


async def ask_question(host: Host, wall: Page, log: Log) -> float:
    """One question from its opening until the scene is shown anew; when it was revealed."""
    await host("open", QUESTION, COUNTDOWN)
    await asyncio.sleep(COUNTDOWN + 3.0)  # it has closed itself, and all have heard so
    log.counted.append(await wall.locator(".featdash-count").first.inner_text())
    revealed = time.time()
    await host("reveal")
    drawn = await wall.wait_for_function(ON_AXIS, timeout=60_000, polling=20)
    log.drawn.append(await drawn.json_value() - revealed)
    await asyncio.sleep(2.5)
    await host("show", json.dumps(PLACE))
    return revealed


async def lesson(port: int, pid: int, options: argparse.Namespace) -> None:
    """All of it, with what the server spends."""
    host, log, end = Host(port), Log(), asyncio.Event()
    server, code = psutil.Process(pid), str(await host("code"))
    share = share_of_core()
    await host("show", json.dumps(PLACE))
    async with async_playwright() as play:
        browser = await play.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        wall = await browser.new_page(viewport={"width": 1280, "height": 720})
        await wall.goto(f"http://127.0.0.1:{port}/class?wall={code}")
        await wall.wait_for_selector(".featdash-chart[data-updates]", timeout=60_000)
        race = await host("race", RACE)
        spent = Spent(server)
        values = np.geomspace(QUESTION["low"], QUESTION["high"], options.phones).tolist()
        phones = [
            asyncio.create_task(phone(number, value, (port, code), log, end)) for number, value in enumerate(values)
        ]
        await asyncio.sleep(JOIN + 1)
        spent.note("while they join")
        delays, memory, until = [], [], time.time() + 60 * options.minutes
        while len(memory) < options.questions or time.time() < until:
            if len(memory) < options.questions and await host("status", race) not in ("queued", "running"):
                race = await host("race", {**RACE, "seed": len(memory) + 1})
            revealed = await ask_question(host, wall, log)
            name = f"race.3~{len(memory) + 1}" if memory else "race.3"
            delays += [when - revealed for when in log.heard.get(name, ())]
            memory.append(server.memory_info().rss / 2**20)
            await asyncio.sleep(60 * options.minutes / QUESTIONS)
        spent.note("while they are asked")
        end.set()
        await host("show", "")
        for outcome in await asyncio.gather(*phones, return_exceptions=True):
            if isinstance(outcome, BaseException):
                log.trouble.append(repr(outcome)[:120])
        await browser.close()
    tell(options.phones, log, delays, await host("answers"))
    workers = sum(child.memory_info().rss for child in server.children(recursive=True)) / 2**20
    steps = [f"{memory[round(share * (len(memory) - 1))]:.0f}" for share in (0, 0.25, 0.5, 0.75, 1)]
    print(f"server: {spent}; {' → '.join(steps)} MB over {len(memory)} questions; workers {workers:.0f} MB")
    print(f"a busy loop got {share:.2f} of a core before, {share_of_core():.2f} after")
    print(f"{len(log.trouble)} in trouble {sorted(set(log.trouble))[:2]}")


def tell(phones: int, log: Log, delays: list[float], answers: list[dict]) -> None:
    """What became of the answers, and how long each way took."""
    kept: dict[str, set[float]] = {}
    for one in answers:
        kept.setdefault(one["question"], set()).add(one["value"])
    lost = sum(len(said - kept.get(name, set())) for name, said in log.kept.items())
    print(
        f"{phones} phones, {len(log.drawn)} questions: {len(log.answers)} answers, "
        f"{sum(map(len, log.kept.values()))} acknowledged, {lost} of them lost"
    )
    for name, seconds in (
        (f"an answer in a burst of {BURST:g} s", log.answers),
        (f"from reveal to phone, {len(delays)} heard", delays),
        ("from reveal to the numbers on the wall's axis", log.drawn),
    ):
        p50, p95, slowest = (percentile(seconds, share) for share in (50, 95, 100))
        print(f"{name}: p50 {p50}, p95 {p95}, slowest {slowest}")
    print(f"the wall counted: {', '.join(sorted(set(log.counted)))}")


class Spent:
    """Processor seconds a second of the server, by what it did meanwhile."""

    def __init__(self, server: psutil.Process) -> None:
        self.server, self.told = server, []
        self.before, self.started = server.cpu_times(), time.time()

    def note(self, name: str) -> None:
        """What was spent since the note before."""
        after, now = self.server.cpu_times(), time.time()
        seconds = after.user + after.system - self.before.user - self.before.system
        self.told.append(f"{seconds / (now - self.started):.2f} cores {name}")
        self.before, self.started = after, now

    def __str__(self) -> str:
        return ", ".join(self.told)


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
    parser.add_argument("--questions", type=int, default=3, help="how many while races compute")
    parser.add_argument("--minutes", type=float, default=0, help="ask on so long, for the memory")
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
