"""What an ablation gives out: the layer of each variant, and what its pictures show after the end."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from featdash.lessons.shared.frames import NeuronFrame, TargetProfile
from featdash.recipes.events import NamedArrays


@dataclass(frozen=True, eq=False, kw_only=True)
class VariantFrame(NeuronFrame):
    """The neurons of a variant's W¹, on a map with an orientation of its own; variant : its name."""

    variant: str


@dataclass(frozen=True, eq=False)
class AblationArrays(NamedArrays):
    """The arrays of an ablation's result, variant by variant.

    learned (41,) : the function at the tuned λ, where `profile` has the target's.
    biases, norms (m,) : b_j, and the norms of the rows of W¹.
    """

    profile: TargetProfile
    learned: Mapping[str, np.ndarray]
    biases: Mapping[str, np.ndarray]
    norms: Mapping[str, np.ndarray]
