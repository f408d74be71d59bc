"""A folder of lessons holds the files of its experiments, and no experiment is without a place."""

from pathlib import Path

import pytest

from featdash import lessons
from featdash.lessons import EXPERIMENTS, PAGES
from featdash.recipes.grid import Grid
from featdash.stories.course import ORDER

OURS = {name: one for name, one in EXPERIMENTS.items() if one.spec.__module__.startswith(f"{lessons.__name__}.")}
ON_PAGES = [name for names in PAGES.values() for name in names]
FOLDERS = sorted({one.spec.__module__.split(".")[2] for one in OURS.values()})


def test_every_experiment_is_on_one_page_or_a_cell_of_a_grid():
    cells = {cell for one in OURS.values() if isinstance(one, Grid) for cell in one.cell_experiments}
    assert len(set(ON_PAGES)) == len(ON_PAGES)
    assert OURS.keys() - set(ON_PAGES) == cells - set(ON_PAGES)


@pytest.mark.parametrize("folder", FOLDERS)
def test_a_folder_has_a_page_and_claims_of_each_experiment_and_no_others(folder):
    path = Path(lessons.__file__).parent / folder
    inside = [name for name in ON_PAGES if OURS[name].spec.__module__.split(".")[2] == folder]
    front = {"" if name.replace("-", "_") == folder else f"{name.replace('-', '_')}_" for name in inside}
    assert "" in front
    assert {one.name for one in path.glob("*lesson.py")} == {f"{name}lesson.py" for name in front}
    assert {one.name for one in path.glob("*claims.py")} == {f"{name}claims.py" for name in front}
    stories = {one.name.removesuffix("story.md") for one in path.glob("*story.md")}
    assert stories == {name for name in front if (name.removesuffix("_") or folder) in ORDER}
