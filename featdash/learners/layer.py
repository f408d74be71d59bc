"""What a ridge head is trained on: the features of a first layer, and the linear part that the labels are less."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from featdash.learners.feature_map import Featurise, NeuronFeatures
from featdash.learners.network import Network, draw_network

Draw = Callable[[str, str], np.random.Generator]  # the stream of an owner and a purpose; of a seed, `of_seed(seed)`


@dataclass(frozen=True)
class LinearPart:
    """x ↦ α + β·x; beta (d,)."""

    alpha: float
    beta: np.ndarray

    def __call__(self, X: np.ndarray) -> np.ndarray:
        return self.alpha + X @ self.beta


@dataclass(frozen=True)
class Layer:
    """The head is to predict y − α − β·x from features of `network`."""

    linear: LinearPart
    network: Network
    features: type[NeuronFeatures]

    def featurise(self, device: str = "cpu") -> Featurise:
        """The map of a sample to its features."""
        return partial(self.features, network=self.network, device=device)


def start_layer(owner: str, features: type[NeuronFeatures], width: int, d: int, draw: Draw) -> Layer:
    """A network that is never trained, b_j ~ N(0, 1): no linear part removed, that step belongs to Algorithm 1."""
    network = draw_network(width, d, draw(owner, "network"), biases=True)
    return Layer(LinearPart(0.0, np.zeros(d)), network, features)
