"""The phase map on the page: its switches, the place of the Lab's run on it, and the way from a cell to the Lab."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import streamlit as st

from featdash.figures.picture import METHODS, Picture, Theme
from featdash.figures.text import number
from featdash.lessons.phase_map.pictures.phases import MEASURES, Place, phase_map
from featdash.lessons.phase_map.pictures.sample_growth import SHARES, needed_samples
from featdash.lessons.phase_map.recipe import EXPERIMENT, PhaseMapSpec
from featdash.lessons.race.recipe import EXPERIMENT as RACE
from featdash.lessons.shared import panels
from featdash.runs.run import Run
from featdash.theory.exponents import LEVELS, growths
from featdash.ui.kit import link, navigation, toolbar
from featdash.ui.kit.form import last_settings
from featdash.ui.page.target_picker import target_of
from featdash.ui.stage.lesson import Lesson, LessonText, Trial
from featdash.ui.stage.panels import Panel, growing
from featdash.ui.stage.partial_result import CELLS, STREAMS, PartialResult, missing_cells
from featdash.ui.stage.phases import Phase
from featdash.ui.stage.shown import shown

TEXT = LessonText(
    question="Where does one step find the subspace?",
    formula=r"alignment $= \|W^1 U^\top\|_F^2 / \|W^1\|_F^2$, by chance $r/d$; $n \gtrsim d^2 r$ is enough "
    "for the step to see $H$",
    reading=r"""
- **Use this part** to draw the map for a target, a width or dimensions of your own. The story «How many
  samples does each method need?» reads two of these maps.
- **Each cell** is one dimension $d$ and one sample size $n$, averaged over seeds. *Alignment* is the share of the first
  layer's squared norm inside the principal subspace after its step. *Risk ratio* is Algorithm 1's excess risk over its
  rival's, the NTK's unless another is chosen: purple below 1 where the network wins, orange above.
- **Dashed**: $n = d^2$, the order of samples that is enough for the first step to see, and $n = d^p$, where a fixed
  kernel has learned everything. Between the two lines theory says that feature learning pays; to the left of both it
  promises nothing. One large step cannot turn neurons to a bowl with a smaller power of $d$ than the square (Dandi and
  co-authors, 2024, for large $d$); for the risk no lower bound of that order is known to us.
- **Below**: for each dimension, the sample size $n^*$ from which on the alignment is above ½, and the one from which on
  a risk is below a level, read between two sizes of the map. A power of $d$ is fitted through them, with its standard
  error. A hollow marker means that every $n$ of the map is too small. Such dimensions are left out of the fit; they
  would make it steeper. Theory says that $d^2$ is enough for the step; a fixed kernel needs $d^k$ where the level asks
  for degree $k$.
- **★ you are here** is the setting of your Lab, if its target is the same. Click on a cell to load it there.
"""
    + CELLS,
    source="""
The map is ours; its two lines are the sample sizes of Damian, Lee and Soltanolkotabi (COLT 2022), Theorem 1 and
section 1. Computed by `featdash.lessons.phase_map.recipe`; width 300, two seeds and 5000 test samples are our choice.
""",
    trials=(
        Trial(
            "Two directions",
            {"target": "rank-2", "dimensions": (5, 7, 10, 14, 20), "seeds": (0, 7, 11)},
            "Chance alignment doubles to 2/d, and the map keeps its shape: curvature in both directions shows the way.",
        ),
        Trial(
            "No curvature to follow: He₃/√6",
            {"target": "transfer", "dimensions": (5, 7, 10, 14, 20), "seeds": (0, 7, 11)},
            "The exact gradient is zero, and what alignment there is comes from noise, of which a share 8/(2d + 6) "
            "lies along u₁. At n = 10⁴ it is 0.28 at d = 10 and 0.16 at d = 20, where these shares are 0.31 and 0.17. "
            "The NTK learns the cubic as a kernel does: to ¾ of the zero risk its samples grow like d^3.1 (± 0.2).",
        ),
    ),
    papers=("damian2022",),
    controls=("target", "dimensions", "n", "width", "seeds", "noise"),
    words=panels.GAUSSIAN_WORDS,
    sliders=(),
)
WORDS = {"alignment": "Alignment", "ratio": "Risk ratio"}
ALIKE = ("target", "width", "noise", "step_rule", "eta", "remove_linear", "biases", "rotated", "holdout", "test")


@dataclass(frozen=True)
class Options:
    """measure : what the colours show; level : of the risk in the lower picture; here : the place of the Lab's run."""

    measure: str = "alignment"
    level: str = "quarter"
    here: Place | None = None


def view_options(run: Run) -> Options:
    """Draw the choice of what the colours show, and of a cell to open without a mouse; returns the options."""
    spec = toolbar.spec_of(run, PhaseMapSpec)
    about = "What the colour of a cell says: the alignment, or who has the lower risk."
    measure = toolbar.choice(run, "measure", "Measure", list(MEASURES), word=WORDS.__getitem__, help=about)
    about = "The risk that counts as reached in the picture below, as a share of the zero predictor's."
    level = toolbar.choice(run, "level", "Level of risk", list(LEVELS), word=SHARES.__getitem__, help=about)
    st.caption("Click on a cell to load it into the Lab, or choose it here:")
    row, column = st.columns(2, gap="small")
    d = row.selectbox(
        "Dimension of the cell",
        spec.dimensions,
        format_func=lambda d: f"d = {d}",
        help="The row of the map to open in the Lab.",
        label_visibility="collapsed",
    )
    n = column.selectbox(
        "Samples of the cell",
        spec.n,
        format_func=lambda n: f"n = {number(n)}",
        help="The column of the map to open in the Lab.",
        label_visibility="collapsed",
    )
    about = "Run its race, with the first of its seeds."
    st.button("Open cell in the Lab", on_click=open_in_lab, args=(run, [d, n]), width="stretch", help=about)
    for sentence in missing_cells(run):
        st.caption(sentence)
    return Options(measure, level, place_of_lab(spec))


def place_of_lab(spec: PhaseMapSpec) -> Place | None:
    """The place of this visitor's Lab settings on the map, if they have visited the Lab and its target is the same."""
    lab = last_settings(RACE)
    return Place(lab["d"], lab["n"]) if lab and lab["target"] == spec.target else None


def lab_settings(spec: PhaseMapSpec, d: int, n: int) -> dict[str, Any]:
    """The settings of the race behind a cell of the map, with the map's first seed."""
    return {name: getattr(spec, name) for name in ALIKE} | {"d": d, "n": n, "seed": spec.seeds[0]}


def open_in_lab(run: Run, cell: list[int]) -> None:
    """Go to the Lab with d, n and all settings that the map shares with a race; the Lab then shows their run."""
    settings = lab_settings(toolbar.spec_of(run, PhaseMapSpec), *cell)
    navigation.go(link.address("lab", link.query(RACE, settings, always=("d", "n"))))


@shown
def cells(so_far: PartialResult, options: Options, spec: PhaseMapSpec, theme: Theme) -> Picture:
    """The map with the cells so far."""
    return phase_map(
        spec.dimensions,
        spec.n,
        {name: so_far.arrays[name] for name in ("alignment", *spec.methods, "ratio")},
        theme=theme,
        measure=options.measure,
        rival=METHODS[spec.rival].label,
        degree=target_of(spec.target, spec.dimensions[0]).degree,
        here=options.here,
        height=370,
    )


@shown
def slopes(so_far: PartialResult, options: Options, spec: PhaseMapSpec, theme: Theme) -> Picture:
    """Samples needed against the dimension, from the cells so far."""
    level, target = options.level, target_of(spec.target, spec.dimensions[0])
    maps = {name: so_far.arrays[name] for name in ("alignment", *spec.methods)}
    growth_by_name = growths(spec.dimensions, spec.n, maps, target.second_moment)
    at_level = {name: by["half" if name == "alignment" else level] for name, by in growth_by_name.items()}
    return needed_samples(at_level, level, spec.n, spec.dimensions, theme=theme, degree=target.degree, height=370)


PHASE = Phase("from few samples to many", STREAMS, lambda n: f"n up to {number(n)}", lambda spec: sorted(spec.n))
LESSON = Lesson(
    "Phase map",
    EXPERIMENT,
    TEXT,
    (
        Panel("phase-map", cells, point=open_in_lab, film=growing(PHASE)),
        Panel("phase-slopes", slopes),
    ),
    toolbar=view_options,
    film=(PHASE,),
)
