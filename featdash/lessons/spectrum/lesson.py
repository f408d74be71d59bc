"""Spike and bulk on the page: the singular values of the gradient as samples come in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import numpy as np
import streamlit as st

from featdash.figures.film import Film
from featdash.figures.picture import Picture, Theme
from featdash.figures.streams import Frames
from featdash.figures.text import number
from featdash.lessons.spectrum.frames import SpectrumFrame
from featdash.lessons.spectrum.pictures import bulk_film, spectrum_course, spike_and_bulk
from featdash.lessons.spectrum.recipe import EXPERIMENT, SpectrumSpec
from featdash.recipes.events import Result
from featdash.runs.run import Run
from featdash.theory.theorem import Theorem
from featdash.ui.kit import toolbar
from featdash.ui.page import target_picker, theorem_card
from featdash.ui.page.target_picker import target_of
from featdash.ui.stage.lesson import Lesson, LessonText, Trial
from featdash.ui.stage.panels import Panel, View, growing
from featdash.ui.stage.phases import MOST, Phase
from featdash.ui.stage.shown import shown

ROOM = 1.25  # beyond the smallest and largest singular value, as a factor
DEEPEST = 1e-3  # of the largest; what is smaller is rounding, and would stretch the axis

TEXT = LessonText(
    question="How many directions does the gradient show?",
    formula=r"$\sigma_k(\nabla_W L) \approx |\lambda_k(H)| \sqrt{m/(\pi d)}$, $k \le r$: spikes; the bulk falls as "
    r"$n^{-1/2}$",
    reading="""
- **Left, above**: each singular value of the gradient, with the share of its right singular vector that lies inside the
  principal subspace. Filled circles are beyond the edge. **Below**: the histogram of the bulk, from copies without
  any signal. Move the slider over n and watch the bulk retreat while the spikes stay.
- **The solid edge** is ours: the residual labels get random signs, and the part of the population gradient outside the
  subspace is added (each neuron keeps a little of its own direction, whatever n is). **The dotted edge** is that of
  plainly shuffled labels. It is too low once n is large, because it lacks that part, and the noise that is larger where
  f* is large. So more values pass it than there are directions, and the extra ones do not point into the subspace.
- **Right**: the same against n. Dashed levels are the values that infinitely many samples would give.
""",
    source="""
Damian, Lee and Soltanolkotabi, COLT 2022, Lemma 1 and its proof. The run is `featdash.lessons.spectrum.run.run`, the
edges are `featdash.geometry.spectrum.sign_flipped_labels` and `permuted_labels`. The edge is the largest value of all
copies; that choice, and the random signs, are ours.
""",
    trials=(
        Trial(
            "One direction of two hidden",
            {"target": "half-seen"},
            "There is one spike far out, at 3.7, and the second value is below a tenth of it. The title may count it, "
            "because it touches the edge at the largest n; but two thirds of its vector lie outside the subspace.",
        ),
        Trial(
            "No curvature at all: He₃/√6",
            {"target": "transfer"},
            "There is only bulk: from n = 1000 on no value passes the edge. With fewer samples chance may lift one.",
        ),
        Trial(
            "Five times the noise",
            {"noise": 5.0},
            "The same three spikes appear, but only from about 12 000 samples on, instead of 1400; at other seeds "
            "from 7000 to 20 000, instead of 840 to 2400.",
        ),
    ),
    papers=("damian2022",),
    controls=("target", "n", "d", "width", "noise", "seed"),
)


Samples = Annotated[Frames[SpectrumFrame], "spectrum"]


def view_options(run: Run) -> float | None:
    """The number of samples on show, None for all."""
    about = "How many samples the gradient on show is made of."
    at = toolbar.scrubber(run, "spectrum", "Samples in the gradient", lambda n: f"n = {number(n)}", about)
    st.caption("Solid edge: random signs plus the part outside the subspace. Dotted: shuffled labels, too low.")
    return at


@shown
def spectrum(samples: Samples, options: float | None, theme: Theme) -> Picture:
    """Singular values and the bulk, at one n."""
    now = samples.last(options)
    return spike_and_bulk(now.arrays, theme=theme, samples=now.at, reach=reach_of(samples.arrays), height=340)


@shown
def spectrum_film(picture: Picture, samples: Samples) -> Film | None:
    some = samples.few(MOST)
    return bulk_film(picture.figure, some.arrays, some.at, reach_of(samples.arrays)) if len(some) > 1 else None


def reach_of(frames: Sequence[SpectrumFrame]) -> tuple[float, float]:
    """The axis that holds the singular values of every frame."""
    heights = np.concatenate([values.ravel() for frame in frames for values in (frame.values, frame.null)])
    top = float(heights.max())
    return float(max(heights.min(), DEEPEST * top)) / ROOM, top * ROOM


@shown
def course(samples: Samples, result: Result | None, options: float | None, spec: SpectrumSpec, theme: Theme) -> Picture:
    """Singular values and edges against n, as far as the run has come."""
    return spectrum_course(
        samples.at,
        np.stack([frame.values for frame in samples]),
        [frame.edge for frame in samples],
        [frame.permuted_edge for frame in samples],
        rank=target_of(spec.target, spec.d).hessian_rank,
        population=result.arrays["population"].tolist() if result else (),
        at=samples.choice(options),
        last=float(spec.n),
        theme=theme,
        height=340,
    )


def course_film(view: View, picture: Picture) -> Film | None:
    """The curves grow; the names stand, as the lines do that they name."""
    film = growing(PHASE)(view, picture)
    names = ("layout", "annotations")
    return Film(film.times, {path: one for path, one in film.changes.items() if path[:2] != names}) if film else None


def facts(spec: SpectrumSpec) -> None:
    target_picker.facts(target_of(spec.target, spec.d), spec.target)


def theory(spec: SpectrumSpec) -> tuple[Theorem, ...]:
    return theorem_card.theorems(target_of(spec.target, spec.d), spec.n, spec.width, spec.noise)


PHASE = Phase("samples in the gradient", ("spectrum",), lambda at: f"n = {number(at)}")
LESSON = Lesson(
    "Spike and bulk",
    EXPERIMENT,
    TEXT,
    (
        Panel("spectrum-bulk", spectrum, start=1, film=spectrum_film),
        Panel("spectrum-course", course, film=course_film),
    ),
    toolbar=view_options,
    facts=facts,
    theory=theory,
    film=(PHASE,),
)
