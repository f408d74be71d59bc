"""What every learner is given, whatever the task: inputs and labels, row by row."""

from __future__ import annotations

import numpy as np

Labelled = tuple[np.ndarray, np.ndarray]  # X (n, d), y (n,)
