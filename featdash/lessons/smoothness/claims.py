"""What the lesson on smoothness claims, and what it does not show."""

from featdash.recipes.claim import Claim, Figure

LIMITS = r"""
- **Which of the two adapts better.** Both do. Their exponents differ by about as much as they move from seed to
  seed.
- **A rate of the network.** Its exponents belong to a fixed number of training steps. With more steps they change.
- **More than one input.** On a line a few hundred samples lie close together; in many dimensions they do not.
- **That a Gaussian kernel is a fair champion.** A rougher kernel suits a jump better, as the first «Try» shows.
"""
CLAIMS = (
    Claim(
        "published",
        "Kernel methods and neural networks both adapt to smoothness.",
        "Slides of the reading group on feature learning and the limits of kernels, with pictures of a step.",
    ),
    Claim(
        "theorem",
        r"No method that is linear in the labels has a mean squared error of smaller order than $n^{-1/2}$ at a jump.",
        "Donoho, Johnstone, 1998: the worst function of a class of bounded variation with jumps, noisy labels at fixed "
        "points, n → ∞. Kernel ridge regression is linear in the labels once its λ has been chosen.",
    ),
    Claim(
        "measured",
        "The kernel's error falls with n to the power {} at the jump and {} for the smooth target, the network's "
        "with {} and {}: both are steeper for the smooth one.",
        "Seed 0, four repeats, n = 25 to 400; standard errors 0.03 to 0.07. At seeds 7 and 11 the four are −0.33 and "
        "−0.41, −0.85 and −0.98, −0.32 and −0.45, −0.88 and −0.87.",
        figures=(
            Figure("rates.heaviside.kernel.exponent", "−0.40"),
            Figure("rates.smooth.kernel.exponent", "−1.07"),
            Figure("rates.heaviside.network.exponent", "−0.47"),
            Figure("rates.smooth.network.exponent", "−0.87"),
        ),
    ),
    Claim(
        "measured",
        "At the jump the kernel overshoots by {} and the network by {}; away from it their errors are {} and {}.",
        "Seed 0, one sample of 100; the jump is of height two. At seeds 7 and 11 the overshoots are 0.25 and 0.22, and "
        "0.10 and 0.06.",
        figures=(
            Figure("fits.kernel.overshoot", "0.46"),
            Figure("fits.network.overshoot", "0.16"),
            Figure("fits.kernel.elsewhere", "0.015"),
            Figure("fits.network.elsewhere", "0.0024"),
        ),
    ),
    Claim(
        "measured",
        "At the jump the network's error is {} and the kernel's {} with 400 samples.",
        "Seed 0, mean of four repeats.",
        figures=(
            Figure("rates.heaviside.network.error.4", "0.016"),
            Figure("rates.heaviside.kernel.error.4", "0.024"),
        ),
    ),
    Claim(
        "open",
        "The exponents of a network that is trained until it has converged.",
        "Not measured here: 4000 steps are our choice.",
        {"steps": 8000, "repeats": 1},
    ),
)
