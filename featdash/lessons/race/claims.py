"""What the race claims, and what it does not show."""

from featdash.recipes.claim import Claim, Figure

DAMIAN = "Damian, Lee, Soltanolkotabi, COLT 2022"
FURTHER = {"d": 50, "n": 3000, "first_layer_steps": 3}
MORE = "Seeds 0 to 4, 7, 11, 21 and 22"


def _risk(method: str, text: str) -> Figure:
    return Figure(f"methods.{method}.excess_risk", text)


LIMITS = r"""
- **That kernels are bad.** The target was chosen so that a few directions decide everything. Where the target has
  no such directions, or its parts of high degree are small, a kernel is as good, and it has no first step that can
  fail. And the kernels here are fixed: «Kernels that learn features», on the page Beyond one step, has one that is
  not.
- **How networks are trained in practice.** The first layer takes one step, or up to twenty large ones, and then stays
  as it is. Deep networks, steps on all layers together and small step sizes are not on this page.
- **A law.** One seed is one draw: over five seeds Algorithm 1's risk goes from 0.05 to 0.08. The ± beside a risk is the
  error of its test sample alone; it says nothing about other training samples or other networks.
- **The constants of the theorems.** They say how the number of samples grows with $d$, not how many are needed at
  $d = 10$. Gaussian inputs with independent coordinates are part of every statement.
- **Equal counts.** Same data, width and holdout for all, but by default a baseline of width $m$ has $m/2$ distinct
  neurons, Algorithm 1 has $m$; the NTK has $d + 2$ weights per neuron. The setting «Distinct neurons» evens out the
  first of these.
"""
CLAIMS = (
    Claim(
        "theorem",
        r"For Algorithm 1 $n \gtrsim d^2 r + d\,r^p$ samples are enough to get near the target, and for its error no "
        r"lower bound of the order $d^2$ is known to us: its mean absolute error beyond the noise is at most "
        r"$\tilde O(\sqrt{d r^p \kappa^{2p}/n} + \sqrt{r^p \kappa^{2p}/m} + n^{-1/4})$.",
        f"{DAMIAN}, Theorem 1: with probability 0.99; Gaussian inputs, noise ±ς, Assumptions 1 and 2, "
        r"$n \ge \tilde\Omega(d^2\kappa^2 r)$, $d \ge \tilde\Omega(\kappa r^{3/2})$, $\eta_1 = \tilde O(\sqrt d)$, a "
        "suitable λ, small steps on the head. Our noise is Gaussian, our η₁ follows the authors' code.",
        check="tests/theory/test_theorems.py",
    ),
    Claim(
        "theorem",
        r"With $d^k < n \le d^{k+1}$ samples a fixed kernel that treats all directions alike learns the Hermite "
        r"degrees up to $k$ and misses the energy of the others: ½ for the default target at $d^2 < n < d^4$.",
        "Ghorbani, Mei, Misiakiewicz, Montanari, Annals of Statistics 2021, for inputs uniform on the sphere; Mei, "
        r"Misiakiewicz, Montanari, 2022, on the hypercube: $d \to \infty$, $n$ between $d^{k+\delta}$ and "
        r"$d^{k+1-\delta}$. For Gaussian inputs and finite $d$ it is a guide.",
        check="tests/theory/test_predictions.py",
    ),
    Claim(
        "measured",
        "On the default race Algorithm 1 ends at an excess risk of {}, random features at {} and the NTK at {}.",
        "Seeds 0 to 4, 20 000 test samples each; d = 10, n = 10⁴, m = 1000, noise 1.",
        figures=(
            _risk("algorithm1", "0.04 to 0.09"),
            _risk("random_features", "0.43 to 0.57"),
            _risk("ntk", "0.43 to 0.49"),
        ),
    ),
    Claim(
        "measured",
        "One step turns the first layer: the share of its squared length inside the principal subspace is {} before "
        "and {} after it.",
        "Seeds 0 to 4, the default race; chance is 1/d = 0.1.",
        figures=(Figure("alignment.before", "0.094 to 0.112"), Figure("alignment.after", "0.90 to 0.95")),
    ),
    Claim(
        "measured",
        "On He₃/√6 in 40 dimensions all three stay high: Algorithm 1 at {}, random features at {} and the NTK at {}; "
        "the alignment after the step is {}.",
        "Seeds 0 to 4; d = 40, n = 10⁴.",
        {"target": "transfer", "d": 40},
        (
            _risk("algorithm1", "0.60 to 0.91"),
            _risk("random_features", "0.97 to 1.02"),
            _risk("ntk", "0.97 to 1.02"),
            Figure("alignment.after", "0.06 to 0.11"),
        ),
    ),
    Claim(
        "measured",
        "With a quadratic beside the cubic Algorithm 1 learns both, and ends at {}; random features end at {} and "
        "the NTK at {}.",
        "Seeds 0 to 4; the target He₂/2 + He₃/√12.",
        {"target": "pretrain"},
        (_risk("algorithm1", "0.013 to 0.032"), _risk("random_features", "0.18 to 0.38"), _risk("ntk", "0.17 to 0.23")),
    ),
    Claim(
        "measured",
        "Its lead does not come from having more distinct neurons: with m of them for all, random features end "
        "at {} and the "
        "NTK at {}, Algorithm 1 at {}.",
        "Seeds 0 to 4 and 21 to 23.",
        {"distinct": "all"},
        (
            _risk("random_features", "0.42 to 0.48"),
            _risk("ntk", "0.390 to 0.432"),
            _risk("algorithm1", "0.04 to 0.09"),
        ),
    ),
    Claim(
        "measured",
        "One step helps the NTK as well: linearised after the step, with its biases drawn anew, it ends at {}, against "
        "{} at its start.",
        "Seeds 0 to 4, 21 and 22. The paper proves nothing about this.",
        {"methods": ("algorithm1", "ntk", "ntk_after_step")},
        (_risk("ntk_after_step", "0.08 to 0.19"), _risk("ntk", "0.43 to 0.49")),
    ),
    Claim(
        "theorem",
        "With log cosh in the steps and biases of 0, f = 0 after every step, whatever the loss; with ReLUs f is linear "
        "in x after the first.",
        "The symmetric start: a mirror copy has the opposite output weight, and where its neuron goes to v a step has "
        "it go to v or −v; log cosh is even, and ReLU(z) − ReLU(−z) = z. Derived by us.",
        {**FURTHER, "step_activation": "log_cosh", "step_loss": "square_root"},
        check="tests/learners/test_several_steps.py",
    ),
    Claim(
        "measured",
        "In 50 dimensions with 3000 samples one first-layer step brings the alignment to {}; three on the same samples "
        "bring it to {}.",
        f"{MORE}; correlation loss, ReLU.",
        FURTHER,
        (Figure("alignment.by_step.0", "0.13 to 0.48"), Figure("alignment.after", "0.46 to 0.91")),
    ),
    Claim(
        "measured",
        "The same three steps on new samples each bring it to {}, although they see three times as many.",
        f"{MORE}; d = 50, n = 3000 for each step. At eight of these nine seeds that is less than on the same samples.",
        {**FURTHER, "step_samples": "fresh", "methods": ("algorithm1",)},
        (Figure("alignment.after", "0.18 to 0.70"),),
    ),
    Claim(
        "measured",
        "With the squared loss the output's scale decides: with f = (1/√m) Σ the second step turns the layer away, "
        "from {} to {}.",
        f"{MORE}; d = 50, n = 3000. With f = (1/m) Σ it reaches 0.43 to 0.77 in the second step.",
        {**FURTHER, "step_loss": "square_root", "methods": ("algorithm1",)},
        (Figure("alignment.by_step.0", "0.13 to 0.48"), Figure("alignment.by_step.1", "0.00 to 0.13")),
    ),
    Claim(
        "open",
        "Which step size is best at a given n, d and width: the paper asks for an order, its authors' code rescales "
        "the rows of the first layer to RMS norm 1. We offer both, and know of no rule that is best.",
        "A choice of ours: RMS norm 1 by default.",
        {"step_rule": "fixed"},
    ),
)
