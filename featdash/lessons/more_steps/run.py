"""More than one step: line 2 of Algorithm 1 taken again and again on the same samples.

The layer of `learners.several_steps`, labels less their linear part (line 1). The alignment is that of the Lab, see
`geometry.neurons`: the share of the layer's squared norm inside the subspace.

First, the layer step by step in d dimensions with n samples: with the correlation loss, and with the squared loss at
two scales of the output. Then samples: in each dimension n is doubled from d until the alignment after T₁ steps has
passed ½, tried once more half-way (on a log axis), and read off between the two that hold ½; smaller samples are part
of the larger ones. Exponents are the slopes of log n against log d by least squares over all dimensions and repeats,
their errors the standard errors of that fit. Last, heads: W after T₁ steps, b_j ~ N(0, 1), a ridge head of ReLUs tuned
on a holdout, on Figure 1's target with noise of variance 1.

Streams, see `frames`: `layer`, `counts`, `risks`. Summary: `exponents[T₁]` = `slope`, `error`; `samples[T₁][d]`, the
median over the repeats, null where ½ was not reached; `alignment[LOSS]` and `output[LOSS]`, lists over the steps from
0; `risk[d][T₁]`, the mean over the repeats; `ratio[d]`: `three_over_one`, `eight_over_three`, of these.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch

from featdash.geometry.neurons import alignment, subspace_share
from featdash.learners.feature_map import Layer, LinearPart, ReluFeatures
from featdash.learners.head import solve_head
from featdash.learners.network import Network
from featdash.learners.several_steps import SteppedLayer, output_scale, trajectory
from featdash.lessons.more_steps.frames import CountFrame, LayerFrame, RiskFrame
from featdash.lessons.more_steps.recipe import (
    LONGEST,
    LOSSES,
    RISK_HOLDOUT,
    RISK_NOISE,
    RISK_REPEATS,
    RISK_SIZES,
    RISK_STEPS,
    RISK_TARGET,
    RISK_TEST,
    RISK_WIDTH,
    SQUARES,
    STEPS,
    MoreStepsSpec,
)
from featdash.recipes.events import Event, Frame, Progress, Result
from featdash.tasks.gaussian import GaussianTask
from featdash.tasks.streams import stream
from featdash.theory.target import PolynomialTarget, resolve_target

HALF = 0.5
NAME = "more-steps"
WATCHED, COUNTED = 0.4, 0.8  # of the progress


def run(spec: MoreStepsSpec, device: str = "cpu") -> Iterator[Event]:
    """The events of a run; see the module's docstring."""
    yield Progress(0.0, "drawing the data")
    frames = yield from watch(spec, device)
    samples = yield from count(spec, device)
    risk = yield from measure(spec, device)
    yield Result(describe_layer(frames) | describe_counts(spec, samples) | describe_risk(risk))


@dataclass(eq=False)
class GrowingSample:
    """Samples of one draw, more of them whenever more are asked for: the first n rows of more are those of n."""

    target: PolynomialTarget
    noise: float
    most: int
    rng: np.random.Generator
    device: str
    _rows: int = 0
    _X: np.ndarray = field(init=False)
    _y: np.ndarray = field(init=False)

    def __post_init__(self) -> None:
        self._X, self._y = np.empty((self.most, self.target.d), np.float32), np.empty(self.most, np.float32)

    def first(self, n: int) -> tuple[torch.Tensor, torch.Tensor]:
        """X (n, d) and y less its linear part (n,), as line 1 of Algorithm 1 finds it on these n <= most."""
        if n > self._rows:
            new = slice(self._rows, n)
            X = self.rng.standard_normal(out=self._X[new], dtype=np.float32)
            self._y[new] = self.target(X) + self.noise * self.rng.standard_normal(len(X), dtype=np.float32)
            self._rows = n
        X, y = self._X[:n], self._y[:n]
        residual = y - y.mean() - X @ (y @ X / np.float32(n))
        return torch.as_tensor(X, device=self.device), torch.as_tensor(residual, device=self.device)


def start(neurons: int, d: int, rng: np.random.Generator, device: str) -> tuple[torch.Tensor, torch.Tensor]:
    """W (m, d), uniform directions, and a (m,), fair signs."""
    W = rng.standard_normal((neurons, d), dtype=np.float32)
    a = rng.choice(np.array([-1, 1], np.float32), neurons)
    W /= np.linalg.norm(W, axis=1, keepdims=True)
    return torch.as_tensor(W, device=device), torch.as_tensor(a, device=device)


def watch(spec: MoreStepsSpec, device: str) -> Generator[Event, None, list[LayerFrame]]:
    """The frames `layer`; returns them."""
    target = resolve_target(spec.target, spec.d)
    sample = GrowingSample(target, spec.noise, spec.n, stream(spec.seed, NAME, "layer"), device)
    X, residual = sample.first(spec.n)
    W, a = start(spec.neurons, spec.d, stream(spec.seed, NAME, "layer", "start"), device)
    layers = {loss: SteppedLayer(W, a, spec.activation, output_scale(loss, spec.neurons)) for loss in LOSSES}
    frames = []
    for steps in range(LONGEST + 1):
        if steps:
            for layer in layers.values():
                layer.step([(X, residual)])
        rows = {name: layer.W.cpu().numpy() for name, layer in layers.items()}
        share = subspace_share(rows["correlation"], target.subspace).astype(np.float32)
        norm = np.linalg.norm(rows["correlation"], axis=1)
        alignment_by_loss = {name: alignment(one, target.subspace) for name, one in rows.items()}
        output = {name: layer.output for name, layer in layers.items()}
        frames.append(LayerFrame(share, norm, a.cpu().numpy(), alignment_by_loss, output))
        yield Frame("layer", steps, frames[-1].to_arrays())
        yield Progress(WATCHED * steps / LONGEST, f"step {min(steps + 1, LONGEST)} of {LONGEST}")
    return frames


def count(spec: MoreStepsSpec, device: str) -> Generator[Event, None, np.ndarray]:
    """The frames `counts`; returns the samples (T, D, R)."""
    dims = sorted(spec.dims)
    samples = np.full((len(STEPS), len(dims), spec.repeats), np.nan)
    work = np.cumsum(np.repeat(np.array(dims, float) ** 3, spec.repeats))
    for cell in range(len(work)):
        column, repeat = divmod(cell, spec.repeats)
        samples[:, column, repeat] = crossings(spec, dims[column], repeat, device)
        yield Frame("counts", cell + 1, CountFrame(samples.copy()).to_arrays())
        fraction = WATCHED + (COUNTED - WATCHED) * work[cell] / work[-1]
        yield Progress(fraction, f"counting samples at d = {dims[column]}")
    return samples


def crossings(spec: MoreStepsSpec, d: int, repeat: int, device: str) -> list[float]:
    """n at which the alignment after each of STEPS is ½; NaN where SQUARES d² samples are not enough."""
    target = resolve_target(spec.target, d)
    most = SQUARES * d * d
    sample = GrowingSample(target, spec.noise, most, stream(spec.seed, NAME, "count", d, repeat), device)
    W, a = start(spec.neurons, d, stream(spec.seed, NAME, "count", d, repeat, "start"), device)

    def alignments(n: int, steps: int) -> list[float]:
        """After 1, 2, ... steps on the first n."""
        X, residual = sample.first(n)
        path = trajectory(X, residual, W, a, spec.activation, steps)
        return [alignment(layer.cpu().numpy(), target.subspace) for layer in path]

    courses: dict[int, dict[int, float]] = {steps: {} for steps in STEPS}  # steps -> n -> alignment
    open_steps, sizes = list(STEPS), [n for n in (d * 2**k for k in range(20)) if n < most]
    for n in [*sizes, most]:
        if not open_steps:
            break
        after_steps = alignments(n, max(open_steps))
        for steps in open_steps:
            courses[steps][n] = after_steps[steps - 1]
        open_steps = [steps for steps in open_steps if after_steps[steps - 1] < HALF]
    for steps in set(STEPS) - set(open_steps):
        last = max(courses[steps])
        if last > d:
            middle = round(np.sqrt(last * max(n for n in courses[steps] if n < last)))
            courses[steps][middle] = alignments(middle, steps)[-1]
    return [crossing(courses[steps]) for steps in STEPS]


def crossing(course: dict[int, float]) -> float:
    """n at ½, on a line in log n between the first size at which the alignment is that high and the one before."""
    sizes = sorted(course)
    above = next((index for index, n in enumerate(sizes) if course[n] >= HALF), None)
    if above is None:
        return float("nan")
    if above == 0:
        return float(sizes[0])
    left, right = sizes[above - 1], sizes[above]
    part = (HALF - course[left]) / (course[right] - course[left])
    return float(left * (right / left) ** part)


def measure(spec: MoreStepsSpec, device: str) -> Generator[Event, None, np.ndarray]:
    """The frames `risks`; returns the risk (D, T, R)."""
    risk = np.full((len(RISK_SIZES), len(RISK_STEPS), RISK_REPEATS), np.nan)
    count = 0
    for repeat in range(RISK_REPEATS):
        for row, (d, n) in enumerate(RISK_SIZES.items()):
            for column, one in enumerate(risks(spec, d, n, repeat, device)):
                risk[row, column, repeat] = one
                count += 1
                yield Frame("risks", count, RiskFrame(risk.copy()).to_arrays())
                yield Progress(COUNTED + (1 - COUNTED) * count / risk.size, f"training a head at d = {d}")
    return risk


def risks(spec: MoreStepsSpec, d: int, n: int, repeat: int, device: str) -> Iterator[float]:
    """The excess risk of a head on the layer after each of RISK_STEPS."""
    task = GaussianTask(resolve_target(RISK_TARGET, d), RISK_NOISE, spec.seed * RISK_REPEATS + repeat)
    train, holdout, test = (
        task.sample(size, purpose) for size, purpose in ((n, "train"), (RISK_HOLDOUT, "holdout"), (RISK_TEST, "test"))
    )
    alpha, beta = float(train.y.mean()), train.X.T @ train.y / n
    linear = LinearPart(alpha, beta)
    residual = train.y - linear(train.X)
    W, a = start(RISK_WIDTH, d, stream(spec.seed, NAME, "risk", d, repeat, "start"), device)
    biases = stream(spec.seed, NAME, "risk", d, repeat, "biases").standard_normal(RISK_WIDTH)
    X, labels = (torch.as_tensor(part, dtype=torch.float32, device=device) for part in (train.X, residual))
    for steps, layer in enumerate(trajectory(X, labels, W, a, spec.activation, max(RISK_STEPS)), start=1):
        if steps not in RISK_STEPS:
            continue
        network = Network(a.cpu().numpy().astype(float), layer.cpu().numpy().astype(float), biases)
        featurise = Layer(linear, network, ReluFeatures).featurise(device)
        evaluations = {
            "holdout": (featurise(holdout.X), holdout.y - linear(holdout.X)),
            "test": (featurise(test.X), test.clean - linear(test.X)),
        }
        path = solve_head(featurise(train.X), residual, evaluations).path
        yield float(path.risk("test", path.tune("holdout")))


def describe_layer(frames: Sequence[LayerFrame]) -> dict[str, Any]:
    """What the summary says of the layer step by step."""
    return {
        "alignment": {name: [frame.alignment[name] for frame in frames] for name in LOSSES},
        "output": {name: [frame.output[name] for frame in frames] for name in LOSSES},
    }


def describe_counts(spec: MoreStepsSpec, samples: np.ndarray) -> dict[str, Any]:
    """What the summary says of the samples."""
    dims = sorted(spec.dims)
    medians = {
        str(steps): {str(d): finite(np.median(samples[row, column])) for column, d in enumerate(dims)}
        for row, steps in enumerate(STEPS)
    }
    exponents = {}
    for row, steps in enumerate(STEPS):
        slope, error = exponent(np.repeat(np.array(dims, float), spec.repeats), samples[row].ravel())
        exponents[str(steps)] = {"slope": finite(slope), "error": finite(error)}
    return {"exponents": exponents, "samples": medians}


def exponent(d: np.ndarray, n: np.ndarray) -> tuple[float, float]:
    """Slope of log n against log d by least squares, and its standard error; NaN where there are too few points."""
    finite = np.isfinite(n)
    x, y = np.log(d[finite]), np.log(n[finite])
    spread = float(np.sum((x - x.mean()) ** 2)) if len(x) else 0.0
    if spread == 0:
        return float("nan"), float("nan")
    slope = float(np.sum((x - x.mean()) * y) / spread)
    rest = y - y.mean() - slope * (x - x.mean())
    error = np.sqrt(np.sum(rest**2) / (len(x) - 2) / spread) if len(x) > 2 else float("nan")
    return slope, float(error)


def describe_risk(risk: np.ndarray) -> dict[str, Any]:
    """What the summary says of the heads."""
    means = {
        str(d): dict(zip(map(str, RISK_STEPS), row.mean(axis=1).tolist(), strict=True))
        for d, row in zip(RISK_SIZES, risk, strict=True)
    }
    ratio = {
        d: {"three_over_one": row["3"] / row["1"], "eight_over_three": row["8"] / row["3"]} for d, row in means.items()
    }
    return {"risk": means, "ratio": ratio}


def finite(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None
