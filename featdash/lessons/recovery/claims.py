"""What recovery claims, and what it does not show."""

from featdash.recipes.claim import Claim, Figure

ZHOU = "Zhou, Ge, NeurIPS 2024"
LIMITS = r"""
- **Learning from samples.** The loss is exact, over all inputs, as in the paper's analysis. How many samples
  recovery takes is open there; «Samples n» behind «More» lets you try.
- **The paper's schedule.** Its constants were not available to us: the steps of λ, the step size and the ridge of
  stage 2 are our choice, found to work here.
- **Recovery from anywhere.** Stage 3 is a local result: the loss must first be small. With as many neurons as the
  teacher it is luck, and with the linear part kept the loss vanishes while the directions are not found.
- **ReLU networks with biases.** Neurons are $|z|/2$, a ReLU without its linear part, and have no bias.
- **Why decay is needed.** That decay acts as an ℓ₁ penalty on the masses is the paper's reading; the runs show that
  without it cancelling pairs stay, not that nothing else would remove them.
"""
LAST = "stages.3"
CLAIMS = (
    Claim(
        "published",
        "After Algorithm 1 the neurons sample the right subspace at random; training both layers on, with weight decay "
        "lowered to 0, brings each onto a teacher direction and the loss to 0.",
        f"{ZHOU}, Theorem 2, as the authors put it in their public reply: population loss, a teacher that meets "
        "Assumption 2 once its linear part is removed, enough neurons; the last stage is a local result, below a "
        "threshold of the loss. The constants were not available to us.",
    ),
    Claim(
        "theorem",
        r"At a minimum with decay on both layers $|a_i| = \lVert w_i \rVert$, so that the decay is a penalty on "
        r"$\sum_i |a_i| \lVert w_i \rVert$, which favours few neurons and no cancelling.",
        f"{ZHOU}, reply to reviewers; it follows from the inequality of the two means, for neurons that scale with w.",
        check="tests/lessons/test_recovery.py",
    ),
    Claim(
        "theorem",
        r"Loss and gradient over all Gaussian inputs are closed formulas: $\mathbb{E}|u \cdot x||v \cdot x| = "
        r"\tfrac2\pi \lVert u \rVert \lVert v \rVert (\sin\theta + (\tfrac\pi2 - \theta)\cos\theta)$.",
        "Standard (arc-cosine kernel): Gaussian inputs, θ the acute angle between the two.",
        check="tests/learners/test_population_loss.py",
    ),
    Claim(
        "measured",
        "Going on, the loss falls from {} to {}, the mass-weighted cosine rises from {} to {}, and of {} cancelling "
        "pairs {} are left.",
        "Seed 0; d = 16, three directions at 60°, m = 100, 20 000 steps of stage 3.",
        figures=(
            Figure("stages.2.loss", "3.0·10⁻³", 2.9e-3, 3.2e-3),
            Figure(f"{LAST}.loss", "2·10⁻⁸", 1e-8, 4e-8),
            Figure("stages.2.mass_weighted_cosine", "0.87"),
            Figure(f"{LAST}.mass_weighted_cosine", "1.000"),
            Figure("stages.2.cancelling", "142", 138, 146),
            Figure(f"{LAST}.cancelling", "0"),
        ),
    ),
    Claim(
        "measured",
        "With two other seeds the loss ends at {} and {}, the mass-weighted cosine at {} and {}.",
        "Seeds 7 and 11, the same settings.",
        {"seed": 7},
        (
            Figure(f"{LAST}.loss", "5·10⁻⁸", 2e-8, 1e-7),
            Figure(f"{LAST}.loss", "2·10⁻⁷", 1e-7, 3e-7, {"seed": 11}),
            Figure(f"{LAST}.mass_weighted_cosine", "1.000"),
            Figure(f"{LAST}.mass_weighted_cosine", "1.000", settings={"seed": 11}),
        ),
    ),
    Claim(
        "measured",
        "Stopping after the first layer's step, with the head alone trained on, leaves a loss of {} and a "
        "mass-weighted cosine of {}.",
        "Seed 0, as many steps.",
        figures=(Figure("stop.loss", "0.0033"), Figure("stop.mass_weighted_cosine", "0.87")),
    ),
    Claim(
        "measured",
        "Without weight decay the loss still falls to {}, and yet {} pairs go on cancelling and the mass-weighted "
        "cosine is {}: a small loss alone is no recovery.",
        "Seed 0.",
        {"weight_decay": False},
        (
            Figure(f"{LAST}.loss", "3·10⁻⁶", 2e-6, 4e-6),
            Figure(f"{LAST}.cancelling", "208", 203, 213),
            Figure(f"{LAST}.mass_weighted_cosine", "0.89"),
        ),
    ),
    Claim(
        "measured",
        "With the linear part kept the loss ends at {}, with a mass-weighted cosine of {} only.",
        "Seed 0.",
        {"keep_linear": True},
        (Figure(f"{LAST}.loss", "4·10⁻⁷", 3e-7, 6e-7), Figure(f"{LAST}.mass_weighted_cosine", "0.65")),
    ),
    Claim(
        "open",
        "How many samples recovery needs, and below which loss it always succeeds.",
        f"{ZHOU} analyse the population loss; their threshold has constants that we do not know.",
        {"n": 1000},
    ),
)
