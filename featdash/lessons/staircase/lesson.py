"""A stair, on its page: monomials that are learned one after the other, and what it costs where one is missing."""

from featdash.lessons.staircase import panels as board
from featdash.lessons.staircase.pictures.style import TARGETS
from featdash.lessons.staircase.recipe import EXPERIMENT, HIGH, LONG, LOOSE, NONE
from featdash.ui.lesson import Lesson, LessonText, Trial

TEXT = LessonText(
    question="How does a network learn a product that one step cannot see?",
    formula=r"$f^*(x) = x_1 + x_1x_2 + x_1x_2x_3$, $x \in \{\pm 1\}^d$; $f(x) = \frac1m \sum_j a_j\,\mathrm{ReLU}(w_j "
    r"\cdot x + b_j)$, all of it trained",
    reading="""
- **Left**: every product of the first inputs, a *monomial*, has a coefficient in the network, which the target wants
  at 1 or at 0. On the full stair they rise one after the other: $x_1$ first, then $x_1x_2$, then $x_1x_2x_3$. Where a
  stair is missing, the next one waits. Grey is the largest of those that the target does not have.
- **Right, above**: the loss on new samples. It comes down in falls, one a monomial, with level stretches between them.
  The dashed level is where a target counts as learned.
- **Right, below**: the steps to that level against the dimension, each network with its own start and samples: median,
  and a bar from the least to the most. A hollow marker at the top: most of them gave up.
- The *leap* of a target is the most new inputs that a monomial brings, in the best order: 1 for the full stair, 2
  without its middle, 3 for the product alone.
""",
    source="""
Abbe, Boix-Adserà and Misiakiewicz, *The merged-staircase property*, COLT 2022, and *SGD learning on neural networks:
leap complexity and saddle-to-saddle dynamics*, COLT 2023. The run is `featdash.lessons.staircase.run.run`, the network
`featdash.learners.online_sgd.OnlineNetwork`. Our choices: coefficients 1, ReLU, biases that start at 0, batches of 64,
a rate that does not depend on the dimension, and the level.
""",
    trials=(
        Trial(
            "Three loose stones",
            {"targets": (LOOSE, NONE)},
            "x₁ + x₂ + x₃ + x₁x₂x₃ has leap 1 as well: with the three inputs known, the product brings no new one. It "
            "is learned after 240 to 250 steps at every d, seeds 0, 7 and 11.",
        ),
        Trial(
            "Biases drawn at the start",
            {"biases": "drawn"},
            "The product alone no longer waits for the biases to move: at d = 80 it takes 800 to 830 steps in place of "
            "1830 to 1870, and still comes last (seeds 0, 7, 11).",
        ),
        Trial(
            "A stair of four, and a leap of three",
            {"targets": (LONG, HIGH), "dims": (20, 80)},
            "At d = 20 the two products in the middle help nobody: 390 steps with them, 360 to 370 without. At d = 80 "
            "they do: 550 to 570 against 710 to 730 (seeds 0, 7, 11).",
        ),
        Trial(
            "Give up after 1000 steps",
            {"steps": 1000},
            "At d = 80 no network learns the product alone: a hollow marker at the top, no number. At d = 20 all do.",
        ),
    ),
    papers=("abbe2022", "abbe2023"),
    controls=("targets", "dims", "width", "rate", "repeats", "seed"),
    more=("batch", "steps", "biases", "level"),
    words={name: style.label for name, style in TARGETS.items()} | {"zero": "all 0", "drawn": "drawn from N(0, 1)"},
    sliders=(),
)

LESSON = Lesson(
    "A stair",
    EXPERIMENT,
    TEXT,
    board.PANELS,
    toolbar=board.view_options,
    plays=board.PLAYS,
)
