"""Kernels that learn features, on their page: each fit makes a new matrix, by which the next one measures distances."""

from __future__ import annotations

from typing import Annotated

from featdash.figures.film import Film
from featdash.figures.picture import Picture, Theme
from featdash.figures.streams import Frames
from featdash.figures.text import number
from featdash.lessons.rfm.frames import MatrixFrame, RiskFrame
from featdash.lessons.rfm.pictures import matrix_film, matrix_map, risk_by_round, share_by_round
from featdash.lessons.rfm.recipe import EXPERIMENT, RIVALS, RfmSpec
from featdash.recipes.events import Frame, Result
from featdash.runs.run import Run
from featdash.ui.kit import toolbar
from featdash.ui.page import target_picker
from featdash.ui.page.target_picker import target_of
from featdash.ui.stage.lesson import Lesson, LessonText, Trial
from featdash.ui.stage.panels import Panel, growing
from featdash.ui.stage.phases import MOST, Phase
from featdash.ui.stage.shown import shown

TEXT = LessonText(
    question="Can a kernel learn features?",
    formula=r"$k_M(x, x') = e^{-\rho/\ell}$, $\rho^2 = (x - x')^{\!\top} M (x - x')$; fit $\hat f$, then "
    r"$M \leftarrow \frac1n \sum_i \nabla \hat f(x_i)\, \nabla \hat f(x_i)^{\!\top}$, to trace $d$",
    reading="""
- **Left**: the excess risk of kernel ridge after each round. Round 0 is the fixed kernel, $M = I$, in which all inputs
  weigh alike. The horizontal lines are the NTK and Algorithm 1 on the same samples, λ from the same holdout.
- **Right, above**: the entries of $M$ divided by its trace, with a row and a column for each input. A single dark
  violet cell on the diagonal means that the kernel measures distance along this input alone. The frame marks the inputs
  that carry the hidden directions; the method is not told which they are.
- **Right, below**: the share of $M$ on the hidden directions, $\\mathrm{tr}(U M U^{\\top})/\\mathrm{tr} M$. With
  $M = W^{\\top} W$ it is the alignment of a first layer $W$, so Algorithm 1's stands beside it. The dotted line is
  chance, $r/d$.
""",
    source="""
Radhakrishnan, Beaglehole, Pandit and Belkin, *Mechanism for feature learning in neural networks and
backpropagation-free machine learning models*, Science 2024. Algorithm 1: Damian, Lee and Soltanolkotabi, COLT 2022. The
nearest theory is by Zhu, Davis, Drusvyatskiy and Fazel, 2025, for a kernel that weighs single inputs. The run is
`featdash.lessons.rfm.run.run`, the method `featdash.learners.rfm.rfm_rounds`. Ours: $M$ to trace $d$, $\\ell$ three
times the spread of the inputs, the λ of a round by leaving one sample out, four rounds.
""",
    trials=(
        Trial(
            "A smooth kernel: Gaussian",
            {"kernel": "gaussian"},
            "The target is a polynomial, and a smooth kernel suits it: the risk falls from about 0.6 to between 0.06 "
            "and 0.08 in four rounds, far below Algorithm 1 on the same thousand samples (seeds 0, 7, 11).",
        ),
        Trial(
            "Too few samples: n = 300",
            {"n": 300},
            "The first fit is too poor to show the way. At seed 0 half of M stays off the direction and the risk "
            "stays near 1; at seed 7 M turns to a wrong input; at seed 11 it works, and the risk falls from 0.82 to "
            "0.51.",
        ),
        Trial(
            "The target that one step cannot see: He₃/√6",
            {"target": "transfer"},
            "In ten dimensions the fixed kernel has learned a little of the cubic, and that is enough: the risk falls "
            "from 0.6 to between 0.11 and 0.22, with a share of 0.98, where Algorithm 1 ends between 0.25 and 0.47 "
            "(seeds 0, 7, 11).",
        ),
        Trial(
            "Twenty inputs: d = 20",
            {"d": 20},
            "With twice the inputs it is slower: after four rounds the share is 0.59 to 0.83 and the risk 0.45 to "
            "0.65, and both are still improving; Algorithm 1 has 0.58 to 0.73 (seeds 0, 7, 11).",
        ),
    ),
    papers=("radhakrishnan2024", "damian2022", "zhu2025"),
    controls=("target", "n", "d", "rounds", "kernel", "seed"),
    words={"laplace": "Laplace, exp(−ρ/ℓ)", "gaussian": "Gaussian, exp(−ρ²/2ℓ²)"},
)

Matrices = Annotated[Frames[MatrixFrame], "matrices"]


def view_options(run: Run) -> float | None:
    """The round on show, None for the newest."""
    return toolbar.scrubber(run, "matrices", "Round", word=lambda at: f"round {number(at)}")


@shown
def risk(
    rounds: Annotated[Frames[RiskFrame] | None, "risks"],
    rivals: Annotated[Frame | None, "rivals"],
    spec: RfmSpec,
    theme: Theme,
) -> Picture:
    """The risk after each round so far, and those of the rivals."""
    beside = {name: float(rivals.arrays[name]) for name in RIVALS if name in rivals.arrays} if rivals else {}
    risks = [float(one.excess) for one in rounds or ()]
    return risk_by_round(risks, beside, spec.rounds, theme=theme, height=440)


@shown
def matrix(matrices: Matrices, options: float | None, spec: RfmSpec, theme: Theme) -> Picture:
    """M of one round."""
    now, U = matrices.last(options), target_of(spec.target, spec.d).subspace
    return matrix_map(now.arrays, U, int(now.at), theme=theme, height=290)


@shown
def rounds_film(picture: Picture, matrices: Matrices) -> Film | None:
    some = matrices.few(MOST)
    return matrix_film(picture.figure, some.arrays, [int(at) for at in some.at]) if len(some) > 1 else None


@shown
def share(matrices: Matrices, result: Result | None, spec: RfmSpec, theme: Theme) -> Picture:
    """The share of M on the hidden directions after each round so far."""
    shares = [float(one.share) for one in matrices]
    alignment = float(result.summary["alignment"]) if result and not matrices.moves else None
    chance = len(target_of(spec.target, spec.d).subspace), spec.d
    return share_by_round(shares, spec.rounds, chance, theme=theme, alignment=alignment, height=215)


def facts(spec: RfmSpec) -> None:
    """The target's card."""
    target_picker.card(target_of(spec.target, spec.d), spec.race.biases)


PHASE = Phase("rounds", ("matrices", "risks"), lambda at: f"round {number(at)}")
LESSON = Lesson(
    "Kernels that learn features",
    EXPERIMENT,
    TEXT,
    (
        Panel("rfm-risk", risk, film=growing(PHASE)),
        Panel("rfm-matrix", matrix, start=1, film=rounds_film),
        Panel("rfm-share", share, start=1, film=growing(PHASE)),
    ),
    toolbar=view_options,
    facts=facts,
    film=(PHASE,),
)
