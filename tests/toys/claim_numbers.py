"""The numbers in the sentence of a claim, and the run or the published table that they are held against."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from trial_runs import PARTS, computed

import featdash.lessons.shared.pictures
from featdash.recipes.claim import NUMBER, Claim, Figure, value_of
from featdash.recipes.experiment import find_experiment
from featdash.recipes.grid import Grid
from featdash.recipes.spec import Spec

# What is named by a number, and formulas, which state orders and no measurement.
NAMES = re.compile(
    r"\$[^$]*\$|He./√\d+|(?:Algorithm|Assumption|Theorem|Lemma|Figure|[Ll]ine|[Ss]tage|[Ss]tep) \d|`[^`]*`"
)
PUBLISHED = Path(featdash.lessons.shared.pictures.__path__[0])


def numbers_in(text: str) -> list[float]:
    """The numbers of a sentence that are neither names nor formulas."""
    return [value_of(found) for found in NUMBER.finditer(NAMES.sub("", text))]


def settings_of(experiment: str, spec: Spec) -> set[float]:
    """Every number among the settings of a run, and of the runs that it is made of."""
    found: list[float] = []
    for value in vars(spec).values():
        each: Iterable = value if isinstance(value, tuple) else (value,)
        found += [float(one) for one in each if isinstance(one, int | float) and not isinstance(one, bool)]
    entry = find_experiment(experiment)
    cells = entry.cells(spec) if isinstance(entry, Grid) else ()
    return set(found).union(*(settings_of(*cell) for cell in cells))


def summary_for(experiment: str, claim: Claim, figure: Figure) -> Any:
    """What the figure is read from: a published table, the present code's recorded run, or a run of this process."""
    if claim.kind == "published":
        return {name: _table(PUBLISHED / f"damian2022_{name}.csv") for name in ("figure1", "figure2")}
    return computed(experiment, claim.recipe(PARTS[experiment].experiment, figure)).summary


def _table(path: Path) -> list[dict[str, Any]]:
    """The rows of a published figure; a risk is called `mean` in both."""
    lines = [line for line in path.read_text().splitlines() if not line.startswith("#")]
    rows = [{"mean" if name == "risk" else name: one for name, one in row.items()} for row in csv.DictReader(lines)]
    return [{name: float(one) if name in ("mean", "low", "high") else one for name, one in row.items()} for row in rows]
