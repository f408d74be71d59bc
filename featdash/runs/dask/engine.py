"""Runs in worker processes, through Dask.

All that happens is an action on the engine's own thread, so that neither Dask's event loop nor a visitor's thread ever
waits for the service: see `cluster.EventLoop`.
"""

from __future__ import annotations

import logging
import time
import uuid
from collections.abc import Callable
from concurrent.futures import CancelledError
from dataclasses import dataclass
from functools import partial
from typing import Any

from distributed import Future, KilledWorker

from featdash.recipes.events import Event, Progress, Result
from featdash.recipes.version import package_version
from featdash.runs.codec import decode
from featdash.runs.dask.cluster import ANSWER, UNREACHABLE, DaskCluster, EventLoop
from featdash.runs.dask.worker import PRELOAD, kill_worker, pause_job, run_job, stop_job
from featdash.runs.execution import Job, Outcome, attempt
from featdash.runs.limits import Limits

LATE = 10.0  # seconds for a run's last messages to arrive after its end
GATHER = 60.0  # seconds for a result to be fetched
KILL = 10.0  # seconds for a nanny to end its worker
TRIES = 2  # submissions of a job that was lost before it had begun, as when its worker was killed for another
LOST = "the worker process was lost, most often for want of memory; press Run to try again"

log = logging.getLogger(__name__)


@dataclass(eq=False)
class Task:
    """A job on its way through Dask.

    address : of its worker, None until it begins; messages : received so far; tries : submissions to Dask.
    answer, answer_time : what `run_job` returned, and when; kill_time : when its worker was to be killed.
    reason : why its worker ends itself, if it has said so.
    """

    job: Job
    on_event: Callable[[Event], None]
    on_end: Callable[[Outcome], None]
    future: Future | None = None
    address: str | None = None
    messages: int = 0
    tries: int = 0
    stop: bool = False
    pause: bool = False
    answer: tuple | None = None
    answer_time: float = 0.0
    kill_time: float | None = None
    reason: str = ""

    def loss(self) -> Outcome:
        """The outcome where its worker went away."""
        return Outcome("failed", error=self.reason or LOST, lost=not self.reason)


class DaskEngine:
    """Begins to connect when made, in the background.

    scheduler : address of a scheduler; None embeds one, with `workers` processes of this machine.
    preload : modules that workers import before their first run.
    memory : bytes that a run may need besides the worker itself, see `worker.MemoryWatch`.
    """

    def __init__(
        self,
        scheduler: str | None,
        workers: int,
        device: str = "cpu",
        preload: tuple[str, ...] = PRELOAD,
        memory: float = Limits.memory,
    ) -> None:
        self._device, self._memory = device, memory
        self._topic = f"featdash-{uuid.uuid4().hex}"
        self._cluster = DaskCluster(scheduler, workers, preload, self._topic, self._on_message)
        self._tasks: dict[str, Task] = {}
        self._loop = EventLoop(self._act, self._watch, self._disconnect)
        self._loop.put(self._cluster.connect)
        self._loop.start()

    def start(self, job: Job, on_event: Callable[[Event], None], on_end: Callable[[Outcome], None]) -> None:
        task = self._tasks[job.key] = Task(job, on_event, on_end)
        self._loop.put(partial(self._begin, task), job.key)

    def stop(self, job: Job) -> None:
        self._loop.put(partial(self._stop, job.key), job.key)

    def pause(self, job: Job, pause: bool) -> None:
        self._loop.put(partial(self._pause, job.key, pause), job.key)

    def kill(self, job: Job) -> None:
        self._loop.put(partial(self._kill, job.key), job.key)

    def slots(self) -> int:
        return max(1, self._cluster.workers)

    def close(self) -> None:
        self._loop.close()

    def _disconnect(self) -> None:
        for task in self._tasks.values():  # else Dask would wait four seconds for each busy worker
            if task.address is not None:
                self._cluster.send(task.address, stop_job, task.job.key)
        self._cluster.disconnect()

    def _act(self, action: Callable[[], Any], key: str = "") -> None:
        """An error fails the run it belongs to, and no other."""
        failure = attempt(partial(self._reach, action))
        if failure is not None and (task := self._tasks.get(key)):
            self._end(task, failure)

    def _reach(self, action: Callable[[], Any]) -> None:
        """Act; if Dask cannot be reached, every run that it has is lost."""
        try:
            action()
        except CancelledError as error:  # its result was on the way when the connection was lost
            raise ValueError(self._lost_sentence()) from error
        except UNREACHABLE as error:
            self._fail_all()
            raise ValueError(self._lost_sentence()) from error

    def _lost_sentence(self) -> str:
        where = self._cluster.scheduler or "of this server"
        return f"the connection to the scheduler {where} was lost during the run; press Run to try again"

    def _begin(self, task: Task) -> None:
        if task.stop:
            self._end(task, Outcome("stopped"))
            return
        if self._cluster.lost():
            self._fail_all()
            if self._tasks.get(task.job.key) is not task:
                return
        client = self._cluster.connect()
        task.tries += 1
        recipe = (task.job.experiment, task.job.spec.to_mapping(), self._device, package_version(), self._memory)
        inputs = task.job.inputs
        key = f"{task.job.key}-{task.tries}"
        terms: dict[str, Any] = {"key": key, "pure": False, "retries": 0}
        task.future = client.submit(run_job, task.job.key, self._topic, *recipe, inputs, **terms)
        task.future.add_done_callback(partial(self._on_answer, task))

    def _on_message(self, event: tuple[float, Any]) -> None:
        self._loop.put(partial(self._receive, *event[1]), event[1][0])

    def _on_answer(self, task: Task, future: Future) -> None:
        self._loop.put(partial(self._on_done, task, future), task.job.key)

    def _receive(self, key: str, address: str, body: bytes, reason: str = "") -> None:
        task = self._tasks.get(key)
        if task is None:
            if not body:  # it began while it was being dropped from the queue
                self._cluster.send(address, stop_job, key)
            return
        task.messages += 1
        if reason:
            task.reason = reason
        elif body:
            task.on_event(decode(body))
        elif task.address is not None:  # a shared scheduler with its own ideas on failures began it a second time
            self._cluster.send(address, stop_job, key)
            self._end(task, task.loss())
        else:
            task.address = address
            task.on_event(Progress(0.0, "starting"))
            self._send_flags(task)
        self._end_if_complete(task)

    def _on_done(self, task: Task, future: Future) -> None:
        """The future is done: with the end of the run, with the loss of its worker, or with that of the scheduler."""
        if self._tasks.get(task.job.key) is not task or task.future is not future:
            return
        if future.status == "finished":
            task.answer, task.answer_time = _fetch(future), time.monotonic()
            self._end_if_complete(task)
        elif future.status != "error" or (exception := future.exception(timeout=ANSWER)) is None:  # it is lost by now
            self._end(task, Outcome("failed", error=self._lost_sentence()))
        elif not isinstance(exception, KilledWorker):
            error = attempt(future.result)
            self._end(task, error if isinstance(error, Outcome) else task.loss())
        elif task.address is None and task.tries < TRIES:
            self._begin(task)
        else:
            self._end(task, task.loss())

    def _end_if_complete(self, task: Task) -> None:
        """End the run once both its answer and all its messages are here."""
        if task.answer is None:
            return
        count, status, body, error = task.answer
        late = time.monotonic() - task.answer_time > LATE
        if task.messages >= count or late:
            if late:
                log.warning("run %s ends without %d of its messages", task.job.key, count - task.messages)
            result = decode(body) if body else None
            assert result is None or isinstance(result, Result)
            self._end(task, Outcome(status, result, error))

    def _stop(self, key: str) -> None:
        if task := self._tasks.get(key):
            task.stop = True
            if task.address is not None:
                self._send_flags(task)
            elif task.future is not None:  # else `_begin` will see to it
                self._end(task, Outcome("stopped"))

    def _pause(self, key: str, pause: bool) -> None:
        if task := self._tasks.get(key):
            task.pause = pause
            if task.address is not None:
                self._cluster.send(task.address, pause_job, key, pause)

    def _send_flags(self, task: Task) -> None:
        """Tell the worker what was asked of the job, maybe before it had begun."""
        if task.address is None:
            return
        if task.stop:
            self._cluster.send(task.address, stop_job, task.job.key)
        elif task.pause:
            self._cluster.send(task.address, pause_job, task.job.key, True)

    def _kill(self, key: str) -> None:
        """End the job's worker process; the run ends after that, lest the next one be given to the same process."""
        task = self._tasks.get(key)
        if task is None:
            return
        self._drop(task)
        task.kill_time = time.monotonic()
        finish = partial(self._end, task, Outcome("stopped"))
        if task.address is None or not self._cluster.running():
            finish()
        else:
            self._cluster.send(task.address, kill_worker, nanny=True, then=partial(self._loop.put, finish, key))

    def _end(self, task: Task, outcome: Outcome) -> None:
        if self._tasks.pop(task.job.key, None) is not task:
            return
        if task.answer is None:
            self._drop(task)
        task.future = None
        self._loop.put_end(partial(task.on_end, outcome))

    def _drop(self, task: Task) -> None:
        """Take an unfinished task from Dask, so that it is not tried elsewhere."""
        future, task.future = task.future, None
        if future is not None and self._cluster.running():
            future.cancel(force=True)

    def _watch(self) -> None:
        """Once a second: late messages, nannies that do not answer, a lost scheduler."""
        for task in list(self._tasks.values()):
            self._act(partial(self._end_if_complete, task), task.job.key)
            if task.kill_time is not None and time.monotonic() - task.kill_time > KILL:
                log.warning("the worker of run %s could not be killed: %s", task.job.key, task.address)
                self._end(task, Outcome("stopped"))
        if self._cluster.lost():
            self._fail_all()

    def _fail_all(self) -> None:
        """The connection is of no more use: every run on it has failed, and the next one connects anew."""
        log.warning("%s", self._lost_sentence())
        for task in [task for task in self._tasks.values() if task.tries > 0]:
            self._end(task, Outcome("stopped") if task.kill_time else Outcome("failed", error=self._lost_sentence()))
        self._cluster.disconnect()


def _fetch(future: Future) -> tuple:
    try:
        return future.result(timeout=GATHER)
    except TimeoutError as error:
        raise ValueError(f"the result could not be fetched within {GATHER:g} s; press Run to try again") from error
