"""Algorithm 1 up to its head, watched: the frames of the stream `neurons`."""

from __future__ import annotations

from collections.abc import Generator

import numpy as np

from featdash.geometry.alignment import overlap_matrix, principal_angles, subspace_share
from featdash.geometry.similarity import MapCamera, neuron_sample
from featdash.learners.algorithm1 import FirstStep, gradient_over_prefixes
from featdash.learners.feature_map import ReluFeatures
from featdash.learners.layer import Features, Layer
from featdash.learners.method import load
from featdash.learners.methods import METHODS
from featdash.lessons.shared.frames import LayerFrame, NeuronFrame
from featdash.lessons.shared.gaussian_recipe import ComparisonSpec, NetworkSpec
from featdash.recipes.events import Event, Frame, Progress
from featdash.tasks.gaussian import Sample
from featdash.tasks.streams import of_seed

PREFIXES = 24  # frames between one sample and n: enough to look like motion


class NeuronRecorder:
    """Takes pictures of the same neurons of one first layer as it changes, all from the same angle.

    U (r, d) : orthonormal principal directions.
    signs (m,) : the output weights' signs; the shown neurons are spread evenly over the layer.
    """

    foldings: tuple[bool, ...] = (False,)

    def __init__(self, U: np.ndarray, signs: np.ndarray) -> None:
        self._U = U
        self._shown = neuron_sample(len(signs))
        self._signs = np.sign(signs[self._shown])
        self._map = MapCamera(self.foldings)

    def picture(self, W: np.ndarray) -> NeuronFrame:
        """The shown neurons of the layer W (m, d)."""
        shown = W[self._shown]
        arrays = {"share": subspace_share(shown, self._U).astype(np.float32), "sign": self._signs.astype(np.int8)}
        return NeuronFrame.from_arrays(arrays | self._map.arrays(shown, self._U))


class LayerRecorder(NeuronRecorder):
    """The same with both maps, and with the whole layer against the principal subspace."""

    foldings = (False, True)

    def picture(self, W: np.ndarray) -> LayerFrame:
        overlap = overlap_matrix(W, self._U, min(len(self._U) + 2, W.shape[1])).astype(np.float32)
        angles = principal_angles(W, self._U).astype(np.float32)
        return LayerFrame(**vars(super().picture(W)), overlap=overlap, angles=angles)


def first_step_of(spec: ComparisonSpec, width: int) -> FirstStep:
    """How the first layer of that width is trained under a recipe."""
    return FirstStep(width, spec.step_rule, spec.eta, spec.remove_linear, spec.biases)


def layer_of(method: str, spec: NetworkSpec, sample: Sample, device: str) -> Features:
    """The first layer of a method of the table, on the streams of the recipe's seed."""
    step = first_step_of(spec, spec.neurons(method))
    learner = load(METHODS[method].learner)
    return learner.layer(step, lambda: [(sample.X, sample.y)], sample.X.shape[1], of_seed(spec.seed), device)


def train_first_layer(
    spec: NetworkSpec, sample: Sample, U: np.ndarray, device: str, recorder: type[NeuronRecorder] = LayerRecorder
) -> Generator[Event, None, Layer]:
    """Lines 1 to 3, with a frame of the neurons for each of the log-spaced prefixes of the sample.

    The prefixes share the α and β of the whole sample, so that each is a partial sum of the final gradient.
    """
    step, draw, (n, d) = first_step_of(spec, spec.width), of_seed(spec.seed), sample.X.shape
    linear = step.linear_part([(sample.X, sample.y)], d)
    start = step.start(d, draw)
    camera = recorder(U, start.a)
    yield Frame("neurons", 0, camera.picture(start.W).to_arrays())
    sizes = np.unique(np.geomspace(1, n, PREFIXES).round().astype(int)).tolist()
    for size, gradient in gradient_over_prefixes(sample.X, sample.y - linear(sample.X), start, sizes, device):
        yield Frame("neurons", size, camera.picture(-gradient).to_arrays())
        yield Progress(0.05 + 0.25 * size / n, f"first-layer step, {size} of {n} samples")
    yield Progress(0.3, "drawing the biases" if spec.biases == "redrawn" else "keeping the biases")
    return Layer(linear, step.finish(start, gradient, draw), ReluFeatures)
