"""What a run of students of a mixture gives out."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from featdash.recipes.events import NamedArrays


@dataclass(frozen=True, eq=False)
class InputFrame(NamedArrays):
    """Some inputs of the first run: digits, gaussian (c, 64), and the mean image (64,) that both lack."""

    digits: np.ndarray
    gaussian: np.ndarray
    mean: np.ndarray


@dataclass(frozen=True, eq=False)
class AccuracyFrame(NamedArrays):
    """Shares of right classes on held-out inputs after a step, (R,) over the runs.

    digits, gaussian : of the student of the mixture, against the teacher's classes.
    alone : of the student of the digits alone, against the digits that the images show.
    """

    digits: np.ndarray
    gaussian: np.ndarray
    alone: np.ndarray
