"""A worker whose server ends writes no traceback: its scheduler is gone, as it should be, and it ends too."""

import asyncio
import logging
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import pytest
from distributed import Worker
from distributed.comm import CommClosedError

from featdash.runs.dask.worker import is_news


async def _closed(**_):
    raise CommClosedError("in <TLS (closed)>: Stream is closed")


async def _metrics():
    return {}


@pytest.mark.parametrize(("heard", "records"), [(None, 1), (is_news, 0)])
def test_a_heartbeat_that_is_not_answered_is_no_news(heard, records, caplog, monkeypatch):
    """As Dask's own worker logs it, with the filter of an embedded one and without."""
    log = logging.getLogger("distributed.worker")
    monkeypatch.setattr(log, "filters", [heard] if heard else [])
    worker = SimpleNamespace(
        address="",
        contact_address="",
        scheduler=SimpleNamespace(heartbeat_worker=_closed),
        state=SimpleNamespace(tasks={}),
        get_metrics=_metrics,
        active_keys=(),
        extensions={},
    )
    # A thread of its own: that of the tests may have an event loop that runs.
    with caplog.at_level(logging.ERROR, "distributed.worker"), ThreadPoolExecutor(1) as pool:
        pool.submit(asyncio.run, Worker.heartbeat(worker)).result()
    assert len(caplog.records) == records


def test_all_else_is_news():
    record = logging.LogRecord("distributed.worker", logging.ERROR, "", 0, "Unexpected exception", None, None)
    assert is_news(record)
