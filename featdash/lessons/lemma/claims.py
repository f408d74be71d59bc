"""What the lesson on Lemma 1 claims, and what it does not show."""

from featdash.recipes.claim import Claim, Figure

DAMIAN = "Damian, Lee, Soltanolkotabi, COLT 2022"
LIMITS = r"""
- **That the gradient is enough.** It shows which directions a step can follow. Whether the head can then fit the
  function is a question for the next line of the algorithm, and for another page.
- **Biases other than 0.** All pictures are for $b = 0$ in the step. With biases drawn before the step the odd
  coefficients of the ReLU do not vanish, and an odd target leaves a gradient too.
- **Exponents to the last digit.** The slopes are fitted to one decade of few repeats: they differ from the predicted
  slopes by a few hundredths, and from seed to seed.
- **More than one step.** After the step the network's output is no longer 0, and the series no longer holds.
"""
CLAIMS = (
    Claim(
        "theorem",
        r"The gradient of a neuron with $\lVert w_j \rVert = 1$ is $-2 a_j H w_j/\sqrt{2\pi} + \tilde O(\sqrt r/d)$: "
        r"along the curvature $H = \mathbb{E}\nabla^2 f^*$ of the target.",
        f"{DAMIAN}, Lemma 1: infinitely many Gaussian inputs, the symmetric start, $b = 0$, the linear part removed, "
        f"with high probability over the start.",
        check="tests/theory/test_gradient_series.py",
    ),
    Claim(
        "theorem",
        r"A part of the target of degree $k$ meets the ReLU's Hermite coefficients $c_k$ and $c_{k+2}$; the odd ones "
        r"from $c_3$ on are zero, so an odd target without linear part has a population gradient of exactly zero.",
        f"The series of {DAMIAN}, equation (1), and the Hermite expansion of the ReLU; Gaussian inputs, $b = 0$.",
        {"target": "transfer"},
        check="tests/theory/test_gradient_series.py",
    ),
    Claim(
        "measured",
        "The distance of the gradient over n samples from that over infinitely many falls like n to the power "
        "{}, where "
        "$-1/2$ is predicted.",
        "Seeds 0 to 4; slopes over n = 10⁴ to 10⁵, six repeats.",
        figures=(Figure("slopes.samples.measured", "−0.56 to −0.40"),),
    ),
    Claim(
        "measured",
        "The remainder beside the leading term falls like d to the power {}, where $-1/2$ is predicted.",
        "Seeds 0 to 4; no samples in it, 4000 neurons, d from 100 to 1000.",
        figures=(Figure("slopes.dimensions.measured", "−0.54 to −0.48"),),
    ),
    Claim(
        "measured",
        "The leading term rises above the noise of the gradient at {} samples, the next ones at {} and {}.",
        "Seeds 0 to 4 and 21 to 23; d = 10, width 400, noise 1. «Last picture» shows the series terms.",
        figures=tuple(
            Figure(f"terms.{place}.samples_needed", text)
            for place, text in ((1, "280 to 550"), (2, "5000 to 10 000"), (3, "11 000 to 26 000"))
        ),
    ),
    Claim(
        "open",
        "The constant in the order of the remainder: the lemma does not name it, and one target at six dimensions "
        "does not give it.",
        "Not measured here.",
    ),
)
