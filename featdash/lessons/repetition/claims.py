"""What «Look twice» claims, and what it does not show."""

from featdash.recipes.claim import Claim, Figure

ARNABOLDI = "Arnaboldi, Dandi, Krzakala, Pesce, Stephan 2024"
LIMITS = r"""
- **Training as it is done.** One neuron, batch 1, a start at a right angle to u, rows of unit norm, and a look ahead
  whose size is set by hand. Passing over a data set twice is a different way of seeing a sample again.
- **That one look is too little in general.** A ReLU with bias 0 never sees an odd target in one look, with any number
  of samples. A neuron with a cubic part does, with about d² samples, and is not on this page.
- **That the neuron finds u in full.** It comes to about 0.7 and stays: the steps that are kept do not shrink, and
  their fluctuations hold it back. The dotted line is a heuristic for large d, and for the start alone.
- **The power of d.** That samples grow like d is read from three dimensions whose curves lie on one another, not
  proved.
- **Every target.** An even one has nothing to see at a right angle to u; products of several variables are harder
  still.
"""


def _end(variant: str, d: int, stated: str) -> Figure:
    return Figure(f"overlap.{variant}.{d}", stated)


CLAIMS = (
    Claim(
        "published",
        r"With a second look at each sample almost all directions of a target of several indices are learned in at "
        r"most $O(d \log d)$ steps, among the exceptions sparse parities.",
        f"{ARNABOLDI}, from the abstract: two-layer networks, Gaussian inputs, d large; orders, no constants.",
    ),
    Claim(
        "published",
        r"A two-layer network trained by a variant of SGD that uses batches again learns any polynomial of a single "
        r"direction with of the order of $d$ samples up to logarithms, whatever its information exponent.",
        "Lee, Oko, Suzuki, Wu, NeurIPS 2024, from the abstract: Gaussian inputs; the constant depends on the degree.",
    ),
    Claim(
        "published",
        r"With one look at each sample a neuron whose own activation has a cubic part learns a cubic of a single "
        r"direction from about $d^2$ samples: of the order of $d^{k - 1}$ for an information exponent of $k \ge 3$.",
        "Ben Arous, Gheissari, Jagannath, JMLR 2021: online SGD, d large, up to logarithms. The exponent is that of "
        "the population loss; with the ReLU of this page the loss has no such term, and their result says nothing.",
    ),
    Claim(
        "theorem",
        r"In one look a ReLU with bias 0 never sees an odd target without a linear part: $\mathbb{E}\,y\,z\,1\{w "
        r"\cdot x > 0\} = \tfrac12 \mathbb{E}\,y\,z = 0$ at every $w$, not only at a right angle.",
        "Inputs for which x and −x have the same law, as Gaussian ones: $y z$ is the same for both, and the neuron is "
        "on for one of them. Derived by us.",
        check="tests/learners/test_online_neuron.py",
    ),
    Claim(
        "theorem",
        r"With one look, and $w$ at a right angle to $u$, an average step has no part along $u$ for any target without "
        r"a linear part: $\mathbb{E}(y - w \cdot x)\,1\{w \cdot x > 0\}\,u \cdot x = \tfrac12 \mathbb{E}\,y\,z$.",
        "Gaussian inputs, in which u·x and w·x are then independent. Derived by us.",
        check="tests/learners/test_online_neuron.py",
    ),
    Claim(
        "theorem",
        r"For Gaussian inputs $w \cdot u$ is a Markov chain of its own, driven by $u \cdot x$, $w \cdot x$ and "
        r"$\lVert x \rVert^2$; the run follows it, and so is exact.",
        "A single direction, noise independent of x, rows of unit norm. Derived by us.",
        check="tests/learners/test_online_neuron.py",
    ),
    Claim(
        "measured",
        "After $300\\,d$ samples the median overlap of two looks is {}, {} and {} in 64, 128 and 256 dimensions; one "
        "look, which sees nothing of this target with a ReLU, is left to chance, with {}, {} and {}.",
        "Seeds 0 to 4 and 21; 40 runs each; γ·d = 0.1, ρ·d = 0.2, no noise.",
        figures=(
            _end("twice", 64, "0.733 to 0.774"),
            _end("twice", 128, "0.712 to 0.745"),
            _end("twice", 256, "0.709 to 0.726"),
            _end("once", 64, "0.11 to 0.19"),
            _end("once", 128, "0.05 to 0.18"),
            _end("once", 256, "0.05 to 0.10"),
        ),
    ),
    Claim(
        "measured",
        "A first look with ρ·d of 1 fits its sample: two looks then end at {}, {} and {} in 64, 128 and 256 "
        "dimensions.",
        "Seeds 0 to 4 and 21; 40 runs each.",
        {"rho": 1.0},
        (
            _end("twice", 64, "0.218 to 0.247"),
            _end("twice", 128, "0.109 to 0.134"),
            _end("twice", 256, "0.062 to 0.068"),
        ),
    ),
    Claim(
        "open",
        "How much of this happens in networks as they are trained, with batches, several passes and all layers moving.",
        "Not measured here.",
    ),
)
