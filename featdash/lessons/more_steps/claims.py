"""What «More than one step» claims, and what it does not show."""

from featdash.recipes.claim import Claim, Figure

LIMITS = r"""
- **The theorem itself.** Zhang and co-authors prove their bound for a smooth activation, their own step sizes and a
  small output. Ours are a ReLU or log cosh, rows of root-mean-square norm 1 after each step, and d up to 200.
- **A limit of large d.** Exponents are slopes over the dimensions of the count, from 25 to 200; logarithms of d would
  tilt them. The error beside a slope is that of the fitted line, not of the law.
- **Training as it is done.** The correlation loss leaves the network's own output out, and the head is trained after
  the last step only.
- **Targets that a step does not see.** A cubic has no part of degree two that a step could multiply.
"""
SEEDS = "Seeds 0 to 5."


def _slope(steps: int, text: str) -> Figure:
    return Figure(f"exponents.{steps}.slope", text)


def _alignment(steps: int, text: str, loss: str = "correlation") -> Figure:
    return Figure(f"alignment.{loss}.{steps}", text)


CLAIMS = (
    Claim(
        "theorem",
        r"A two-layer network trained layer by layer learns a target of several hidden directions to vanishing error "
        r"from $\tilde O(d)$ samples in $\tilde O(d^2)$ time, if its first layer takes more than a constant number of "
        "steps.",
        r"Zhang, Wang, Fu, Lee, ICLR 2026, arXiv 2511.15120: Gaussian inputs, a fixed number $r$ of directions, a "
        r"smooth σ with $\sigma'(0) = 0$ and $\sigma''(0) = 1$, and $\mathbb{E}\,\ell'(0, y)\,x x^\top$ of rank $r$; "
        "up to logarithms. The ReLU is not among its activations.",
    ),
    Claim(
        "theorem",
        "For Algorithm 1, which takes one step, $n \\gtrsim d^2$ is enough.",
        "Damian, Lee, Soltanolkotabi, COLT 2022, Theorem 1: Assumption 2, up to constants and logarithms.",
    ),
    Claim(
        "published",
        "For one large step $O(d^2)$ samples are essential if neurons are to specialise to several directions.",
        "Dandi, Krzakala, Loureiro, Pesce, Stephan, JMLR 2024, from the abstract; Gaussian inputs, large d.",
    ),
    Claim(
        "measured",
        "The samples at which the alignment is 0.5 grow like d to the power {} for one step, {} for two, {} for four "
        "and {} for eight steps on the same samples.",
        f"{SEEDS} Least squares over four dimensions and three draws of the data in each.",
        figures=(
            _slope(1, "1.87 to 2.11"),
            _slope(2, "1.31 to 1.51"),
            _slope(4, "1.08 to 1.28"),
            _slope(8, "0.98 to 1.17"),
        ),
    ),
    Claim(
        "measured",
        "In 200 dimensions one step needs {} samples for an alignment of 0.5, two steps {}, and eight steps {}.",
        SEEDS,
        figures=(
            Figure("samples.1.200", "25 000 to 42 000"),
            Figure("samples.2.200", "3200 to 3700"),
            Figure("samples.8.200", "1150 to 1400"),
        ),
    ),
    Claim(
        "measured",
        "In 400 dimensions with 8000 samples the alignment is {} after one step, {} after two, {} after three "
        "and {} after eight.",
        SEEDS,
        figures=(
            _alignment(1, "0.04 to 0.08"),
            _alignment(2, "0.36 to 0.50"),
            _alignment(3, "0.71 to 0.79"),
            _alignment(8, "0.77 to 0.83"),
        ),
    ),
    Claim(
        "measured",
        "With the squared loss and an output of 1/m times a sum the second step brings {}. With 1/√m the output's root "
        "mean square is {} after one step, that of the labels 1; the second step brings {}, and eight steps bring {}.",
        SEEDS,
        figures=(
            _alignment(2, "0.34 to 0.48", "square_mean"),
            Figure("output.square_root.2", "1.1 to 1.8"),
            _alignment(2, "0.00 to 0.09", "square_root"),
            _alignment(8, "0.00 to 0.08", "square_root"),
        ),
    ),
    Claim(
        "measured",
        "A head's risk after three steps is {} of that after one in ten dimensions, and {} in fifty; from three "
        "steps to eight it changes by factors of {} and {}.",
        f"{SEEDS} Figure 1's target, noise variance 1, d = 10 with n = 1000, d = 50 with n = 3000, means of two draws.",
        figures=(
            Figure("ratio.10.three_over_one", "0.64 to 0.92"),
            Figure("ratio.50.three_over_one", "0.55 to 0.80"),
            Figure("ratio.10.eight_over_three", "0.94 to 1.09"),
            Figure("ratio.50.eight_over_three", "0.86 to 1.14"),
        ),
    ),
    Claim(
        "measured",
        "With log cosh the powers are {} for one step and {} for eight, and the alignment after eight steps is {}.",
        SEEDS,
        {"activation": "log_cosh"},
        (_slope(1, "1.89 to 2.12"), _slope(8, "0.95 to 1.19"), _alignment(8, "0.93 to 0.96")),
    ),
    Claim(
        "open",
        r"That $T_1$ steps need about $d^{1 + 1/T_1}$ samples: a heuristic of ours, by which a step multiplies a "
        "neuron's odds along the hidden direction by n/d, from 1/d at the start. The measured powers agree with it "
        "within some hundredths.",
        "Derived by us for one direction and the matrix (1/n) Σ y x xᵀ in place of the step; not proved.",
    ),
)
