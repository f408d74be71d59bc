"""The cost of a kernel on the page: measured seconds of two solvers, and where they lead."""

from __future__ import annotations

from featdash.experiments import EXPERIMENTS
from featdash.experiments.solvers import SOLVERS
from featdash.experiments.spec import Spec
from featdash.figures.lettering import number
from featdash.figures.picture import Picture
from featdash.figures.solver_cost import Line, residual_curve, solver_reach, solver_times
from featdash.ui.board import Moment, Panel
from featdash.ui.lesson import Trial
from featdash.ui.lesson_page import Lesson, Part

KNOWN = {"direct": 3, "richardson": 2}
BUSY = (
    0.1  # root mean square miss in log seconds from which on other work disturbed the times, as the experiment has it
)

LESSON = Lesson(
    question="What does a kernel cost when n grows?",
    formula=r"$A = K + \tfrac{n\lambda}{2} I$: solve $A\alpha = y$ in $\sim n^3$, or $\alpha \leftarrow \alpha - "
    r"\eta (A\alpha - y)$ in $\sim n^2$ a step",
    reading="""
- **Left**: seconds on one core, the least of the repeats; markers are measured, the lines fitted to the sizes of at
  least 0.4 of the largest, because smaller matrices fit into the processor's cache. Thin dotted lines have the slopes 3
  and 2 that counting flops predicts.
- **Right, above**: the same lines carried on to n = 10⁷. *Nothing there is measured*: the dashed part assumes that the
  machine goes on as before, and K alone would take 8·10¹⁴ bytes, 800 terabytes.
- **Right, below**: one step is cheap, but how many? What remains of the residual falls slowly, the more slowly the
  smaller λ: the directions of small eigenvalues hardly move.
- On a machine busy with other work the fitted exponents mean little; the title of the picture says when that is so.
""",
    source="""
The slides of the reading group: a direct solve takes n³ (n = 10⁴: 10¹² flops, easy; n = 10⁷: 10²¹, impossible), an
iteration n² a step (10¹⁴ at n = 10⁷). The run is `featdash.experiments.solvers.run`, the solvers
`featdash.learners.richardson`. Our choices: a Gaussian kernel on 10 inputs, one core, and that making K is not timed.
""",
    trials=(
        Trial(
            "A tiny ridge: λ = 10⁻⁶",
            {"lam": 1e-6, "iterations": 200, "largest": 2000},
            "The direct solve does not care; the residual of the iteration almost stands still.",
        ),
        Trial(
            "A large ridge: λ = 0.3",
            {"lam": 0.3, "iterations": 200, "largest": 2000},
            "A few steps are enough: strong regularisation makes the iteration fast.",
        ),
        Trial(
            "Small systems only: n ≤ 800",
            {"largest": 800, "repeats": 5},
            "The exponents fall short of 3 and 2: overheads and caches rule, not flops.",
        ),
    ),
    controls=("largest", "sizes", "iterations", "repeats", "lam", "seed"),
    sliders=("largest",),
)


def fitted(moment: Moment) -> dict[str, Line]:
    """solver -> its line; empty before the end."""
    result = moment.result()
    if result is None:
        return {}
    return {name: Line(result.summary[name]["exponent"], result.summary[name]["at_ten_million"]) for name in SOLVERS}


def busy(moment: Moment) -> bool:
    """Whether the machine was busy with other work."""
    result = moment.result()
    return result is not None and any(result.summary[name]["scatter"] > BUSY for name in SOLVERS)


def times(moment: Moment) -> Picture | None:
    """Measured seconds."""
    frame = moment.last("seconds")
    if frame is None:
        return None
    n, seconds = frame.arrays["n"].tolist(), {name: frame.arrays[name].tolist() for name in SOLVERS}
    shown = {"last": moment.view.spec.largest, "busy": busy(moment), "height": 425}
    return solver_times(n, seconds, fitted(moment), KNOWN, look=moment.look, **shown)


def reach(moment: Moment) -> Picture | None:
    """The extrapolation, at the end."""
    frame, lines = moment.last("seconds"), fitted(moment)
    if frame is None or not lines:
        return None
    n, seconds = frame.arrays["n"].tolist(), {name: frame.arrays[name].tolist() for name in SOLVERS}
    return solver_reach(n, seconds, lines, look=moment.look, height=250)


def residual(moment: Moment) -> Picture | None:
    """What Richardson's iteration has left at the largest n so far."""
    frame = moment.last("residual")
    if frame is None:
        return None
    steps, left = frame.arrays["step"].tolist(), frame.arrays["residual"].tolist()
    return residual_curve(steps, left, int(frame.at), look=moment.look, height=175)


def remark(spec: Spec) -> str:
    """What is timed."""
    return (
        f"One core for both ✓ the least of {spec.repeats} timings ✓ a Richardson time is the mean of "
        f"{number(spec.iterations)} steps ✓ making K not timed"
    )


PART = Part(
    "Cost",
    EXPERIMENTS["solvers"],
    LESSON,
    (
        Panel("cost-seconds", times, width=1.25, streams=("seconds",)),
        Panel("cost-extrapolated", reach, streams=("seconds",)),
        Panel("cost-residual", residual, stacked=True, streams=("residual",)),
    ),
    remark=remark,
)
