"""What the lesson on a scaling law claims, and what it does not show."""

from featdash.recipes.claim import Claim, Figure

REN = "Ren, Nichani, Wu, Lee 2025"
SAMPLES = {"tasks": 16, "d": 32, "width": 256, "batch": 256}
LIMITS = r"""
- **Scaling laws of language models.** Why their tasks should have power-law weights, or be independent of one another,
  is not explained here; the power law of the loss is put in through the weights.
- **The exponent, by the network alone.** With 64 tasks its slope is up to a quarter too steep, because the sum over the
  tasks ends. The straight line is that of 10 000 single equations, not of a network.
- **The theorem.** It is about online stochastic gradient descent, and counts samples and neurons as well. The default
  run has exact averages instead of samples; the «Try» with samples is far from large $P$ and $d$.
- **Tasks that share something.** The directions are at right angles, and there is one polynomial for all: no task helps
  another, as it would on a stair.
- **Every start.** All neurons have one small length at the start. Longer ones, or fewer, leave more tasks unlearned.
"""
CLAIMS = (
    Claim(
        "published",
        "Each teacher neuron of a sum is learned in a sharp transition at a time of its own, and where the weights "
        r"follow a power law $p^{-\beta}$ the transitions add up to a power law of the loss, in the steps, in the "
        "samples and in the width.",
        f"{REN}, from the abstract: online stochastic gradient descent, Gaussian inputs, orthonormal directions, many "
        "teacher neurons, an even activation with information exponent above 2.",
    ),
    Claim(
        "theorem",
        r"One neuron on one task of weight $a$ learns it at the time $\tau / a$, where $\tau$ depends on $a$ only "
        "through the ratio of the neuron's squared length at the start to $a$.",
        "Derived by us, for gradient flow of the exact mean squared error, one neuron whose squared length is its "
        r"coefficient, and a Hermite polynomial of degree 3 or more: the substitution $\tau = a t$.",
        check="tests/lessons/test_scaling_laws.py",
    ),
    Claim(
        "theorem",
        r"If of infinitely many tasks of weights $p^{-\beta}$, $\beta > 1/2$, those with $p^\beta \le t$ are learned "
        r"at time $t$ and no others, what is left falls like $t^{-(2\beta - 1)/\beta}$.",
        r"Derived by us: $\sum_{q > p} q^{-2\beta}$ lies between two integrals; that a network learns like this is "
        "what the run measures.",
        check="tests/lessons/test_scaling_laws.py",
    ),
    Claim(
        "measured",
        "With 64 tasks the first is half learned at t = {}, the eighth at {}; a straight line through all jumps has "
        "the exponent {}, where β is 1.",
        "Seeds 0 to 4 and 21 to 23.",
        figures=(
            Figure("jumps.measured.1", "3.2 to 4.3"),
            Figure("jumps.measured.8", "20 to 32"),
            Figure("exponent.measured", "0.95 to 1.02"),
        ),
    ),
    Claim(
        "measured",
        "The network's jumps come {} times as late as those of single equations in the median; the one that is "
        "furthest off comes {} times as early or late.",
        "Seeds 0 to 4 and 21 to 23.",
        figures=(Figure("ratio.median", "1.03 to 1.09"), Figure("ratio.furthest", "1.3 to 2.1")),
    ),
    Claim(
        "measured",
        "The slope of the loss is {} with 64 tasks and {} with ten thousand single equations; theory predicts {}.",
        "Seeds 0 to 4, β = 1; the single equations have no seed.",
        figures=(
            Figure("slope.network", "−1.30 to −1.04"),
            Figure("slope.many", "−1.01"),
            Figure("slope.predicted", "−1"),
        ),
    ),
    Claim(
        "measured",
        "With β = 1.5 the slope of ten thousand single equations is {}; theory predicts {}.",
        "Seeds 0 to 4, which make no difference to single equations.",
        {"beta": 1.5},
        figures=(Figure("slope.many", "−1.34"), Figure("slope.predicted", "−1.33")),
    ),
    Claim(
        "measured",
        "With 32 neurons {} of 64 tasks are learned, and the loss stops at {}.",
        "Seeds 0 to 4.",
        {"width": 32},
        figures=(Figure("learned", "15 to 30"), Figure("loss", "0.015 to 0.047")),
    ),
    Claim(
        "measured",
        "With 256 fresh samples a step {} of 16 tasks are learned, in the median after {} times the time that "
        "the single equations give.",
        "Seeds 0 to 4: 16 tasks, 32 inputs, 256 neurons, a million samples.",
        SAMPLES,
        figures=(Figure("learned", "15 to 16"), Figure("ratio.median", "0.92 to 0.98")),
    ),
    Claim(
        "open",
        "Whether the loss of large models is a sum of such jumps.",
        "A hypothesis about data and tasks; nothing here measures it.",
    ),
)
