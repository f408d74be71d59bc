"""Emergence, on its page: features that appear because inputs have structure, on a dictionary and on real digits."""

from __future__ import annotations

from featdash.lessons.emergence import panels as emergence_panels
from featdash.lessons.emergence.recipe import EXPERIMENT
from featdash.ui.lesson import Lesson, LessonText, Trial

MORE = ("positive_counts", "d", "m", "first_output", "second_size", "steps", "batch", "rate", "holdout", "test", "seed")
TEXT = LessonText(
    question="Why do features emerge from structured inputs?",
    formula=r"$x = (M\varphi - \mathrm{E}M\varphi)/\tilde\sigma$; $y = 1$ iff $\sum_A \varphi_j \in P$; "
    r"$\nabla_{w_i} L = -a_i \sum_j M_j T_j$",
    papers=("shi2022",),
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
`featdash.lessons.emergence.run.run`; the bound by `featdash.theory.fixed_features.fixed_feature_bound`. Ours, as the
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


LESSON = Lesson(
    "Dictionary",
    EXPERIMENT,
    TEXT,
    emergence_panels.PATTERN_PANELS,
    emergence_panels.view_options,
    facts=emergence_panels.pattern_facts,
    plays=emergence_panels.PATTERN_PLAYS,
)
