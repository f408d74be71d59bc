"""Look twice, on its page: a neuron that takes its gradient once or twice on each sample."""

from __future__ import annotations

import numpy as np

from featdash.figures.picture import Picture
from featdash.figures.text import number
from featdash.lessons.repetition.frames import EffectiveLabels, OverlapFrame
from featdash.lessons.repetition.pictures import effective_labels, overlap_course, overlap_runs
from featdash.lessons.repetition.recipe import EXPERIMENT, RepetitionSpec
from featdash.ui.lesson import Lesson, LessonText, Trial
from featdash.ui.panels import Panel, View
from featdash.ui.phases import Phase

TEXT = LessonText(
    question="What does a second look at the same sample change?",
    formula=r"$\tilde w = w - \rho \nabla \ell(w)$, then $w \leftarrow w - \gamma \nabla \ell(\tilde w)$ on the same "
    r"sample, then $\lVert w \rVert = 1$; $\rho = 0$: one look",
    reading="""
- **Above, left**: one ReLU neuron learns He₃/√6 online, a fresh sample a step, from a start at a right angle to u. Its
  *overlap* is |w·u|, 1 where it has found u. Curves are medians over the runs, against samples over dimension. With
  two looks they rise to about 0.7 and lie on one another whatever d; with one look they stay where chance puts them,
  lower for larger d.
- **Why one look fails here**: the neuron is a ReLU with bias 0, and the target is odd. Then y z is the same for x and
  −x, the neuron is on for one of the two, and so $E\\, y z\\, 1\\{w \\cdot x > 0\\} = \\frac12 E\\, y z = 0$ at *every*
  w, near u as well: in one look a ReLU with bias 0 never sees an odd target, however many samples come. The reason is
  this neuron, not one look as such: a neuron with a cubic part sees the cubic in one look, and needs about d² samples.
  Two looks need about d.
- **Above, right, why**: an average step goes along E T(y) x, where T(y) is what a step makes of a label y on average
  over the rest. With one look T is a straight line, so that the step sees the cubic as it is, which has no linear
  part. With two looks T is bent: a first step on a sample with a low label may switch the neuron off there. So T(y)
  has a linear part, as a transform of the labels has in the other lesson. Nobody chose it.
- **The dotted line** is the slope γ |E T(y) z| at the start. It is a heuristic for large d: w at a right angle to u,
  ‖x‖² = d, no fluctuations. Medians of |w·u| begin above it, because luck has a size.
- **Below, right**: every run at the moment shown. Each sample is used up after its step: what differs is one look or
  two.
- **The price**: a second look costs a second gradient, no second sample. And ρ matters: at ρ·d = 1 the first look fits
  the sample, and the second finds nothing to do.
""",
    source="""
Arnaboldi, Dandi, Krzakala, Pesce and Stephan, *Repetita iuvant: data repetition allows SGD to learn high-dimensional
multi-index functions*, 2024: the look-ahead step with one neuron, batch 1 and a start at a right angle is their
code's; they take γ·d = 0.01, ρ·d = 0.1 and larger d. Rows of unit norm, the squared loss, our rates and the curve
T(y) are ours. For whole networks and any polynomial: Lee, Oko, Suzuki and Wu, NeurIPS 2024. One look of a neuron with a
cubic part: Ben Arous, Gheissari and Jagannath, JMLR 2021. Computed by
`featdash.lessons.repetition.run.run`; a step by `featdash.learners.online_neuron`, which follows w·u alone: for
Gaussian inputs that is exact.
""",
    trials=(
        Trial(
            "A first look that fits the sample: ρ·d = 1",
            {"rho": 1.0},
            "As ‖x‖² is near d, the first look explains its sample wholly, and the second finds nothing to mend: two "
            "looks end below 0.3 at every d, and in 256 dimensions no higher than one look.",
        ),
        Trial(
            "Label noise 1",
            {"noise": 1.0},
            "Two looks still come to about 0.6 at every d: what they make of a label survives noise in it.",
        ),
        Trial(
            "An even target: He₄/√24",
            {"target": "He4(z1)/sqrt(24)", "dims": (64, 128)},
            "At a right angle to u no look has a linear part to find, E T(y) z = 0: all medians stay below 0.2.",
        ),
    ),
    papers=("arnaboldi2024", "lee2024", "benarous2021"),
    controls=("target", "dims", "rho", "gamma", "noise", "seed"),
    sliders=("rho", "gamma"),
    words={"once": "one look", "twice": "two looks"},
)


RepetitionView = View[RepetitionSpec, None]


def course(view: RepetitionView) -> Picture | None:
    """Medians against t/d."""
    frames = view.frames("overlaps")
    if not frames:
        return None
    tables = [OverlapFrame.from_arrays(frame.arrays) for frame in frames]
    median = {
        name: np.stack([np.median(np.abs(table.overlap[name]), axis=1) for table in tables], axis=1)
        for name in tables[0].overlap
    }
    first = view.last("labels")
    drift = EffectiveLabels.from_arrays(first.arrays).drift if first else {}
    t, slope = [frame.at for frame in frames], view.spec.gamma * abs(drift.get("twice", 0.0))
    return overlap_course(t, tables[0].d.tolist(), median, slope, view.spec.time, theme=view.theme)


def runs(view: RepetitionView) -> Picture | None:
    """Every run at the moment."""
    frame = view.last("overlaps")
    if frame is None:
        return None
    table = OverlapFrame.from_arrays(frame.arrays)
    return overlap_runs(table.d.tolist(), table.overlap, theme=view.theme)


def labels(view: RepetitionView) -> Picture | None:
    """What each makes of a label."""
    frame = view.last("labels")
    if frame is None:
        return None
    found = EffectiveLabels.from_arrays(frame.arrays)
    return effective_labels(found.y, found.effective, found.drift, theme=view.theme)


PANELS = (
    Panel("repetition-overlap", course, width=1.3, streams=("overlaps", "labels"), start=1),
    Panel("repetition-labels", labels, streams=("labels",)),
    Panel("repetition-runs", runs, stacked=True, streams=("overlaps",), start=1),
)


LESSON = Lesson(
    "Look twice",
    EXPERIMENT,
    TEXT,
    PANELS,
    remark=lambda _: "Same samples ✓ same start ✓ same step ✓",
    film=(Phase("samples", ("overlaps",), lambda at: f"n = {number(at)}"),),
)
