"""What fixed random features of finite width are predicted to leave of a target."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from featdash.theory.predictions import learned_degree


def width_plateau(energy_by_degree: ArrayLike, d: int, n: int, neurons: int, tangent: bool) -> float:
    """The excess risk at which fixed features of so many distinct neurons stall: neurons and samples both set a degree.

    With infinitely many samples random features of d^k < neurons < d^{k+1} fit the degrees up to k, tangent features,
    which have d numbers a neuron, those up to k + 1; with infinitely many neurons n samples set it, as in
    `kernel_plateau`. The smaller of the two degrees is taken; that both limits may be taken so is our reading.
    Source: Ghorbani, Mei, Misiakiewicz, Montanari, "Linearized two-layers neural networks in high dimension" (2021),
    on the sphere for d -> inf, with neurons and n between powers of d by a factor d^δ.
    """
    energy = np.asarray(energy_by_degree, dtype=float)
    most = len(energy) - 1
    by_width = learned_degree(d, neurons, most) + (1 if tangent else 0)
    return float(energy[min(by_width, learned_degree(d, n, most)) + 1 :].sum())
