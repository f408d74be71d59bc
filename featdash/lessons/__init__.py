"""The lessons by their folders. To add one: a folder beside this file, and its name here, under its page.

Each folder has a recipe, and what else its experiment needs; those of PAGES have a `lesson`.
"""

from importlib import import_module
from typing import Any

from featdash.recipes.experiment import Entry

PAGES: dict[str, tuple[str, ...]] = {
    "lab": ("race",),
    "sample_complexity": (
        "sweep",
        "phase_map",
        "width",
        "structure",
    ),
    "transfer": (
        "transfer",
        "transfer_bench",
    ),
    "one_step": (
        "lemma",
        "spectrum",
        "ablation",
        "degenerate",
    ),
    "emergence": (
        "emergence",
        "digits",
        "mixture",
    ),
    "recovery": ("recovery",),
    "kernels": (
        "dimension",
        "support",
        "smoothness",
        "latent",
        "solvers",
        "adaptivity",
    ),
    "beyond_one_step": (
        "rescue",
        "repetition",
        "staircase",
        "more_steps",
        "hessian",
        "spikes",
        "rfm",
        "scaling_laws",
    ),
    "your_own_data": ("own_data",),
}
CELLS = ("learning_curve", "transfer_column")  # experiments that sweeps are made of, on no page of their own
FOLDERS = (*(folder for page in PAGES.values() for folder in page), *CELLS)
EXPERIMENTS: dict[str, Entry] = {
    experiment.name: experiment
    for experiment in (import_module(f"{__name__}.{folder}.recipe").EXPERIMENT for folder in FOLDERS)
}


def lessons_of(page: str) -> list[Any]:
    """The lessons of a page, in their order: Streamlit's part, which no worker imports."""
    return [import_module(f"{__name__}.{folder}.lesson").LESSON for folder in PAGES[page]]
