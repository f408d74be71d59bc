"""The Lab, on its page: Algorithm 1 races random features and the NTK."""

from featdash.lessons.race import panels
from featdash.lessons.race.panels import PHASES, sliders
from featdash.lessons.race.recipe import EXPERIMENT, RaceSpec
from featdash.lessons.race.toolbar import toolbar
from featdash.lessons.shared.panels import GAUSSIAN_WORDS
from featdash.theory.theorem import Theorem
from featdash.ui.page import target_picker, theorem_card
from featdash.ui.page.target_picker import target_of
from featdash.ui.stage.lesson import Lesson, LessonText, Line, Trial

STEP_WORDS = {
    "same": "those of the first step",
    "fresh": "n new ones for each",
    "correlation": "correlation loss, without f",
    "square_mean": "squared loss, f = (1/m) Σ",
    "square_root": "squared loss, f = (1/√m) Σ",
    "relu": "ReLU",
    "log_cosh": "log cosh",
}
QUESTION = "What can one gradient step learn that fixed kernels cannot?"
FORMULA = r"$f^*(x) = g(Ux)$; $f(x) = a^{\!\top} \mathrm{ReLU}(Wx + b)$; $W^1 = -\eta_1 \nabla_W L$, then ridge for $a$"
READING = """
- **Left**: the risk of three predictors on the same data while their heads train; the head is the output layer $a$.
  *Excess* risk is $E (f - f^*)^2$, without the label noise. Lower is better; at $E f^{*2}$, which is 1 for the named
  targets, nothing is learned. The line is the plateau predicted for a fixed kernel as $d \\to \\infty$: with
  $d^k < n \\le d^{k+1}$ samples it learns the degrees up to $k$ only. (Ghorbani and co-authors prove it on the sphere,
  Mei, Misiakiewicz and Montanari on the hypercube, for $n$ between $d^{k+\\delta}$ and $d^{k+1-\\delta}$; at the edges,
  and for Gaussian inputs, it is a guide.) In the default race both kernels end within 0.08 of the line, above it or
  below; on targets with a cubic at $n = d^4$ they stay far above it.
- **Neurons**: each point is a neuron, close to others that point the same way. It is filled if its output weight is
  positive and hollow if it is negative, and its colour shows its share inside the principal subspace. Stars are the
  directions $\\pm u_i$. A flat map distorts: its stress says by how much, and the untrained layer shows what chance
  looks like.
- **Alignment**: how much of each principal direction $u_i$ the leading directions $v_j$ of the first layer have found,
  with the angles between the two subspaces.
- **More than one step**: «First-layer steps T₁», under «Training», repeats line 2 up to 20 times, each time with the
  same rule for its size, before the biases are drawn. The film then shows step after step. The *correlation loss*
  leaves the network's output f out; with the *squared loss* the steps after the first subtract it from the labels. With
  log cosh and biases of 0 the mirror copies cancel, f = 0, and both losses are the same. [More than one
  step](beyond_one_step?part=more-steps), on the page Beyond one step, counts the samples that more steps save.
- **Error left**: each method's excess risk, taken apart. If its prediction is $\\sum_k c_k f^*_k + g$, with $g$
  orthogonal to every Hermite part $f^*_k$ of the target, then its risk is $\\sum_k (1 - c_k)^2\\, E f_k^{*2} + E g^2$:
  a piece for each degree, and what lies *beside* the target. So a bar is as high as the end of the loss curve. The
  $c_k$ and the risk are measured on the test sample; $E g^2$ is what is left of the risk. Where that would come out
  negative, by chance, it is drawn as 0 and the degrees are shrunk until they add up to the risk. In the default race
  chance moves up to 0.04 from a degree to «beside», or back (seeds 0 to 4).
- **The learned function** along $u_1$ is averaged over the other directions. The last picture shows the risk at every
  ridge strength. What is pale or marked ≈ lies beyond the reach of the solver, which stops after 60 to 120 steps where
  there are both many samples and many features; everything else is exact for every λ and every $t$.
"""
SOURCE = """
Damian, Lee and Soltanolkotabi, *Neural networks can learn representations with gradient descent*, COLT 2022, Figure 1
and Algorithm 1. Computed by `featdash.lessons.race.run.run`; the predicted plateau by
`featdash.theory.predictions.kernel_plateau`. Exponents are theorems, constants are not; one
seed is one draw, not a law. More first-layer steps, and a σ such as log cosh: Zhang, Wang, Fu and Lee, ICLR 2026, arXiv
2511.15120; the ReLU in further steps, the rule for their size and the squared loss at two scales are ours, see
`featdash.learners.several_steps`.
"""
TRANSFER_EXPECT = (
    "Assumption 2 fails: at d = 40 the neurons keep nine tenths of their squared norm off u₁, and all three stay "
    "above risk 0.6. At d = 10 Algorithm 1 still wins, though its alignment stays below 0.4: a share 8/(2d + 6) of "
    "the step's noise lies along u₁, which is a third at d = 10 and a tenth at d = 40."
)
TRIALS = (
    Trial(
        "Too few samples: n = 100",
        {"n": 100},
        "All three stay near risk 1 or above. Theory says that a constant times d² samples is enough for the first "
        "step; d² itself is not.",
    ),
    Trial(
        "A target without curvature: He₃/√6",
        {"target": "transfer", "d": 40},
        TRANSFER_EXPECT,
    ),
    Trial(
        "Its rescue: He₂/2 + He₃/√12",
        {"target": "pretrain"},
        "The quadratic part shows the way, and the cubic is learned as well: Algorithm 1 ends near 0.02, both kernels "
        "above 0.15.",
    ),
    Trial(
        "As many distinct neurons for all: m",
        {"distinct": "all"},
        "Without mirror copies random features end near 0.45 and the NTK near 0.4. That is still far above Algorithm "
        "1, so its lead is not a matter of counting neurons.",
    ),
    Trial(
        "The interpolation peak: n = 500",
        {"n": 500},
        "There are as many samples as random features have distinct neurons. At the tuned λ their risk is about ¾; "
        "pull λ to 10⁻⁴ of that, and it is about 10. The NTK has twelve times as many features and stays below 1.2 at "
        "every λ, without a peak (seeds 0, 7, 11).",
    ),
    Trial(
        "Three first-layer steps: d = 50",
        {"d": 50, "n": 3000, "first_layer_steps": 3},
        "Two further steps on the same samples bring the alignment from about 0.3 to above 0.5, and lower the risk by "
        "a fifth or more. With «squared loss, f = (1/√m) Σ», under «Training», the second step turns away again, and "
        "the risk is near 1.",
    ),
)


SIZES = {
    "quick": {"n": 3000, "width": 100, "holdout": 1000, "test": 4000},
    "full": {name: getattr(RaceSpec, name) for name in ("n", "width", "holdout", "test")},
}
TEXT = LessonText(
    QUESTION,
    FORMULA,
    READING,
    SOURCE,
    TRIALS,
    papers=("damian2022", "ghorbani2021", "mei2022", "zhang2026"),
    controls=("target", "n", "d", "width", "noise", "seed"),
    sizes=SIZES,
    words=GAUSSIAN_WORDS | STEP_WORDS,
)


def facts(spec: RaceSpec) -> None:
    """The target's card, and its story behind a button."""
    target_picker.facts(target_of(spec.target, spec.d), spec.target, spec.biases)


def theory(spec: RaceSpec) -> tuple[Theorem, ...]:
    """The theorems with the numbers of the race."""
    target = target_of(spec.target, spec.d)
    return theorem_card.theorems(target, spec.n, spec.width, spec.noise, theorem_card.step_of(spec))


LINES = (
    Line("Start: aⱼ = ±1, wⱼ at random", "Every neuron looks where chance has put it; nothing is learned yet.", 0.0),
    Line("1. y ← y − α − β·x", "The linear part of the labels is set aside: no neuron is needed for it.", 0.01),
    Line(
        "2. T₁ times: W ← −η₁ ∇L",
        "The gradient step, one by default, drawn little by little: the neurons swing to the stars.",
        0.02,
    ),
    Line("3. bⱼ ~ N(0, 1)", "Where each neuron bends is drawn anew; no direction changes.", 1.0),
    Line("4. repeat a ← a − η (∇ₐL + λa)", "Only now are the weights trained, and the error falls.", 1.01),
    Line("5. return α + β·x + a·ReLU(Wx + b)", "What has been learned, in all pictures.", 2.0),
)


LESSON = Lesson(
    "Race",
    EXPERIMENT,
    TEXT,
    panels.PANELS,
    toolbar=toolbar,
    facts=facts,
    theory=theory,
    remark=panels.fairness,
    film=PHASES,
    lines=LINES,
    sliders=sliders,
)
