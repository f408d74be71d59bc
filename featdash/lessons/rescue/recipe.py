"""Transform the label: its recipe, and what a run of it costs."""

from __future__ import annotations

from dataclasses import dataclass

from featdash.lessons.race.recipe import (
    WATCHED,
    RaceSpec,
    base_memory,
    copy_memory,
    features_of,
    head_memory,
    sample_memory,
)
from featdash.lessons.race.recipe import cost as race_cost
from featdash.lessons.shared.gaussian_recipe import SingleDirectionSpec
from featdash.recipes import settings
from featdash.recipes.experiment import Experiment, in_worker
from featdash.recipes.spec import Choice, Cost, MultipleChoice, Number, setting
from featdash.theory.ridge_path import dense_cost

TRANSFORMS = ("none", "sign_threshold", "conditional_mean", "softmax")
SHARES = (0.01, 0.03, 0.1, 0.3, 1.0)  # of n, the sample sizes of the curves
RATIOS = (1, 3, 10, 30)  # n/d of the averages
START = 1.0  # seconds of the estimate of a race before its head
ROWS = 4000  # samples of an average that are held at a time
LAW_COPIES, LAW_POINTS = 20, 200_000  # arrays of the law of a label, and their length


@dataclass(frozen=True)
class RescueSpec(SingleDirectionSpec):
    """The recipe of a rescue by other labels."""

    d: int = setting(40, Number(2, 100, whole=True), "Dimension d", "Number of inputs; x ~ N(0, I_d).", group="Data")
    n: int = setting(
        10_000,
        Number(100, 50_000, whole=True),
        "Samples n",
        "Training samples of the largest run on the page.",
        group="Data",
    )
    noise: float = settings.noise(0.0)
    threshold: float = setting(1.0, Number(0, 5), "Threshold τ", "Labels of size up to τ count as 0 in the step.")
    transforms: tuple[str, ...] = setting(
        TRANSFORMS[:3], MultipleChoice(Choice(TRANSFORMS)), "Labels of the step", "What the first step gets as labels."
    )
    rho: float = setting(
        2.0,
        Number(0.01, 5),
        "Softmax ρ",
        "A softmax head weighs a label y by the exponential of ρ y; without it unused.",
        "Method",
    )
    cut: float = setting(
        3.0,
        Number(0.5, 5),
        "Softmax cut",
        "Labels beyond it count as it in the softmax, else a few samples get all the weight; without it unused.",
        "Method",
    )
    seed: int = settings.seed(most=2**31 - 101)
    width: int = settings.width(500, 2000)
    dims: tuple[int, ...] = setting(
        (100, 400),
        MultipleChoice(Number(10, 500, whole=True), most=3),
        "Dimensions of the averages",
        "Numbers of inputs at which the averages of |cos| are measured.",
    )
    repeats: int = setting(
        20, Number(1, 40, whole=True), "Repeats of the averages", "How often samples are drawn anew.", group="Repeats"
    )
    holdout: int = settings.holdout(5000, 100_000)
    test: int = settings.test(5000, 100_000)

    def check_together(self) -> None:
        self.race()
        super().check_together()

    @property
    def is_even(self) -> bool:
        """Whether the target looks the same from both sides, so that no transform of it has a linear part."""
        return all(sum(degrees) % 2 == 0 for degrees in self.small_target().expansion)

    @property
    def sizes(self) -> list[int]:
        """The sample sizes of the curves, ascending."""
        return [round(self.n * share) for share in SHARES]

    def race(self, n: int | None = None) -> RaceSpec:
        """The race of Algorithm 1 alone with so many samples, by default all."""
        names = ("target", "d", "width", "noise", "seed", "holdout", "test")
        return RaceSpec(n=n or self.n, methods=(WATCHED,), **{name: getattr(self, name) for name in names})


def cost(spec: RescueSpec) -> Cost:
    """A head of Algorithm 1 for each kind of labels and each size, one after another; then the averages."""
    races = [spec.race(n) for n in spec.sizes]
    heads = max(head_memory(race, WATCHED) + dense_cost(race.n, features_of(race, WATCHED))[0] for race in races)
    memory = sample_memory(races[-1]) + max(copy_memory(races[-1]), heads) + 8 * LAW_COPIES * LAW_POINTS
    kinds, widest = len(spec.transforms), max(spec.dims)
    averages = 8 * (4 * ROWS * widest + (kinds + 4) * widest**2)
    seconds = 0.5 + kinds * sum(race_cost(race).seconds - START for race in races)
    product = kinds * 1e-10 if spec.is_even else 0.0  # seconds a number of xxᵀ, where the averages are of these
    seconds += spec.repeats * sum(RATIOS[-1] * d * (3e-8 * d + product * d**2) for d in spec.dims)
    remedy = f"lower n to {max(100, int(spec.n * 0.4))}, or the width"
    return Cost(int(base_memory((WATCHED,)) + max(memory, averages)), seconds, remedy)


EXPERIMENT = Experiment(
    name="rescue",
    title="Transform the label",
    noun="rescue",
    spec=RescueSpec,
    cost=cost,
    run=in_worker("featdash.lessons.rescue.run"),
)
