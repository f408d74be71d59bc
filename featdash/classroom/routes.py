"""The class's plain routes: the page of a phone, the state of its room, its answers.

A phone names itself by a token that it makes up, 16 to 64 letters, digits, - and _: in the header `X-Token` of each
look at the state, by which it joins, and in the body of an answer. The token is in no address, and so in no log.

`GET /room/{code}/state?version=N` with a token waits until the version is no longer N, at most ten seconds. So three
hundred phones send thirty requests a second and hear of a reveal at once; asking every second would take ten times as
many. The wait is no longer because a server that is told to stop waits for open requests.
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
import json
import math
import re
import time
from collections.abc import Awaitable, Callable
from functools import lru_cache
from pathlib import Path
from typing import Any

from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from featdash.classroom.change_signal import ChangeSignal
from featdash.classroom.limits import ClassLimits
from featdash.classroom.question import Question
from featdash.classroom.refusal import BadValue, NotOpen, TooFast, UnknownRoom
from featdash.classroom.registry import UNKNOWN, Rooms
from featdash.classroom.room import GRACE, RoomView
from featdash.export.markdown import inline_html_of

WAIT = 10.0  # seconds that a look at the state may wait for another version
SLOWEST = 10.0  # seconds in which the body of an answer must have come
MOST_BYTES = 2000  # of that body
TOKEN = re.compile(r"[A-Za-z0-9_-]{16,64}")
TOO_LONG = f"An answer must have at most {MOST_BYTES} bytes; shorten it."
NO_TOKEN = "A phone's token must be 16 to 64 letters, digits, - or _; load the page again."
STATUS: dict[type[Exception], int] = {UnknownRoom: 404, NotOpen: 409, BadValue: 422, TooFast: 429}
HEADERS = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer"}

Endpoint = Callable[[Request], Awaitable[Response]]


def routes(base: str, rooms: Callable[[], Rooms], limits: ClassLimits | None = None, wait: float = WAIT) -> list[Route]:
    """The routes under `base`, "" or "/name". rooms : returns the rooms, and opens them at the first call."""
    desk = RoomRoutes(rooms, limits or ClassLimits(), wait)
    compression = [Middleware(GZipMiddleware)]
    return [
        Route(f"{base}/join", page, middleware=compression),
        Route(f"{base}/join/{{code}}", page, middleware=compression),
        Route(f"{base}/room/{{code}}/state", in_sentences(desk.state)),
        Route(f"{base}/room/{{code}}/answers", in_sentences(desk.answer), methods=["POST"]),
    ]


async def page(_: Request) -> Response:
    """The page of a phone, the same for every code: its script asks for the room."""
    headers = {**HEADERS, "Cache-Control": "no-cache", "Content-Security-Policy": POLICY}
    return Response(PAGE, media_type="text/html", headers=headers)


class RoomRoutes:
    """The state of a room and the answers to its question."""

    def __init__(self, rooms: Callable[[], Rooms], limits: ClassLimits, wait: float) -> None:
        self._open, self._limits, self._wait = rooms, limits, wait
        self._signal = ChangeSignal()

    async def state(self, request: Request) -> Response:
        """What a phone may know: at once, or as soon as it differs from the version that the phone has."""
        code, host = request.path_params["code"].upper(), request.client.host if request.client else ""
        token = _token(request.headers["x-token"]) if "x-token" in request.headers else None
        self._limits.check_look(host, token)
        rooms = self._rooms()
        self._limits.check_room(rooms, code, host, token)
        view = await self._next_view(rooms, code, token, request.query_params.get("version"))
        if view is None:
            raise UnknownRoom(UNKNOWN)
        return JSONResponse(state(view, rooms.now()), headers=HEADERS)

    async def answer(self, request: Request) -> Response:
        """204 once the answer is on disk."""
        code, host = request.path_params["code"].upper(), request.client.host if request.client else ""
        body = await _body(request)
        token = _token(body.get("token"))
        self._limits.check_answer(host, token)
        rooms = self._rooms()
        self._limits.check_room(rooms, code, host, token)
        missing = [name for name in ("question", "round", "value") if name not in body]
        if missing:
            raise BadValue(f"An answer must name question, round and value, this one lacks {missing[0]}; add it.")
        writing = rooms.put_answer(code, body["question"], body["round"], body["value"], token)
        await asyncio.wrap_future(writing)
        return Response(status_code=204, headers=HEADERS)

    async def _next_view(self, rooms: Rooms, code: str, token: str | None, version: str | None) -> RoomView | None:
        """The room as it stands; a phone that has this version waits for another one."""
        if token is None:
            return rooms.view(code)
        view: RoomView | None = rooms.join(code, token)
        until = time.monotonic() + self._wait
        while view is not None and str(view.version) == version and (seconds_left := until - time.monotonic()) > 0:
            with self._signal.listening(code, token) as change:
                view = rooms.view(code)  # it may have changed since the look before
                if view is not None and str(view.version) == version:
                    await asyncio.wait([change], timeout=min(seconds_left, _seconds_open(view, rooms.now())))
            if change.done():
                return rooms.view(code)
            view = rooms.view(code)
        return view

    def _rooms(self) -> Rooms:
        rooms = self._open()
        rooms.on_change(self._signal)
        return rooms


def in_sentences(endpoint: Endpoint) -> Endpoint:
    """The endpoint, with each refusal as a response with its status and its sentence."""

    async def answer(request: Request) -> Response:
        try:
            return await endpoint(request)
        except (UnknownRoom, NotOpen, BadValue, TooFast) as refusal:
            status, sentence = STATUS[type(refusal)], str(refusal)
        except (OSError, ValueError) as trouble:  # the disk, or the variable that names its folder
            status, sentence = 503, f"The class's rooms cannot be used now: {trouble}."
        return PlainTextResponse(sentence, status, HEADERS)

    return answer


def _seconds_open(view: RoomView, now: float) -> float:
    """Seconds until a countdown closes the question; infinity without one."""
    return math.inf if view.ends is None else max(0.05, view.ends + GRACE - now)


async def _body(request: Request) -> dict[str, Any]:
    """The JSON object of a request; BadValue."""
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        raise BadValue("An answer must be application/json; say so in its Content-Type.")
    try:
        async with asyncio.timeout(SLOWEST):
            body = json.loads(await _bytes(request))
    except (TimeoutError, ClientDisconnect, RecursionError, json.JSONDecodeError, UnicodeDecodeError) as error:
        raise BadValue("An answer must be one JSON object; correct it.") from error
    if not isinstance(body, dict):
        raise BadValue("An answer must be one JSON object; correct it.")
    return body


async def _bytes(request: Request) -> bytes:
    """The body; if its header says that it is too large, not a byte of it is read. BadValue."""
    body = b""
    length = request.headers.get("content-length", "0")
    if len(length) > 9 or int(length) > MOST_BYTES:  # the server lets none but digits pass
        raise BadValue(TOO_LONG)
    async for part in request.stream():
        body += part
        if len(body) > MOST_BYTES:
            raise BadValue(TOO_LONG)
    return body


def _token(text: Any) -> str:
    if not isinstance(text, str) or not TOKEN.fullmatch(text):
        raise BadValue(NO_TOKEN)
    return text


HERE = Path(__file__).parent


def _text(name: str) -> str:
    return (HERE / name).read_text(encoding="utf-8")


def _source(text: str) -> str:
    """The text as a Content-Security-Policy names what may stand in a page."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


STYLE = _text("phone.css")
SCRIPT = _text("phone.js").replace("/* phone_inputs.js */", _text("phone_inputs.js"))
PAGE = _text("phone.html").replace("/* phone.css */", STYLE).replace("/* phone.js */", SCRIPT).encode()
POLICY = "; ".join(
    [
        "default-src 'none'",
        f"script-src {_source(SCRIPT)}",
        f"style-src {_source(STYLE)}",
        "connect-src 'self'",
        "img-src data:",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    ]
)


def state(view: RoomView, now: float) -> dict[str, Any]:
    """The body of `GET /room/{code}/state`; "left": seconds of the countdown, None without one."""
    seconds_left = None if view.ends is None else round(max(0.0, view.ends - now), 1)
    question = {**_describe(view.question), "round": view.round} if view.question else None
    counts = {"answered": view.answer_count, "joined": view.phone_count}
    return {"version": view.version, "status": view.status, "question": question, **counts, "left": seconds_left}


@lru_cache(maxsize=100)
def _describe(question: Question) -> dict[str, Any]:
    """The question as JSON values, its words also as HTML, in which formulas are MathML."""
    about: dict[str, Any] = {"id": question.id, "kind": question.kind, "prompt": question.prompt}
    about |= {"options": question.options, "low": question.low, "high": question.high}
    about |= {"log": question.log, "unit": question.unit}
    options = [inline_html_of(option) for option in question.options]
    return about | {"prompt_html": inline_html_of(question.prompt), "options_html": options}
