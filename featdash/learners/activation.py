"""An activation and its derivative, one object."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import torch


@dataclass(frozen=True)
class Activation:
    """σ and σ', elementwise on tensors of any shape and float type.

    At a kink the derivative is the one from the left.
    """

    name: str
    value: Callable[[torch.Tensor], torch.Tensor]
    derivative: Callable[[torch.Tensor], torch.Tensor]


RELU = Activation("relu", torch.relu, lambda z: (z > 0).to(z.dtype))
