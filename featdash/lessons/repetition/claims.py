"""What «Look twice» claims, and what it does not show."""

from featdash.recipes.claim import Claim, Figure

ARNABOLDI = "Arnaboldi, Dandi, Krzakala, Pesce, Stephan 2024"
LIMITS = r"""
- **Training as it is done.** One neuron, batch 1, a start at a right angle to u, rows of unit norm, and a look ahead
  whose size is set by hand. Passing over a data set twice is a different way of seeing a sample again.
- **That one look is too little in general.** It depends on the neuron: a ReLU with bias 0 never sees an odd target in
  one look, tanh does, and a ReLU with other biases was not tried.
- **The powers of d.** That samples grow like d and like d² is read from three dimensions whose curves coincide, not
  proved. Those of one look do so with steps that shrink with d; with the same γ·d in all dimensions they do not.
- **That a ReLU finds u in full.** With two looks it comes to about 0.7 and stays: the steps that are kept do not
  shrink, and their fluctuations hold it back.
- **Every target.** An even one has nothing to see at a right angle to u; products of several variables are harder
  still.
"""
RATES = "100 runs each; γ·d = 0.1, times √(80/d) for one look, ρ·d = 0.2, no noise."
SEEDS = f"Seeds 0 to 5, 21 and 22; {RATES}"


def _end(variant: str, d: int, text: str) -> Figure:
    return Figure(f"overlap.{variant}.{d}", text)


def _half(variant: str, d: int, unit: str, text: str) -> Figure:
    return Figure(f"half.{variant}.{d}.{unit}", text)


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
        "the population loss; with a ReLU of bias 0 the loss has no such term, and their result says nothing.",
    ),
    Claim(
        "published",
        r"Whatever function of the label a method may use, broad classes of efficient methods need of the order of "
        r"$d^{\max(1, g/2)}$ samples for a single direction, $g$ the generative exponent; $g = 1$ for $\mathrm{He}_3$.",
        "Damian, Pillaud-Vivien, Lee, Bruna, COLT 2024: statistical-query and low-degree methods, Gaussian inputs, up "
        "to logarithms. That g is 1 here, because E[z | y] is not 0, is derived by us.",
    ),
    Claim(
        "published",
        "Which of the two exponents counts depends on the size of the steps: with small ones it is the information "
        "exponent, in certain cases with large ones the generative exponent, for batches used again as well.",
        "Tsiolis, Mousavi-Hosseini, Erdogdu, NeurIPS 2025, arXiv 2510.21020, from the abstract: a single direction, "
        "Gaussian inputs.",
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
        r"In one look tanh sees the cubic $\mathrm{He}_3/\sqrt6$ with a pull along $u$, at a right angle to $w$, of "
        r"$3 c\,m^2 (1 - m^2)$, where $m = w \cdot u$ and $c = \mathbb{E}\,\mathrm{He}_3(s) \tanh(s)/\sqrt6 < 0$.",
        "Gaussian inputs, of the part of the average step that holds the label. Derived by us.",
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
        "With one look tanh comes to a median overlap of 0.5 after {} and {} times d² samples in 64 and 128 "
        "dimensions, and after {} times d² in 32.",
        f"Seeds 0 to 15, 21, 22 and 31; {RATES}",
        figures=(
            _half("tanh_once", 64, "over_d2", "2.9 to 4.6"),
            _half("tanh_once", 128, "over_d2", "3.1 to 5.1"),
            _half("tanh_once", 32, "over_d2", "2.5 to 4.6"),
        ),
    ),
    Claim(
        "measured",
        "With two looks the ReLU comes to 0.5 after {}, {} and {} times d samples in 32, 64 and 128 dimensions, tanh "
        "after {}, {} and {}.",
        SEEDS,
        figures=(
            _half("twice", 32, "over_d", "82 to 96"),
            _half("twice", 64, "over_d", "91 to 104"),
            _half("twice", 128, "over_d", "95 to 109"),
            _half("tanh_twice", 32, "over_d", "74 to 99"),
            _half("tanh_twice", 64, "over_d", "83 to 106"),
            _half("tanh_twice", 128, "over_d", "91 to 111"),
        ),
    ),
    Claim(
        "measured",
        "After $300\\,d$ samples the median overlap of two looks with a ReLU is {}, {} and {} in 32, 64 and 128 "
        "dimensions; one look, which sees nothing of this target with a ReLU, is left to chance, with {}, {} and {}.",
        SEEDS,
        figures=(
            _end("twice", 32, "0.77 to 0.81"),
            _end("twice", 64, "0.74 to 0.77"),
            _end("twice", 128, "0.71 to 0.74"),
            _end("once", 32, "0.17 to 0.30"),
            _end("once", 64, "0.08 to 0.20"),
            _end("once", 128, "0.07 to 0.16"),
        ),
    ),
    Claim(
        "measured",
        "After $40\\,d^2$ samples the median overlap of the ReLU with one look is {} in 64 dimensions.",
        "Seeds 0 to 5; 100 runs each.",
        {"activations": ("relu",), "looks": ("once",), "dims": (64,), "squares": 40},
        (Figure("long_overlap.once.64", "0.13 to 0.21"),),
    ),
    Claim(
        "measured",
        "With the same γ·d in all dimensions one look of tanh comes to 0.5 after {}, {} and {} times d² samples in 32, "
        "64 and 128: no longer the same number.",
        "Seeds 0 to 5; 100 runs each.",
        {"shorter": False, "looks": ("once",)},
        (
            _half("tanh_once", 32, "over_d2", "5.2 to 7.2"),
            _half("tanh_once", 64, "over_d2", "3.6 to 5.2"),
            _half("tanh_once", 128, "over_d2", "2.3 to 4.1"),
        ),
    ),
    Claim(
        "measured",
        "A first look with ρ·d of 1 fits the sample of a ReLU: its two looks then end at {}, {} and {} in 32, 64 and "
        "128 dimensions.",
        "Seeds 0 to 5; 100 runs each.",
        {"rho": 1.0},
        (
            _end("twice", 32, "0.37 to 0.41"),
            _end("twice", 64, "0.22 to 0.25"),
            _end("twice", 128, "0.11 to 0.14"),
        ),
    ),
    Claim(
        "open",
        "How much of this happens in networks as they are trained, with batches, several passes and all layers moving.",
        "Not measured here.",
    ),
)
