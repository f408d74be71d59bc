"""The first layer of a race that repeats its step, or takes it with another activation: watched step by step."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace
from itertools import pairwise

import numpy as np

from featdash.geometry.neurons import alignment
from featdash.learners.feature_map import Layer, ReluFeatures
from featdash.learners.several_steps import SeveralSteps
from featdash.lessons.race.recipe import RaceSpec
from featdash.lessons.shared.gaussian_race import LayerRecorder
from featdash.recipes.events import Event, Frame, Progress
from featdash.tasks import Labelled
from featdash.tasks.gaussian import GaussianTask, Sample
from featdash.tasks.streams import of_seed, stream

MOMENTS = 30  # of all steps together, at most; between two of them a browser draws the neurons on straight lines


def several_steps_of(spec: RaceSpec, task: GaussianTask, width: int) -> SeveralSteps:
    """How a first layer of that width is trained under a recipe; fresh samples are n new ones for each further step."""

    def fresh(index: int) -> Labelled:
        seed = int(stream(spec.seed, "first-layer steps", index).integers(2**31))
        sample = replace(task, seed=seed).sample(spec.n, "train")
        return sample.X, sample.y

    return SeveralSteps(
        width,
        spec.step_rule,
        spec.eta,
        spec.remove_linear,
        spec.biases,
        count=spec.first_layer_steps,
        loss=spec.step_loss,
        activation=spec.step_activation,
        further=fresh if spec.step_samples == "fresh" else None,
    )


def train_step_by_step(
    spec: RaceSpec, task: GaussianTask, sample: Sample, device: str
) -> Generator[Event, None, tuple[Layer, list[float]]]:
    """Lines 1 to 3, and the frames `start` and `neurons`; returns the layer, and the alignment after each step.

    A frame is at = the steps taken, of the step under way its fraction s, as of one step: (1 − s) Wᵗ + s Wᵗ⁺¹. All of
    them are on one map, so they come after the last step.
    """
    U, draw, count = task.target.subspace, of_seed(spec.seed), spec.first_layer_steps
    step = several_steps_of(spec, task, spec.width)

    def chunks() -> list[Labelled]:
        return [(sample.X, sample.y)]

    linear, start = step.linear_part(chunks(), spec.d), step.start(spec.d, draw)
    neurons, layers = LayerRecorder(U, start.a), [start.W]
    yield Frame("start", 0, neurons.frame(start.W).to_arrays())
    for index, W in enumerate(step.layers(chunks, linear, start, device), start=1):
        layers.append(W)
        yield Progress(0.05 + 0.25 * index / count, f"step {index} of {count} of the first layer")
    parts = np.linspace(0, 1, max(1, MOMENTS // count) + 1)[1:]
    moments = [0.0, *(float(index + s) for index in range(count) for s in parts)]
    path = [start.W, *((1 - s) * one + s * two for one, two in pairwise(layers) for s in parts)]
    for at, frame in zip(moments, neurons.frames(path), strict=True):
        yield Frame("neurons", at, frame.to_arrays())
    network = step.draw_biases(start, layers[-1], draw)
    return Layer(linear, network, ReluFeatures), [alignment(W, U) for W in layers[1:]]
