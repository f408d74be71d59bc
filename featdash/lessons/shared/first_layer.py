"""Algorithm 1 up to its head, watched: the frames of the streams `preprocess` and `neurons`."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace
from typing import Protocol

import numpy as np

from featdash.geometry.alignment import alignment, overlap_matrix, principal_angles, subspace_share
from featdash.learners.algorithm1 import FirstStep, gradient_over_prefixes
from featdash.learners.feature_map import ReluFeatures
from featdash.learners.layer import Layer
from featdash.learners.methods import METHODS, load
from featdash.lessons.shared.gaussian_recipe import BaselineSpec
from featdash.lessons.shared.neuron_maps import MapCamera, neuron_sample
from featdash.recipes.events import Event, Frame, Progress
from featdash.tasks.gaussian import Sample
from featdash.tasks.streams import of_seed

PREFIXES = 24  # frames between one sample and n: enough to look like motion


class FirstLayerRecorder:
    """Takes the frames of one first layer as it changes, all from the same angle.

    U (r, d) : orthonormal principal directions.
    signs (m,) : the output weights' signs; the shown neurons are spread evenly over the layer.
    """

    def __init__(self, U: np.ndarray, signs: np.ndarray) -> None:
        self._U = U
        self._shown = neuron_sample(len(signs))
        self._signs = np.sign(signs[self._shown])
        self._map = MapCamera()

    def frame(self, at: float, W: np.ndarray) -> Frame:
        """One frame of the layer W (m, d); its arrays are named in `race`."""
        arrays = {
            "share": subspace_share(W[self._shown], self._U).astype(np.float32),
            "sign": self._signs.astype(np.int8),
            "alignment": np.float64(alignment(W, self._U)),
            "overlap": overlap_matrix(W, self._U, min(len(self._U) + 2, W.shape[1])).astype(np.float32),
            "angles": principal_angles(W, self._U).astype(np.float32),
        }
        return Frame("neurons", at, arrays | self._map.arrays(W[self._shown], self._U))


class StepSettings(Protocol):
    """The settings that the first layer depends on; a RaceSpec has them all."""

    width: int
    seed: int
    step_rule: str
    eta: float
    remove_linear: bool
    biases: str


def first_step_of(spec: StepSettings) -> FirstStep:
    """How the first layer of a recipe is trained."""
    return FirstStep(spec.width, spec.step_rule, spec.eta, spec.remove_linear, spec.biases)


def layer_of(method: str, spec: BaselineSpec, sample: Sample, device: str) -> Layer:
    """The first layer of a method of the table, on the streams of the recipe's seed."""
    step = replace(first_step_of(spec), width=spec.neurons(method))
    learner = load(METHODS[method].learner)
    return learner.layer(step, lambda: [(sample.X, sample.y)], sample.X.shape[1], of_seed(spec.seed), device)


def train_first_layer(spec: StepSettings, sample: Sample, U: np.ndarray, device: str) -> Generator[Event, None, Layer]:
    """Lines 1 to 3, with a frame of the neurons for each of the log-spaced prefixes of the sample.

    The prefixes share the α and β of the whole sample, so that each is a partial sum of the final gradient.
    """
    step, draw, (n, d) = first_step_of(spec), of_seed(spec.seed), sample.X.shape
    linear = step.linear_part([(sample.X, sample.y)], d)
    yield Frame("preprocess", 0, {"alpha": np.float64(linear.alpha), "beta": linear.beta})
    start = step.start(d, draw)
    camera = FirstLayerRecorder(U, start.a)
    yield camera.frame(0, start.W)
    sizes = np.unique(np.geomspace(1, n, PREFIXES).round().astype(int))
    for size, gradient in gradient_over_prefixes(sample.X, sample.y - linear(sample.X), start, sizes, device):
        yield camera.frame(size, -gradient)
        yield Progress(0.05 + 0.25 * size / n, f"first-layer step, {size} of {n} samples")
    yield Progress(0.3, "drawing the biases" if spec.biases == "redrawn" else "keeping the biases")
    return Layer(linear, step.finish(start, gradient, draw), ReluFeatures)
