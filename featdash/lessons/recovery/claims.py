"""What recovery claims, and what it does not show."""

from featdash.recipes.claim import Claim, Figure

ZHOU = "Zhou, Ge, NeurIPS 2024"
LIMITS = r"""
- **Learning from samples.** The loss is exact, over all inputs, as in the paper's analysis. How many samples
  recovery takes is open there; «Samples n» behind «More» lets you try.
- **The paper's schedule.** Its constants were not available to us: the steps of λ, the step size and the ridge of
  stage 2 are our choice, found to work here.
- **Recovery from anywhere.** Stage 3 is a local result: the loss must first be small. With as many neurons as the
  teacher it is a matter of luck; and if the linear part is kept, the loss vanishes without the directions being found.
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
        "Before stage 3 the loss is {}, after it {}; the mass-weighted cosine is {} before and {} after, and of {} "
        "cancelling pairs {} are left.",
        "Seeds 0 to 4 and 22; d = 16, three directions at 60°, m = 100, 20 000 steps of stage 3.",
        figures=(
            Figure("stages.2.loss", "0.0021 to 0.0046"),
            Figure(f"{LAST}.loss", "3·10⁻⁹ to 5·10⁻⁷"),
            Figure("stages.2.mass_weighted_cosine", "0.83 to 0.91"),
            Figure(f"{LAST}.mass_weighted_cosine", "1.000"),
            Figure("stages.2.cancelling", "90 to 170"),
            Figure(f"{LAST}.cancelling", "0"),
        ),
    ),
    Claim(
        "measured",
        "Stopping after the first layer's step, with the head alone trained on, leaves a loss of {} and a "
        "mass-weighted cosine of {}.",
        "Seeds 0 to 4 and 22, as many steps.",
        figures=(Figure("stop.loss", "0.0022 to 0.0046"), Figure("stop.mass_weighted_cosine", "0.84 to 0.91")),
    ),
    Claim(
        "measured",
        "Without weight decay the loss still falls to {}, and yet {} pairs go on cancelling and the mass-weighted "
        "cosine is {}: a small loss alone is no recovery.",
        "Seeds 0 to 4 and 22.",
        {"weight_decay": False},
        (
            Figure(f"{LAST}.loss", "2·10⁻⁶ to 4·10⁻⁶"),
            Figure(f"{LAST}.cancelling", "130 to 280"),
            Figure(f"{LAST}.mass_weighted_cosine", "0.86 to 0.94"),
        ),
    ),
    Claim(
        "measured",
        "With the linear part kept the loss ends at {}, with a mass-weighted cosine of {}: not all directions are "
        "found.",
        "Seeds 0 to 4.",
        {"keep_linear": True},
        (Figure(f"{LAST}.loss", "8·10⁻⁸ to 2·10⁻⁶"), Figure(f"{LAST}.mass_weighted_cosine", "0.1 to 0.9")),
    ),
    Claim(
        "open",
        "How many samples recovery needs, and below which loss it always succeeds.",
        f"{ZHOU} analyse the population loss; their threshold has constants that we do not know.",
        {"n": 1000},
    ),
)
