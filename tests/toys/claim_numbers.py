"""The numbers in the sentence of a claim, and the run or the published table that they are held against."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from trial_runs import PARTS, computed

import featdash.lessons.shared.pictures
from featdash.recipes.claim import Claim, Figure
from featdash.recipes.experiment import Composite, find_experiment
from featdash.recipes.spec import Spec

POWERS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
_RAISED = "[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+"
NUMBER = re.compile(
    rf"(?P<lead>[−-]?\d+(?:\.\d+)?(?: \d{{3}})*)(?:(?P<times>·10)(?P<of>{_RAISED})|(?P<power>{_RAISED}))?(?P<unit> ?%)?"
    "|[½¼¾]"
)
FRACTIONS = {"½": 0.5, "¼": 0.25, "¾": 0.75}
# What is named by a number, and formulas, which state orders and no measurement.
NAMES = re.compile(
    r"\$[^$]*\$|He./√\d+|(?:Algorithm|Assumption|Theorem|Lemma|Figure|[Ll]ine|[Ss]tage|[Ss]tep) \d|`[^`]*`"
)
PUBLISHED = Path(featdash.lessons.shared.pictures.__path__[0])


def value_of(found: re.Match[str]) -> float:
    """The number that a match of NUMBER writes."""
    if found[0] in FRACTIONS:
        return FRACTIONS[found[0]]
    lead = float(found["lead"].replace("−", "-").replace(" ", ""))
    if found["times"]:
        lead *= 10.0 ** int(found["of"].translate(POWERS))
    elif found["power"]:
        lead **= int(found["power"].translate(POWERS))
    return lead / 100 if found["unit"] else lead


def parse(text: str) -> float:
    """A figure as a sentence states it; ValueError if it is none."""
    found = NUMBER.fullmatch(text)
    if not found:
        raise ValueError(f"stated must be a number, got {text!r}; write digits")
    return value_of(found)


def precision(text: str) -> float:
    """Half a unit of the last digit of the number as stated."""
    found = NUMBER.fullmatch(text)
    assert found, text
    decimals = len(found["lead"].partition(".")[2])
    scale = 10.0 ** int(found["of"].translate(POWERS)) if found["times"] else 0.01 if found["unit"] else 1.0
    return 0.5 * 10.0**-decimals * scale


def ends(figure: Figure) -> tuple[float, float]:
    """What the summary may hold."""
    stated, half = parse(figure.stated), precision(figure.stated) * (1 + 1e-9)
    low = stated - half if figure.low is None else figure.low
    return low, stated + half if figure.high is None else figure.high


def numbers_in(text: str) -> list[float]:
    """The numbers of a sentence that are neither names nor formulas."""
    return [value_of(found) for found in NUMBER.finditer(NAMES.sub("", text))]


def spec_of(experiment: str, settings: Mapping[str, Any]) -> Spec:
    entry = PARTS[experiment].experiment
    return entry.recipe({name: list(one) if isinstance(one, tuple) else one for name, one in settings.items()})


def settings_of(experiment: str, spec: Spec) -> set[float]:
    """Every number among the settings of a run, and of the runs that it is made of."""
    found: list[float] = []
    for value in vars(spec).values():
        each: Iterable = value if isinstance(value, tuple) else (value,)
        found += [float(one) for one in each if isinstance(one, int | float) and not isinstance(one, bool)]
    entry = find_experiment(experiment)
    cells = entry.cells(spec) if isinstance(entry, Composite) else ()
    return set(found).union(*(settings_of(*cell) for cell in cells))


def summary_for(experiment: str, claim: Claim, figure: Figure) -> Any:
    """What the figure is read from: a published table, the present code's recorded run, or a run of this process."""
    if claim.kind == "published":
        return {name: _table(PUBLISHED / f"damian2022_{name}.csv") for name in ("figure1", "figure2")}
    spec = spec_of(experiment, {**claim.settings, **figure.settings})
    return computed(experiment, spec).summary


def _table(path: Path) -> list[dict[str, Any]]:
    """The rows of a published figure; a risk is called `mean` in both."""
    lines = [line for line in path.read_text().splitlines() if not line.startswith("#")]
    rows = [{"mean" if name == "risk" else name: one for name, one in row.items()} for row in csv.DictReader(lines)]
    return [{name: float(one) if name in ("mean", "low", "high") else one for name, one in row.items()} for row in rows]
