"""Digits and noise, on its page: a network on structured inputs, and where that structure is removed."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from featdash.figures.picture import Picture, Theme
from featdash.figures.streams import Frames
from featdash.figures.text import number
from featdash.lessons.emergence.frames import AccuracyFrame, InputFrame
from featdash.lessons.emergence.pictures.mixture import accuracies, both_kinds
from featdash.lessons.emergence.recipe import MIXTURE, MixtureSpec
from featdash.recipes.events import Result
from featdash.ui.stage.lesson import Lesson, LessonText, Trial
from featdash.ui.stage.panels import Panel, growing
from featdash.ui.stage.phases import Phase
from featdash.ui.stage.shown import shown

TEXT = LessonText(
    question="Is it the labels that are hard, or the inputs?",
    formula=r"labels of one teacher on digits and on $x \sim N(0, I)$; a student learns from both, half and half",
    reading="""
- **Left**: how often a student gives the class that the teacher gives, on inputs that it has not seen, against its
  training steps. Means over runs, with a band of one standard deviation; every run has a split, a teacher and students
  of its own.
- **One student, two kinds of input**: the blue and the red curve are the same network, trained on 1200 digits and
  1200 Gaussian inputs together. The labels come from one function, the teacher. What differs is the inputs.
- **Teal**: another student, trained on the digits alone with the classes that they show. It shows what the Gaussian
  half costs on the digits: almost nothing here.
- **Dotted**: how often you are right on Gaussian inputs if you always name the teacher's most common class. It is well
  above one tenth: the teacher was never trained there, and has favourites.
- **Right**: inputs of both kinds as images. With «matched» the Gaussian inputs have the covariance of the digits:
  neighbouring pixels go together, and still nothing is a digit.
""",
    source="""
After Shi, Wei and Liang, *A theoretical analysis on feature learning in neural networks*, ICLR 2022, section 6 and
Figure 4: an equal mixture of data and Gaussian inputs, labelled by a teacher. Theirs are MNIST with a two-layer network
of 9 neurons, and CIFAR10 and SVHN with a ResNet-18. Ours are scikit-learn's 8×8 digits, 20 neurons («Try» has 9), and
our start, batches and rate. The run is `featdash.lessons.emergence.mixture_run.run`, the networks are those of
`featdash.learners.classifiers`.
""",
    trials=(
        Trial(
            "Structure of second order kept: matched covariance",
            {"gaussian": "matched"},
            "With the covariance of the digits the Gaussian half comes to 0.76 instead of 0.66: a part of the "
            "structure lies in how pixels go together in pairs, most of it does not.",
        ),
        Trial(
            "The paper's width: 9 neurons",
            {"m": 9},
            "Slower on both, 0.92 and 0.57 after 100 steps, and 0.96 and 0.72 at the end: a narrow teacher is easier "
            "to copy on Gaussian inputs.",
        ),
        Trial(
            "A wide student: 100 neurons",
            {"m": 100},
            "Five times the neurons, of teacher and student, leave the Gaussian half where it was: 0.68 at the end, "
            "with 0.98 on the digits.",
        ),
    ),
    papers=("shi2022",),
    controls=("gaussian", "m", "steps", "rate", "runs", "seed"),
    sliders=("steps",),
    words={"white": "independent pixels", "matched": "covariance of the digits"},
)


@shown
def course(
    parts: Annotated[Frames[AccuracyFrame], "accuracies"], result: Result | None, spec: MixtureSpec, theme: Theme
) -> Picture:
    """All accuracies so far."""
    columns = {name: np.stack([getattr(part, name) for part in parts]) for name in ("digits", "gaussian", "alone")}
    curves = {
        "digits": columns["digits"],
        "gaussian": columns["gaussian"],
        "mixture": (columns["digits"] + columns["gaussian"]) / 2,
        "alone": columns["alone"],
    }
    majority = result.summary["majority"]["gaussian"] if result else None
    return accuracies([int(at) for at in parts.at], curves, majority, spec.steps, theme=theme)


@shown
def inputs(some: Annotated[InputFrame, "inputs"], theme: Theme) -> Picture:
    """Some inputs of both kinds."""
    return both_kinds(some.digits, some.gaussian, some.mean, theme=theme)


PHASE = Phase("steps", ("accuracies",), lambda at: f"step {number(at)}")
LESSON = Lesson(
    "Digits and noise",
    MIXTURE,
    TEXT,
    (
        Panel("mixture-accuracy", course, start=1, film=growing(PHASE)),
        Panel("mixture-inputs", inputs, start=1, still=True),
    ),
    remark=lambda _: "One student ✓ one teacher ✓ two kinds of input",
    film=(PHASE,),
)
