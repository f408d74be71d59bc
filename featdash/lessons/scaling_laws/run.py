"""From emergence to scaling laws: a network on a sum of tasks, and each of its tasks as if it were alone.

The network is `learners.additive_network`, its start uniform; its time t is that of gradient flow of ½ E(f − f*)².
Where `batch` is 0 the gradients are the population's, and steps grow from the first to LONGEST; else they are those of
fresh samples, and steps are η long. It ends BEYOND the last jump that `theory.single_index_flow` predicts, or at
`time`.

Streams, see `frames`: `alone`, one, at 0; `courses`. Summary: `slope`, of the loss on log-log axes between the jumps of
task 3 and of task P/4: `predicted` −(2β − 1)/β, `network`, `alone` (the sum of single equations), and `many` (MANY
tasks, between those of tasks 30 and 300), null where there is too little to fit; `jumps.measured` and
`jumps.predicted`, by task, null for one that is not half learned; `exponent.predicted` β and `exponent.measured`, of
the jumps' times in p; `ratio.median` and `ratio.furthest` of measured over predicted times, the latter the largest
factor either way; `learned`, how many tasks; `rise`, the median over the tasks of the time from a tenth to nine tenths,
over the time to one half; `loss`, at the end; `unlearned`, what the weights of the tasks not half learned make of it;
`samples`, null without.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from functools import partial
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from featdash.learners.additive_network import AdditiveNetwork
from featdash.lessons.scaling_laws.frames import HALF, SingleTasks, TaskFrame, crossing
from featdash.lessons.scaling_laws.recipe import BEYOND, LONGEST, MANY, ScalingLawsSpec, weights_of
from featdash.recipes.events import Event, Frame, Progress, Result
from featdash.tasks.streams import stream
from featdash.theory.single_index_flow import SingleIndexFlow

SHORTEST = 0.03  # first steps of the population flow; from t = SHORTEST · GRADUAL on a step is t / GRADUAL
GRADUAL = 60
FIRST, SPACING = 0.05, 1.03  # frames: so much later, or so many times
FAR = 3  # MANY tasks are followed so much beyond the last that counts
TIMES = 160  # of the single equations
BLOCK = 500  # of MANY tasks at a time
NO_TASK = 1e-3  # least overlap with a task of the nearest neuron; a single one may point away
FIRST_TASK, PART = 3, 4  # a slope is fitted from the jump of this task to that of task P/PART
FIRST_OF_MANY, LAST_OF_MANY = 30, 300  # tasks; nearer to the ends the sum over the tasks is no integral
TENTH, MOST = 0.1, 0.9
LOST = 1e3  # a loss above it comes down no more


def run(spec: ScalingLawsSpec, device: str = "cpu") -> Iterator[Event]:  # noqa: ARG001  matrices too small for a GPU
    """The events of a scaling law; see the module's docstring."""
    yield Progress(0.0, "drawing the neurons")
    network = begin(spec)
    yield Frame("courses", 0, look(network).to_arrays())
    alone = single_tasks(spec, network.directions)
    yield Frame("alone", 0, alone.to_arrays())
    rows, samples = yield from train(spec, network, end_of(spec, alone.jumps))
    yield Result(describe(spec, alone, rows) | {"samples": samples or None} | note_of(rows))


def begin(spec: ScalingLawsSpec) -> AdditiveNetwork:
    """The network at its start."""
    V = stream(spec.seed, "scaling-laws", "start").standard_normal((spec.width, spec.d))
    return AdditiveNetwork(spec.weights, spec.degree, spec.start * V / np.linalg.norm(V, axis=1, keepdims=True))


def look(network: AdditiveNetwork) -> TaskFrame:
    """What is learned now."""
    share, loss = network.shares()
    return TaskFrame(loss, share.astype(np.float32))


def nearest(spec: ScalingLawsSpec, u: np.ndarray) -> np.ndarray:
    """The largest overlap with each task among the neurons (P,); where k is even, either sign will do."""
    overlap = u[:, : spec.tasks].astype(float)
    return np.clip((overlap if spec.degree % 2 else np.abs(overlap)).max(axis=0), NO_TASK, 1 - NO_TASK)


def single_tasks(spec: ScalingLawsSpec, u: np.ndarray) -> SingleTasks:
    """The equations of each task by itself, one table at a time, and of MANY tasks."""
    a, best, x = spec.weights, nearest(spec, u), spec.start**2
    flows = partial(SingleIndexFlow, spec.degree, least=x)
    jumps = np.array([flows(one).half_time(x / weight) / weight for one, weight in zip(best, a, strict=True)])
    end = end_of(spec, jumps)
    t = np.concatenate([[0.0], np.geomspace(min(FIRST, end / 2), end, TIMES)])
    courses = [flows(one).course(weight * t, x / weight) for one, weight in zip(best, a, strict=True)]
    loss = sum(weight**2 * remainder for weight, (_, remainder) in zip(a, courses, strict=True)) / (a @ a)
    share = np.stack([one for one, _ in courses], axis=1)
    late, many = many_tasks(spec, float(np.median(jumps * a)))
    return SingleTasks(t, loss, share.astype(np.float32), jumps, late, many)


def many_tasks(spec: ScalingLawsSpec, pace: float) -> tuple[np.ndarray, np.ndarray]:
    """Times (L,) and the loss of MANY tasks over their own E f*², at the typical best overlap of MANY neurons.

    Directions at right angles need as many dimensions, in which everything is later: times are those of the smaller
    network, in which task p takes about pace · p^β.
    """
    a, x = weights_of(MANY, spec.beta), spec.start**2
    flow = SingleIndexFlow(spec.degree, float(np.sqrt(2 * np.log(MANY) / MANY)), x)
    own = flow.half_time(x)
    t = np.geomspace(FIRST, FAR * pace * LAST_OF_MANY**spec.beta, TIMES)
    loss = np.zeros(TIMES)
    for block in np.split(a, MANY // BLOCK):
        remainder = flow.course(block[:, None] * t * (own / pace), x / block[:, None])[1]
        loss += block**2 @ remainder
    return t, loss / (a @ a)


def end_of(spec: ScalingLawsSpec, jumps: np.ndarray) -> float:
    """When the run ends."""
    return min(spec.time, BEYOND * float(jumps.max()))


def train(
    spec: ScalingLawsSpec, network: AdditiveNetwork, end: float
) -> Generator[Event, None, tuple[dict[float, TaskFrame], int]]:
    """The frames `courses`; returns them by their times, with the samples used."""
    samples = stream(spec.seed, "scaling-laws", "samples")
    rows, t, sample_count, due = {0.0: look(network)}, 0.0, 0, FIRST
    doing = "training on fresh samples" if spec.batch else "training on averages"
    while t < end and rows[t].loss < LOST:
        with threadpool_limits(1), np.errstate(all="ignore"):  # where it diverges, the loss says so
            while t < min(due, end):
                t += advance(spec, network, t, samples)
                sample_count += spec.batch
            rows[t] = look(network)
        yield Frame("courses", t, rows[t].to_arrays())
        yield Progress(min(1.0, t / end), f"{doing}, t = {t:.3g}")
        due = max(t + FIRST, SPACING * t)
    return rows, sample_count


def advance(spec: ScalingLawsSpec, network: AdditiveNetwork, t: float, samples: np.random.Generator) -> float:
    """One step at t; returns how long it was."""
    if spec.batch:
        step = spec.rate
        pull = network.sample_pull(samples.standard_normal((spec.batch, spec.d), dtype=np.float32))
    else:
        step = min(max(t / GRADUAL, SHORTEST), LONGEST)
        pull = network.population_pull()
    network.V += np.float32(step) * pull
    return step


def note_of(rows: dict[float, TaskFrame]) -> dict[str, str]:
    """What to say of a run that left all bounds."""
    last = list(rows.values())[-1].loss
    return {} if last < LOST else {"note": "The loss grew beyond all bounds: lower the rate, or take more samples."}


def describe(spec: ScalingLawsSpec, alone: SingleTasks, rows: dict[float, TaskFrame]) -> dict[str, Any]:
    """The summary but for the samples."""
    t, p = np.array(list(rows)), np.arange(1, spec.tasks + 1)
    loss, share = np.array([row.loss for row in rows.values()]), np.array([row.share for row in rows.values()])
    jumps = np.array([crossing(t, one, HALF) for one in share.T])
    is_learned = np.isfinite(jumps)
    factors = jumps[is_learned] / alone.jumps[is_learned]
    rises = [crossing(t, one, MOST) - crossing(t, one, TENTH) for one in share.T] / jumps
    return {
        "slope": slopes(spec, alone, (t, loss)),
        "jumps": {"measured": by_task(jumps), "predicted": by_task(alone.jumps)},
        "exponent": {"predicted": spec.beta, "measured": power_of(p[is_learned], jumps[is_learned])},
        "ratio": {
            "median": finite(np.median(factors)) if len(factors) else None,
            "furthest": finite(np.exp(np.abs(np.log(factors)).max())) if len(factors) else None,
        },
        "learned": int(is_learned.sum()),
        "rise": finite(np.median(rises[np.isfinite(rises)])) if np.isfinite(rises).any() else None,
        "loss": finite(loss[-1]),
        "unlearned": float((spec.weights**2)[~is_learned].sum() / (spec.weights**2).sum()),
    }


def slopes(spec: ScalingLawsSpec, alone: SingleTasks, network: tuple[np.ndarray, np.ndarray]) -> dict[str, Any]:
    """Of the loss in t, on log-log axes."""
    pace = float(np.median(alone.jumps * spec.weights))  # the time of task p is about pace · p^β
    ends = FIRST_TASK, spec.tasks / PART, FIRST_OF_MANY, LAST_OF_MANY
    first, last, later, far = (pace * place**spec.beta for place in ends)
    return {
        "predicted": spec.slope,
        "network": power_of(*window(*network, first, last)),
        "alone": power_of(*window(alone.t, alone.loss, first, last)),
        "many": power_of(*window(alone.late, alone.many, later, far)),
    }


def window(t: np.ndarray, values: np.ndarray, first: float, last: float) -> tuple[np.ndarray, np.ndarray]:
    """Those between two times."""
    inside = (t >= first) & (t <= last)
    return t[inside], values[inside]


def power_of(x: np.ndarray, y: np.ndarray) -> float | None:
    """The exponent of y in x by least squares on logarithms; None for fewer than three points."""
    if len(x) < 3:
        return None
    return finite(np.polyfit(np.log(x), np.log(np.maximum(y, 1e-30)), 1)[0])


def by_task(times: np.ndarray) -> dict[str, float | None]:
    return {str(p): finite(time) for p, time in enumerate(times, start=1)}


def finite(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None
