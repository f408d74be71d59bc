"""A reading group's table: result, samples, algorithm, assumptions, source, and the lesson where it can be run.

It goes from fixed kernels over one step to what no algorithm can do without. What a paper proves to be enough is called
enough, and never necessary.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from featdash.recipes.experiment import find_experiment
from featdash.ui.kit import link
from featdash.ui.story import course_end

BOUNDS = {  # what a number of samples is
    "enough": "enough",
    "necessary": "necessary",
    "both": "enough and necessary",
    "threshold": "a threshold",
    "conjecture": "a conjecture",
    "heuristic": "a heuristic of the authors",
}


@dataclass(frozen=True)
class KnownBound:
    """A row of the table.

    result : what is learned.  samples : how many samples, as an order in d.  bound : of BOUNDS, what that number means.
    algorithm : for which algorithm, or for which class of them.  assumptions, source : as the source has them.
    experiment, settings : where it can be run, and what differs from the defaults.  visible : what one sees there.
    """

    result: str
    samples: str
    bound: str
    algorithm: str
    assumptions: str
    source: str
    experiment: str
    visible: str
    settings: Mapping[str, Any] = field(default_factory=dict, hash=False)

    def __post_init__(self) -> None:
        if self.bound not in BOUNDS:
            raise ValueError(f"bound must be one of {', '.join(BOUNDS)}, got {self.bound!r}; choose one of them")

    def query(self) -> dict[str, str]:
        """The query of the address of its lesson: the part of the page, the seed and the settings."""
        entry = find_experiment(self.experiment)
        seed = next(name for name in ("seed", "seeds") if hasattr(entry.spec(), name))
        values = {seed: getattr(entry.spec(), seed)} | dict(self.settings)
        return {"part": self.experiment} | link.query(entry, values, always=(seed,))


DAMIAN = "Damian, Lee, Soltanolkotabi, COLT 2022"
TABLE = (
    KnownBound(
        "Every polynomial of degree $p$",
        "$d^p$",
        "both",
        "A fixed kernel that treats all directions alike",
        r"Inputs uniform on the sphere or the hypercube, $d \to \infty$, $n$ between powers of $d$; a guide for "
        "Gaussian inputs",
        "Ghorbani, Mei, Misiakiewicz, Montanari, Annals of Statistics 2021; Mei, Misiakiewicz, Montanari, ACHA 2022",
        "latent",
        "kernels against Algorithm 1 as d grows",
    ),
    KnownBound(
        "A polynomial of degree $p$ of $r$ hidden directions",
        r"$d^2 r + d\,r^p$",
        "enough",
        "One step on the first layer, then a ridge head (Algorithm 1)",
        "Gaussian inputs; an average Hessian of rank $r$ (Assumption 2); constants, logarithms and powers of κ left "
        "out; for the error no lower bound of this form is known to us",
        f"{DAMIAN}, Theorem 1",
        "sweep",
        "risks against n, ours beside the paper's",
    ),
    KnownBound(
        "The directions themselves",
        r"$d^2 r$",
        "enough",
        "One step on the first layer",
        "Gaussian inputs; Assumption 2; up to a power of κ",
        f"{DAMIAN}, Lemma 1 and Theorem 1",
        "phase-map",
        "alignment over d and n, with fitted powers",
    ),
    KnownBound(
        "Another polynomial of the same directions, the layer kept",
        r"$r^p$ for the new head, with no $d$ in it",
        "enough",
        "A new ridge head on the layer of Algorithm 1",
        r"A layer trained on $d^2 r$ samples of a target that meets Assumption 2; up to powers of κ and logarithms",
        f"{DAMIAN}, Theorem 3",
        "transfer",
        "risk against N, for layers from n samples",
    ),
    KnownBound(
        "Alignment with the target along a single direction, where the target has a linear part",
        "$d$",
        "both",
        "One large step on the first layer",
        "Gaussian inputs, large d; from the abstract",
        "Dandi, Krzakala, Loureiro, Pesce, Stephan, JMLR 2024",
        "spikes",
        "the large singular values after one step",
    ),
    KnownBound(
        "Neurons that specialise to several directions",
        "$d^2$",
        "necessary",
        "One large step on the first layer",
        "Gaussian inputs, large d; from the abstract",
        "Dandi, Krzakala, Loureiro, Pesce, Stephan, JMLR 2024",
        "spectrum",
        "which directions the step shows, by n",
    ),
    KnownBound(
        r"A hard direction, which the target shows from degree $\ell$ on, its leap index",
        r"$d^\ell$",
        "necessary",
        "One large step on the first layer",
        "Gaussian inputs, large d; a statement about neurons, not about the error; from the abstract",
        "Dandi, Krzakala, Loureiro, Pesce, Stephan, JMLR 2024",
        "phase-map",
        "alignment over d and n, for a target whose leap index is 2",
    ),
    KnownBound(
        "A polynomial of degree $p$ of one direction without Assumption 2, such as He₃",
        "$d^{p/2}$",
        "heuristic",
        "Correlational queries, the worst polynomial of a class",
        r"Theorem 2 bounds the tolerance of a query; $\tau \approx n^{-1/2}$ turns it into samples",
        f"{DAMIAN}, Theorem 2 and below it",
        "degenerate",
        "who finds a cubic, over d and n",
    ),
    KnownBound(
        r"One direction, information exponent $k \ge 3$",
        "$d^{k-1}$",
        "both",
        "Online gradient descent, each sample seen once",
        "Gaussian inputs, d large, up to logarithms; the exponent is that of the loss of this very neuron",
        "Ben Arous, Gheissari, Jagannath, JMLR 2021",
        "repetition",
        "tanh, one look: the curves coincide over n/d²",
        {"activations": ("tanh",), "looks": ("once",)},
    ),
    KnownBound(
        r"The same, with a loss that is averaged over a sphere around the neuron",
        "$d^{k/2}$",
        "enough",
        "Online gradient descent on the smoothed loss",
        "Gaussian inputs, d large; correlational queries bound the samples from below by the same order, by the rule "
        "of thumb above",
        "Damian, Nichani, Ge, Lee, NeurIPS 2023",
        "repetition",
        "tanh, one look, for comparison; the smoothed loss itself is not run",
        {"activations": ("tanh",), "looks": ("once",)},
    ),
    KnownBound(
        "A function of a few inputs ±1, each of whose monomials adds one input at most",
        "$d$",
        "enough",
        "Stochastic gradient descent on a two-layer network",
        "Mean-field regime, d large; for so few samples that property is necessary, and nearly sufficient",
        "Abbe, Boix-Adserà, Misiakiewicz, COLT 2022",
        "staircase",
        "steps until a stair is learned, and without a stair",
    ),
    KnownBound(
        "The same, with monomials that add $L$ inputs at once",
        r"$d^{\max(L, 2)}$, in time",
        "conjecture",
        "Stochastic gradient descent",
        "Uniform ±1 and Gaussian inputs, up to logarithms; proved in part, for a modified training",
        "Abbe, Boix-Adserà, Misiakiewicz, COLT 2023",
        "staircase",
        "how the steps grow with d, for leaps of 1, 2 and 3",
    ),
    KnownBound(
        "A target of several directions, to vanishing error",
        r"$\tilde O(d)$",
        "enough",
        "More than a constant number of steps on the first layer, then a head",
        r"Gaussian inputs; a smooth σ with $\sigma'(0) = 0$, $\sigma''(0) = 1$; the average of $\ell'(0, y)\,x x^\top$ "
        "has rank $r$, a fixed number",
        "Zhang, Wang, Fu, Lee, ICLR 2026, arXiv 2511.15120",
        "more-steps",
        "samples for an alignment of ½, after 1 to 8 steps",
        {"activation": "log_cosh"},
    ),
    KnownBound(
        "Any polynomial of a single direction",
        "$d$, up to logarithms",
        "enough",
        "A two-layer network whose batches are used again",
        "Gaussian inputs; the constant depends on the degree; from the abstract",
        "Lee, Oko, Suzuki, Wu, NeurIPS 2024; for several directions Arnaboldi, Dandi, Krzakala, Pesce, Stephan 2024",
        "repetition",
        "two looks: the curves coincide over n/d",
        {"looks": ("twice",)},
    ),
    KnownBound(
        "One direction: which of the two exponents counts",
        "as the information exponent says with small steps, in certain cases as the generative one with large ones",
        "threshold",
        "Gradient descent with one look or with several at each sample",
        "Gaussian inputs; from the abstract",
        "Tsiolis, Mousavi-Hosseini, Erdogdu, NeurIPS 2025, arXiv 2510.21020",
        "repetition",
        "one look with the same step size in all dimensions",
        {"looks": ("once",), "shorter": False},
    ),
    KnownBound(
        "Feature learning by gradient descent, a direction after the first ones",
        r"$\delta\,d$ for a critical constant δ",
        "threshold",
        "Gradient descent on networks of a fixed number of neurons",
        r"Isotropic inputs, labels of a fixed number of projections, $n, d \to \infty$ in proportion; from the "
        "abstract",
        "Montanari, Wang 2026, arXiv 2602.01434",
        "hessian",
        "the lowest direction of the Hessian, above and below",
    ),
    KnownBound(
        "A single direction, labels changed at will",
        r"$d^{g/2}$, $g \ge 2$ the generative exponent",
        "both",
        "Broad classes of efficient algorithms (statistical queries, low degree); a partial-trace estimator meets it",
        "Gaussian inputs; to find the direction at all takes of the order of $d$, by any algorithm; from the abstract",
        "Damian, Pillaud-Vivien, Lee, Bruna, COLT 2024",
        "rescue",
        "a cubic found by one step on other labels",
    ),
    KnownBound(
        "Several directions, labels changed at will",
        r"$d^{\max(1, g/2)}$, $g$ the generative leap",
        "both",
        "Low-degree polynomials; a spectral estimator meets it",
        "Gaussian inputs, a fixed number of directions; from the abstract",
        "Damian, Lee, Bruna 2025, arXiv 2506.05500",
        "more-steps",
        "two directions at once, by several steps; the bound itself is not run",
        {"target": "z1*z2"},
    ),
    KnownBound(
        r"Every Lipschitz function of $d$ inputs, to an error $\varepsilon$",
        r"$\varepsilon^{-(2+d)/2}$",
        "necessary",
        "Any method",
        "The worst function of the class, noisy labels, a density bounded from below; d fixed",
        "Stone, Annals of Statistics 1982",
        "dimension",
        "errors against n without any structure, in several dimensions",
    ),
)


def table() -> None:
    """Draw the table; each row has a link to its lesson."""
    homes = st.session_state[course_end.HOMES]
    head = ["Result", "Samples, in order", "Algorithm", "Assumptions", "Source", "Where it can be run"]
    lines = [_row(head), _row(["---"] * len(head)), *(_row(cells(one, homes)) for one in TABLE)]
    st.markdown("\n".join(lines))


def cells(one: KnownBound, homes: Mapping[str, str]) -> list[str]:
    """The cells of a row; homes : experiment -> the page that it is on."""
    address = link.address(homes[one.experiment], one.query())
    place = f"[{find_experiment(one.experiment).title}]({address}): {one.visible}"
    return [one.result, f"{one.samples}: **{BOUNDS[one.bound]}**", one.algorithm, one.assumptions, one.source, place]


def _row(columns: list[str]) -> str:
    return f"| {' | '.join(columns)} |"
