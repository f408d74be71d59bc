"""Emergence: a truncated network on inputs with and without structure, against fixed features (Shi, Wei, Liang 2022).

Two courses run side by side, L = structured (strength `structure`) and L = unstructured (strength 0), from the same
start. Each stream's name begins with `L/`; a course takes steps 1 and 2 on the first layer alone, then minibatches.
Methods M: network, random_features, ntk, linear. Frames, in the order in which they come:

`L/law`, one, at 0
    gamma (), sigma (), positive_share (), relevant_probability (), background_probability ()     exact
    count (k+1,), label (k+1,)  law of Σ_A φ_i, and the label ±1 of each count
    deviations (3,)             σ_w, σ_b, σ_a of the start, the same for both L (γ, σ̃ of the structured law at s = 1)
`L/neurons`, at = steps so far; at 0 is the untrained layer
    points (p, 2), stars (2, 2), stress ()          MDS of neuron cosine similarity, p <= 120; stars at ±Σ_A M_j
    points_folded (p, 2), stars_folded (1, 2), stress_folded ()    the same with w and −w taken as one neuron
    cosine (p,)                 cosine with +Σ_A M_j; star (p,) its sign, +1 or −1: the nearest star, 0 if dead
    dead (p,), dead_count ()    1 where a neuron has no gradient, so that w = 0 after the step; their number among all
    histogram (40,), edges (41,)    counts of the cosine over all live neurons
    median_abs_cos ()           over all live neurons
    cluster_sizes (2,), within (), between ()       the live neurons as two opposite clusters, see `TwoClusters`
`L/gradient`, at 1 and 2
    on (k,), on_spread (k,), off (D−k,), off_spread (D−k,)     T_j: mean and standard deviation over the neurons
    predicted ()                βγ/σ̃ of Lemma 5 and 6, β the measured mean of σ'
    signal_to_noise ()          median over the neurons of |mean of T_j on A| / RMS of T_j off A
    active ()                   share of samples with y g < 1; output () RMS of g; eta () the step taken
`L/training`, at = steps so far
    M/accuracy (), M/hinge ()   of the method's own output on the test sample; 0.5 and 1 at 0, where all outputs are 0
`L/heads`, at 0 (random_features, linear), 1, 2 (network) and the last step (network, ntk)
    M/accuracy ()               of a ridge head on ±1 labels over the method's features, λ tuned alike on a holdout

Result arrays, for each L and each fixed method F: `L/F/norm (l,), L/F/hinge (l,)`, norm B and test hinge loss of ridge
heads over λ, and `L/F/size ()`, the number N of features; with them `theory.fixed_features.fixed_feature_bound`.

Ours, not the paper's: the law on A (`tasks.dictionary`), all sample sizes and rates, a and b held in steps 1 and 2, the
head restarted at 0 after step 2, the minibatch phase without weight decay, and the same start for both laws.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from featdash.learners.truncated_network import draw_mirrored_network
from featdash.lessons.emergence.recipe import EmergenceSpec
from featdash.lessons.shared.fixed_heads import Labelled, bounded_size
from featdash.lessons.shared.two_stage import Dataset, TwoStageTraining
from featdash.lessons.shared.two_stage_recipe import FIXED
from featdash.recipes.events import Event, Frame, Progress, Result
from featdash.tasks.dictionary import PatternLaw, count_labels, count_law
from featdash.tasks.gaussian import random_directions
from featdash.tasks.streams import stream


def deviations(law: PatternLaw) -> tuple[float, float, float]:
    """σ_w = 1/k, σ_b = 1/k², σ_a = σ̃²/(γk²), γ and σ̃ of the law at full strength."""
    full = law.at(1.0)
    return 1 / law.k, 1 / law.k**2, full.sigma**2 / (full.gamma * law.k**2)


def pattern_problem(spec: EmergenceSpec, name: str, law: PatternLaw) -> Dataset:
    """A course's problem in pattern coordinates: D numbers an input in place of d.

    As M has orthonormal rows, inner products of inputs, hence every method but for the start's picture, are the same
    in z as in x = zM; a start w ~ N(0, σ_w² I_d) acts on z with Mw.
    """

    M = random_directions(spec.D, spec.d, stream(spec.seed, "emergence", "dictionary"))
    start = draw_mirrored_network(spec.m, spec.d, stream(spec.seed, "emergence", "start"), deviations(law))
    sizes = {"step": spec.n, "head": spec.n, "batch": spec.batch, "holdout": spec.holdout, "test": spec.test}

    def sample(purpose: str, index: int) -> Labelled:
        phi, y = law.draw(sizes[purpose], stream(spec.seed, "emergence", name, purpose, index))
        return law.coordinates(phi), y

    relevant = np.isin(np.arange(spec.D), law.relevant)
    return Dataset(
        sample=sample,
        start=replace(start, W=start.W @ M.T),
        star=relevant.astype(float),
        portrait=(start.W, relevant @ M),
        relevant=relevant,
        predicted=law.gamma / law.sigma,
    )


def law_frame(course: str, law: PatternLaw) -> Frame:
    """The exact numbers of a law, under its course's name."""
    names = ("gamma", "sigma", "positive_share", "relevant_probability", "background_probability")
    arrays = {name: np.float64(getattr(law, name)) for name in names}
    arrays["count"] = count_law(law.k, law.positive, law.structure)
    arrays["label"] = count_labels(law.k, law.positive)
    return Frame(f"{course}/law", 0, arrays | {"deviations": np.array(deviations(law))})


def side_by_side(courses: dict[str, TwoStageTraining]) -> Iterator[Event]:
    """The courses' events in turn; frames under the course's name, progress as the mean of all."""
    running = {name: course.events() for name, course in courses.items()}
    fractions = dict.fromkeys(courses, 0.0)
    while running:
        for name in list(running):
            for event in running[name]:
                if isinstance(event, Progress):
                    fractions[name] = event.fraction
                    yield Progress(sum(fractions.values()) / len(courses), f"{event.doing}, {name}")
                    break
                yield replace(event, stream=f"{name}/{event.stream}")
            else:
                del running[name]


def run(spec: EmergenceSpec, device: str = "cpu") -> Iterator[Event]:
    """The events of a comparison; see the module's docstring."""
    laws = {"structured": spec.law().at(spec.structure), "unstructured": spec.law().at(0.0)}
    problems = {name: pattern_problem(spec, name, law) for name, law in laws.items()}
    for name, law in laws.items():
        yield law_frame(name, law)
    courses = {name: TwoStageTraining(problem, spec.schedule(), device) for name, problem in problems.items()}
    yield from side_by_side(courses)
    arrays = {}
    for name, course in courses.items():
        named = bound_arrays(course, laws[name], problems[name])
        arrays |= {f"{name}/{key}": value for key, value in named.items()}
    yield Result({name: summary(course) for name, course in courses.items()}, arrays)


def summary(course: TwoStageTraining) -> dict[str, Any]:
    """Plain numbers of one course, see `Course.summary`, and the signal-to-noise numbers of steps 1 and 2."""
    ratios = [float(frame.arrays["signal_to_noise"]) for frame in course.gradients]
    return course.summary() | {"signal_to_noise": ratios}


def bound_arrays(course: TwoStageTraining, law: PatternLaw, problem: Dataset) -> dict[str, np.ndarray]:
    """norm, hinge and size for each fixed method, its features scaled into [−1, 1]."""
    largest = float(np.max(np.maximum(law.means, 1 - law.means))) / law.sigma
    arrays = {}
    for name in FIXED:
        size, bound = bounded_size(name, problem.start, largest)
        head = course.heads[name]
        arrays |= {f"{name}/norm": bound * head.norms, f"{name}/hinge": head.hinges, f"{name}/size": np.int64(size)}
    return arrays
