"""Delete a line on the page: Algorithm 1 printed, a line looked at, a line switched off, and what they change."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Annotated

import streamlit as st

from featdash.figures.film import Film
from featdash.figures.picture import Picture, Theme
from featdash.figures.streams import Frames
from featdash.figures.text import number
from featdash.lessons.ablation import pictures as figures
from featdash.lessons.ablation.frames import AblationArrays, VariantFrame
from featdash.lessons.ablation.pictures import VARIANTS, headline, listing
from featdash.lessons.ablation.recipe import EXPERIMENT, AblationSpec
from featdash.lessons.shared.frames import LossCurve, NeuronFrame
from featdash.lessons.shared.pictures.alignment_gauge import Alignment
from featdash.lessons.shared.pictures.neurons import NOW, neuron_map
from featdash.recipes.events import Frame, Result, nest
from featdash.runs.run import Run
from featdash.theory.theorem import Theorem
from featdash.ui.kit import toolbar
from featdash.ui.page import target_picker, theorem_card
from featdash.ui.page.target_picker import target_of
from featdash.ui.stage.lesson import Lesson, LessonText, Trial
from featdash.ui.stage.panels import Panel, View, growing
from featdash.ui.stage.phases import MOST, Phase
from featdash.ui.stage.shown import shown

HEIGHT = 338
# The line whose picture a variant changes most: where one looks when it is switched off.
TELLING = {
    "intact": 4,
    "linear_part_left": 2,
    "no_symmetry": 2,
    "small_start": 2,
    "old_weights_kept": 2,
    "biases_not_drawn": 3,
    "fresh_data": 4,
}

TEXT = LessonText(
    question="Which line of Algorithm 1 does what?",
    formula=r"$W^1 = W^0 - \eta_1(\nabla_W L + \lambda_1 W^0)$, $b_j \sim N(0,1)$, ridge for $a$; one change at a time",
    reading="""
- **Step through the lines** with the numbers: the line is marked in the listing, and the picture on the right becomes
  the one that this line changes. Line 1 shows the linear part that it takes out of the labels, line 2 where the neurons
  point, line 3 where they bend, line 4 the risk while the head trains, and line 5 the function returned.
- **Switch a line off** and its run is laid over the intact one. The bars compare all variants at once: excess risk with
  one standard error, and the alignment of W¹ with the principal subspace.
- **What to see**: without the mirror copies the step follows the output of the untrained network, and the neurons miss
  the subspace. With λ₁ = 0 the old weights blur it. With all biases at 0 the neurons point the right way, yet all bend
  at the origin and cannot draw the function. Line 1 matters for a target with a linear part: load it below.
- **The mirror copies are a convenience**, not a need: the paper says that its results hold as well for a small start
  that is not symmetric. What fails here is a = ±1 without a factor 1/m: at the start, m such neurons add up to about
  √(m/2), far more than the labels. The variant «no mirror, a/m» has the same neurons with a = ±1/m, and ends like the
  intact run.
""",
    source="""
Damian, Lee and Soltanolkotabi, COLT 2022, Algorithm 1; computed by `featdash.lessons.ablation.run.run`. All variants
share data, neurons, draws and holdout. η₁ follows the rule of the authors' code, rows of W¹ at RMS norm 1. One seed is
one draw: run another before you call a small difference an effect.
""",
    trials=(
        Trial(
            "A target with a linear part",
            {"target": "linear"},
            "Without line 1 all neurons turn to the linear part: alignment rises from 0.90 to 0.99, and the risk "
            "about doubles.",
            switches={"off": "linear_part_left", "line": 2},
        ),
        Trial(
            "Fewer samples: n = 1000",
            {"n": 1000},
            "The gradient is noisier: the intact risk is near 0.3, with λ₁ = 0 near 0.5, without mirror copies near "
            "0.85. What leaving line 1 out costs is within the standard error.",
            switches={"off": "intact", "line": 4},
        ),
        Trial(
            "Two directions",
            {"target": "rank-2"},
            "The neurons spread over a plane instead of a line: nine tenths of their squared norm are inside it, and "
            "no more than two thirds lie along its strongest direction.",
            switches={"off": "intact", "line": 2},
        ),
    ),
    papers=("damian2022",),
    controls=("target", "n", "d", "width", "noise", "seed"),
)


@dataclass(frozen=True)
class Options:
    """line : 1 to 5, the line looked at; variant : what is switched off, one of VARIANTS."""

    line: int = 4
    variant: str = "biases_not_drawn"


AblationView = View[AblationSpec, Options]
Arrays = Annotated[AblationArrays, Result]


def view_options(run: Run) -> Options:
    """The stepper over the lines, and what is switched off."""
    line = Options.line  # of a run that has ended, until the page is drawn anew
    if run.active:
        st.caption("The lines follow the run.")
    else:
        help = "Step through the lines: each shows the picture that it changes."
        first = TELLING[Options.variant]
        line = toolbar.choice(run, "line", "Line looked at", (1, 2, 3, 4, 5), first, str, help=help)
    help = "Switch one line off and lay its run over the intact one."
    names = tuple(VARIANTS)
    follow = partial(follow_variant, run)
    variant = toolbar.choice(
        run, "off", "Switched off", names, Options.variant, variant_label, help=help, on_change=follow
    )
    return Options(line, variant)


def follow_variant(run: Run, variant: str) -> None:
    """Go to the line whose picture the variant changes most; a callback."""
    toolbar.preset(run.experiment, {"line": TELLING[variant]})


def variant_label(variant: str) -> str:
    return "nothing off" if variant == "intact" else VARIANTS[variant].label


def line_of(view: AblationView) -> int:
    """The line looked at; while the run is live, the one it is at."""
    if not view.run.active:
        return view.options.line
    lines = [line for stream, line in (("heads", 4), ("neurons", 2)) if view.frames(stream)]
    return next(iter(lines), 1)


def listing_picture(view: AblationView) -> Picture:
    """The listing."""
    return listing(line_of(view), view.options.variant, theme=view.theme, height=158)


def headline_of(view: AblationView) -> str:
    """What the variant on show changes, once all have ended and nothing is held back."""
    result = view.result()
    moving = any(view.moves(stream) for stream in STREAMS)
    return "" if result is None or moving else headline(result.summary["variants"], view.options.variant)


@shown
def bars(result: Result, options: Options, theme: Theme) -> Picture:
    """All variants at the end."""
    return figures.result_bars(result.summary["variants"], options.variant, theme=theme, height=HEIGHT - 158)


def changed_picture(view: AblationView) -> Picture | None:
    """The picture that the line changes."""
    picture = (linear_part, layers, hinges, curves, predictor_picture)[line_of(view) - 1](view)
    return replace(picture, headline=headline_of(view)) if picture else None


@shown
def linear_part(frame: Annotated[Frame, "preprocess"], options: Options, spec: AblationSpec, theme: Theme) -> Picture:
    """Line 1."""
    energy = target_of(spec.target, spec.d).second_moment + spec.noise**2
    alpha, beta = float(frame.arrays["alpha"]), frame.arrays["beta"]
    is_off = options.variant == "linear_part_left"
    return figures.linear_part(alpha, beta, (energy / spec.n) ** 0.5, theme=theme, is_off=is_off, height=HEIGHT)


@shown
def layers(
    ends: Annotated[Frames[VariantFrame] | None, "layers"],
    neurons: Annotated[Frames[NeuronFrame], "neurons"],
    result: Result | None,
    options: Options,
    spec: AblationSpec,
    theme: Theme,
) -> Picture:
    """Line 2: in motion and with nothing switched off the layer before and now, else the intact one and the variant.

    The alignment is measured at the end of the step: of a layer before that it is not known.
    """
    variant, final = options.variant, {layer.variant: layer for layer in ends or ()}
    rows = result.summary["variants"] if result and not neurons.moves else {}
    alignments = {name: row["alignment"] for name, row in rows.items()}
    chance = target_of(spec.target, spec.d).rank / spec.d
    if variant in final and variant != "intact" and not neurons.moves:
        names = ("intact", VARIANTS[variant].label)
        alignment = Alignment(alignments.get("intact"), alignments.get(variant), chance)
        return neuron_map(final["intact"], final[variant], theme=theme, names=names, alignment=alignment, height=HEIGHT)
    alignment = Alignment(None, alignments.get("intact"), chance)
    return neuron_map(neurons.arrays[0], neurons.arrays[-1], theme=theme, alignment=alignment, height=HEIGHT)


@shown
def step_film(
    picture: Picture, neurons: Annotated[Frames[NeuronFrame], "neurons"], spec: AblationSpec, theme: Theme
) -> Film | None:
    """Line 2: the intact step, and then what the picture compares."""
    some = neurons.few(MOST)
    if len(some) < 2:
        return None
    chance = target_of(spec.target, spec.d).rank / spec.d
    alignment = Alignment(None, None, chance)
    after = neuron_map(some.arrays[0], some.arrays[-1], theme=theme, alignment=alignment, height=HEIGHT)
    return figures.step_film(picture.figure, some.arrays, after.figure, NOW)


def head_places(view: View, moments: Sequence[float]) -> list[float]:
    """The head step t that each round has come to."""
    steps_by_round = {
        frame.at: max(curve.t[-1] for curve in nest(LossCurve, frame.arrays).values()) for frame in view.frames("heads")
    }
    return [float(steps_by_round[at]) for at in moments]


def line_film(view: AblationView, picture: Picture) -> Film | None:
    """What moves in the picture of the line looked at."""
    films: dict[int, Callable[[View, Picture], Film | None]] = {
        2: step_film,
        4: growing(HEAD, index=1, places=head_places),
    }
    film = films.get(line_of(view))
    return film(view, picture) if film else None


@shown
def hinges(arrays: Arrays, options: Options, theme: Theme) -> Picture:
    """Line 3."""
    layer = {name: (arrays.biases[name], arrays.norms[name]) for name in ("intact", options.variant)}
    return figures.hinges(layer["intact"], layer[options.variant], theme=theme, name=options.variant, height=HEIGHT)


@shown
def curves(
    heads: Annotated[Mapping[str, LossCurve], "heads"], options: Options, spec: AblationSpec, theme: Theme
) -> Picture:
    """Line 4."""
    return figures.head_curves(heads, options.variant, theme=theme, last=float(spec.steps), height=HEIGHT)


@shown
def predictor_picture(arrays: Arrays, options: Options, theme: Theme) -> Picture:
    """Line 5."""
    functions = {name: arrays.learned[name] for name in ("intact", options.variant)}
    return figures.predictor_profile(arrays.profile.z, arrays.profile.truth, functions, theme=theme, height=HEIGHT)


def facts(spec: AblationSpec) -> None:
    target_picker.facts(target_of(spec.target, spec.d), spec.target)


def theory(spec: AblationSpec) -> tuple[Theorem, ...]:
    return theorem_card.theorems(target_of(spec.target, spec.d), spec.n, spec.width, spec.noise)


STEP = Phase("the step: s = 0 … 1", ("neurons",), lambda s: f"s = {s:.2f}")
HEAD = Phase("the head", ("heads",), lambda at: f"round {number(at)}")
STREAMS = ("preprocess", "neurons", "layers", "heads")
LESSON = Lesson(
    "Delete a line",
    EXPERIMENT,
    TEXT,
    (
        Panel("ablation-listing", listing_picture, streams=STREAMS),
        Panel("ablation-result", bars),
        Panel("ablation-line", changed_picture, streams=STREAMS, film=line_film),
    ),
    toolbar=view_options,
    facts=facts,
    theory=theory,
    film=(STEP, HEAD),
)
