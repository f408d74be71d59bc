"""The cost of a kernel on the page: measured seconds of two solvers, and where they lead."""

from __future__ import annotations

from typing import Annotated

from featdash.figures.picture import Picture, Theme
from featdash.figures.text import number
from featdash.lessons.solvers.frames import Seconds
from featdash.lessons.solvers.pictures import Line, Timings, residual_curve, solver_reach, solver_times
from featdash.lessons.solvers.recipe import EXPERIMENT, EXPONENTS, SOLVERS, SolversSpec
from featdash.recipes.events import Frame, Result
from featdash.ui.stage.lesson import Lesson, LessonText, Trial
from featdash.ui.stage.panels import Panel
from featdash.ui.stage.shown import shown

Timed = Annotated[Seconds, "seconds"]
TEXT = LessonText(
    question="What does a kernel cost when n grows?",
    formula=r"$A = K + \tfrac{n\lambda}{2} I$: solve $A\alpha = y$ in $\sim n^3$, or $\alpha \leftarrow \alpha - "
    r"\eta (A\alpha - y)$ in $\sim n^2$ a step",
    reading="""
- **Use this part** to time a kernel method on your own machine, for a lecture or an exercise on what kernels
  cost. No story needs it.
- **Left**: seconds on one core, the least of the repeats. Markers are measured. The lines have the slopes 3 and 2 that
  counting flops gives and go through the time at the largest n; smaller matrices fit into the processor's cache or
  leave it idle, so markers on the left stray from the lines.
- **Right, above**: the same lines carried on to n = 10⁷, as a range rounded to one digit: lines through
  the other sizes of at least 0.4 of the largest lead there too. *Nothing there is measured*: the dashed part assumes
  that the machine goes on as before, and K alone would take 8·10¹⁴ bytes, 800 terabytes.
- **Right, below**: one step is cheap, but how many does it take? The residual falls slowly, and more slowly for smaller
  λ: the directions of small eigenvalues hardly move.
- Other work on the machine spoils such times. If the processor was busy elsewhere for a tenth of a time or more, or if
  the sizes disagree by more than a factor of 1.5, the picture says so and carries nothing on to n = 10⁷.
""",
    source="""
The slides of the reading group: a direct solve takes n³ (n = 10⁴: 10¹² flops, easy; n = 10⁷: 10²¹, impossible), an
iteration n² a step (10¹⁴ at n = 10⁷). The run is `featdash.lessons.solvers.run.run`, the solvers
`featdash.learners.richardson`. Our choices: a Gaussian kernel on 10 inputs, one core, and that making K is not timed.
""",
    trials=(
        Trial(
            "A tiny ridge: λ = 10⁻⁶",
            {"lam": 1e-6, "iterations": 200, "largest": 2000},
            "The iteration hardly moves: 200 steps leave about 0.7 of the residual, and the last 100 of them take "
            "away hardly a hundredth.",
        ),
        Trial(
            "A large ridge: λ = 0.3",
            {"lam": 0.3, "iterations": 200, "largest": 2000},
            "Twenty steps leave less than a hundredth of the residual: strong regularisation makes the iteration fast.",
        ),
        Trial(
            "A thousand steps at n = 1400",
            {"iterations": 1000, "largest": 1400, "repeats": 1},
            "They still leave a fifth of the residual at λ = 10⁻³, and have cost more flops than the direct solve: "
            "2000 n² against n³/3.",
        ),
    ),
    controls=("largest", "sizes", "iterations", "repeats", "lam", "seed"),
    sliders=("largest",),
)


def lines(result: Result) -> dict[str, Line]:
    """solver -> its line; without a solver whose times other work disturbed."""
    fits = {name: result.summary[name] for name in SOLVERS}
    return {
        name: Line(one["exponent"], one["at_ten_million"], *one["range"])
        for name, one in fits.items()
        if not one["disturbed"]
    }


def timings(seconds: Seconds) -> Timings:
    """The seconds by solver."""
    return Timings(seconds.n, {"direct": seconds.direct, "richardson": seconds.richardson})


@shown
def times(seconds: Timed, result: Result | None, spec: SolversSpec, theme: Theme) -> Picture:
    """Measured seconds."""
    busy = result is not None and any(result.summary[name]["disturbed"] for name in SOLVERS)
    return solver_times(timings(seconds), EXPONENTS, theme=theme, last=spec.largest, busy=busy, height=425)


@shown
def reach(seconds: Timed, result: Result, theme: Theme) -> Picture:
    """The extrapolation, at the end."""
    return solver_reach(timings(seconds), lines(result), theme=theme, height=250)


@shown
def residual(frame: Annotated[Frame, "residual"], theme: Theme) -> Picture:
    """What Richardson's iteration has left at the largest n so far."""
    values = frame.arrays["residual"]
    return residual_curve(range(len(values)), values, int(frame.at), theme=theme, height=175)


def remark(spec: SolversSpec) -> str:
    """What is timed."""
    return (
        f"One core for both ✓ the least of {spec.repeats} timings ✓ a Richardson time is the mean of "
        f"{number(spec.iterations)} steps ✓ making K not timed"
    )


LESSON = Lesson(
    "Cost",
    EXPERIMENT,
    TEXT,
    (
        Panel("cost-seconds", times),
        Panel("cost-extrapolated", reach),
        Panel("cost-residual", residual),
    ),
    remark=remark,
)
