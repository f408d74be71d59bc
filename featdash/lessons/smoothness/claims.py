"""What the lesson on smoothness claims, and what it does not show."""

from featdash.recipes.claim import Claim, Figure

LIMITS = r"""
- **Which of the two adapts better.** Both do. Their exponents differ by about as much as they move from seed to
  seed.
- **A rate of the network.** Its exponents belong to a fixed number of training steps. With more steps they change.
- **More than one input.** On a line a few hundred samples lie close together; in many dimensions they do not.
- **That a Gaussian kernel speaks for all kernels.** A rougher kernel suits a jump better, as the first «Try» shows.
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
        "Seeds 0 to 4, four repeats each, n = 25 to 400.",
        figures=(
            Figure("rates.heaviside.kernel.exponent", "−0.44 to −0.33"),
            Figure("rates.smooth.kernel.exponent", "−1.3 to −0.7"),
            Figure("rates.heaviside.network.exponent", "−0.67 to −0.22"),
            Figure("rates.smooth.network.exponent", "−1.1 to −0.7"),
        ),
    ),
    Claim(
        "measured",
        "At the jump the kernel overshoots by {} and the network by {}; away from it their errors are {} and {}.",
        "Seeds 0 to 4 and 21, one sample of 100 each; the jump is of height two.",
        figures=(
            Figure("fits.kernel.overshoot", "0.20 to 0.57"),
            Figure("fits.network.overshoot", "0.06 to 0.40"),
            Figure("fits.kernel.elsewhere", "0.005 to 0.032"),
            Figure("fits.network.elsewhere", "0.002 to 0.013"),
        ),
    ),
    Claim(
        "measured",
        "At the jump the network's error is {} and the kernel's {} with 400 samples.",
        "Seeds 0 to 4, a mean of four repeats each.",
        figures=(
            Figure("rates.heaviside.network.error.4", "0.012 to 0.019"),
            Figure("rates.heaviside.kernel.error.4", "0.022 to 0.029"),
        ),
    ),
    Claim(
        "open",
        "The exponents of a network that is trained until it has converged.",
        "Not measured here: 4000 steps are our choice.",
        {"steps": 8000, "repeats": 1},
    ),
)
