"""Functions on [−1, 1] from a jump to analytic, each with mean 0 and variance 1."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from featdash.tasks.gaussian import Sample
from featdash.tasks.streams import stream

SHAPES: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "heaviside": lambda x: np.where(x >= 0, 1.0, -1.0),
    "kink": lambda x: np.sqrt(12) * (np.abs(x) - 0.5),
    "smooth": lambda x: np.sqrt(2) * np.sin(np.pi * x),
}


@dataclass(frozen=True)
class StepTask:
    """x uniform on [−1, 1], y = f(x) + ς ε.

    shape : heaviside, ±1; kink, √12(|x| − ½); smooth, √2 sin(πx), the jump's first Fourier term at unit variance. On
        sines of more periods a small network is often stuck, and would show its optimiser rather than smoothness.
    """

    shape: str
    noise: float
    seed: int

    def __post_init__(self) -> None:
        if self.shape not in SHAPES:
            raise ValueError(f"target must be one of {', '.join(SHAPES)}, got {self.shape!r}; choose one of them")

    def function(self, x: np.ndarray) -> np.ndarray:
        """f, elementwise."""
        return SHAPES[self.shape](x)

    def sample(self, n: int, purpose: str) -> Sample:
        """X (n, 1), the same inputs and noise for every shape."""
        x = stream(self.seed, "step", purpose, "inputs").uniform(-1, 1, n)
        clean = self.function(x)
        noise = stream(self.seed, "step", purpose, "noise").standard_normal(n)
        return Sample(x[:, None], clean + self.noise * noise, clean)
