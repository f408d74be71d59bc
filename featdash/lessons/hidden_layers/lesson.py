"""Hidden layers in order, on its page: two filters of one matrix, what each finds alone, and what both find."""

from __future__ import annotations

import numpy as np

from featdash.figures.picture import Picture
from featdash.figures.text import number
from featdash.lessons.hidden_layers.frames import STAGES, ErrorFrame, FilterFrame
from featdash.lessons.hidden_layers.pictures import filter_values, found_number, stage_errors
from featdash.lessons.hidden_layers.recipe import EXPERIMENT, HiddenLayersSpec
from featdash.ui.lesson import Lesson, LessonText, Trial
from featdash.ui.panels import Panel, View
from featdash.ui.phases import Phase

TEXT = LessonText(
    question="What does a second hidden layer find?",
    formula=r"$y = g(q)$, $q = \sum_{k \le r} \pm\,((u_k \cdot x)^2 - 1)/\sqrt{2r}$; $M = \frac1n \sum_i (y_i - \bar "
    r"y)\, x_i x_i^\top$; $\hat q = \frac12 \sum_{k \le r} \lambda_k\, ((\hat u_k \cdot x)^2 - 1)$",
    reading="""
- **The target** has two layers: $r$ hidden directions make one number $q$, a sum of squares with signs, and a curve $g$
  makes the label of it.
- **Right, above**: filter 1. The labels weight the average of $xx^\\top$. Of its $d$ eigenvalues $λ_k$ the $r$ largest
  in size are kept, with their eigenvectors $\\hat u_k$; the others are what chance makes of so many samples.
- **Right, below**: filter 2. What is kept becomes one number $\\hat q$. A point is a new input. On the sample that
  filter 1 has seen this is exact: of all quadratics of what is kept, label-weighted, none but these squares are left.
  Filter 2 alone takes all $d$ squares, the bulk too.
- **Left**: errors over the variance of the labels. 1 is the error of the mean. After each filter random neurons are
  fitted to what is left: of $r$ numbers after filter 1, of a single one after filter 2.
- **All products** is ridge on every product of two inputs. It holds $q$ itself, but no curve of it: the dotted line is
  the least error of any line in the true $q$.
""",
    source="""
Nichani, Damian and Lee, NeurIPS 2023: a three-layer network, trained layer by layer, learns a function of a hidden
quadratic. Dandi, Pesce, Zdeborová and Krzakala, 2025: with each layer the dimension shrinks. Both are about gradient
descent on networks. Ours: spectral filters in place of gradient steps on layers, which know $r$ and that the hidden
layer is quadratic; directions with signs, the curves $g$ and all sizes; ridge heads with λ tuned on a holdout. The run
is `featdash.lessons.hidden_layers.run.run`, the filters are `featdash.lessons.hidden_layers.run.Filters`.
""",
    trials=(
        Trial(
            "A wavier outer function: 0.6 q + sin 3q",
            {"outer": "sine"},
            "All is harder, for a small mistake in q̂ is a large one in the sine: 0.28 with both filters. Either of "
            "them alone stays near 0.5 (seeds 0, 7, 11).",
        ),
        Trial(
            "Sixteen directions",
            {"r": 16},
            "Filter 1 leaves sixteen numbers, too many for random neurons: 0.29, and now filter 2 alone is better, "
            "0.22 to 0.25 (seeds 0, 7, 11). Both together get 0.12.",
        ),
        Trial(
            "Few samples: n = 1000",
            {"n": 1000},
            "Filter 1 finds two thirds of the hidden directions, and filter 2 has nothing sharp to stand on: both "
            "filters are no better than the first by itself.",
        ),
    ),
    papers=("nichani2023", "dandi2025"),
    controls=("outer", "n", "r", "noise", "seed"),
    sliders=("n", "r"),
    words={"tanh": "tanh 3q", "sine": "0.6 q + sin 3q", "cubic": "a cubic of q"},
)


LayersView = View[HiddenLayersSpec, None]


def errors(view: LayersView) -> Picture | None:
    """All stages, as far as samples have come."""
    frames = view.frames("errors")
    if not frames:
        return None
    rows = [ErrorFrame.from_arrays(frame.arrays) for frame in frames]
    columns = {name: [row.of(name) for row in rows] for name in STAGES}
    result = view.result()
    linear = result.summary["linear"] if result is not None and not view.moves("errors") else None
    sizes = [int(frame.at) for frame in frames]
    return stage_errors(sizes, columns, linear, theme=view.theme, last=view.spec.n, height=430)


def values(view: LayersView) -> Picture | None:
    """The eigenvalues with the last size so far."""
    frames = view.frames("filters")
    if not frames:
        return None
    rows = [FilterFrame.from_arrays(frame.arrays) for frame in frames]
    reach = max(float(np.abs(row.values).max()) for row in rows)
    last, n = rows[-1], int(frames[-1].at)
    return filter_values(last.values, view.spec.r, last.share, n, theme=view.theme, height=215, reach=reach)


def scalar(view: LayersView) -> Picture | None:
    """The number found with the last size so far."""
    frame = view.last("filters")
    if frame is None:
        return None
    return found_number(FilterFrame.from_arrays(frame.arrays), int(frame.at), theme=view.theme, height=215)


PANELS = (
    Panel("layers-errors", errors, width=1.2, streams=("errors",), start=1),
    Panel("layers-values", values, streams=("filters",), start=1),
    Panel("layers-scalar", scalar, stacked=True, streams=("filters",), start=1),
)


LESSON = Lesson(
    "Hidden layers in order",
    EXPERIMENT,
    TEXT,
    PANELS,
    film=(Phase("steps", ("filters", "errors"), lambda at: f"step {number(at)}"),),
)
