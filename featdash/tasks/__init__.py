"""Where samples come from."""

import numpy as np

Labelled = tuple[np.ndarray, np.ndarray]  # what every learner is given, row by row: X (n, d), y (n,)
