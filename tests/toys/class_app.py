"""The app with a room whose host a script is: POST /script/{command} with its arguments as a JSON list."""

import json
import os
import sqlite3
from dataclasses import asdict
from functools import partial
from pathlib import Path

import streamlit as st
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from featdash import classroom
from featdash.classroom.question import Question
from featdash.classroom.routes import WAIT
from featdash.lessons.race.recipe import RaceSpec
from featdash.runs.store import home_folder
from featdash.server import asgi
from featdash.server.asgi import asgi_options
from featdash.ui.kit import shared

ROOM = classroom.rooms().create()
COMMANDS = classroom.rooms().commands(*ROOM)


def run_command(name: str, arguments: list) -> object:
    """What the host says, or of the script: `code`, `race` and its `status`, `answers`, and what is `kept` on disk."""
    if name == "code":
        return ROOM[0]
    if name == "race":
        return shared.service().submit("race", RaceSpec(**arguments[0]), "host")
    if name == "status":
        return shared.service().get(arguments[0]).status
    if name == "kept":
        with sqlite3.connect(home_folder(os.environ) / "rooms.sqlite") as file:
            return [json.loads(value) for (value,) in file.execute("SELECT value FROM answers")]
    if name == "answers":
        return [asdict(one) for one in COMMANDS.answers()]
    if name == "open":
        arguments = [Question(**{**arguments[0], "options": tuple(arguments[0].get("options", ()))}), *arguments[1:]]
    getattr(COMMANDS, name)(*arguments)
    return None


async def script(request: Request) -> Response:
    """On a thread, as a page's commands are."""
    return JSONResponse(await run_in_threadpool(run_command, request.path_params["command"], await request.json()))


# A look at the state waits as long as the test says, who may not want to wait for the end of one.
asgi.classroom_routes = partial(asgi.classroom_routes, wait=float(os.environ.get("LOOK", WAIT)))
options = asgi_options()
base = f"/{root}" if (root := st.get_option("server.baseUrlPath").strip("/")) else ""
options["routes"].append(Route(f"{base}/script/{{command}}", script, methods=["POST"]))
app = st.App(Path(__file__).resolve().parents[2] / "featdash/ui/frame.py", **options)
