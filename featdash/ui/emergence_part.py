"""Emergence, on its page: features that appear because inputs have structure, on a dictionary and on real digits."""

from featdash.experiments import EXPERIMENTS
from featdash.ui import emergence_board as board
from featdash.ui.lesson import Trial
from featdash.ui.lesson_page import Lesson, Part

MORE = ("positive_counts", "d", "m", "first_output", "second_size", "steps", "batch", "rate", "holdout", "test", "seed")
DICTIONARY = Lesson(
    question="Why do features emerge from structured inputs?",
    formula=r"$x = (M\varphi - \mathrm{E}M\varphi)/\tilde\sigma$; $y = 1$ iff $\sum_A \varphi_j \in P$; "
    r"$\nabla_{w_i} L = -a_i \sum_j M_j T_j$",
    controls=("k", "D", "p0", "n", "structure", "labels"),
    sliders=("n", "structure"),
    more=MORE,
    reading="""
- **Accuracy**: both sides have the same labels and start. Left, the relevant patterns correlate with the label
  ($\\gamma > 0$; the line under the controls has $\\gamma$ and $\\tilde\\sigma$ exactly); right, all patterns are
  independent fair coins, and nobody does better than a coin. Filled markers are each method's own output, hollow
  diamonds a tuned ridge head on the network's features then, the thin line one on the inputs themselves.
- **The jump at step 2**: the head goes from 0.84 to 1.00, but this is **not the paper's jump**, from 52 % to 100 %. The
  linear model has 0.84 as well: after step 1 the neurons are so small that all of them are still in the linear range of
  σ. In step 2 they grow and the **non-linearity switches on**; their directions hardly move (median |cos| 0.996, then
  0.998). Tried for the paper's 52 %: an output of RMS 0.1 and of 10 after step 1, and structure 0.3. They give 0.84,
  1.00 and 0.72.
- **Neurons**: near to one another if they point the same way; the untrained layer is the null to compare with. With
  structure they gather at two stars, $\\pm\\sum_A M_j$. Without it they line up too, but on a direction of noise, off
  the stars. Two dimensions distort: the stress says by how much.
- **Gradient**: its component $T_j$ along each pattern, averaged over the neurons. Signal-to-noise is the mean on $A$
  over the root mean square off $A$; the dashed line is the lemmas' $\\beta\\gamma/\\tilde\\sigma$.
- **Hinge loss**: no linear model on $N$ fixed features in $[-1, 1]$ with weights of norm $B$ gets below
  $p_0(1 - \\sqrt{2N}B/2^k)$ on *some* structured law, not on each. At $k = 5$ the bound is weak: with $N = 600$ random
  features $\\sqrt{2N} = 34.6 > 2^5$, so it says something for $B < 0.92$ only.
""",
    source="""
Shi, Wei and Liang, *A theoretical analysis on feature learning in neural networks: emergence from inputs and advantage
over fixed features*, ICLR 2022: simulation, Lemmas 5 and 6, Theorem 2. Computed by
`featdash.experiments.emergence.run`; the bound by `featdash.theory.fixed_features.fixed_feature_bound`. Ours, as the
paper leaves them open: the law on $A$ (for parity: with probability $s/2$ all or none, else independent; $s$ is the
slider), all sample sizes and rates, and the head's restart at 0 after step 2. All methods see the same samples and
start from the same network; the ridge heads' λ is tuned alike. One seed is one draw, not a law.
""",
    trials=(
        Trial(
            "A large first step",
            {"first_output": 10.0},
            "The head is at 1.00 right after step 1: the neurons leave the linear range at once, and no jump is left.",
        ),
        Trial(
            "Weak structure: strength 0.3",
            {"structure": 0.3},
            "The head goes from 0.72 after step 1, near the linear model's 0.70, to 0.97 after step 2 (0.94 to 0.97 "
            "over three seeds); fixed features stay below 0.7.",
        ),
        Trial(
            "Labels by majority: counts 4 and 5",
            {"labels": "counts", "positive_counts": (4, 5)},
            "Even independent patterns now correlate with the label: the network is above 0.99 on both sides.",
        ),
    ),
)
DIGITS = Lesson(
    question="Do the same two clusters appear on real images?",
    formula=r"$x$: 8×8 pixels, centred; $y = \pm 1$: which of two digits; stars at $\pm(\mu_2 - \mu_1)$",
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
After Shi, Wei and Liang (ICLR 2022), who show MNIST 0 against 1. Computed by `featdash.experiments.digits.run`.
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

PATTERN_PART = Part(
    "Dictionary",
    EXPERIMENTS["emergence"],
    DICTIONARY,
    board.PATTERN_PANELS,
    board.pattern_wishes,
    facts=board.pattern_facts,
    plays=board.PATTERN_PLAYS,
)
DIGIT_PART = Part(
    "Digits", EXPERIMENTS["digits"], DIGITS, board.DIGIT_PANELS, board.digit_wishes, plays=board.DIGIT_PLAYS
)
