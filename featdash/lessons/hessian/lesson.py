"""The Hessian announces the next feature, on its page: who finds the second direction first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from featdash.figures.film import Film
from featdash.figures.picture import Picture, Theme
from featdash.figures.streams import Frames
from featdash.figures.text import number
from featdash.lessons.hessian import pictures as figures
from featdash.lessons.hessian.frames import ThresholdFrame, TrainingFrame
from featdash.lessons.hessian.pictures import (
    error_course,
    feature_plane,
    lowest_eigenvalues,
    share_course,
    threshold_course,
)
from featdash.lessons.hessian.recipe import EXPERIMENT, RATIOS, HessianSpec
from featdash.runs.run import Run
from featdash.ui.kit import toolbar
from featdash.ui.stage.lesson import Lesson, LessonText, Trial
from featdash.ui.stage.panels import Panel, growing
from featdash.ui.stage.phases import MOST, Phase
from featdash.ui.stage.shown import shown

TEXT = LessonText(
    question="What knows the next feature before the neurons do?",
    formula=r"$y = z_1 + He_2(z_2)$; $f(x) = \sum_{j \le 4} \mathrm{softplus}(w_j \cdot x) - \log 2$; "
    r"$\nabla^2 L$ on the training samples",
    reading="""
- **The plane**: the neurons' directions along the two hidden directions, $u_1$ (the labels have a line along it) and
  $u_2$ (a bowl). The four neurons first turn to $u_1$, because the gradient at the start shows a line and no bowl. A
  hollow marker is the lowest vector of the training Hessian: the direction in weight space along which the loss bends
  down most.
- **Shares**: how much of the squared length lies along a direction. With 12 samples per dimension the lowest vector
  lies mostly along $u_2$ from the start on, while the neurons have hardly any of it. They turn to $u_2$ a few tens of
  steps later. With 1.5 samples per dimension neither of them ever finds $u_2$.
- **Eigenvalues**: with enough samples the lowest ones, one for each neuron, stand apart from the others. With few
  samples noise makes eigenvalues that are as low. The axis is stretched around 0, where training brings them.
- **Errors**: the network with 1.5 samples per dimension has the lowest error on its own samples and the highest on new
  ones.
- **By samples per dimension**: the vector at the end of the first phase (when the share along $u_1$ is largest), and
  the neurons at the end.
""",
    source="""
Montanari and Wang, *Phase transitions for feature learning in neural networks*, 2026, arXiv 2602.01434: in the limit
n, d → ∞ with n/d → δ, gradient descent first learns what the gradient shows, then follows negative directions of the
Hessian, and a threshold in δ is a phase transition of its spectrum. The network is `featdash.learners.smooth_network`,
the run `featdash.lessons.hessian.run.run`. Ours: target, four softplus neurons with output weights 1, a start of norm
0.02, steps of 0.2, d = 100, and the level ½ at which we say «found».
""",
    trials=(
        Trial(
            "Between: four samples per dimension",
            {"many": 4.0},
            "Near the threshold at d = 100: the neurons come to a share of 0.6 to 0.8 along u₂, slowly.",
        ),
        Trial(
            "Label noise 1",
            {"noise": 1.0},
            "Noise moves the threshold up, and 12 samples per dimension are still enough: the vector first, then the "
            "neurons.",
        ),
        Trial(
            "Fifty dimensions",
            {"d": 50},
            "You get the same picture in half the dimensions: what counts is the number of samples per dimension.",
        ),
    ),
    papers=("montanari2026",),
    controls=("few", "many", "d", "noise", "steps", "seed"),
    sliders=("few", "many"),
)

Training = Annotated[Frames[TrainingFrame], "training"]


@dataclass(frozen=True)
class Options:
    """vector : whether the lowest vector is drawn beside the neurons; step : on show, None for the last so far."""

    vector: bool = True
    step: float | None = None


def view_options(run: Run) -> Options:
    """The switch, and after the end the scrubber over the steps."""
    about = "The direction of all weights along which the training loss bends down most."
    vector = toolbar.switch(run, "vector", "Lowest vector", True, help=about)
    return Options(vector, toolbar.scrubber(run, "training", "Step of gradient descent"))


def ratios(spec: HessianSpec) -> dict[str, float]:
    """n/d of both networks."""
    return {"few": spec.few, "many": spec.many}


@shown
def plane(training: Training, options: Options, spec: HessianSpec, theme: Theme) -> Picture:
    """Neurons and vector at one step."""
    now = training.last(options.step)
    return feature_plane(now.arrays, int(now.at), ratios(spec), options.vector, theme=theme)


@shown
def spectrum(training: Training, options: Options, spec: HessianSpec, theme: Theme) -> Picture:
    """The eigenvalues at one step."""
    now = training.last(options.step)
    reach = min(float(one.eigenvalues[0]) for look in training for one in look.networks.values())
    return lowest_eigenvalues(now.arrays, int(now.at), ratios(spec), reach, theme=theme)


@shown
def plane_film(picture: Picture, training: Training) -> Film | None:
    some = training.few(MOST)
    return figures.plane_film(picture.figure, some.arrays, [int(at) for at in some.at]) if len(some) > 1 else None


@shown
def spectrum_film(_: Picture, training: Training) -> Film | None:
    some = training.few(MOST)
    return figures.eigenvalue_film(some.arrays, [int(at) for at in some.at]) if len(some) > 1 else None


def shares(training: Training, name: str, options: Options, spec: HessianSpec, theme: Theme) -> Picture:
    """The shares with many samples, or with few."""
    looks, steps = [look.networks[name] for look in training], [int(at) for at in training.at]
    return share_course(steps, looks, ratios(spec)[name], spec.steps, options.vector, theme=theme)


@shown
def errors(training: Training, spec: HessianSpec, theme: Theme) -> Picture:
    """Training loss and risk."""
    return error_course([int(at) for at in training.at], training.arrays, ratios(spec), spec.steps, theme=theme)


@shown
def threshold(table: Annotated[ThresholdFrame, "threshold"], theme: Theme) -> Picture:
    """The shares by n/d."""
    return threshold_course(RATIOS, table.vector, table.neurons, theme=theme)


PHASE = Phase("steps of gradient descent", ("training",), lambda at: f"step {number(at)}")
LESSON = Lesson(
    "The Hessian",
    EXPERIMENT,
    TEXT,
    (
        Panel("hessian-plane", plane, start=1, film=plane_film),
        Panel("hessian-eigenvalues", spectrum, start=1, film=spectrum_film),
        Panel("hessian-many", shown(shares, name="many"), start=1, film=growing(PHASE)),
        Panel("hessian-few", shown(shares, name="few"), start=1, film=growing(PHASE)),
        Panel("hessian-errors", errors, start=1, film=growing(PHASE)),
        Panel("hessian-threshold", threshold),
    ),
    toolbar=view_options,
    film=(PHASE,),
)
