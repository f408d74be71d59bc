"""Theorems 1 to 3 of Damian, Lee and Soltanolkotabi (2022) with a visitor's numbers in them.

The theorems name orders, not constants: Õ and Ω̃ hide a constant and powers of logarithms. Each number given here is
what stands inside, with the constant taken as 1 and no logarithm: good for comparing settings, no promise of a risk.
Conditions are checked where a run can be checked against them; one on an order has a constant that is not named, and
that of the noise is replaced by a choice of ours, so those stay open.
"""

from __future__ import annotations

import math

import numpy as np

from featdash.theory.predictions import csq_scale
from featdash.theory.target import PolynomialTarget
from featdash.theory.theorem import AS_PRINTED, Assumption, FirstStep, Status, Term, Theorem

SAME_DIRECTION = 1e-6  # what rounding leaves of a unit vector outside a span it lies in
GAUSSIAN_MEAN = math.sqrt(2 / math.pi)  # E|ε| of ε ~ N(0, 1)
UP_TO_CONSTANT = "up to a constant and logarithms that the theorem does not name"


def theorem_1(target: PolynomialTarget, n: int, m: int, noise: float, step: FirstStep = AS_PRINTED) -> Theorem:
    """Algorithm 1 with n samples, width m and label noise ς: an upper bound on E|f - y| - ς, in L¹.

    With noise ±ς, as in the paper, that is the excess over the best predictor; with the Gaussian noise of the runs,
    of mean |ς ε| = 0.80 ς, the best predictor itself has -0.20 ς.

    Errors: ValueError if n or m is below 1, or noise is below 0.
    """
    _check(n=n, m=m)
    p = target.degree
    terms = (
        _root(target, r"d \, r^p \kappa^{2p}", "n", n, p, factor=target.d),
        _root(target, r"r^p \kappa^{2p}", "m", m, p),
        _fourth_root("n", n),
    )
    return Theorem(
        number=1,
        title="One step, then ridge",
        statement=r"\mathbb{E}\,|f(x) - y| - \varsigma \;\le\; \tilde O\!\left(" + _symbols(terms) + r"\right)",
        assumptions=(
            *_data_assumptions(target, noise),
            *_enough(target, n),
            _width(m),
            *_step_assumptions(step, target.d),
        ),
        terms=terms,
        bound=_total(terms),
        says=f"bounds the mean absolute error less ς{_beyond(noise)}, {UP_TO_CONSTANT}",
    )


def theorem_2(target: PolynomialTarget, n: int) -> Theorem:
    """The lower bound where Assumption 2 fails, on the tolerance τ of correlational statistical queries.

    The bound in the card is the number of samples that the paper's heuristic τ ≈ n^{-1/2} makes of it, d^{p/2}. It is
    no bound on samples for every learner: the noise of a sample is random, not adversarial, and a learner may do more
    with y than correlate it.
    Stated for He_p(u·x)/√p!, p >= 3; for other targets its status is unknown here.
    Errors: ValueError if n is below 1.
    """
    _check(n=n)
    d, p = target.d, target.degree
    samples = csq_scale(d, p)
    pure = target.rank == 1 and math.isclose(target.energy_by_degree[p], target.second_moment, rel_tol=1e-9)
    because = f"the target has rank {target.rank} and energy in the degrees {_degrees(target)}"
    status: Status = "holds"
    if target.hessian_rank == target.rank:
        status, because = "fails", "Assumption 2 holds, so one step sees the subspace and this bound says nothing"
    elif not (pure and p >= 3):
        status, because = "unknown", f"{because}, and the theorem is stated for one pure Hermite degree"
    form = Assumption("form", r"f^* = \mathrm{He}_p(u \cdot x)/\sqrt{p!},\ p \ge 3", status, f"{because}.")
    ratio = f"n = {n} is {_figures(n / samples)} times d^(p/2) = {_figures(samples)}"
    return Theorem(
        number=2,
        title="Without the Hessian, finer queries",
        statement=r"\tau \;\le\; \tilde O\big(d^{-p/4}\big), \quad"
        r"\text{and by the heuristic } \tau \approx n^{-1/2}:\ n \gtrsim d^{p/2}",
        assumptions=(form,),
        terms=(Term(r"d^{p/2}", rf"{d}^{{{p}/2}}", samples),),
        bound=samples,
        says=f"the samples at which the heuristic meets the tolerance that a correlational-query learner needs, "
        f"{UP_TO_CONSTANT}; it binds no other learner, and more samples need not be enough; {ratio}",
    )


def theorem_3(
    source: PolynomialTarget,
    new: PolynomialTarget,
    n: int,
    m: int,
    N: int,
    noise: float,
    step: FirstStep = AS_PRINTED,
) -> Theorem:
    """Transfer: W¹ from n samples of `source`, the head refitted on N samples of `new`; no d in the bound.

    r and κ are those of `source`, the degree p that of `new`.
    Errors: ValueError if n, m or N is below 1, noise is below 0, or the two dimensions differ.
    """
    _check(n=n, m=m, N=N)
    if new.d != source.d:
        raise ValueError(f"d must be the same for both targets, got {source.d} and {new.d}; change one of them")
    terms = (_root(source, r"r^p \kappa^{2p}", r"\min(m, N)", min(m, N), p=new.degree), _fourth_root("N", N))
    outside = np.linalg.norm(new.subspace - new.subspace @ source.subspace.T @ source.subspace, axis=1)
    lost = int(np.sum(outside > SAME_DIRECTION))
    because = f"{lost} of the {new.rank} directions of the new target have a part outside"
    inside = Assumption("same subspace", r"S^*_{\text{new}} \subseteq S^*", _status(lost == 0), f"{because}.")
    return Theorem(
        number=3,
        title="Transfer",
        statement=r"\mathbb{E}\,|f(x) - y| - \varsigma \;\le\; \tilde O\!\left(" + _symbols(terms) + r"\right)",
        assumptions=(
            *_data_assumptions(source, noise),
            inside,
            *_enough(source, n),
            _width(m),
            *_step_assumptions(step, source.d),
        ),
        terms=terms,
        bound=_total(terms),
        says=f"bounds the mean absolute error of the new head less ς{_beyond(noise)}, {UP_TO_CONSTANT}",
    )


def _data_assumptions(target: PolynomialTarget, noise: float) -> tuple[Assumption, ...]:
    """What theorems 1 and 3 both ask of the data."""
    if not noise >= 0:
        raise ValueError(f"noise must be a number from 0 up, got {noise}; use 0 for clean labels")
    r, hessian_rank = target.rank, target.hessian_rank
    unit = math.isclose(target.second_moment, 1, rel_tol=1e-6)
    scale = f"E f*² = {_figures(target.second_moment)}" + ("" if unit else "; divide the target by its root")
    rank = f"E∇²f* has rank {hessian_rank}, and r = {r}"
    ours = "there is no noise"
    if noise:
        ours = (
            f"the noise here is Gaussian, as in the authors' code, of mean absolute value {GAUSSIAN_MEAN:.2f} ς: a "
            f"perfect f has E|f − y| − ς = −{_figures((1 - GAUSSIAN_MEAN) * noise)}"
        )
    return (
        Assumption("Gaussian inputs", r"x \sim N(0, I_d)", "holds", f"inputs are drawn so, in d = {target.d}."),
        Assumption(
            "Assumption 1", r"f^*(x) = g(Ux),\ U \in \mathbb{R}^{r \times d}", "holds", f"r = {r} by construction."
        ),
        Assumption(
            "Assumption 2",
            r"\operatorname{rank}\, \mathbb{E}\,\nabla^2 f^* = r",
            _status(hessian_rank == r),
            f"{rank}.",
        ),
        Assumption("unit energy", r"\mathbb{E}\, f^*(x)^2 = 1", _status(unit), f"{scale}."),
        Assumption("two-valued noise", r"y = f^*(x) \pm \varsigma", "holds" if noise == 0 else "unknown", f"{ours}."),
    )


def _beyond(noise: float) -> str:
    """What that is an excess over, where there is noise."""
    ours = f", which is the excess for noise ±ς; with the Gaussian noise here E|ε| = {GAUSSIAN_MEAN:.2f} ς"
    return ours if noise > 0 else ""


def _step_assumptions(step: FirstStep, d: int) -> tuple[Assumption, ...]:
    """What theorems 1 and 3 ask of lines 1 to 3 of Algorithm 1."""
    fitted = "fits α + β·x apart" if step.remove_linear else "leaves the linear part in the labels"
    redrawn = step.biases == "redrawn"
    biases = "has b = 0 in the step and draws b after it" if redrawn else "keeps the biases from before the step"
    size = "brings the rows of W¹ to RMS norm 1, which is a rule of the authors' code"
    if step.eta is not None:
        size = f"has η₁ = {_figures(step.eta)}, {_figures(step.eta / math.sqrt(d))} times √d"
    steps = "one step" if step.count == 1 else f"{step.count} steps"
    neurons = "ReLUs" if step.activation == "relu" else "another activation in them"
    return (
        Assumption(
            "one ReLU step",
            r"W \gets -\eta_1 \nabla_W L \text{ once},\ \sigma = \mathrm{ReLU}",
            _status(step.count == 1 and step.activation == "relu"),
            f"the run takes {steps}, with {neurons}.",
        ),
        Assumption("line 1", r"y \gets y - \alpha - \beta \cdot x", _status(step.remove_linear), f"the run {fitted}."),
        Assumption(
            "step size", r"\eta_1 = \tilde O(\sqrt d)", "unknown", f"the run {size}; the constant is not named."
        ),
        Assumption("biases", r"b_j = 0,\ \text{then } b_j \sim N(0, 1)", _status(redrawn), f"the run {biases}."),
    )


def _width(m: int) -> Assumption:
    """The symmetric start needs pairs."""
    return Assumption("even width", r"m \text{ even}", _status(m % 2 == 0), f"m = {m}.")


def _enough(target: PolynomialTarget, n: int) -> tuple[Assumption, Assumption]:
    """The two conditions on sizes: n against d²κ²r and d against κ r^{3/2}."""
    d, r, kappa = target.d, target.rank, target.condition_number
    samples = None if kappa is None else d**2 * kappa**2 * r
    dimensions = None if kappa is None else kappa * r**1.5
    return (
        _order("enough samples", "n", n, r"d^2 \kappa^2 r", samples),
        _order("enough dimensions", "d", d, r"\kappa r^{3/2}", dimensions),
    )


def _order(title: str, letter: str, value: int, latex: str, order: float | None) -> Assumption:
    """The condition value >= Ω̃(order): above the order its unnamed constant decides, so it is never simply ticked."""
    statement = rf"{letter} \ge \tilde\Omega({latex})"
    if order is None:
        return Assumption(title, statement, "fails", "κ is infinite, for the expected Hessian has rank below r.")
    ratio = f"{letter} = {value} is {_figures(value / order)} times {_figures(order)}"
    if value < order:
        return Assumption(title, statement, "fails", f"{ratio}, too few even with a constant of 1.")
    return Assumption(title, statement, "unknown", f"{ratio}; the constant it must reach is not named.")


def _root(target: PolynomialTarget, above: str, below: str, count: int, p: int, factor: int = 1) -> Term:
    """√(factor r^p κ^{2p} / count), r and κ of the target."""
    r, kappa = target.rank, target.condition_number
    latex = rf"\sqrt{{\frac{{{above}}}{{{below}}}}}"
    condition = r"\infty" if kappa is None else _figures(kappa)
    lead = rf"{factor} \cdot " if factor != 1 else ""
    in_numbers = rf"\sqrt{{\frac{{{lead}{r}^{{{p}}} \cdot {condition}^{{{2 * p}}}}}{{{count}}}}}"
    return Term(latex, in_numbers, None if kappa is None else math.sqrt(factor * r**p * kappa ** (2 * p) / count))


def _fourth_root(name: str, count: int) -> Term:
    return Term(rf"\frac{{1}}{{{name}^{{1/4}}}}", rf"\frac{{1}}{{{count}^{{1/4}}}}", count**-0.25)


def _symbols(terms: tuple[Term, ...]) -> str:
    return " + ".join(term.latex for term in terms)


def _total(terms: tuple[Term, ...]) -> float | None:
    values = [term.value for term in terms if term.value is not None]
    return float(sum(values)) if len(values) == len(terms) else None


def _status(holds: bool) -> Status:
    return "holds" if holds else "fails"


def _degrees(target: PolynomialTarget) -> str:
    present = [str(k) for k, energy in enumerate(target.energy_by_degree) if energy > 0]
    return ", ".join(present)


def _figures(value: float) -> str:
    return f"{value:.0f}" if 1000 <= value < 1e6 else f"{value:.3g}"


def _check(**counts: int) -> None:
    for name, count in counts.items():
        if not count >= 1:
            raise ValueError(f"{name} must be at least 1, got {count}; raise {name}")
