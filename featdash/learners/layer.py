"""What a ridge head is trained on: the features of a first layer, and the linear part that the labels are less."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Protocol

import numpy as np
import torch

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


class Features(Protocol):
    """The head is to predict y − α − β·x, `linear`, from the features that `featurise` makes of a sample.

    directions (k, d) : A, of which the features are made by σ(Ax + b) or by distances of Ax; its alignment is theirs.
    """

    @property
    def linear(self) -> LinearPart: ...

    @property
    def directions(self) -> np.ndarray: ...

    def featurise(self, device: str = "cpu", dtype: torch.dtype = torch.float32) -> Featurise: ...


@dataclass(frozen=True)
class Layer:
    """The head is to predict y − α − β·x from features of `network`."""

    linear: LinearPart
    network: Network
    features: type[NeuronFeatures]

    def featurise(self, device: str = "cpu", dtype: torch.dtype = torch.float32) -> Featurise:
        """The map of a sample to its features, of that precision inside."""
        return partial(self.features, network=self.network, device=device, dtype=dtype)

    @property
    def directions(self) -> np.ndarray:
        """W (m, d)."""
        return self.network.W


def start_layer(owner: str, features: type[NeuronFeatures], width: int, d: int, draw: Draw) -> Layer:
    """A network that is never trained, b_j ~ N(0, 1): no linear part removed, that step belongs to Algorithm 1."""
    network = draw_network(width, d, draw(owner, "network"), biases=True)
    return Layer(LinearPart(0.0, np.zeros(d)), network, features)
