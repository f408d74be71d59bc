"""Which lessons a page shows, in their order. To add a lesson: its part in the line of its page."""

from __future__ import annotations

from featdash.ui import (
    ablation_part,
    adaptivity_part,
    degenerate_part,
    dimension_part,
    emergence_part,
    latent_part,
    lemma_part,
    phase_map_part,
    race_part,
    recovery_part,
    smoothness_part,
    solvers_part,
    spectrum_part,
    support_part,
    sweep_part,
    transfer_bench_part,
    transfer_part,
)
from featdash.ui.lesson_page import Part

PAGES: dict[str, tuple[Part, ...]] = {
    "lab": (race_part.PART,),
    "sample_complexity": (sweep_part.PART, phase_map_part.PART),
    "transfer": (transfer_part.PART, transfer_bench_part.PART),
    "one_step": (lemma_part.PART, spectrum_part.PART, ablation_part.PART, degenerate_part.PART),
    "emergence": (emergence_part.PATTERN_PART, emergence_part.DIGIT_PART),
    "recovery": (recovery_part.PART,),
    "kernels": (
        dimension_part.PART,
        support_part.PART,
        smoothness_part.PART,
        latent_part.PART,
        solvers_part.PART,
        adaptivity_part.PART,
    ),
}
