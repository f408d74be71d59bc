"""When a growing head is looked at, and the grid on which a learned function is drawn."""

from __future__ import annotations

import numpy as np

PICTURES = (2, 3, 5, 8, 12, 18, 26, 38, 50)
PROFILE_GRID = np.linspace(-3, 3, 41)
PROFILE_COMPANIONS = 32
