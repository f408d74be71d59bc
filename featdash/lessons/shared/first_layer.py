"""Algorithm 1 up to its head, watched: the frames of the streams `preprocess` and `neurons`."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from featdash.geometry.alignment import alignment, overlap_matrix, principal_angles, subspace_share
from featdash.learners import algorithm1
from featdash.learners.algorithm1 import LinearPart
from featdash.learners.network import Network
from featdash.lessons.shared.neuron_maps import MapCamera, shown_neurons
from featdash.recipes.events import Event, Frame, Progress
from featdash.tasks.gaussian import Sample
from featdash.tasks.streams import stream

PREFIXES = 24  # frames between one sample and n: enough to look like motion


class FirstLayerCamera:
    """Takes the frames of one first layer as it changes, all from the same angle.

    U (r, d) : orthonormal principal directions.
    signs (m,) : the output weights' signs; the shown neurons are spread evenly over the layer.
    """

    def __init__(self, U: np.ndarray, signs: np.ndarray) -> None:
        self._U = U
        self._shown = shown_neurons(len(signs))
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


class FirstStep(Protocol):
    """The settings that the first layer depends on; a RaceSpec has them all."""

    width: int
    seed: int
    step_rule: str
    eta: float
    remove_linear: bool
    biases: str


@dataclass(frozen=True)
class TrainedFirstLayer:
    """Lines 1 to 3 of Algorithm 1: the linear part, the network (W¹, redrawn b), and the alignment on the way.

    before, after : squared share of the layer's norm inside the principal subspace, of W⁰ and of W¹.
    """

    linear: LinearPart
    network: Network
    before: float
    after: float


def train_first_layer(
    spec: FirstStep, sample: Sample, U: np.ndarray, device: str
) -> Generator[Event, None, TrainedFirstLayer]:
    """Lines 1 to 3, with a frame of the neurons for each of the log-spaced prefixes of the sample.

    The prefixes share the α and β of the whole sample, so that each is a partial sum of the final gradient.
    """

    linear = algorithm1.LinearPart(0.0, np.zeros(sample.X.shape[1]))
    if spec.remove_linear:
        linear = algorithm1.remove_linear_part(sample.X, sample.y)
    yield Frame("preprocess", 0, {"alpha": np.float64(linear.alpha), "beta": linear.beta})
    start = algorithm1.start_network(
        spec.width, sample.X.shape[1], stream(spec.seed, "algorithm1", "start"), spec.biases
    )
    camera = FirstLayerCamera(U, start.a)
    before = camera.frame(0, start.W)
    yield before
    sizes = np.unique(np.geomspace(1, len(sample.X), PREFIXES).round().astype(int))
    residual = sample.y - linear(sample.X)
    for size, gradient in algorithm1.gradient_over_prefixes(sample.X, residual, start, sizes, device):
        after = camera.frame(size, -gradient)
        yield after
        yield Progress(0.05 + 0.25 * size / len(sample.X), f"first-layer step, {size} of {len(sample.X)} samples")
    yield Progress(0.3, "drawing the biases" if spec.biases == "redrawn" else "keeping the biases")
    eta = algorithm1.step_size(spec.step_rule, gradient, spec.eta)
    rng = stream(spec.seed, "algorithm1", "biases")
    network = algorithm1.step_first_layer(start, gradient, eta, rng, spec.biases)
    return TrainedFirstLayer(linear, network, *(float(frame.arrays["alignment"]) for frame in (before, after)))
