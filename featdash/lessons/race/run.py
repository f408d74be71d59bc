"""The race: Algorithm 1 against random features and the tangent kernel, on the same data, width and holdout.

Streams: `target`, one, at 0 (TargetProfile); `start`, one, at 0: the untrained layer W⁰ on a map of its own
(LayerFrame); `neurons`, at = s from 0 to 1, the layer after the step has been taken to the fraction s of its size, all
on one map (LayerFrame), and from 0 to T₁ with several steps; `heads`, at = rounds of the solver so far (a LossCurve of
each method that has something to show, at the λ that is best so far on the holdout), and `learned`, at = the same (a
Learned of each, after as many steps as its curve). Result: RaceArrays. Summary: `alignment` = `before` and `after` the
first layer is trained, with several steps or another activation also `by_step`, after each.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from featdash.geometry.neurons import alignment
from featdash.learners.feature_map import Features, Layer
from featdash.learners.head import Head
from featdash.learners.methods import METHODS
from featdash.lessons.race.first_layer import several_steps_of, train_step_by_step
from featdash.lessons.race.recipe import WATCHED, RaceSpec
from featdash.lessons.shared.frames import RaceArrays
from featdash.lessons.shared.gaussian_race import (
    Competitor,
    Profile,
    Splits,
    draw_field,
    draw_profile,
    enter,
    first_step_of,
    layer_of,
    profile_of,
    train_first_layer,
    train_heads,
)
from featdash.lessons.shared.gaussian_recipe import task_of
from featdash.recipes.events import Event, Frame, Progress, Result
from featdash.tasks.streams import of_seed
from featdash.theory.target import PolynomialTarget


def run(spec: RaceSpec, device: str = "cpu") -> Iterator[Event]:
    """The events of a race; see the module's docstring."""
    task = task_of(spec.target, spec, spec.seed)
    target = task.target
    yield Progress(0.01, "drawing the data")
    field = draw_field(task, spec.n, spec.holdout, spec.test)
    profile = draw_profile(target, spec.seed)
    yield Frame("target", 0, profile_of(target, profile).to_arrays())
    competitors, seconds, layer_alignments = {}, dict.fromkeys(spec.methods, 0.0), None
    second_stage = replace(field, train=task.sample(spec.n, "fresh")) if spec.fresh_data else field
    for name in sorted(spec.methods, key=lambda name: name != WATCHED):
        started = time.perf_counter()
        if name == WATCHED:
            if spec.plain_step:
                layer = yield from train_first_layer(spec, field.train, target.subspace, device)
                by_step: list[float] = []
            else:
                layer, by_step = yield from train_step_by_step(spec, task, field.train, device)
            features: Features = layer
            layer_alignments = alignments(spec, layer, target) | ({"by_step": by_step} if by_step else {})
        else:
            step = None if spec.plain_step else several_steps_of(spec, task, spec.neurons(name))
            features = layer_of(name, spec, field.train, device, step)
        competitors[name] = enter(second_stage if METHODS[name].steps else field, profile, features, device)
        seconds[name] += time.perf_counter() - started
    heads = yield from train_heads(competitors, spec.steps, seconds)
    yield Progress(0.98, "measuring on the test sample")
    result = report(target, field, profile, competitors, heads, layer_alignments, seconds)
    yield Progress(1.0, "done")
    yield result


def alignments(spec: RaceSpec, layer: Layer, target: PolynomialTarget) -> dict[str, Any]:
    """Squared share of the layer's norm inside the principal subspace, before and after its step."""
    start = first_step_of(spec, spec.width).start(spec.d, of_seed(spec.seed))
    return {"before": alignment(start.W, target.subspace), "after": alignment(layer.network.W, target.subspace)}


def report(
    target: PolynomialTarget,
    field: Splits,
    profile: Profile,
    competitors: Mapping[str, Competitor],
    heads: Mapping[str, Head],
    layer_alignments: dict[str, Any] | None,
    seconds: Mapping[str, float],
) -> Result:
    """The numbers of the finish line, and what the sliders need after it."""
    arrays = RaceArrays(profile_of(target, profile), {name: head.path for name, head in heads.items()})
    methods = {}
    for name, head in heads.items():
        lam = head.path.tune("holdout")
        errors = (competitors[name].predict_test(head, lam) - field.test.clean) ** 2
        methods[name] = {
            "excess_risk": float(np.mean(errors)),
            "standard_error": float(np.std(errors) / np.sqrt(len(errors))),
            "lam": lam,
            "seconds": round(seconds[name], 3),
        }
    summary: dict[str, Any] = {"methods": methods, "target": target.describe()}
    if layer_alignments is not None:
        summary["alignment"] = layer_alignments
    return Result(summary, arrays.to_arrays())
