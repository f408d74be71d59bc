"""Low-dimensional support on the page: data near a subspace or sphere of dimension r in R^d."""

from __future__ import annotations

from dataclasses import replace

from featdash.figures.film import Film
from featdash.figures.picture import Picture, Theme
from featdash.figures.text import number
from featdash.lessons.dimension import panels
from featdash.lessons.dimension.panels import FAIR, PHASE
from featdash.lessons.dimension.pictures import error_growth, errors_growth, growth_film
from featdash.lessons.dimension.recipe import SUPPORT, SupportSpec
from featdash.lessons.shared.pictures.errors import Prediction, Theory, error_curves
from featdash.theory.predictions import lipschitz_error
from featdash.ui.stage.lesson import Lesson, LessonText, Trial
from featdash.ui.stage.panels import Panel, growing
from featdash.ui.stage.shown import shown

TEXT = LessonText(
    question="What if the data only fill a few of the d dimensions?",
    formula=r"$x = V^{\!\top} z + \tau\,\text{noise}$, $z$ on $\mathbb{R}^r$ or a sphere: rate $n^{-2/(2+r)}$",
    reading="""
- **Use this part** to change the shape, dimension and thickness of the set that the inputs lie on. The story
  «What can a kernel adapt to, and what not?» shows the thin sphere.
- **Left**: the error on the same n samples, embedded in spaces of more and more dimensions d. The labels depend only on
  the position on the support. A flat curve is a method that *adapts to the support*. The kernels' are; the network's
  error, though small, grows by a factor of 1.3 to 3.2 from d = 4 to d = 100.
- **Theory** (thin), with the constant set to 1: dotted what r dimensions cost, dashed what d dimensions would cost if
  the data filled them. Compare the shapes.
- **Right**: the last error over the first. Near 1 the dimension does not matter. Nobody told the methods where the
  support is: distances and angles between points already know it, and these kernels see nothing else. The network has
  weights for every input, also for those off the support.
- Off the support the inputs carry noise, of relative size τ in total. The thicker the support, the more a kernel sees
  of d.
""",
    source="""
The slides of the reading group, in which kernels and networks both adapt to low-dimensional support. The task is
`featdash.tasks.support.SupportTask`, the run `featdash.lessons.dimension.run.run`. Our choices: the thickness,
the Lipschitz function on the support, and that the sample on the support is the same at every d.
""",
    trials=(
        Trial(
            "A subspace instead of a sphere",
            {"shape": "subspace"},
            "The kernels are flat again, at two to five times the error: Gaussian inputs have tails. The network's "
            "error grows by a factor of 1.6 to 2.2 from d = 4 to d = 100, as it does on the sphere (seeds 0, 7, 11).",
        ),
        Trial(
            "A thick support: τ = 1",
            {"thickness": 1.0},
            "The inputs spread off the support as far as along it: from d = 4 to d = 100 errors rise by a factor of 4 "
            "to 18, and end ten times or more above those of the thin support (seeds 0, 7, 11).",
        ),
        Trial(
            "A support of dimension 6",
            {"r": 6, "dims": (7, 15, 40, 100)},
            "Almost flat in d: from d = 7 to d = 100 the kernels' errors grow by less than a fifth, the network's by "
            "a third. But all errors are ten times higher or more: the curse is now that of r (seeds 0, 7, 11).",
        ),
    ),
    controls=("shape", "r", "dims", "thickness", "n", "seed"),
)
RATES = ("rate of d", "rate of r")


@shown
def errors(curves: panels.Errors, spec: SupportSpec, theme: Theme) -> Picture:
    """Errors against d, beside the rates of r and of d."""
    curves_so_far, d = curves or {}, panels.dimensions_between(spec.dims)
    rates = (lipschitz_error(spec.n, d), lipschitz_error(spec.n, 0 * d + spec.r))
    lines = [Prediction(name, d, rate, dash) for name, rate, dash in zip(RATES, rates, ("dash", "dot"), strict=True)]
    title = f"Error at n = {number(spec.n)} samples near a {spec.shape} of dimension r = {spec.r}"
    picture = error_curves(curves_so_far, spec.dims, theme=theme, title=title, theory=Theory(lines), height=425)
    return replace(picture, headline=errors_growth(curves_so_far))


@shown
def growth(curves: panels.Errors, spec: SupportSpec, theme: Theme) -> Picture | None:
    """By how much each error has grown."""
    whole = panels.complete(curves or {}, spec.dims)
    first, last = lipschitz_error(spec.n, (min(spec.dims), max(spec.dims)))
    lines = [(1.0, "flat"), (float(last / first), "rate of d")]
    return error_growth(whole, spec.dims, theme=theme, lines=lines, height=300) if whole else None


@shown
def factors_film(picture: Picture, curves: panels.Errors, spec: SupportSpec) -> Film | None:
    return growth_film(picture.figure, panels.complete(curves or {}, spec.dims), spec.dims)


LESSON = Lesson(
    "Support",
    SUPPORT,
    TEXT,
    (
        Panel("support-error", errors, film=growing(PHASE, still=RATES)),
        Panel("support-growth", growth, film=factors_film),
    ),
    film=(PHASE,),
    remark=lambda _: FAIR,
)
