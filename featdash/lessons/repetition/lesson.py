"""Look twice, on its page: a neuron that takes its gradient once or twice on each sample."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from featdash.figures.film import Film
from featdash.figures.picture import Picture, Theme
from featdash.figures.streams import Frames
from featdash.figures.text import number
from featdash.lessons.repetition.frames import Course, EffectiveLabels, OverlapFrame
from featdash.lessons.repetition.pictures import (
    course_film,
    effective_labels,
    furthest,
    overlap_course,
    overlap_runs,
    runs_film,
)
from featdash.lessons.repetition.recipe import EXPERIMENT, RepetitionSpec
from featdash.ui.stage.lesson import Lesson, LessonText, Trial
from featdash.ui.stage.panels import Panel
from featdash.ui.stage.phases import Phase
from featdash.ui.stage.shown import shown

TEXT = LessonText(
    question="What does a second look at the same sample change?",
    formula=r"$\tilde w = w - \rho \nabla \ell(w)$, then $w \leftarrow w - \gamma \nabla \ell(\tilde w)$ on the same "
    r"sample, then $\lVert w \rVert = 1$; $\rho = 0$: one look",
    reading="""
- **Above, left**: one neuron learns He₃/√6 online, with a fresh sample for each step, from a start at a right angle to
  u. Its *overlap* is |w·u|, 1 where it has found u. Curves are medians over the runs, against samples over d. Those of
  two looks coincide for every d: a multiple of d samples is enough.
- **Above, right**: the same curves against samples over d². Now those of tanh with one look coincide: it needs a
  multiple of d² samples. The ReLU with one look stays where chance puts it, in either picture.
- **Why the ReLU fails in one look**: its bias is 0, and the target is odd. Then y z is the same for x and −x, the
  neuron is on for one of the two, and so $E\\, y z\\, 1\\{w \\cdot x > 0\\} = \\frac12 E\\, y z = 0$ at *every* w,
  near u as well, however many samples come.
- **Why tanh succeeds in one look, slowly**: it has a cubic part, so the pull of an average step towards u grows like
  (w·u)². At a right angle there is none; luck has to bring the first overlap, of size 1/√d.
- **The labels**: an average step goes along E T(y) x, where T(y) is what a step makes of a label y on average over the
  rest. With one look T is a straight line, so the step sees the cubic as it is, which has no linear part. With two
  looks T is bent, and E T(y) z is not 0: the neuron is pulled from the first sample on. Nobody chose the bend; in «Can
  one step learn a target that it cannot see?» somebody does.
- **The step of one look** is γ·d times √(80/d): shorter in more dimensions, so that the step itself is of the order d
  to the power −3/2. With it the random part of the path and the pull both run on samples over d². With the same γ·d in
  all dimensions the curves no longer coincide («Try»).
- **The price**: a second look costs a second gradient, but no second sample. And ρ matters: at ρ·d = 1 the first look
  of a ReLU fits the sample, and the second finds nothing to do.
""",
    source="""
Arnaboldi, Dandi, Krzakala, Pesce and Stephan, *Repetita iuvant: data repetition allows SGD to learn high-dimensional
multi-index functions*, 2024: the look-ahead step with one neuron, batch 1 and a start at a right angle is their
code's; they take γ·d = 0.01, ρ·d = 0.1 and larger d. One look of a neuron with a cubic part: Ben Arous, Gheissari and
Jagannath, JMLR 2021; the *information exponent* of He₃ is 3. Two looks, for whole networks and any polynomial: Lee,
Oko, Suzuki and Wu, NeurIPS 2024. What any method of a broad class needs is set by the *generative exponent*, 1 for
He₃: Damian, Pillaud-Vivien, Lee and Bruna, COLT 2024. That it depends on the step size which of the two exponents
counts: Tsiolis, Mousavi-Hosseini and Erdogdu, NeurIPS 2025. Rows of unit norm, the squared loss, our rates and the
curve T(y) are ours. Computed by `featdash.lessons.repetition.run.run`; a step by `featdash.learners.online_neuron`,
which follows w·u alone: for Gaussian inputs that is exact.
""",
    trials=(
        Trial(
            "A first look that fits the sample: ρ·d = 1",
            {"rho": 1.0},
            "As ‖x‖² is near d, the first look of the ReLU fits its sample completely, and the second finds nothing "
            "left to correct: with two looks it ends below 0.4 at every d, at 0.13 in 128 dimensions. With two looks "
            "tanh comes to 0.6.",
        ),
        Trial(
            "Label noise 1",
            {"noise": 1.0},
            "Two looks still come to 0.6 or 0.7 with the ReLU and to 0.97 with tanh: what they make of a label "
            "survives noise in it.",
        ),
        Trial(
            "One look, with the same γ·d in all dimensions",
            {"shorter": False, "looks": ("once",)},
            "The curves of tanh no longer coincide: ½ takes about 7, 4 and 3 d² samples in 32, 64 and 128 dimensions.",
        ),
        Trial(
            "An even target: He₄/√24",
            {"target": "He4(z1)/sqrt(24)", "dims": (64, 128)},
            "At a right angle to u no look has a linear part to find, E T(y) z = 0: all medians stay below 0.25.",
        ),
    ),
    papers=("arnaboldi2024", "lee2024", "benarous2021", "damian2024", "tsiolis2025"),
    controls=("target", "activations", "dims", "rho", "gamma", "seed"),
    sliders=("rho", "gamma"),
    words={"once": "one look", "twice": "two looks", "relu": "ReLU", "tanh": "tanh"},
)


FEW = 16  # moments of a phase: of every run at each of them
Linear = Annotated[Frames[OverlapFrame], "overlaps"]
Squares = Annotated[Frames[OverlapFrame] | None, "squares"]


@shown
def course(linear: Linear, squares: Squares, spec: RepetitionSpec, theme: Theme) -> Picture:
    """Medians against n/d and n/d², of the frames of both streams so far.

    Where all neurons look once, the axis of n/d goes on to the end of the longest run: that is what to look at.
    """
    overlaps: dict[str, dict[int, dict[int, np.ndarray]]] = {}  # variant -> d -> samples -> w·u (R,)
    for frames, power in ((linear, 1), (squares, 2)):
        for at, table in zip(frames.at, frames, strict=True) if frames else ():
            for name, rows in table.overlap.items():
                for d, row in zip(table.d.tolist(), rows, strict=True):
                    overlaps.setdefault(name, {}).setdefault(d, {})[round(at * d**power)] = row
    courses = {name: {d: Course.of(by) for d, by in of.items()} for name, of in overlaps.items()}
    once = all(one.looks == "once" for one in spec.variants.values())
    longest = max(spec.time, spec.squares * max(spec.dims)) if once else spec.time
    return overlap_course(courses, longest, spec.squares, theme=theme)


@shown
def film_of_course(picture: Picture, linear: Linear, squares: Annotated[Frames[OverlapFrame], "squares"]) -> Film:
    """Its curves grow with the samples."""
    return course_film(picture.figure, linear.at, squares.at)


@shown
def runs(linear: Linear, squares: Squares, theme: Theme) -> Picture:
    """Every run at the moment: those of one look that go on beyond n/d are shown there."""
    overlap = furthest(linear.last(), squares.last() if squares else None)
    return overlap_runs(linear.last().arrays.d.tolist(), overlap, theme=theme)


@shown
def film_of_runs(picture: Picture, linear: Linear, squares: Annotated[Frames[OverlapFrame], "squares"]) -> Film:
    """Its dots move with the samples."""
    return runs_film(picture.figure, linear.few(FEW), squares.few(FEW))


@shown
def labels(table: Annotated[EffectiveLabels, "labels"], theme: Theme) -> Picture:
    """What each makes of a label."""
    return effective_labels(table.y, table.effective, table.drift, theme=theme)


PANELS = (
    Panel("repetition-overlap", course, wide=True, start=1, film=film_of_course),
    Panel("repetition-labels", labels),
    Panel("repetition-runs", runs, start=1, film=film_of_runs),
)


LESSON = Lesson(
    "Look twice",
    EXPERIMENT,
    TEXT,
    PANELS,
    remark=lambda _: "Same samples ✓ same start ✓",
    film=(
        Phase("samples in d", ("overlaps",), lambda at: f"n = {number(at)} d"),
        Phase("samples in d²", ("squares",), lambda at: f"n = {number(at)} d²"),
    ),
)
