"""What the closing table claims, and what it does not show."""

from featdash.recipes.claim import Claim, Figure

LIMITS = r"""
- **Theorems by ticks.** A tick is a verdict on one run with our settings, by a rule of ours: a third beyond the
  reach that theory gives a method which does not adapt, two standard errors, three repeats.
- **All methods.** A kernel whose distance is learned from the data is not in the table. One, the recursive feature
  machine (RFM), can be measured on the parts before it, and has a lesson on the page Beyond one step.
- **All of adaptivity.** The table asks about four structures, and not about others, such as sparse inputs or
  symmetries.
- **The best of each.** A holdout chooses the lengths of the kernels and when the network stops, but not its width,
  steps and start.
"""


def _reach(part: str, method: str, text: str) -> Figure:
    return Figure(f"{part}.methods.{method}.reach", text)


CLAIMS = (
    Claim(
        "published",
        "Low-dimensional support: both adapt. Smoothness: both adapt. Latent variables: networks adapt, "
        "fixed kernels do not.",
        "Slides of the reading group on feature learning and the limits of kernels.",
    ),
    Claim(
        "measured",
        "Without structure the reach is {} for the Gaussian kernel, {} for the NTK and {} for the network; a method "
        "that does not adapt should reach {}.",
        "Seeds 0 to 4 and 21, three repeats each; theory's constant set to 1.",
        figures=(
            _reach("dimension", "rbf", "5.9 to 6.6"),
            _reach("dimension", "ntk", "4.7 to 5.7"),
            _reach("dimension", "network", "2.9 to 5.6"),
            Figure("dimension.unadapted", "6.97"),
        ),
    ),
    Claim(
        "measured",
        "With latent variables the NTK reaches {}, as a method that does not adapt ({}); the network reaches {} and "
        "Algorithm 1 {}.",
        "Seeds 0 to 4, 21 and 22, three repeats each. No verdict of the sweeps over d changes with seed 1.",
        figures=(
            _reach("latent", "ntk", "8.4 to 10.5"),
            Figure("latent.unadapted", "10.6"),
            _reach("latent", "network", "17 to 22"),
            _reach("latent", "algorithm1", "21 to 30"),
        ),
    ),
    Claim(
        "measured",
        "On a support of dimension 2 no error passes ¼ up to d = 100: from d = 4 on they grow by factors of {}, {} "
        "and {} for the Gaussian kernel, the NTK and the network.",
        "Seeds 0 to 4 and 21 to 23, three repeats each.",
        figures=(
            Figure("support.methods.rbf.ratio", "1.06 to 1.36"),
            Figure("support.methods.ntk.ratio", "1.13 to 1.41"),
            Figure("support.methods.network.ratio", "1.3 to 3.2"),
        ),
    ),
    Claim(
        "open",
        "Could the trick be used on the NTK? Nothing proves it here; in the Lab the NTK linearised after the step "
        "does far better than the one at the start.",
        "A closing question of the reading group; measured for one target and one seed in the Lab.",
    ),
    Claim(
        "open",
        "What of Assumption 2? How much of feature learning in practice happens without curvature on average is not "
        "known.",
        "A closing question of the reading group.",
    ),
)
