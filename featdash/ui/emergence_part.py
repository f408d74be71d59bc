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
  diamonds a tuned ridge head on the network's features then. At the default setting **the paper's jump at step 2 is
  seen**: the head goes from 0.84 to 1.00, although the median |cos| hardly moves (0.996 to 0.998). How large step 1 is
  decides that: see the first «Try». The line over the pictures says it for the run on show.
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
            "The head is at 1.00 right after step 1: there is no jump left for step 2 to show.",
        ),
        Trial(
            "Weak structure: strength 0.3",
            {"structure": 0.3},
            "A jump again: the head goes from 0.72 after step 1 to 0.97 after step 2; fixed features stay below 0.7.",
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
  opposite. The map beside the curves shows the same as two clusters.
- **Accuracy**: filled markers are each method's own output, hollow diamonds a tuned ridge head on the network's
  features. An easy pair is easy for everyone. Features that gather in one direction can also *lose*: a pair that needs
  several directions is better served by random features.
- **Cosines**: with the difference of the class means, now and untrained.
""",
    source="""
After Shi, Wei and Liang (ICLR 2022), who show MNIST 0 against 1. Computed by `featdash.experiments.digits.run`.
Ours: scikit-learn's 8×8 digits in place of MNIST, their split, the scales of the start (those of $k = 5$ patterns), all
rates, and that every step uses the one training sample there is. A test sample has about 110 images: 0.01 is one image.
""",
    trials=(
        Trial(
            "3 against 8: a case against the network",
            {"first": 3, "second": 8},
            "Its neurons collapse on one direction: 0.944, while a head on random features has 0.991.",
        ),
        Trial(
            "4 against 9",
            {"first": 4, "second": 9},
            "A harder-looking pair, and yet one direction is enough: the network is at 1.00.",
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
