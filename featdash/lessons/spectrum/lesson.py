"""Spike and bulk on the page: the singular values of the gradient as samples come in."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import streamlit as st

from featdash.figures.picture import Picture
from featdash.figures.text import number
from featdash.lessons.spectrum.frames import SpectrumFrame
from featdash.lessons.spectrum.pictures import spectrum_course, spike_and_bulk
from featdash.lessons.spectrum.recipe import EXPERIMENT, SpectrumSpec
from featdash.runs.run import Run
from featdash.theory.theorem import Theorem
from featdash.ui import target_picker, theorem_card, toolbar
from featdash.ui.lesson import Lesson, LessonText, Trial
from featdash.ui.panels import Panel, View
from featdash.ui.phases import Phase
from featdash.ui.target_picker import target_of

ROOM = 1.25  # beyond the smallest and largest singular value, as a factor
DEEPEST = 1e-3  # of the largest; what is smaller is rounding, and would stretch the axis

TEXT = LessonText(
    question="How many directions stand out of the noise?",
    formula=r"$\sigma_k(\nabla_W L) \approx |\lambda_k(H)| \sqrt{m/(\pi d)}$, $k \le r$: spikes; the bulk falls as "
    r"$n^{-1/2}$",
    reading="""
- **Left, above**: each singular value of the gradient, with the share of its right singular vector that lies inside the
  principal subspace. Filled circles are beyond the edge. **Below**: the histogram of the bulk, from copies without
  any signal. Move the slider over n and watch the bulk retreat while the spikes stay.
- **The solid edge** is ours: the residual labels get random signs, and the part of the population gradient outside the
  subspace is added (each neuron keeps a little of its own direction, whatever n is). **The dotted edge** is that of
  plainly shuffled labels. It is too low once n is large: it lacks that part, and the noise that is larger where f* is
  large; so more values pass it than there are directions, and the others do not point into the subspace.
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
            "One spike far out at 3.7. The second value is below a tenth of it. The title may count it, because it "
            "touches the edge at the largest n; but two thirds of its vector lie outside the subspace.",
        ),
        Trial(
            "No curvature at all: He₃/√6",
            {"target": "transfer"},
            "There is only bulk: from n = 1000 on no value passes the edge. With fewer samples chance may lift one.",
        ),
        Trial(
            "Five times the noise",
            {"noise": 5.0},
            "The same three spikes, but only from about 12 000 samples on, instead of 1400; at other seeds from 7000 "
            "to 20 000, instead of 840 to 2400.",
        ),
    ),
    papers=("damian2022",),
    controls=("target", "n", "d", "width", "noise", "seed"),
)


SpectrumView = View[SpectrumSpec, float | None]


def view_options(run: Run) -> float | None:
    """The number of samples on show, None for all."""
    about = "How many samples the gradient on show is made of."
    at = toolbar.scrubber(run, "spectrum", "Samples in the gradient", lambda n: f"n = {number(n)}", about)
    st.caption("Solid edge: random signs plus the part outside the subspace. Dotted: shuffled labels, too low.")
    return at


def spectrum(view: SpectrumView) -> Picture | None:
    """Singular values and the bulk, at one n."""
    frame = view.last("spectrum", view.options)
    if frame is None:
        return None
    drawn = SpectrumFrame.from_arrays(frame.arrays)
    reach = reach_of(spectra(view))
    return spike_and_bulk(drawn, theme=view.theme, samples=frame.at, reach=reach, height=340)


def spectra(view: SpectrumView) -> list[SpectrumFrame]:
    """All frames so far."""
    return [SpectrumFrame.from_arrays(frame.arrays) for frame in view.frames("spectrum")]


def reach_of(frames: Sequence[SpectrumFrame]) -> tuple[float, float]:
    """The axis that holds the singular values of every frame."""
    held = np.concatenate([values.ravel() for frame in frames for values in (frame.values, frame.null)])
    top = float(held.max())
    return float(max(held.min(), DEEPEST * top)) / ROOM, top * ROOM


def course(view: SpectrumView) -> Picture | None:
    """Singular values and edges against n, as far as the run has come."""
    frames, result, spec = spectra(view), view.result(), view.spec
    if not frames:
        return None
    return spectrum_course(
        [frame.at for frame in view.frames("spectrum")],
        np.stack([frame.values for frame in frames]),
        [frame.edge for frame in frames],
        [frame.permuted_edge for frame in frames],
        rank=target_of(spec.target, spec.d).hessian_rank,
        population=result.arrays["population"].tolist() if result else (),
        at=None if view.moves("spectrum") else view.options,
        last=float(spec.n),
        theme=view.theme,
        height=340,
    )


def facts(spec: SpectrumSpec) -> None:
    target_picker.facts(target_of(spec.target, spec.d), spec.target)


def theory(spec: SpectrumSpec) -> tuple[Theorem, ...]:
    return theorem_card.theorems(target_of(spec.target, spec.d), spec.n, spec.width, spec.noise)


LESSON = Lesson(
    "Spike and bulk",
    EXPERIMENT,
    TEXT,
    (
        Panel("spectrum-bulk", spectrum, streams=("spectrum",), start=1),
        Panel("spectrum-course", course, streams=("spectrum",)),
    ),
    toolbar=view_options,
    facts=facts,
    theory=theory,
    film=(Phase("samples in the gradient", ("spectrum",), lambda at: f"n = {number(at)}"),),
)
