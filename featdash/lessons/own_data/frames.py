"""What a comparison on a table gives out after each fit: risks by fold, and what each layer looks at, by column."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from featdash.recipes.events import NamedArrays


@dataclass(frozen=True, eq=False)
class FitTable(NamedArrays):
    """Streams `fits`; NaN where not yet measured.

    risk : method -> (5,), mean squared error on the test part of each fold, in units of the training labels' variance.
    look : method -> (d,), the share of each column in what its layer looks at, a mean over the folds so far; sums to 1.
    columns (d,) : names.  planted : names of the columns that made the target, if known.
    test_to_train : rows of a test part by those of a training part.
    """

    risk: Mapping[str, np.ndarray]
    look: Mapping[str, np.ndarray]
    columns: np.ndarray
    planted: np.ndarray
    test_to_train: float
