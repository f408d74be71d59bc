"""What «Your own data» claims, and what it does not show."""

from featdash.recipes.claim import Claim, Figure

LIMITS = r"""
- **What Gaussian theory promises.** The theorems of the other pages ask for normal, independent inputs and labels that
  are a polynomial of a few directions. Whitening gives mean 0 and covariance I; it does not give the rest.
- **What causes what.** A share says what a layer responds to. Of two correlated columns it may name either, and a
  column that is named need not cause anything.
- **Who is best in general.** One width, one kernel, one training recipe for every table; a method that is tuned with
  more care may do better. Five folds of one table say nothing about another table.
- **Every small difference.** If a pair does not differ clearly, that does not make the two equal: five folds cannot
  tell them apart. There are ten pairs, and one of twenty would seem clear by chance.
- **Your whole table.** At most 2500 rows take part, 1250 unless you ask for more; classes count as numbers.
"""
CLAIMS = (
    Claim(
        "theorem",
        r"If $f$ depends on a few columns alone, the gradient of $f$ on whitened inputs lies in as many directions, "
        r"and pulled back by $C^{-1/2}$ it has no entry outside those columns.",
        "The chain rule, for differentiable f and an invertible C. Derived by us.",
        check="tests/tasks/test_folds.py",
    ),
    Claim(
        "published",
        r"The variance of a mean over J splits is estimated by $(1/J + n_2/n_1)\,s^2$: splits share training rows.",
        "Nadeau and Bengio, Machine Learning 52, 2003: a correction that they propose and test by simulation, not a "
        "bound. Five folds, test part n₂, training part n₁.",
    ),
    Claim(
        "measured",
        "On the synthetic table the share of RFM's M along the two planted directions is {}; that of the neurons of "
        "Algorithm 1 is {}. Both name the two columns.",
        "Seeds 0 to 4 and 21 to 23; 750 training rows of 30 correlated columns, a mean over five folds each.",
        figures=(Figure("layers.rfm.share", "0.79 to 0.99"), Figure("layers.algorithm1.share", "0.48 to 0.60")),
    ),
    Claim(
        "measured",
        "There the risk is {} for ridge, {} for the fixed kernel and {} for RFM.",
        "Seeds 0 to 4 and 21 to 23; a mean over five folds each.",
        figures=(
            Figure("methods.linear.risk", "1.00 to 1.05"),
            Figure("methods.laplace.risk", "0.58 to 0.81"),
            Figure("methods.rfm.risk", "0.10 to 0.41"),
        ),
    ),
    Claim(
        "measured",
        "On diabetes RFM ends at {} and ridge at {}: no difference is shown.",
        "Seeds 0 to 4, which divide the same rows in another way; standard errors of 0.05 to 0.08.",
        {"dataset": "diabetes"},
        (Figure("methods.rfm.risk", "0.48 to 0.54"), Figure("methods.linear.risk", "0.496 to 0.526")),
    ),
    Claim(
        "measured",
        "On wine RFM ends at {} and ridge at {}: a clear difference.",
        "Seeds 0 to 4, which divide the same rows in another way; the second of three cultivars, 106 training rows.",
        {"dataset": "wine"},
        (Figure("methods.rfm.risk", "0.06 to 0.13"), Figure("methods.linear.risk", "0.22 to 0.28")),
    ),
    Claim(
        "open",
        "For which tables a learned layer helps, and how to know it before the run.",
        "Not known to us. That it finds what is planted in a synthetic table does not say it.",
    ),
)
