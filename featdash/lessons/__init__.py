"""The lessons by their folders. To add one: a folder beside this file, and its experiment's name here, under its page.

Each folder has the recipe of an experiment, or of several that are one idea, and what else they need. It is called as
one, whose files are `lesson`, `claims` and `story`; those of another have its name in front: `support_lesson`.
"""

from importlib import import_module
from pathlib import Path
from typing import Any

from featdash.recipes.experiment import Entry

PAGES: dict[str, tuple[str, ...]] = {
    "lab": ("race",),
    "sample_complexity": (
        "sweep",
        "phase-map",
        "width",
        "structure",
    ),
    "transfer": (
        "transfer",
        "transfer-bench",
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
        "more-steps",
        "hessian",
        "spikes",
        "rfm",
        "scaling-laws",
    ),
    "your_own_data": ("own-data",),
}


def _experiments() -> dict[str, Entry]:
    """All that recipes define, by name: those of the pages first, then the cells of which grids are made."""
    recipes = sorted(path.relative_to(Path(__file__).parent) for path in Path(__file__).parent.glob("*/*recipe.py"))
    modules = [import_module(".".join((__name__, *path.with_suffix("").parts))) for path in recipes]
    by_name = {one.name: one for module in modules for one in vars(module).values() if isinstance(one, Entry)}
    on_pages = [name for names in PAGES.values() for name in names]
    return {name: by_name[name] for name in (*on_pages, *sorted(by_name.keys() - {*on_pages}))}


EXPERIMENTS = _experiments()


def part_of(experiment: str, kind: str) -> Any:
    """The `lesson` or `claims` of an experiment, from the folder of its recipe."""
    folder, name = EXPERIMENTS[experiment].spec.__module__.rpartition(".")[0], experiment.replace("-", "_")
    return import_module(f"{folder}.{kind}" if folder == f"{__name__}.{name}" else f"{folder}.{name}_{kind}")


def lessons_of(page: str) -> list[Any]:
    """The lessons of a page, in their order: Streamlit's part, which no worker imports."""
    return [part_of(name, "lesson").LESSON for name in PAGES[page]]
