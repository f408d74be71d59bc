"""The panels of «Rank and condition»: from the frames of its stream to the pictures' numbers."""

from __future__ import annotations

import numpy as np

from featdash.figures.picture import Picture
from featdash.lessons.structure.frames import CaseFrame, growth_of
from featdash.lessons.structure.pictures.needed import samples_of_structure
from featdash.lessons.structure.pictures.shares import share_courses
from featdash.lessons.structure.recipe import Case, StructureSpec, leading_order
from featdash.theory.exponents import Growth
from featdash.ui.panels import Panel, View

StructureView = View[StructureSpec, None]


def looks(view: StructureView) -> dict[Case, CaseFrame]:
    """The targets so far, each by its newest frame."""
    frames = [CaseFrame.from_arrays(frame.arrays) for frame in view.frames("cases")]
    return {Case(int(frame.rank), float(frame.ratio)): frame for frame in frames}


def needed(view: StructureView) -> Picture | None:
    """n* against κ²r of both sweeps."""
    found, spec = looks(view), view.spec
    if not found:
        return None
    weakest = {case: frame.weakest.mean(axis=0) for case, frame in found.items()}
    together = {case: frame.together.mean(axis=0) for case, frame in found.items()}
    laws: dict[str, Growth] = {}
    for name, cases, rows in (
        ("rank", spec.by_rank, weakest),
        ("condition", spec.by_ratio, weakest),
        ("together", spec.cases, together),
    ):
        known = [case for case in cases if case in found]
        if known:
            laws[name] = growth_of(known, rows, spec.sizes)
    places = [case.difficulty for case in spec.cases]
    ends, sizes = (min(places), max(places)), (spec.sizes[0], spec.sizes[-1])
    line = leading_order(spec.noise) if len(found) > 1 else None
    return samples_of_structure(laws, line, sizes, ends, spec.d, theme=view.theme)


def by_rank(view: StructureView) -> Picture | None:
    """The first sweep."""
    found = looks(view)
    curves = {float(case.rank): found[case].weakest for case in view.spec.by_rank if case in found}
    return share_courses(curves, ratios(view.spec), "r", theme=view.theme, height=220) if found else None


def by_ratio(view: StructureView) -> Picture | None:
    """The second sweep."""
    found = looks(view)
    curves = {case.ratio: found[case].weakest for case in view.spec.by_ratio if case in found}
    return share_courses(curves, ratios(view.spec), "λ₁/λᵣ", theme=view.theme, height=220) if found else None


def ratios(spec: StructureSpec) -> np.ndarray:
    """n/d² of the sizes."""
    return np.array(spec.sizes) / spec.d**2


DRAWS = StructureSpec().repeats  # of each target: its frames, so that a question hides all targets but the first
PANELS = (
    Panel("structure-needed", needed, width=1.2, streams=("cases",), start=DRAWS),
    Panel("structure-rank", by_rank, streams=("cases",), start=DRAWS),
    Panel("structure-ratio", by_ratio, stacked=True, streams=("cases",), start=2 * DRAWS),
)
