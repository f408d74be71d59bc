"""Digits, on its page: the same two clusters on real images."""

from __future__ import annotations

from featdash.lessons.digits import panels as digits_panels
from featdash.lessons.digits.recipe import EXPERIMENT
from featdash.ui.lesson import Lesson, LessonText, Trial

TEXT = LessonText(
    question="Do the same two clusters appear on real images?",
    formula=r"$x$: 8×8 pixels, centred; $y = \pm 1$: which of two digits; stars at $\pm(\mu_2 - \mu_1)$",
    papers=("shi2022",),
    controls=("first", "second", "m", "steps", "rate", "seed"),
    sliders=("steps",),
    more=("first_output", "second_size", "batch"),
    reading="""
- **Neurons as images**: noise before training; after two steps each is the difference of the class means, or its
  opposite. The map beside them shows the same as two clusters.
- **Accuracy**: filled markers are each method's own output, hollow diamonds a tuned ridge head on the network's
  features, the thin line one on the pixels themselves. An easy pair is easy for everyone. Features that gather in one
  direction can also *lose*, where a pair needs several: see the first «Try».
- **Cosines**: with the difference of the class means, now and untrained.
""",
    source="""
After Shi, Wei and Liang (ICLR 2022), who show MNIST 0 against 1. Computed by `featdash.lessons.digits.run.run`.
Ours: scikit-learn's 8×8 digits in place of MNIST, their split, the scales of the start (those of $k = 5$ patterns), all
rates, and that every step uses the one training sample there is. A test sample has about 110 images: 0.01 is one image.
""",
    trials=(
        Trial(
            "3 against 8: one direction is not enough",
            {"first": 3, "second": 8},
            "Seeds 0 to 9, mean: the network 0.958, a linear head 0.981, the NTK 0.990; it is below the "
            "one on eight seeds, below the other on nine. Random features, 0.970: undecided, five losses, two ties, "
            "three wins.",
        ),
        Trial(
            "4 against 9",
            {"first": 4, "second": 9},
            "A harder-looking pair, and yet one direction is nearly enough: 1.00 here, 0.99 on average over the "
            "seeds 0 to 7, where a linear head on the pixels has 1.00.",
        ),
    ),
)


LESSON = Lesson(
    "Digits", EXPERIMENT, TEXT, digits_panels.DIGIT_PANELS, digits_panels.view_options, plays=digits_panels.DIGIT_PLAYS
)
