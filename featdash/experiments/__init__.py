"""The experiments by name. To add one: a file beside this one that ends with `EXPERIMENT = ...`, and its line here."""

from featdash.experiments import (
    ablation,
    adaptivity,
    column,
    degenerate,
    digits,
    dimension,
    emergence,
    latent,
    lemma,
    phase_map,
    race,
    recovery,
    smoothness,
    solvers,
    spectrum,
    support,
    sweep,
    transfer,
    transfer_bench,
    transfer_column,
)
from featdash.experiments.experiment import Experiment

EXPERIMENTS: dict[str, Experiment] = {
    experiment.name: experiment
    for experiment in (
        race.EXPERIMENT,
        sweep.EXPERIMENT,
        column.EXPERIMENT,
        phase_map.EXPERIMENT,
        transfer.EXPERIMENT,
        transfer_bench.EXPERIMENT,
        transfer_column.EXPERIMENT,
        emergence.EXPERIMENT,
        digits.EXPERIMENT,
        recovery.EXPERIMENT,
        lemma.EXPERIMENT,
        spectrum.EXPERIMENT,
        ablation.EXPERIMENT,
        degenerate.EXPERIMENT,
        dimension.EXPERIMENT,
        support.EXPERIMENT,
        smoothness.EXPERIMENT,
        latent.EXPERIMENT,
        solvers.EXPERIMENT,
        adaptivity.EXPERIMENT,
    )
}


def find_experiment(name: str) -> Experiment:
    """The experiment of that name; ValueError with the known names if there is none."""
    if name not in EXPERIMENTS:
        raise ValueError(f"experiment must be one of {', '.join(EXPERIMENTS)}, got {name!r}; choose one of them")
    return EXPERIMENTS[name]
