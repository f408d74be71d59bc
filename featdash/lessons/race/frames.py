"""What a race leaves behind for its sliders."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from featdash.lessons.shared.frames import TargetProfile
from featdash.recipes.events import NamedArrays
from featdash.theory.ridge_path import SpectralPath


@dataclass(frozen=True, eq=False)
class RaceArrays(NamedArrays):
    """The arrays of a race's result.

    path : method -> its heads, with risks train, holdout and test (excess), readouts profile (41,) and energy (p + 1,).
    """

    profile: TargetProfile
    path: Mapping[str, SpectralPath]
