"""What the lesson on hidden layers in order claims, and what it does not show."""

from featdash.recipes.claim import Claim, Figure

LIMITS = r"""
- **A deep network that learns in order.** Nothing here is trained by gradient descent. Two spectral filters stand in
  for steps on two layers; both come from one matrix on one sample, because the second hidden layer is quadratic.
  Neither waits for the other: with 16 directions the second alone does better than the first.
- **Not knowing the form.** The filters are told how many directions there are, and that squares of them are wanted. A
  network is told neither.
- **That no fixed features could do it.** Ridge on all products cannot bend $q$; products of four inputs could, and
  there are hundreds of thousands. The random neurons are 1000, fewer than the 2080 products: they say little about
  more of them.
- **Powers of $d$.** One dimension at a time is shown, so no exponent of the samples needed.
- **Every target.** With labels $q^2$ the filters add up the squares without their signs; with products of three inputs
  in place of squares the matrix that filter 1 looks at shows nothing.
"""
CLAIMS = (
    Claim(
        "published",
        "A three-layer network trained layer by layer learns functions of one quadratic feature with fewer samples "
        "than all guarantees known for two-layer networks.",
        "Nichani, Damian, Lee, NeurIPS 2023, from the abstract: gradient descent on layers, an upper bound.",
    ),
    Claim(
        "published",
        "On hierarchical Gaussian targets feature learning by gradient descent lowers the effective dimension layer by "
        "layer, so that a deep network needs far fewer samples than a shallow one.",
        "Dandi, Pesce, Zdeborová, Krzakala 2025, from the abstract: the high-dimensional limit, a controlled training.",
    ),
    Claim(
        "theorem",
        r"Of all quadratics of the numbers kept by filter 1, weighted by the labels of the same sample, only the "
        r"squares are left: $\hat q = \frac12 \sum_{k \le r} \lambda_k (\hat z_k^2 - 1)$.",
        r"Derived by us: $\hat u_k^\top M \hat u_l$ is $0$ for different eigenvectors of $M$ and $\lambda_k$ for one.",
        check="tests/lessons/test_hidden_layers.py",
    ),
    Claim(
        "measured",
        "With 16000 samples both filters come to an error of {}; the first alone to {}, the second alone to {}.",
        "Seeds 0 to 4 and 21, errors over the variance of the labels.",
        figures=(
            Figure("errors.two", "0.070 to 0.093"),
            Figure("errors.one", "0.196 to 0.219"),
            Figure("errors.second", "0.257 to 0.292"),
        ),
    ),
    Claim(
        "measured",
        "Ridge on all products of two inputs comes to {}, where the best line in the true q has {}; a thousand "
        "random neurons come to {}.",
        "Seeds 0 to 4.",
        figures=(
            Figure("errors.products", "0.296 to 0.323"),
            Figure("linear", "0.25 to 0.30"),
            Figure("errors.random", "0.78 to 0.85"),
        ),
    ),
    Claim(
        "measured",
        "The share {} of the eight directions kept lies in the hidden ones, and the correlation of the number found "
        "with the true one is {}; without the first filter it is {}.",
        "Seeds 0 to 4.",
        figures=(
            Figure("share", "0.976 to 0.982"),
            Figure("correlation.two", "0.974 to 0.981"),
            Figure("correlation.second", "0.914 to 0.924"),
        ),
    ),
    Claim(
        "measured",
        "With 1000 samples both filters have {} and the first alone {}: the second gains nothing while the first has "
        "found a share of {}.",
        "Seeds 0 to 4 and 21.",
        {"n": 1000},
        figures=(
            Figure("errors.two", "0.64 to 0.76"),
            Figure("errors.one", "0.63 to 0.76"),
            Figure("share", "0.58 to 0.71"),
        ),
    ),
    Claim(
        "measured",
        "With the sine as the outer function both filters have {}, the first alone {} and the second alone {}.",
        "Seeds 0 to 4.",
        {"outer": "sine"},
        figures=(
            Figure("errors.two", "0.24 to 0.30"),
            Figure("errors.one", "0.47 to 0.53"),
            Figure("errors.second", "0.50 to 0.59"),
        ),
    ),
    Claim(
        "measured",
        "With 16 directions the second filter alone has {} and the first alone {}; both have {}.",
        "Seeds 0 to 4 and 21 to 23.",
        {"r": 16},
        figures=(
            Figure("errors.second", "0.21 to 0.27"),
            Figure("errors.one", "0.279 to 0.307"),
            Figure("errors.two", "0.115 to 0.147"),
        ),
    ),
    Claim(
        "open",
        "What deep networks learn in such steps on real data, and in which order.",
        "Nothing here measures a trained deep network.",
    ),
)
