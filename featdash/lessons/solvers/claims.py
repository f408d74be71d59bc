"""What the lesson on the cost of a kernel claims, and what it does not show."""

from featdash.recipes.claim import Claim, Figure

LIMITS = r"""
- **What n = 10⁷ takes.** Nothing there is measured. The lines carry a few thousand samples on over more than three
  powers of ten, on a machine that could not hold the matrix.
- **The best solvers.** Preconditioning, random features, Nyström points and graphics processors are not on this
  page; they change the constants, and the first three the exponent.
- **How many iterations are enough.** The residual is not the risk: a large residual may be good enough, and with a
  small one the fit may follow the noise.
- **Your machine.** The recorded times are those of one core of another computer; press Run to time yours.
"""
CLAIMS = (
    Claim(
        "theorem",
        "A direct solve takes n³/3 flops to leading order, one step of the iteration 2n²; half of each are "
        "multiplications.",
        "Counting the operations of a Cholesky factorisation and of a product of a matrix with a vector.",
    ),
    Claim(
        "published",
        r"$n = 10^4$: $10^{12}$ flops, easy. $n = 10^7$: $10^{21}$, impossible; $10^{14}$ an iteration, feasible.",
        "Slides of the reading group, after Misha Belkin.",
    ),
    Claim(
        "measured",
        "With λ = 10⁻³ twenty steps leave {} of the residual.",
        "Seeds 0 to 4, n = 5600; Gaussian kernel on ten inputs.",
        figures=(Figure("residual", "0.705 to 0.730"),),
    ),
    Claim(
        "measured",
        "A thousand steps at n = 1400 still leave {} of it, and have cost more than the direct solve.",
        "Seeds 0 to 4, λ = 10⁻³; 2000 n² flops against n³/3.",
        {"iterations": 1000, "largest": 1400, "repeats": 1},
        (Figure("residual", "0.210 to 0.229"),),
    ),
    Claim(
        "open",
        "What a kernel of ten million samples costs on a cluster, with the solvers of today.",
        "Not measured here; the dashed lines are arithmetic.",
    ),
)
