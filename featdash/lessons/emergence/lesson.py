"""Emergence, on its page: features that appear because inputs have structure, on a dictionary and on real digits."""

from __future__ import annotations

from typing import Annotated

import streamlit as st

from featdash.figures.film import Film
from featdash.figures.picture import Picture, Theme
from featdash.figures.streams import Frames
from featdash.figures.text import number
from featdash.lessons.emergence import panels
from featdash.lessons.emergence.frames import FixedFeatures, GradientComponents, Neurons, Score
from featdash.lessons.emergence.panels import Options, Scores, course_of, head_accuracy
from featdash.lessons.emergence.pictures.accuracy import Curve, accuracy_curves
from featdash.lessons.emergence.pictures.dictionary import gradient_components, gradient_film, hinge_bound
from featdash.lessons.emergence.recipe import EMERGENCE, EmergenceSpec
from featdash.recipes.events import Result, nest
from featdash.runs.run import Run
from featdash.tasks.dictionary import PatternLaw
from featdash.theory.fixed_features import bound_is_stated
from featdash.ui.kit.shared import service
from featdash.ui.page import blocks
from featdash.ui.stage.lesson import Lesson, LessonText, Trial
from featdash.ui.stage.panels import Panel, View, growing, shown_moments
from featdash.ui.stage.phases import Phase
from featdash.ui.stage.shown import shown

TEXT = LessonText(
    question="Where do features come from?",
    formula=r"$x = (M\varphi - \mathrm{E}M\varphi)/\tilde\sigma$; $y = 1$ iff $\sum_A \varphi_j \in P$; "
    r"$\nabla_{w_i} L = -a_i \sum_j M_j T_j$",
    papers=("shi2022",),
    controls=("k", "D", "p0", "n", "structure", "labels"),
    sliders=("n", "structure"),
    reading="""
- **Accuracy**: both sides have the same labels and start. Left, the relevant patterns correlate with the label
  ($\\gamma > 0$; the line under the controls has $\\gamma$ and $\\tilde\\sigma$ exactly); right, all patterns are
  independent fair coins, and nobody does better than a coin. Filled markers are each method's own output, hollow
  diamonds a tuned ridge head on the network's features then, the thin line one on the inputs themselves.
- **The jump at step 2**: the head goes from 0.84 to 1.00, but this is **not the paper's jump**, from 52 % to 100 %. The
  linear model has 0.84 as well: after step 1 the neurons are so small that all of them are still in the linear range of
  σ. In step 2 they grow and the **non-linearity switches on**; their directions hardly move (median |cos| 0.996, then
  0.998). Tried for the paper's 52 %: an output of RMS 0.1 and of 10 after step 1, and structure 0.3. They give 0.84,
  1.00 and 0.72.
- **Neurons**: neurons that point the same way lie close together; compare with the untrained layer. With structure they
  gather at two stars, $\\pm\\sum_A M_j$. Without it they line up too, but on a direction of noise, off the stars. A
  flat map distorts: its stress says by how much.
- **Gradient**, the first of three pictures of which «Last picture» shows one: its component $T_j$ along each pattern,
  averaged over the neurons. Signal-to-noise is the mean on $A$ over the root mean square off $A$; the dashed line is
  the lemmas' $\\beta\\gamma/\\tilde\\sigma$.
- **Cosines**: of each neuron with $\\sum_A M_j$.
- **Hinge loss**: no linear model on $N$ fixed features in $[-1, 1]$ with weights of norm $B$ gets below
  $p_0(1 - \\sqrt{2N}B/2^k)$ on *some* structured law, not on each. At $k = 5$ the bound is weak: with $N = 600$ random
  features $\\sqrt{2N} = 34.6 > 2^5$, so it says something for $B < 0.92$ only.
""",
    source="""
Shi, Wei and Liang, *A theoretical analysis on feature learning in neural networks: emergence from inputs and advantage
over fixed features*, ICLR 2022: simulation, Lemmas 5 and 6, Theorem 2. Computed by
`featdash.lessons.emergence.run.run`; the bound by `featdash.theory.fixed_features.fixed_feature_bound`. Ours, as the
paper leaves them open: the law on $A$ (for parity: with probability $s/2$ all or none, else independent; $s$ is the
slider), all sample sizes and rates, and the head's restart at 0 after step 2. All methods see the same samples and
start from the same network; the ridge heads' λ is tuned alike. One seed is one draw, not a law.
""",
    trials=(
        Trial(
            "A large first step",
            {"first_output": 10.0},
            "The head is at 1.00 right after step 1: the neurons leave the linear range at once, and no jump is left.",
        ),
        Trial(
            "Weak structure: strength 0.3",
            {"structure": 0.3},
            "The head goes from 0.72 after step 1, near the linear model's 0.70, to 0.97 after step 2 (0.94 to 0.97 "
            "over three seeds); fixed features stay below 0.7.",
        ),
        Trial(
            "Labels by majority: counts 4 and 5",
            {"labels": "counts", "positive_counts": (4, 5)},
            "Even independent patterns now correlate with the label: the network is above 0.99 on both sides.",
        ),
    ),
)


FEATURE = "Σ<sub>A</sub> M<sub>j</sub>"
Layers = Annotated[Frames[Neurons], "structured/neurons"]
OtherLayers = Annotated[Frames[Neurons] | None, "unstructured/neurons"]
PAPER = (0.52, 1.0)  # accuracy of a head on the features after steps 1 and 2, as Shi, Wei and Liang report it


def view_options(run: Run) -> Options:
    """The switch, the scrubber, and after the end what step 2 gave to the features."""
    if not run.active:
        frames = service().frames(run.id, "structured/heads")
        scores = [nest(Score, frame.arrays) for frame in frames]
        st.caption(jump(*head_accuracy([frame.at for frame in frames], scores)))
    return panels.view_options(run, "structured/neurons")


def jump(head: Curve, linear: float | None) -> str:
    """The head after steps 1 and 2 beside the linear model's and the paper's; "" before all are known."""
    accuracy = dict(zip(head.at, head.accuracy, strict=True))
    if linear is None or not {1, 2} <= accuracy.keys():
        return ""
    return (
        f"Head on the structured features: {accuracy[1]:.2f} after step 1, {accuracy[2]:.2f} after step 2; "
        f"on the inputs themselves {linear:.2f}. The paper's: {PAPER[0]:.2f}, then {PAPER[1]:.2f}."
    )


def pattern_facts(spec: EmergenceSpec) -> None:
    """What is known of both laws before a run, exactly."""
    strengths = {"structured": spec.structure, "unstructured": 0.0}
    facts = [f"{name}: {law_constants(spec.law().at(strength))}" for name, strength in strengths.items()]
    blocks.small_text(" · ".join(facts), "law")


def law_constants(law: PatternLaw) -> str:
    """γ and σ̃ of a law."""
    return f"$\\gamma = {number(round(law.gamma, 4))}$, $\\tilde\\sigma = {number(round(law.sigma, 4))}$"


@shown
def pattern_accuracy(
    training: Annotated[Frames[Scores], "structured/training"],
    other_training: Annotated[Frames[Scores] | None, "unstructured/training"],
    heads: Annotated[Frames[Scores] | None, "structured/heads"],
    other_heads: Annotated[Frames[Scores] | None, "unstructured/heads"],
    options: Options,
    spec: EmergenceSpec,
    theme: Theme,
) -> Picture:
    """Accuracy against steps."""
    courses = {"structured": course_of(training, heads), "unstructured": course_of(other_training, other_heads)}
    at = training.choice(options.step)
    return accuracy_curves(courses, 2 + spec.steps, theme=theme, at=at, height=310)


def by_law(layers: Frames[Neurons], others: Frames[Neurons] | None) -> dict[str, Frames[Neurons]]:
    """The layers of both laws, the second of which begins a little later."""
    return {"structured": layers} | ({"unstructured": others} if others else {})


@shown
def pattern_maps(layers: Layers, others: OtherLayers, options: Options, theme: Theme) -> Picture:
    return panels.course_maps(by_law(layers, others), FEATURE, options, theme)


@shown
def pattern_cosines(layers: Layers, others: OtherLayers, options: Options, theme: Theme) -> Picture:
    return panels.course_cosines(by_law(layers, others), FEATURE, options, theme)


@shown
def maps_film(picture: Picture, layers: Layers, others: OtherLayers, view: View) -> Film | None:
    return panels.maps_film(picture, by_law(layers, others), moments_of(view), view.options)


@shown
def cosines_film(picture: Picture, layers: Layers, others: OtherLayers, view: View) -> Film | None:
    return panels.cosines_film(picture, by_law(layers, others), moments_of(view))


def moments_of(view: View) -> list[float]:
    """The steps of the timeline."""
    return shown_moments(PHASES[0], view.run, view.ending)


Components = Annotated[Frames[GradientComponents], "structured/gradient"]
OtherComponents = Annotated[Frames[GradientComponents] | None, "unstructured/gradient"]


@shown
def gradient(components: Components, others: OtherComponents, theme: Theme) -> Picture:
    """T_j on and off A in steps 1 and 2."""
    return gradient_components(components_by_law(components, others), theme=theme, height=290)


@shown
def components_film(_: Picture, components: Components, others: OtherComponents, view: View) -> Film | None:
    return gradient_film(components_by_law(components, others), moments_of(view))


def components_by_law(
    components: Frames[GradientComponents], others: Frames[GradientComponents] | None
) -> dict[str, dict[int, GradientComponents]]:
    """law -> step -> its components."""
    both = (("structured", components), ("unstructured", others or ()))
    return {law: dict(enumerate(steps, start=1)) for law, steps in both}


@shown
def bound(result: Result, spec: EmergenceSpec, theme: Theme) -> Picture:
    """The lower bound and the measured losses, on structured inputs; after the end."""
    methods, stated = nest(FixedFeatures, result.arrays, "structured/"), bound_is_stated(spec.k, spec.D, spec.labels)
    return hinge_bound(methods, spec.p0, spec.k, theme=theme, stated=stated, height=290)


STREAMS = tuple(
    f"{law}/{name}" for law in ("structured", "unstructured") for name in ("training", "heads", "neurons", "gradient")
)
PHASES = (Phase("training", STREAMS, lambda at: f"step {number(at)}"),)
STILL = ("ridge head on the inputs",)
PATTERN_PANELS = (
    Panel("emergence-neurons", pattern_maps, wide=True, start=1, film=maps_film),
    Panel("emergence-accuracy", pattern_accuracy, wide=True, film=growing(PHASES[0], still=STILL)),
    Panel("emergence-gradient", gradient, film=components_film),
    Panel("emergence-cosines", pattern_cosines, film=cosines_film),
    Panel("emergence-bound", bound),
)


LESSON = Lesson(
    "Dictionary",
    EMERGENCE,
    TEXT,
    PATTERN_PANELS,
    view_options,
    facts=pattern_facts,
    film=PHASES,
    alternatives={"gradient": "gradient", "cosines": "cosines", "bound": "hinge loss"},
)
