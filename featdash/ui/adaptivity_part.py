"""The closing table on the page: what each method adapts to, from the measured numbers of all five experiments."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from featdash.experiments import EXPERIMENTS
from featdash.experiments.spec import Spec
from featdash.figures.adaptivity_table import Row, adaptivity_table
from featdash.figures.error_curves import error_curves
from featdash.figures.lettering import number
from featdash.figures.picture import Picture
from featdash.figures.solver_cost import duration
from featdash.theory.predictions import lipschitz_reach
from featdash.ui import dimension_numbers as numbers
from featdash.ui.board import Moment, Panel
from featdash.ui.lesson import Trial
from featdash.ui.lesson_page import Lesson, Part
from featdash.ui.solvers_part import BUSY
from featdash.ui.target_picker import target_of

METHODS = ("rbf", "ntk", "network", "algorithm1")
BRIEF = {"direct": "direct", "richardson": "a step"}
TITLES = {"dimension": "No structure", "support": "Low-dimensional support", "latent": "Latent variables"}

LESSON = Lesson(
    question="So what does each method adapt to?",
    formula="no structure · support · smoothness · latent variables $g(Ux)$ · cost",
    reading="""
- Every entry is measured by the parts of this page, on one seed's data; nothing is ticked by hand. The shade follows
  from the numbers. **Dimension, support, latent**: *reach* is the d at which the error rises through ¼. Shaded green is
  a reach beyond that of the theory for a method that does *not* adapt, named in the second column, with its constant
  set to 1. **Smoothness**: green is an error that falls faster in n for the smooth target than for the jump.
  **Cost**: exponents of the time of a direct solve and of one Richardson step; ⚠ marks times that other work on the
  machine disturbed, whose exponents mean little.
- **What does this mean for kernel methods?** They adapt to support and to smoothness without being told. What they miss
  is a fixed notion of distance that $f^*$ does not share: with $g(Ux)$ all of $\\mathbb{R}^d$ looks alike to them.
- **Could the trick be used on the NTK?** Nothing forbids to linearise the network *after* the first-layer step: its
  kernel then depends on the data. In the Lab, Algorithm 1 and random features are ridge regression on the same kind of
  features, turned by that one step or not. Methods that learn the distance itself (recursive feature machines) do
  without a network. An NTK after the step, or such a machine, is not measured here.
- **What of Assumption 2?** Where $\\mathbb{E}\\nabla^2 f^*$ has a rank below r, one step does not see all of U: open
  *Latent variables* with He₃/√6, and «When it must fail» on the page One step.
""",
    source="""
The closing slides of the reading group on feature learning and the limits of kernels. The table is
`featdash.experiments.adaptivity.gather`; the reaches without adaptation are
`featdash.theory.predictions.lipschitz_reach` and $n^{1/p}$. The network's smoothness exponents are those of a fixed
number of training steps.
""",
    trials=(
        Trial("Another seed: 1", {"seed": 1}, "Other functions and samples: the entries move; do the shades?"),
        Trial(
            "The three sweeps over d alone",
            {"parts": ("dimension", "support", "latent")},
            "Quicker, and live side by side: rising, flat, and two kinds of method apart.",
        ),
    ),
    controls=("parts", "seed"),
)


def recipes(spec: Spec) -> dict[str, tuple[int, Any]]:
    """Part -> the index of its cell and its recipe."""
    cells = EXPERIMENTS["adaptivity"].cells(spec)
    return {name: (index, recipe) for index, (name, recipe) in enumerate(cells)}


def sweep_row(question: str, row: Mapping[str, Any], unadapted: float, rule: str) -> Row:
    """Errors at both ends and the reach."""
    texts, adapts = {}, {}
    for name, one in row["methods"].items():
        first, last = (number(round(error, 4)) for error in one["error"])
        reach = f"> {row['dims'][1]}" if one["reach"] is None else number(round(one["reach"], 1))
        texts[name] = f"{first} → {last}<br>reach {reach}"
        adapts[name] = one["reach"] is None or one["reach"] > unadapted
    low, high = row["dims"]
    measured = (
        f"error, d = {low} → {high}, n = {number(row['n'])}<br>reach unadapted, {rule}: {number(round(unadapted, 1))}"
    )
    return Row(question, measured, texts, adapts)


def bare_row(question: str, row: Mapping[str, Any], recipe: Any) -> Row:  # noqa: ARG001  rows are built alike
    """A sweep whose theory is the rate of a Lipschitz function of d variables."""
    return sweep_row(question, row, lipschitz_reach(row["n"], row["level"]), "n<sup>−2/(2+d)</sup>")


def latent_row(row: Mapping[str, Any], recipe: Any) -> Row:
    """A kernel must lose the degree p where d^p passes n."""
    degree = target_of(recipe.target, max(recipe.dims)).degree
    return sweep_row("Latent variables g(Ux)", row, row["n"] ** (1 / degree), f"n<sup>1/{degree}</sup>")


def smoothness_row(row: Mapping[str, Any], recipe: Any) -> Row:
    """The exponents in n of both targets."""
    texts, adapts = {}, {}
    for name, one in row["methods"].items():
        jump, smooth = one["heaviside"]["exponent"], one["smooth"]["exponent"]
        shown = recipe.kernel if name == "kernel" else name
        texts[shown] = f"jump n<sup>{jump:.2f}</sup><br>smooth n<sup>{smooth:.2f}</sup>".replace("-", "−")
        adapts[shown] = smooth < jump
    low, high = row["n"]
    return Row("Smoothness", f"rate of the error<br>n = {number(low)} → {number(high)}", texts, adapts)


def solvers_row(row: Mapping[str, Any], recipe: Any) -> Row:  # noqa: ARG001  rows are built alike
    """The exponents of the times and the extrapolation; no verdict."""
    told = []
    for name, one in row["methods"].items():
        busy = " ⚠" if one["scatter"] > BUSY else ""
        told.append(f"{BRIEF[name]} n<sup>{one['exponent']:.2f}</sup>{busy} ⇢ {duration(one['at_ten_million'])}")
    low, high = row["n"]
    measured = f"seconds, n = {number(low)} → {number(high)}<br>⇢ <i>extrapolated</i> to n = 10⁷"
    return Row("Cost", measured, {"rbf": "<br>".join(told)}, {})


ROWS: dict[str, Callable[[Mapping[str, Any], Any], Row]] = {
    "dimension": partial(bare_row, "No structure: bare Lipschitz"),
    "support": partial(bare_row, "Support of low dimension"),
    "smoothness": smoothness_row,
    "latent": latent_row,
    "solvers": solvers_row,
}


def table(moment: Moment) -> Picture | None:
    """The closing table, at the end."""
    result = moment.result()
    if result is None:
        return None
    rows = []
    for name, (_, recipe) in recipes(moment.view.spec).items():
        row = result.summary[name]
        rows.append(Row(name.capitalize(), row["error"], {}, {}) if "error" in row else ROWS[name](row, recipe))
    return adaptivity_table(rows, METHODS, look=moment.look, height=72 + 48 * len(rows))


def errors(part: str, moment: Moment) -> Picture | None:
    """Error against d of one part, small."""
    index, recipe = recipes(moment.view.spec).get(part, (None, None))
    frame = moment.last(f"cell/{index}/errors")
    if recipe is None or frame is None:
        return None
    return error_curves(numbers.curves_of(frame), recipe.dims, look=moment.look, title=TITLES[part], height=215)


PART = Part(
    "Closing table",
    EXPERIMENTS["adaptivity"],
    LESSON,
    (
        Panel("adaptivity-table", table),
        *(Panel(f"adaptivity-{part}", partial(errors, part), row=1, streams=("cell/*/errors",)) for part in TITLES),
    ),
)
