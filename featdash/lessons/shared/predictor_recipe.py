"""The methods that the adaptivity lessons compare, and the seconds that each takes to fit."""

from __future__ import annotations

METHODS = ("rbf", "laplace", "ntk", "network", "algorithm1")
LENGTHS = (0.5, 1.0, 2.0)  # of the rms distance of an input from their mean; the holdout chooses, as it does λ


def fitting_seconds(name: str, n: int, d: int, width: int, steps: int) -> float:
    """A careful estimate on one core: an eigendecomposition of n³ numbers a kernel, or the network's updates."""
    if name == "network":
        return steps * (8e-5 + 128 * width * (5e-9 + d * 1.5e-10))
    if name == "algorithm1":
        return 0.1 + 2e-8 * n * width
    return (1 if name == "ntk" else len(LENGTHS)) * (0.03 + 4e-10 * n**3 + 1.5e-4 * n + 5e-8 * n * d)
