"""Delete a line: Algorithm 1 intact, and with each of six changes to its lines, on the same data, neurons and draws.

Variants (`LINES` has their sentences):

`intact`            the algorithm as it is
`linear_part_left`  line 1 gone: α = 0, β = 0
`no_symmetry`       m independent neurons at the start in place of m/2 with mirror copies, so that f ≠ 0 in the step
`small_start`       the same m neurons with a = ±1/m in the step, so that f is small: what the paper allows
`old_weights_kept`  line 2 with λ₁ = 0: W¹ = W⁰ - η₁ ∇L in place of -η₁ ∇L
`biases_not_drawn`  line 3 gone: b = 0 stays
`fresh_data`        line 4 on n new samples in place of those that the step has seen

All heads have m neurons, the same holdout and test. η₁ follows the rule "rms", rows of η₁∇L at RMS norm 1.

Streams: `preprocess`, one, at 0 (alpha () and beta (d,), the constant and linear part estimated from the n samples);
`start` and `neurons`, as in `race`, of the intact run (NeuronFrame); `layers`, at = number of the variant, `intact`
first (VariantFrame); `heads`, a frame a round of all variants (a LossCurve each, of excess risk). Result:
AblationArrays.

In the summary, `alignment` is that of W¹ with the principal subspace, and `concentration` the share of its squared
singular values that the largest has: 1 where all neurons have collapsed on one line.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping
from dataclasses import replace

import numpy as np

from featdash.geometry.neurons import alignment
from featdash.geometry.spectrum import singular_values
from featdash.learners.algorithm1 import first_layer_gradient
from featdash.learners.feature_map import Layer
from featdash.learners.head import Head
from featdash.learners.network import Network, forward
from featdash.lessons.ablation.frames import AblationArrays, VariantFrame
from featdash.lessons.ablation.recipe import LINES, AblationSpec
from featdash.lessons.race.recipe import RaceSpec
from featdash.lessons.shared.gaussian_race import (
    Competitor,
    NeuronRecorder,
    Profile,
    Splits,
    draw_field,
    draw_profile,
    enter,
    first_step_of,
    profile_of,
    train_first_layer,
    train_heads,
)
from featdash.lessons.shared.gaussian_recipe import task_of
from featdash.recipes.events import Event, Frame, Progress, Result
from featdash.tasks.gaussian import Sample
from featdash.tasks.streams import of_seed

Heads = dict[str, Head]


def run(spec: AblationSpec, device: str = "cpu") -> Iterator[Event]:
    """The events of an ablation; see the module's docstring."""
    race = spec.race()
    task = task_of(race.target, race, race.seed)
    target = task.target
    yield Progress(0.01, "drawing the data")
    field = draw_field(task, spec.n, spec.holdout, spec.test)
    linear = first_step_of(race, race.width).linear_part([(field.train.X, field.train.y)], spec.d)
    yield Frame("preprocess", 0, {"alpha": np.asarray(linear.alpha), "beta": linear.beta})
    intact = yield from train_first_layer(race, field.train, target.subspace, device, NeuronRecorder)
    layers = {"intact": intact}
    layers |= {name: ablate(name, race, field.train, intact, device) for name in LINES if name != "intact"}
    for i, (name, trained) in enumerate(layers.items()):
        neurons = NeuronRecorder(target.subspace, trained.network.a).frame(trained.network.W)
        yield Frame("layers", i, VariantFrame(**vars(neurons), variant=name).to_arrays())
    profile = draw_profile(target, spec.seed)
    data = dict.fromkeys(LINES, field) | {"fresh_data": replace(field, train=task.sample(spec.n, "fresh"))}
    competitors = {name: enter(data[name], profile, layers[name], device) for name in LINES}
    nothing = dict.fromkeys(LINES, 0.0)
    heads = yield from full_rounds(train_heads(competitors, spec.steps, nothing, ("excess",), watch=False))
    yield Progress(0.98, "measuring on the test sample")
    yield report(field, profile, layers, competitors, heads)


def ablate(name: str, race: RaceSpec, sample: Sample, intact: Layer, device: str) -> Layer:
    """Lines 1 to 3 with one of them switched off; what a variant shares with the intact run is taken from it."""
    if name == "fresh_data":
        return intact
    if name == "biases_not_drawn":
        network = replace(intact.network, b=np.zeros_like(intact.network.b))
    elif name == "old_weights_kept":
        network = replace(intact.network, W=intact.network.W + untrained_network(race, race.width).W)
    elif name == "no_symmetry":
        network = step_without_symmetry(race, sample, intact, device)
    elif name == "small_start":
        network = step_without_symmetry(race, sample, intact, device, scale=1 / race.width)
    elif name == "linear_part_left":
        step = replace(first_step_of(race, race.width), remove_linear=False)
        return step.take(lambda: [(sample.X, sample.y)], race.d, of_seed(race.seed), device)
    return replace(intact, network=network)


def untrained_network(race: RaceSpec, width: int) -> Network:
    """A mirrored start of that many neurons; with the race's own width, its W⁰."""
    return first_step_of(race, width).start(race.d, of_seed(race.seed))


def step_without_symmetry(race: RaceSpec, sample: Sample, intact: Layer, device: str, scale: float = 1.0) -> Network:
    """m independent neurons after a step from f ≠ 0: its gradient is that at f = 0, of the labels less what f says.

    They are the first half of a mirrored start of 2m, whose gradient has them as its first half. scale : of a in the
    step; the rule for η₁ makes up for it in the gradient, so that only what f says at the start is smaller.
    """

    double = untrained_network(race, 2 * race.width)
    start = replace(double.first_half(), a=scale * double.first_half().a)
    double = replace(double, a=scale * double.a)
    residual = sample.y - intact.linear(sample.X) - forward(start, sample.X)
    gradient = first_layer_gradient(sample.X, residual, double, device)[: race.width]
    return first_step_of(race, race.width).finish(start, gradient, of_seed(race.seed))


def full_rounds(events: Generator[Event, None, Heads]) -> Generator[Event, None, Heads]:
    """The events of the heads with the frames of full rounds only, when all variants have moved, and of the last."""
    pending = None
    while True:
        try:
            event = next(events)
        except StopIteration as end:
            if pending is not None:
                yield pending
            return end.value
        if not isinstance(event, Frame):
            yield event
        elif round(event.at) % len(LINES) == 0:
            pending = None
            yield event
        else:
            pending = event


def concentration(W: np.ndarray) -> float:
    """σ_1²/Σ σ_k² of W (m, d): 1/d for rows in all directions alike, 1 where all lie on one line."""
    squares = singular_values(W) ** 2
    return float(squares[0] / squares.sum())


def report(
    field: Splits,
    profile: Profile,
    layers: Mapping[str, Layer],
    competitors: Mapping[str, Competitor],
    heads: Mapping[str, Head],
) -> Result:
    """The risk and alignment of each variant, beside those of the intact run."""
    variants, functions = {}, {}
    for name, head in heads.items():
        lam, network = head.path.tune("holdout"), layers[name].network
        errors = (competitors[name].predict_test(head, lam) - field.test.clean) ** 2
        variants[name] = {
            "excess_risk": float(np.mean(errors)),
            "standard_error": float(np.std(errors) / np.sqrt(len(errors))),
            "lam": lam,
            "alignment": alignment(network.W, field.target.subspace),
            "concentration": concentration(network.W),
            "line": LINES[name],
        }
        functions[name] = head.path.read("profile", lam).astype(np.float32)
    biases = {name: layer.network.b.astype(np.float32) for name, layer in layers.items()}
    norms = {name: np.linalg.norm(layer.network.W, axis=1).astype(np.float32) for name, layer in layers.items()}
    arrays = AblationArrays(profile_of(field.target, profile), functions, biases, norms)
    return Result({"variants": variants, "target": field.target.describe()}, arrays.to_arrays())
