"""Your own data: its recipe, and what a run of it costs."""

from __future__ import annotations

from dataclasses import dataclass

from featdash.learners.methods import kernel_memory, kernel_seconds, network_seconds
from featdash.recipes import settings
from featdash.recipes.experiment import InputExperiment, on_inputs_in_worker
from featdash.recipes.spec import LIBRARIES, Choice, Cost, Number, Spec, setting
from featdash.tasks.data_set import BUNDLED, COLUMNS, PLANTED, PLANTED_ROWS

UPLOAD = "upload"
SIZES = {PLANTED: (PLANTED_ROWS, COLUMNS), "diabetes": (442, 10), "breast_cancer": (569, 30), "wine": (178, 13)}
SIZES |= {"digits": (1797, 61), UPLOAD: (20_000, 199)}
COMPARED = ("linear", "laplace", "rfm", "algorithm1", "network")  # in the order of their work
NETWORK_WIDTH = 100


@dataclass(frozen=True)
class OwnDataSpec(Spec):
    """The recipe of a comparison on one table; the default is a synthetic one, whose answer is known."""

    dataset: str = setting(
        PLANTED,
        Choice((PLANTED, *BUNDLED, UPLOAD)),
        "Table",
        "A table that comes with FeatDash, or a file of your own.",
    )
    rows: int = setting(
        1250,
        Number(50, 2500, whole=True),
        "Rows at most",
        "How many rows take part, drawn at random; three fifths of them train, a fifth tests.",
    )
    rounds: int = setting(
        3, Number(1, 6, whole=True), "Rounds of RFM", "Rounds of RFM; the holdout chooses the best of them."
    )
    width: int = settings.width(400, 2000, "Neurons of Algorithm 1, even.")
    steps: int = setting(
        1000,
        Number(50, 5000, whole=True),
        "Updates of the network",
        "Steps of the network on all layers; the holdout chooses where to stop.",
        group="Training",
    )
    seed: int = settings.seed("What all random draws begin with, also those of the split and of the synthetic table.")


def is_own(spec: OwnDataSpec) -> bool:
    """Whether the table is a visitor's own."""
    return spec.dataset == UPLOAD


def cost(spec: OwnDataSpec) -> Cost:
    """Five times: kernels of the training rows, three fixed ones and one a round; a network; a head."""
    rows, d = SIZES[spec.dataset]
    sample = min(rows, spec.rows)
    n = 3 * sample // 5 + 1
    kernels = 3 + spec.rounds + 1
    fold = (
        kernel_seconds(kernels, n, d, 0, 0) + kernels * 6e-8 * n**2 + network_seconds(n, d, NETWORK_WIDTH, spec.steps)
    )
    memory = LIBRARIES + 1.4 * kernel_memory(n, sample, 0) + 8 * (4 * n * spec.width + 6 * sample * d)
    return Cost(int(memory), 1 + 5 * (fold + 0.2 + 2e-7 * n * spec.width), f"lower rows to {max(50, sample // 2)}")


EXPERIMENT = InputExperiment(
    name="own-data",
    title="Your own data",
    noun="comparison",
    spec=OwnDataSpec,
    cost=cost,
    run=on_inputs_in_worker("featdash.lessons.own_data.run"),
    wants=is_own,
)
