"""How many spikes: its recipe, and what a run of it costs."""

from __future__ import annotations

from dataclasses import dataclass

from featdash.recipes import settings
from featdash.recipes.experiment import Experiment, in_worker
from featdash.recipes.spec import ARITHMETIC, Cost, Flag, Number, Spec, setting
from featdash.theory.target import resolve_target

ALPHAS = tuple(round(0.05 * index, 2) for index in range(11))  # the step is n^α
POWERS = tuple(1 + index / 8 for index in range(11))  # of d₂: the sizes of the second part
TWO_DIRECTIONS = "(z1 + z2)/sqrt(2) + (He2(z1) - He2(z2))/2"
LEADING = 3  # singular vectors that are looked at
DEGREES = 4  # of the Hermite polynomials that they are compared with
FLOPS_A_SECOND = 2e10  # of one core, in double precision
EIGEN_FLOPS = 3  # times N³: all eigenvalues, and some vectors


@dataclass(frozen=True)
class SpikesSpec(Spec):
    """The recipe of a look at the features after one step; defaults are a line and a bowl along one direction."""

    target: str = settings.target("z1 + He2(z1)/sqrt(2)")
    n: int = setting(
        1000,
        Number(50, 3000, whole=True),
        "Samples n",
        "Samples in the step, and as many new ones to look at.",
        group="Data",
    )
    d: int = setting(500, Number(10, 1000, whole=True), "Dimension d", "Number of inputs; x ~ N(0, I_d).", group="Data")
    neurons: int = setting(
        800,
        Number(10, 1500, whole=True),
        "Neurons N",
        "Neurons of the layer that takes the step, all of them distinct.",
    )
    noise: float = settings.noise(0.0)
    remove_linear: bool = setting(
        False, Flag(), "Line 1", "Whether the linear part is taken out of the labels first.", group="Method"
    )
    d2: int = setting(
        100, Number(8, 150, whole=True), "Dimension d₂", "Inputs of the second target, which has two directions."
    )
    seed: int = settings.seed()

    def check_together(self) -> None:
        resolve_target(self.target, self.d)

    @property
    def sizes(self) -> tuple[int, ...]:
        """Samples of the second part, from d₂ to a little over d₂²."""
        return tuple(round(self.d2**power) for power in POWERS)


def cost(spec: SpikesSpec) -> Cost:
    """Seconds of the spectra, two a step size, and of the gradients of both parts.

    Bytes of features and of what is left of them, their Gram matrices, inputs and weights; or of the second sample.
    """
    n, d, N = spec.n, spec.d, spec.neurons
    small = min(n, N)
    spectrum = 4 * small * n * N + 2 * EIGEN_FLOPS * small**3
    gradients = 8 * n * N * d + 4 * spec.sizes[-1] * N * spec.d2
    features = 8 * (2 * n * d + 3 * N * d + 5.5 * n * N + 4 * small**2)
    sample = 8 * (2 * spec.sizes[-1] * spec.d2 + 3 * N * spec.d2)
    seconds = 0.5 + (len(ALPHAS) * spectrum + gradients) / FLOPS_A_SECOND
    remedy = f"lower n to {max(50, int(n * 0.5))}, the neurons or d₂"
    return Cost(int(ARITHMETIC + max(features, sample)), seconds, remedy)


EXPERIMENT = Experiment(
    name="spikes",
    title="How many spikes",
    spec=SpikesSpec,
    cost=cost,
    run=in_worker("featdash.lessons.spikes.run"),
)
