"""When it must fail, on the page: targets that the expected Hessian does not show."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from featdash.experiments import EXPERIMENTS
from featdash.experiments.spec import Spec
from featdash.figures.degenerate import failure_alignment, failure_risks, gradient_against_noise
from featdash.figures.gradient_terms import series_parity
from featdash.figures.picture import Picture
from featdash.theory.gradient_series import gate_coefficients
from featdash.theory.predictions import csq_scale
from featdash.theory.target import PolynomialTarget
from featdash.ui import theorem_card
from featdash.ui.board import Moment, Panel
from featdash.ui.lesson import Trial
from featdash.ui.lesson_page import Lesson, Part
from featdash.ui.target_picker import target_of

LESSON = Lesson(
    question="What if the expected Hessian shows nothing?",
    formula=r"$f^* = \mathrm{He}_p(u \cdot x)/\sqrt{p!}$, $p \ge 3$: $\mathbb{E}\nabla^2 f^* = 0$, and "
    r"$n \gtrsim d^{p/2}$ is needed (Theorem 2)",
    reading="""
- **Above, left**: excess risk of each method against n, a panel a dimension; the bars span the repeats. In the shaded
  part, left of $d^{p/2}$, Theorem 2 rules success out, up to a constant. Right of it success is possible for *some*
  learner; the mark does not say that Algorithm 1 succeeds there.
- **Below, left**: the alignment of the first layer. The grey curve is a step on labels of random sign, which carry no
  signal: what it reaches is learned from the noise of the gradient, which is larger where f* is large. The dashed line
  is r/d, chance.
- **Be careful at small d**: at d = 10 the risk of He₃ falls although the alignment stays low and is the noise's own.
  Many neurons at random in ten dimensions are enough. At d = 20, and plainly at d = 40, the failure is in the risk too.
- **Right, why**: at b = 0 a target of degree k meets the ReLU's coefficients $c_k$ and $c_{k+2}$. All odd ones from
  $c_3$ on are zero, so an odd target has a population gradient of exactly zero and n samples show noise alone. He₄
  meets $c_4$ and $c_6$, which are not zero: a small gradient is left.
""",
    source="""
Damian, Lee and Soltanolkotabi, COLT 2022, Theorem 2. The run is `featdash.experiments.degenerate.run`, the series
`featdash.theory.gradient_series`. Every method gets the same data and width, λ tuned on the same holdout. The control
with random signs is ours.
""",
    trials=(
        Trial(
            "Higher dimension: d = 20 and 40",
            {"dims": (20, 40), "methods": ("algorithm1", "random_features")},
            "At d = 40 the risk of Algorithm 1 stays around 0.8 at n = 10⁴: the failure is plain.",
        ),
        Trial(
            "Its rescue: He₂/2 + He₃/√12",
            {"target": "pretrain"},
            "A quadratic beside the cubic shows the way: at n = 10⁴ alignments of 0.8 to 0.9, and risks below 0.1.",
        ),
        Trial(
            "An even target: He₄/√24",
            {"target": "He4(z1)/sqrt(24)"},
            "The population gradient is not zero: at d = 10 it meets its noise at n = 10⁴, at d = 20 it lies below.",
        ),
    ),
    controls=("target", "dims", "sizes", "width", "noise", "seed"),
    more=("repeats", "methods", "holdout", "test"),
)


def measured(moment: Moment) -> dict[str, np.ndarray] | None:
    """The table as far as it is filled."""
    frame = moment.last("cells")
    return dict(frame.arrays) if frame else None


def risks(moment: Moment) -> Picture | None:
    """Excess risks with the mark d^{p/2}."""
    table, spec = measured(moment), moment.view.spec
    if table is None:
        return None
    marks = csq_marks(spec, table["d"].tolist())
    tables = {name: table[f"risk/{name}"] for name in spec.methods}
    return failure_risks(table["d"].tolist(), table["n"].tolist(), tables, marks, look=moment.look, height=205)


def csq_marks(spec: Spec, dims: Sequence[int]) -> list[float]:
    """n = d^{p/2} for each d; none where Theorem 2 says nothing."""
    degree = highest(spec).degree
    return [csq_scale(d, degree) for d in dims] if blind(spec) else []


def alignments(moment: Moment) -> Picture | None:
    """Alignment, and what noise alone gives."""
    table = measured(moment)
    if table is None:
        return None
    dims, rank = table["d"].tolist(), highest(moment.view.spec).rank
    parts = (dims, table["n"].tolist(), table["alignment"], table["noise_alignment"], [rank / d for d in dims])
    return failure_alignment(*parts, csq_marks(moment.view.spec, dims), look=moment.look, height=175)


def gradients(moment: Moment) -> Picture | None:
    """The population gradient beside the noise; at the end."""
    table, result = measured(moment), moment.result()
    if table is None or result is None:
        return None
    parts = (table["d"].tolist(), table["n"].tolist(), table["gradient_noise"], result.arrays["population"])
    return gradient_against_noise(*parts, look=moment.look, height=200)


def parity(moment: Moment) -> Picture:
    """Why the gradient vanishes, or does not."""
    target = highest(moment.view.spec)
    coefficients = gate_coefficients(np.zeros(()), target.degree + 2)
    return series_parity(coefficients, target.energy_by_degree, look=moment.look, height=180)


def highest(spec: Spec) -> PolynomialTarget:
    """The target in the largest dimension."""
    return target_of(spec.target, max(spec.dims))


def blind(spec: Spec) -> bool:
    """Whether Assumption 2 fails, so that Theorem 2 may speak."""
    target = highest(spec)
    return target.hessian_rank < target.rank


def facts(spec: Spec) -> None:
    theorem_card.facts(highest(spec), spec.target, max(spec.sizes), spec.width, spec.noise)


PART = Part(
    "When it must fail",
    EXPERIMENTS["degenerate"],
    LESSON,
    (
        Panel("degenerate-risk", risks, width=1.55, streams=("cells",)),
        Panel("degenerate-alignment", alignments, stacked=True, streams=("cells",)),
        Panel("degenerate-parity", parity),
        Panel("degenerate-gradient", gradients, stacked=True, streams=("cells",)),
    ),
    facts=facts,
    remark=lambda _: "Same data ✓ same width ✓ λ tuned alike ✓",
)
