"""The one route that takes a file: a table of numbers, from a tab that shows «Your own data», into memory."""

from __future__ import annotations

import asyncio

from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from featdash.tasks.csv_table import MOST_BYTES, read_csv
from featdash.ui.kit.shared import table_store
from featdash.ui.kit.table_store import NO_TICKET, Refusal
from featdash.ui.page.table_upload import ROUTE

PATIENCE = 60.0  # seconds for a file to arrive
TOO_SLOW = f"A file must arrive within {PATIENCE:.0f} s, this one did not; try a smaller one."
TOO_LARGE = f"A file must have at most {MOST_BYTES:,} bytes, got more; leave rows or columns out."


def upload_door(base: str) -> Route:
    """POST of a CSV file with a ticket in its path: 204, or 403, 413, 422, 429 and 503, each with one sentence.

    base : path of the app, "" or "/name". A refused file leaves the earlier table as it was.
    """

    async def answer(request: Request) -> Response:
        if request.headers.get("sec-fetch-site", "same-origin") != "same-origin":
            return PlainTextResponse(NO_TICKET, status_code=403)
        try:
            with table_store().reading(request.path_params["ticket"]) as put:
                body = await asyncio.wait_for(_body(request), PATIENCE)
                put(await asyncio.to_thread(read_csv, body))
        except Refusal as refusal:
            return PlainTextResponse(_sentence(str(refusal)), status_code=refusal.status)
        except TimeoutError:
            return PlainTextResponse(TOO_SLOW, status_code=408)
        except ClientDisconnect:
            return Response(status_code=400)
        except ValueError as error:
            return PlainTextResponse(_sentence(f"{error}."), status_code=422)
        return Response(status_code=204)

    return Route(f"{base}/{ROUTE}/{{ticket}}", answer, methods=["POST"])


async def _body(request: Request) -> bytes:
    """The whole file; Refusal as soon as it is too large."""
    if int(request.headers.get("content-length") or 0) > MOST_BYTES:
        raise Refusal(413, TOO_LARGE)
    body = bytearray()
    async for part in request.stream():
        body += part
        if len(body) > MOST_BYTES:
            raise Refusal(413, TOO_LARGE)
    return bytes(body)


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]
