"""Emergence: a truncated network on inputs with and without structure, against fixed features (Shi, Wei, Liang 2022).

Two courses run side by side, L = structured (strength `structure`) and L = unstructured (strength 0), from the same
start: steps 1 and 2 on the first layer alone, then minibatches. Methods: network, random_features, ntk, linear.
Streams, see `lessons.emergence.frames`: `L/neurons`, `L/gradient`, `L/training` (0.5 at 0, where all outputs
are 0), `L/heads`, at 0 (random_features, linear), 1, 2 (network) and the last step (network, ntk).
Result: `L/F/`, the `FixedFeatures` of each fixed method F; with them `theory.fixed_features.fixed_feature_bound`.

Ours, not the paper's: the law on A (`tasks.dictionary`), all sample sizes and rates, a and b held in steps 1 and 2, the
head restarted at 0 after step 2, the minibatch phase without weight decay, and the same start for both laws.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from featdash.learners.truncated_network import draw_mirrored_network
from featdash.lessons.emergence.fixed_heads import bounded_size
from featdash.lessons.emergence.frames import FixedFeatures
from featdash.lessons.emergence.recipe import FIXED, EmergenceSpec
from featdash.lessons.emergence.two_stage import Dataset, TwoStageTraining
from featdash.recipes.events import Event, Frame, Progress, Result, flatten
from featdash.tasks import Labelled
from featdash.tasks.dictionary import PatternLaw
from featdash.tasks.gaussian import random_directions
from featdash.tasks.streams import stream


def deviations(law: PatternLaw) -> tuple[float, float, float]:
    """σ_w = 1/k, σ_b = 1/k², σ_a = σ̃²/(γk²), γ and σ̃ of the law at full strength."""
    full = law.at(1.0)
    return 1 / law.k, 1 / law.k**2, full.sigma**2 / (full.gamma * law.k**2)


def pattern_problem(spec: EmergenceSpec, name: str, law: PatternLaw) -> Dataset:
    """A course's problem in pattern coordinates: D numbers an input in place of d.

    As M has orthonormal rows, inner products of inputs, hence every method but for the start's frame, are the same
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
        shown_start=(start.W, relevant @ M),
        relevant=relevant,
        prediction=law.gamma / law.sigma,
    )


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
                if isinstance(event, Frame):
                    yield replace(event, stream=f"{name}/{event.stream}")
            else:
                del running[name]


def run(spec: EmergenceSpec, device: str = "cpu") -> Iterator[Event]:
    """The events of a comparison; see the module's docstring."""
    laws = {"structured": spec.law().at(spec.structure), "unstructured": spec.law().at(0.0)}
    problems = {name: pattern_problem(spec, name, law) for name, law in laws.items()}
    courses = {name: TwoStageTraining(problem, spec.schedule(), device) for name, problem in problems.items()}
    yield from side_by_side(courses)
    arrays: dict[str, np.ndarray] = {}
    for name, course in courses.items():
        arrays |= flatten(fixed_features(course, laws[name], problems[name]), f"{name}/")
    notes = [f"With {name} inputs: {note}" for name, course in courses.items() if (note := course.divergence())]
    ending = {"note": ". ".join(notes)} if notes else {}
    yield Result({name: summary(course) for name, course in courses.items()} | ending, arrays)


def summary(course: TwoStageTraining) -> dict[str, Any]:
    """Plain numbers of one course, with the signal-to-noise ratios of steps 1 and 2."""
    return course.summary() | {"signal_to_noise": [step.signal_to_noise for step in course.gradients]}


def fixed_features(course: TwoStageTraining, law: PatternLaw, problem: Dataset) -> dict[str, FixedFeatures]:
    """What the bound is compared with, for each fixed method."""
    largest = float(np.max(np.maximum(law.means, 1 - law.means))) / law.sigma
    heads = {}
    for name in FIXED:
        size, bound = bounded_size(name, problem.start, largest)
        heads[name] = FixedFeatures(bound * course.heads[name].norms, course.heads[name].hinges, size)
    return heads
