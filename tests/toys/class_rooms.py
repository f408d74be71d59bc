"""Rooms on a clock that the test sets, and their routes without a network."""

import asyncio
import json
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager

from starlette.applications import Starlette
from starlette.middleware import Middleware

from featdash.classroom.limits import ClassLimits
from featdash.classroom.question import Question
from featdash.classroom.registry import Rooms
from featdash.classroom.room_store import RoomStore
from featdash.classroom.routes import routes
from featdash.server.plain_routes import PlainRoutes

START = 1_800_000_000.0
CHOICE = Question("which", "choice", "Which one?", ("Random features", "NTK", "Algorithm 1"))
ORDER = Question("rank", "order", "In which order?", ("a", "b", "c"))
NUMBER = Question("many", "number", "How many?", low=10, high=1000, log=True, unit="samples")
TYPICAL = {"choice": ("NTK", "Algorithm 1"), "order": (["b", "a", "c"], ["c", "a", "b"]), "number": (20, 500.5)}


class Clock:
    """Seconds that the test moves on."""

    def __init__(self):
        self.now = START

    def __call__(self):
        return self.now


@contextmanager
def open_rooms(home, clock):
    """The rooms of that folder, as a server has them; `slept` lists the pauses of wrong guesses."""
    slept = []
    with closing(Rooms(RoomStore(home), clock, slept.append)) as rooms:
        rooms.slept = slept
        yield rooms


def token(number):
    """That of a phone."""
    return f"token-of-phone-{number:06d}"


class Site:
    """The routes of `rooms`, spoken to by hand."""

    def __init__(self, rooms, clock, base="", wait=5.0):
        plain = routes(base, lambda: rooms, ClassLimits(clock), wait)
        self.app = Starlette(middleware=[Middleware(PlainRoutes, plain)])
        self.base = base

    async def ask(self, method, path, body=b"", client="192.0.2.1", **headers):
        """(status, headers, body, bytes of the request that were read) of one request."""
        sent, parts = [], [body[at : at + 500] for at in range(0, len(body), 500)] or [b""]
        read = []

        async def receive():
            read.append(parts[len(read)])
            return {"type": "http.request", "body": read[-1], "more_body": len(read) < len(parts)}

        async def send(message):
            sent.append(message)

        path, _, query = path.partition("?")
        named = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
        scope = {"type": "http", "method": method, "path": self.base + path, "raw_path": path.encode()}
        scope |= {"headers": named, "query_string": query.encode(), "root_path": "", "client": (client, 1)}
        await self.app(scope, receive, send)
        told = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
        got = b"".join(message.get("body", b"") for message in sent[1:])
        return sent[0]["status"], told, got, sum(map(len, read))

    async def look(self, code, number=None, query="", **more):
        """(status, the state or the sentence) that a phone gets, or somebody without a token."""
        named = {} if number is None else {"x_token": token(number)}
        status, _, body, _ = await self.ask("GET", f"/room/{code}/state{query}", **named, **more)
        return status, json.loads(body) if status == 200 else body.decode()

    async def say(self, code, number, value, question="which", round=1, **more):
        """(status, sentence) of an answer."""
        said = {"question": question, "round": round, "value": value, "token": token(number)}
        return await self.post(code, json.dumps(said).encode(), **more)

    async def post(self, code, body, client="192.0.2.1", **headers):
        """(status, sentence) of these bytes as an answer."""
        headers = {"content_type": "application/json", "content_length": str(len(body)), **headers}
        status, _, text, _ = await self.ask("POST", f"/room/{code}/answers", body, client, **headers)
        return status, text.decode()


def run(coroutine):
    """Its result, on an event loop of its own, where no other test's runs."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, coroutine).result()
