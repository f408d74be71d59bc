"""The race's pictures: six panels of one moment."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated

from featdash.export.slider import Slider, Stops
from featdash.figures.axes import RISKS
from featdash.figures.film import Film
from featdash.figures.picture import Picture, Theme
from featdash.figures.streams import Frames
from featdash.figures.text import number
from featdash.learners.methods import METHODS
from featdash.lessons.race.numbers import Heads, Setting
from featdash.lessons.race.pictures import films
from featdash.lessons.race.pictures.error_left import error_left
from featdash.lessons.race.pictures.learned import alignment_heatmap, lam_curve, profile
from featdash.lessons.race.pictures.risk import headline, loss_curves
from featdash.lessons.race.recipe import EXPERIMENT, RaceSpec
from featdash.lessons.race.toolbar import ALL, Options, lam_is_manual
from featdash.lessons.shared.frames import LayerFrame, Learned, LossCurve, RaceArrays, TargetProfile
from featdash.lessons.shared.gaussian_recipe import PROFILE_GRID
from featdash.lessons.shared.pictures.alignment_gauge import Alignment
from featdash.lessons.shared.pictures.neurons import neuron_map
from featdash.recipes.events import Result
from featdash.theory.error_parts import error_parts
from featdash.theory.predictions import kernel_plateau
from featdash.ui.page.target_picker import target_of
from featdash.ui.stage.panels import Panel, View
from featdash.ui.stage.phases import Phase
from featdash.ui.stage.shown import shown
from featdash.ui.stage.sliders import Sliders

Descent = Annotated[Mapping[str, LossCurve] | None, "heads"]
LearnedSoFar = Annotated[Mapping[str, Learned] | None, "learned"]
Steps = Annotated[Frames[LayerFrame], "neurons"]
Arrays = Annotated[RaceArrays, Result]
ArraysAtEnd = Annotated[RaceArrays | None, Result]


def heads_of(arrays: RaceArrays | None, options: Options) -> Heads:
    """Every method's head as the sliders ask for it; none before the end."""
    return Heads(arrays.path if arrays else {}, options.setting)


@shown
def losses(so_far: Descent, arrays: ArraysAtEnd, options: Options, spec: RaceSpec, theme: Theme) -> Picture | None:
    """Risk against head steps; None before the first head has begun."""
    heads, target = heads_of(arrays, options), target_of(spec.target, spec.d)
    curves = heads.curves(spec.steps) or so_far
    if not curves:
        return None
    plateau = kernel_plateau(target.energy_by_degree, spec.d, spec.n)
    picture = loss_curves(
        curves,
        theme=theme,
        risks=tuple(RISKS) if options.risk == ALL else (options.risk,),
        noise=spec.noise**2,
        plateau=plateau,
        log=options.log,
        limits=heads.limits() or None,
        at=options.setting.t if arrays else None,
        last=float(spec.steps),
        scale=target.second_moment,
        height=350,
    )
    excess = heads.excess() or {name: float(curve.risk("excess")[-1]) for name, curve in curves.items()}
    at_end = arrays is not None and math.isinf(options.setting.t)
    fixed_features = [name for name, method in METHODS.items() if not method.steps]
    sentence = headline(
        excess, at_end=at_end, plateau=plateau, scale=target.second_moment, fixed_features=fixed_features
    )
    return replace(picture, headline=sentence)


@shown
def loss_film(picture: Picture, arrays: Arrays, options: Options, spec: RaceSpec) -> Film:
    stops = films.head_stops(spec)
    levels = heads_of(arrays, options).risks_at(stops)
    return films.loss_film(picture.figure, stops, levels, options.log, options.risk == "excess")


@shown
def neurons(
    start: Annotated[LayerFrame, "start"],
    steps: Annotated[Frames[LayerFrame] | None, "neurons"],
    options: Options,
    spec: RaceSpec,
    theme: Theme,
) -> Picture:
    """The MDS map of the layer now, the untrained one pale in it, and the alignment."""
    first, now = (steps.arrays[0], steps.arrays[-1]) if steps else (start, start)
    alignment = Alignment(first.alignment, now.alignment, target_of(spec.target, spec.d).rank / spec.d)
    return neuron_map(first, now, theme=theme, folded=options.folded, alignment=alignment, height=300)


@shown
def neuron_film(picture: Picture, steps: Steps, options: Options) -> Film | None:
    return films.step_film(picture.figure, steps.arrays, options.folded) if len(steps) > 1 else None


@shown
def alignment(
    start: Annotated[LayerFrame, "start"], steps: Annotated[Frames[LayerFrame] | None, "neurons"], theme: Theme
) -> Picture:
    """The heatmap, before and now."""
    first, now = (steps.arrays[0], steps.arrays[-1]) if steps else (start, start)
    return alignment_heatmap(first, now, theme=theme, height=126 + 14 * min(len(now.angles), 8))


@shown
def alignment_film(_: Picture, steps: Steps) -> Film | None:
    return films.heatmap_film(steps.arrays) if len(steps) > 1 else None


@shown
def errors(so_far: LearnedSoFar, arrays: ArraysAtEnd, options: Options, spec: RaceSpec, theme: Theme) -> Picture:
    """What is left of each error, by Hermite degree; before the first head, the error of always answering 0."""
    heads, energy = heads_of(arrays, options), target_of(spec.target, spec.d).energy_by_degree
    remainders = heads.error_left(energy)
    if not arrays:
        remainders = {name: error_parts(one.coefficients, one.risk, energy) for name, one in (so_far or {}).items()}
    film = heads.errors_at(films.head_stops(spec), energy)
    most = max((float(parts.sum(axis=-1).max()) for parts in film.values()), default=0.0)
    return error_left(energy, remainders, theme=theme, most=most, rough=heads.rough(), height=300)


@shown
def error_film(picture: Picture, arrays: Arrays, options: Options, spec: RaceSpec) -> Film:
    energy = target_of(spec.target, spec.d).energy_by_degree
    parts = heads_of(arrays, options).errors_at(films.head_stops(spec), energy)
    return films.error_film(picture.figure, parts, energy)


@shown
def profiles(
    target: Annotated[TargetProfile, "target"],
    so_far: LearnedSoFar,
    arrays: ArraysAtEnd,
    options: Options,
    theme: Theme,
) -> Picture:
    """The target and the learned functions along u₁."""
    heads = heads_of(arrays, options)
    functions = heads.read("profile")
    if not arrays:
        functions = {name: one.profile for name, one in (so_far or {}).items()}
    return profile(target.z, target.truth, functions, theme=theme, rough=heads.rough(), height=250)


@shown
def profile_film(picture: Picture, arrays: Arrays, options: Options, spec: RaceSpec) -> Film:
    stops = films.head_stops(spec)
    functions = heads_of(arrays, options).readings_at("profile", stops)
    return films.profile_film(picture.figure, PROFILE_GRID, functions, len(stops))


@shown
def ridge(arrays: Arrays, options: Options, theme: Theme) -> Picture:
    """Risk against λ."""
    heads, risk = heads_of(arrays, options), "excess" if options.risk == ALL else options.risk
    lams, risks, tuned, settled = heads.sweep(risk)
    return lam_curve(lams, risks, tuned, theme=theme, risk=risk, manual=heads.lam, settled=settled, height=250)


def step_word(at: float) -> str:
    """The name of a moment of the first layer; at : steps taken, the last one as its fraction s."""
    before = max(math.ceil(at) - 1, 0)
    return f"step {before + 1}, s = {at - before:.2f}" if before else f"s = {at:.2f}"


THE_STEP = Phase("the step: s = 0 … 1", ("start", "neurons"), step_word, seconds=4.0)
THE_HEAD = Phase(
    "the head: t = 1 … ∞",
    ("heads", "learned"),
    lambda t: f"t = {number(t if math.isinf(t) else float(f'{t:.2g}'))}",
    stops=films.head_stops,
    seconds=5.0,
)
PHASES = (THE_STEP, THE_HEAD)
PANELS = (
    Panel("race-neurons", neurons, start=1, film=neuron_film),
    Panel("race-risk", losses, film=loss_film),
    Panel("race-alignment", alignment, film=alignment_film),
    Panel("race-error", errors, film=error_film),
    Panel("race-profile", profiles, film=profile_film),
    Panel("race-lambda", ridge),
)


def fairness(spec: RaceSpec) -> str:
    """What is alike in a race, and what is not."""
    if len(spec.methods) == 1:
        return f"No race: {METHODS[spec.methods[0]].label} runs alone."
    strength = "λ set by hand ✗" if lam_is_manual(EXPERIMENT.name) else "λ tuned alike ✓"
    line = f"Same data ✓ same width ✓ {strength}"
    apart = _differences(spec)
    return f"{line} · What differs: {', '.join(apart)}" if apart else line


def _differences(spec: RaceSpec) -> list[str]:
    """What methods with a first step have in a race and the others do not, and what methods without neurons have."""
    learners = [name for name in spec.methods if METHODS[name].steps]
    networks = [name for name in spec.methods if METHODS[name].neurons]
    stepping_networks = [name for name in networks if name in learners]
    removing = [name for name in spec.methods if METHODS[name].removes_linear]
    half, whole, apart = number(spec.width // 2), number(spec.width), []
    if spec.distinct == "half" and 0 < len(stepping_networks) < len(networks):
        apart.append(f"mirrored baselines have {half} distinct neurons, {_together(stepping_networks)} {whole}")
    if kernels := [name for name in spec.methods if name not in networks]:
        has, its = ("has", "its") if len(kernels) == 1 else ("have", "their")
        apart.append(f"{_together(kernels)} {has} no neurons but {its} own kernel of all n = {number(spec.n)} samples")
    if spec.remove_linear and 0 < len(removing) < len(spec.methods):
        apart.append(f"only {_together(removing)} remove{'s' if len(removing) == 1 else ''} the linear part")
    if spec.first_layer_steps > 1 and stepping_networks:
        takes, its = ("takes", "its") if len(stepping_networks) == 1 else ("take", "their")
        new = f", {its} further ones on n new samples each" if spec.step_samples == "fresh" else ""
        apart.append(f"{_together(stepping_networks)} {takes} {spec.first_layer_steps} steps{new}")
    return apart + ([f"the head of {_together(learners)} sees fresh data"] if spec.fresh_data and learners else [])


def _together(names: list[str]) -> str:
    return " and ".join(METHODS[name].label for name in names)


FILE_PANELS = ("race-risk", "race-error", "race-profile", "race-lambda")
# Every stop is drawn, with its film, before the file is sent. Multiples of each method's tuned λ, and λs for all.
FACTORS = tuple(10.0**power for power in range(-4, 3))
STRENGTHS = tuple(10.0**power for power in range(-5, 3))


def sliders(view: View[RaceSpec, Options]) -> Sliders[Options] | None:
    """A slider over λ that begins at the page's; None for a race that did not finish. The film goes over t."""
    if view.result() is None:
        return None
    now = view.options.setting
    is_common = now.common_lam is not None
    lam = now.common_lam if now.common_lam is not None else now.factor
    lams = sorted({*(STRENGTHS if is_common else FACTORS), lam})
    word = "λ = {}" if is_common else "{} × tuned λ"
    control = Slider("Ridge strength λ", tuple(word.format(number(one)) for one in lams), lams.index(lam))

    def options(stops: Stops) -> Options:
        strength = lams[stops[0]]
        setting = Setting(1.0, strength, now.t) if is_common else Setting(strength, None, now.t)
        return replace(view.options, setting=setting)

    return Sliders((control,), FILE_PANELS, options)
