"""Hidden layers in order: its recipe, and what a run of it costs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from featdash.recipes import settings
from featdash.recipes.experiment import Experiment, in_worker
from featdash.recipes.spec import ARITHMETIC, Choice, Cost, Number, Spec, setting

OUTER: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "tanh": lambda q: np.tanh(3 * q),
    "sine": lambda q: 0.6 * q + np.sin(3 * q),
    "cubic": lambda q: (q + (q**3 - 3 * q) / np.sqrt(6)) / 1.6,
}  # the outer function g, by its name
HALVINGS = 4  # sizes are n/16, n/8, ..., n
HOLDOUT, TEST = 2000, 4000
NEURONS = {"random": 1000, "one": 1000, "two": 300, "second": 300}  # random neurons of each head
LAMS = np.geomspace(1e-5, 10, 7)  # over the mean eigenvalue
CHUNK = 1000  # rows at a time
SECONDS_A_FLOP = 3e-11  # of one core, in double precision; half of it in single


@dataclass(frozen=True)
class HiddenLayersSpec(Spec):
    """The recipe of a target g(q) whose q is a sum of r squares; defaults are a soft step of eight of them."""

    outer: str = setting("tanh", Choice(tuple(OUTER)), "Outer function g", "What the labels make of the hidden sum q.")
    n: int = setting(
        16_000, Number(400, 32_000, whole=True), "Samples n", "The last size; four halves come before.", group="Data"
    )
    d: int = setting(64, Number(4, 80, whole=True), "Dimension d", "Number of inputs; x ~ N(0, I_d).", group="Data")
    r: int = setting(8, Number(1, 32, whole=True), "Directions r", "Hidden ones; the filters are told how many.")
    noise: float = settings.noise(0.0)
    seed: int = settings.seed()

    def check_together(self) -> None:
        if self.r > self.d:
            raise ValueError(f"r must be at most d = {self.d}, got {self.r}; lower r or raise d")

    @property
    def sizes(self) -> tuple[int, ...]:
        """Samples, each size a part of the next."""
        return tuple(self.n >> power for power in range(HALVINGS, -1, -1))

    @property
    def products(self) -> int:
        """Of two inputs, squares among them."""
        return self.d * (self.d + 1) // 2


def cost(spec: HiddenLayersSpec) -> Cost:
    """Seconds of the second moments and of a Cholesky factor a λ; bytes of inputs, a chunk and two such matrices."""
    p = spec.products
    heads = [(spec.n, NEURONS["random"]), *((2 * spec.n, NEURONS[name]) for name in ("one", "two", "second"))]
    moments = sum(2 * rows * q**2 for rows, q in heads) + spec.n * p**2
    factors = sum(q**3 / 3 for q in (p, *NEURONS.values())) * len(LAMS) * (HALVINGS + 1)
    rows = spec.n + HOLDOUT + TEST
    wide = max(p, NEURONS["random"])
    memory = ARITHMETIC + 8 * (rows * (spec.d + 1) + 3 * p**2 + 1e6 + TEST * wide)
    return Cost(int(memory), 0.5 + SECONDS_A_FLOP * (moments + factors), "lower d or n")


EXPERIMENT = Experiment(
    name="hidden-layers",
    title="Hidden layers in order",
    noun="filters",
    spec=HiddenLayersSpec,
    cost=cost,
    run=in_worker("featdash.lessons.hidden_layers.run"),
)
