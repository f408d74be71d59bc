"""Latent variables: f*(x) = g(Ux) at fixed n as d grows, kernels against methods that learn the features.

A kernel needs n of order d^p, Algorithm 1 d²r + d r^p: at fixed n the kernels lose the degrees k with d^k > n one after
the other, which leaves the energies above as plateaus. The race shows the same against n.
The default target has degree 3: squared errors on He₄ have tails so heavy that 4000 test points leave an error of
0.1 to 0.3 in a risk (see `standard_error`), five times as much.
Frames, result and summary: see `featdash.experiments.dimension_sweep`; the summary has the target's degree, rank and
energies too.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from featdash.experiments.dimension_sweep import DimensionSweep, sweep, sweep_cost
from featdash.experiments.events import Event, Result
from featdash.experiments.experiment import Experiment
from featdash.experiments.predictors import METHODS
from featdash.experiments.race import describe
from featdash.experiments.spec import Choice, Number, Several, Text, Width, setting
from featdash.tasks.gaussian import GaussianTask
from featdash.theory.target import resolve_target


@dataclass(frozen=True)
class LatentSpec(DimensionSweep):
    """The recipe of a sweep over the dimension with the latent variables fixed."""

    target: str = setting("pretrain", Text(200), "Target", "A name from the list, or a polynomial in z1, z2, ...")
    dims: tuple[int, ...] = setting(
        (4, 8, 16, 32), Several(Number(1, 100, whole=True), most=12), "Dimensions d", "Number of inputs."
    )
    n: int = setting(1200, Number(20, 2000, whole=True), "Samples n", "The same at every dimension.")
    noise: float = setting(0.5, Number(0, 10), "Label noise ς", "Standard deviation; a named target's is 1.")
    methods: tuple[str, ...] = setting(
        ("algorithm1", "network", "ntk"), Several(Choice(METHODS)), "Methods", "Who is measured."
    )
    repeats: int = setting(3, Number(1, 10, whole=True), "Repeats", "Samples to average over.")
    width: int = setting(300, Width(2, 1000), "Width m", "Of both networks, even.")

    def check_together(self) -> None:
        resolve_target(self.target, min(self.dims))


def run(spec: LatentSpec, device: str = "cpu") -> Iterator[Event]:  # noqa: ARG001  matrices too small for a GPU
    """The events of the sweep."""
    target = describe(resolve_target(spec.target, max(spec.dims)))
    for event in sweep(spec, lambda d, seed: GaussianTask(resolve_target(spec.target, d), spec.noise, seed)):
        yield replace(event, summary={**event.summary, "target": target}) if isinstance(event, Result) else event


EXPERIMENT = Experiment(
    name="latent", title="Latent variables", noun="latents", spec=LatentSpec, cost=sweep_cost, run=run
)
