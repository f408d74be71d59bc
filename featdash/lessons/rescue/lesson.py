"""Transform the label, on its page: the cubic that one step misses, rescued by other labels in the step."""

from __future__ import annotations

from typing import Annotated

from featdash.figures.picture import Picture, Theme
from featdash.lessons.rescue.frames import CosineTable, LabelCurves, RescueTable
from featdash.lessons.rescue.pictures import average_cosines, rescue_alignments, rescue_risks, transformed_labels
from featdash.lessons.rescue.recipe import EXPERIMENT, RescueSpec
from featdash.ui.stage.lesson import Lesson, LessonText, Trial
from featdash.ui.stage.panels import Panel
from featdash.ui.stage.shown import shown

TEXT = LessonText(
    question="Can one step learn a target that it cannot see?",
    formula=r"$W^1 = -\eta_1 \nabla_W L$ on $T(y)$ in place of $y$; the head is trained on $y$ as before",
    reading="""
- **Above, left**: excess risk of Algorithm 1 against n. Only the labels of its first step differ. With plain labels
  He₃ stays above 0.5 at n = 10 000. With $T(y) = \\mathrm{sign}(y)\\,1\\{|y| > \\tau\\}$, which keeps of a label only
  whether it is far out and on which side, the risk is 0.02. Below it the alignment of the neurons with u; the line is
  chance.
- **Above, right, why**: the labels that the step gets, along the hidden direction, and in brackets their correlation
  with z = u·x. The cubic itself has none: it rises at both ends and falls between them, and the two balance. The
  threshold keeps only the ends. The *conditional mean* $T(y) = \\mathbb{E}[z \\mid y]$ has the highest correlation of
  all; it uses the curve and the noise, but not u. It is there for comparison: nobody has it beforehand.
- **The threshold matters**: the humps of He₃/√6 are 0.816 high. A higher threshold lets only the ends pass, and the
  correlation is near 0.5; a lower one lets the humps pass too, they win, and it is near −0.4. Both work: a step does
  not mind the sign. Between them ends and humps cancel. With a label noise of 0.1 that happens at τ = 0.82, and the
  step sees nothing: load it below.
- **A softmax head** is one more transform; add it under «Task». Attention whose scores are ρ times the labels averages
  the inputs with weights $e^{\\rho y}$, normalised to sum to 1. Less the mean of the inputs, that is the average of
  $T(y)\\,x$ with $T(y) = e^{\\rho y}/\\mathbb{E}\\,e^{\\rho y} - 1$. Labels beyond the cut count as the cut: for a
  cubic $\\mathbb{E}\\,e^{\\rho y}$ is infinite, and at ρ = 1 two or three samples of ten thousand would get nearly all
  the weight. The reduction to one transform is ours, and nothing is pretrained.
- **Below, right**: no network, just the average of T(y) x over the sample, for the cubic. Its cosine with u depends
  only on n/d, so n has to grow like d; full and hollow markers coincide. The average of y x is noise, whatever n is,
  and its cosine is smaller in more dimensions. For even targets no T has a correlation with z, and the leading
  eigenvector of the average of T(y)(xxᵀ − I) takes its place.
- **Two exponents**: the *information exponent* is the lowest degree in f*, 3 for He₃. The *generative exponent* is the
  lowest degree in any T(y): 1 for He₃, 2 for He₄. The first belongs to algorithms that use y as it is.
""",
    source="""
The idea, the generative exponent and the conditional mean: Damian, Pillaud-Vivien, Lee and Bruna,
*Computational-statistical gaps in Gaussian single-index models*, COLT 2024. Algorithm 1: Damian, Lee and
Soltanolkotabi, COLT 2022. That softmax attention transforms labels: Nishikawa, Song, Oko, Wu
and Suzuki, *Nonlinear transformers can perform inference-time feature learning*, ICML 2025; the head is our reduction.
Line 1, which takes the linear part out of the labels, is left out where the step gets T(y): that linear part is the
signal. The threshold within Algorithm 1, and all sizes, are ours. Computed by
`featdash.lessons.rescue.run.run`; the labels by `featdash.learners.label_transform`. All kinds of labels share
samples, start, width and holdout; λ is tuned alike.
""",
    trials=(
        Trial(
            "Label noise 1",
            {"noise": 1.0},
            "The rescue is weaker: the threshold ends between 0.15 and 0.4, the conditional mean below 0.1, plain "
            "labels above 0.75. A label that is far out may now be noise.",
        ),
        Trial(
            "A threshold at the humps: τ = 0.82",
            {"noise": 0.1, "threshold": 0.82},
            "A little noise lifts the humps over the threshold, and there they cancel the ends: the correlation with z "
            "is 0.00 and the risk above 0.9, worse than with plain labels. The conditional mean is at 0.01.",
        ),
        Trial(
            "An even target: He₄/√24",
            {"target": "He4(z1)/sqrt(24)", "threshold": 1.25, "repeats": 4},
            "The generative exponent is 2. The alignment goes from about 0.2 with plain labels to 0.4 with the "
            "threshold and 0.7 with the conditional mean, the risk to less than 0.7 and 0.4: a smaller rescue.",
        ),
        Trial(
            "A softmax head: ρ = 2",
            {"transforms": ("none", "sign_threshold", "softmax")},
            "Weights that grow exponentially with the label see the cubic too: the risk falls below 0.1, plain labels "
            "stay above 0.5, and the threshold is at 0.02. One average has a cosine of about 0.63 at n = 10 d, in 100 "
            "dimensions as in 400.",
        ),
    ),
    papers=("damian2022", "damian2024", "nishikawa2025"),
    controls=("target", "d", "n", "noise", "threshold", "seed"),
    sliders=("n", "threshold"),
    words={
        "none": "plain labels y",
        "sign_threshold": "sign with threshold",
        "conditional_mean": "conditional mean",
        "softmax": "softmax head",
    },
)


Cells = Annotated[RescueTable, "cells"]


@shown
def risks(cells: Cells, theme: Theme) -> Picture:
    """Excess risk against n."""
    return rescue_risks(cells.n.tolist(), cells.risk, theme=theme, height=300)


@shown
def alignments(cells: Cells, spec: RescueSpec, theme: Theme) -> Picture:
    """Alignment against n."""
    return rescue_alignments(cells.n.tolist(), cells.alignment, 1 / spec.d, theme=theme, height=250)


@shown
def labels(curves: Annotated[LabelCurves, "labels"], theme: Theme) -> Picture:
    """The transformed labels that the step gets."""
    parts = (curves.z, curves.transformed, curves.correlation, curves.exponent)
    return transformed_labels(*parts, theme=theme, height=300)


@shown
def cosines(table: Annotated[CosineTable, "cosines"], theme: Theme) -> Picture:
    """The cosine between u and an average over the sample."""
    return average_cosines(table.d.tolist(), table.ratio.tolist(), table.cosine, theme=theme, height=250)


PANELS = (
    Panel("rescue-risk", risks),
    Panel("rescue-alignment", alignments),
    Panel("rescue-labels", labels),
    Panel("rescue-cosines", cosines),
)


LESSON = Lesson(
    "Transform the label",
    EXPERIMENT,
    TEXT,
    PANELS,
    remark=lambda _: "Same data ✓ same width ✓ λ tuned alike ✓",
)
