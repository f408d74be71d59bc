"""The race's pictures: six panels of one moment."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

from featdash.export.slider import Slider, Stops
from featdash.figures.axes import RISKS
from featdash.figures.film import Film
from featdash.figures.picture import Picture
from featdash.figures.text import number
from featdash.learners.methods import METHODS
from featdash.lessons.race import numbers
from featdash.lessons.race.numbers import Setting
from featdash.lessons.race.pictures import films
from featdash.lessons.race.pictures.error_left import error_left
from featdash.lessons.race.pictures.learned import alignment_heatmap, lam_curve, profile
from featdash.lessons.race.pictures.risk import headline, loss_curves
from featdash.lessons.race.recipe import EXPERIMENT, RaceSpec
from featdash.lessons.race.toolbar import ALL, Options, lam_is_manual
from featdash.lessons.shared.frames import LayerFrame, Learned, TargetProfile
from featdash.lessons.shared.gaussian_recipe import PROFILE_GRID
from featdash.lessons.shared.pictures.neurons import Alignment, neuron_map
from featdash.recipes.events import nest
from featdash.theory.error_parts import error_parts
from featdash.theory.predictions import kernel_plateau
from featdash.theory.ridge_path import SpectralPath
from featdash.theory.target import PolynomialTarget
from featdash.ui.page.target_picker import target_of
from featdash.ui.stage.panels import Panel, View
from featdash.ui.stage.phases import Phase
from featdash.ui.stage.sliders import Sliders

RaceView = View[RaceSpec, Options]


def _target(view: RaceView) -> PolynomialTarget:
    return target_of(view.spec.target, view.spec.d)


def _paths(view: RaceView) -> tuple[Mapping[str, SpectralPath], dict[str, float]]:
    """Every method's path and the λ that the sliders ask for; empty before the end."""
    paths = numbers.paths_of(view.result())
    return paths, numbers.lams_of(paths, view.options.setting)


def _rough(view: RaceView, paths: Mapping[str, SpectralPath], lams: dict[str, float]) -> tuple[str, ...]:
    """The methods whose solver did not go far enough for what the sliders ask."""
    settled = numbers.converged_at(paths, lams, view.options.setting)
    return tuple(name for name, known in settled.items() if not known)


def _descent(view: RaceView) -> numbers.Curves:
    """The curves of the newest frame."""
    frame = view.last("heads")
    return numbers.curves_of_frame(frame) if frame else {}


def losses(view: RaceView) -> Picture | None:
    """Risk against head steps; None before the first head has begun."""
    spec, options = view.spec, view.options
    paths, lams = _paths(view)
    curves = numbers.curves_at(paths, lams, spec.steps) if paths else _descent(view)
    if not curves:
        return None
    plateau = kernel_plateau(_target(view).energy_by_degree, spec.d, spec.n)
    picture = loss_curves(
        curves,
        theme=view.theme,
        shown=tuple(RISKS) if options.risk == ALL else (options.risk,),
        noise=spec.noise**2,
        plateau=plateau,
        log=options.log,
        limits=numbers.limits_at(paths, lams) if paths else None,
        at=options.setting.t if paths else None,
        last=float(spec.steps),
        scale=_target(view).second_moment,
        height=350,
    )
    return replace(picture, headline=_headline(view, paths, lams, plateau))


def _headline(view: RaceView, paths: Mapping[str, SpectralPath], lams: dict[str, float], plateau: float | None) -> str:
    """Of the moment on show."""
    at_end = bool(paths) and math.isinf(view.options.setting.t)
    values = numbers.excess_at(paths, lams, view.options.setting) if paths else numbers.last_excess(_descent(view))
    fixed = [name for name, method in METHODS.items() if not method.steps]
    scale = _target(view).second_moment
    return headline(values, at_end=at_end, plateau=plateau, scale=scale, fixed=fixed)


def loss_film(view: RaceView, picture: Picture) -> Film | None:
    (paths, lams), stops = _paths(view), films.head_stops(view.spec)
    one = view.options.risk == "excess"
    return (
        films.loss_film(picture.figure, stops, films.risks_at(paths, lams, stops), view.options.log, one)
        if paths
        else None
    )


def _layers(view: RaceView) -> list[LayerFrame]:
    """The layer as the step is taken; before that the untrained one alone, if it is there."""
    frames = view.frames("neurons") or view.frames("start")
    return [LayerFrame.from_arrays(frame.arrays) for frame in frames]


def neurons(view: RaceView) -> Picture | None:
    """The MDS map of the layer now, the untrained one pale in it, and the alignment."""
    layers = _layers(view)
    if not layers:
        return None
    first, now = layers[0], layers[-1]
    aligned = Alignment(first.alignment, now.alignment, _target(view).rank / view.spec.d)
    return neuron_map(first, now, theme=view.theme, folded=view.options.folded, aligned=aligned, height=300)


def neuron_film(view: RaceView, picture: Picture) -> Film | None:
    layers = _layers(view)
    return films.step_film(picture.figure, layers, view.options.folded) if len(layers) > 1 else None


def alignment(view: RaceView) -> Picture | None:
    """The heatmap, before and now."""
    layers = _layers(view)
    if not layers:
        return None
    height = 126 + 14 * min(len(layers[-1].angles), 8)
    return alignment_heatmap(layers[0], layers[-1], theme=view.theme, height=height)


def alignment_film(view: RaceView, _: Picture) -> Film | None:
    layers = _layers(view)
    return films.heatmap_film(layers) if len(layers) > 1 else None


def _learned(view: RaceView) -> dict[str, Learned]:
    """What each head has learned by now; before the end that of its newest frame."""
    frame = view.last("learned")
    return nest(Learned, frame.arrays) if frame else {}


def errors(view: RaceView) -> Picture:
    """What is left of each error, by Hermite degree; before the first head that of a predictor that answers 0."""
    energy, (paths, lams) = _target(view).energy_by_degree, _paths(view)
    left = numbers.error_left_at(paths, lams, view.options.setting, energy)
    if not paths:
        left = {name: error_parts(one.coefficients, one.risk, energy) for name, one in _learned(view).items()}
    film = films.errors_at(paths, lams, films.head_stops(view.spec), energy)
    most = max((float(parts.sum(axis=-1).max()) for parts in film.values()), default=0.0)
    return error_left(energy, left, theme=view.theme, most=most, rough=_rough(view, paths, lams), height=300)


def error_film(view: RaceView, picture: Picture) -> Film | None:
    (paths, lams), stops = _paths(view), films.head_stops(view.spec)
    energy = _target(view).energy_by_degree
    return films.error_film(picture.figure, films.errors_at(paths, lams, stops, energy), energy) if paths else None


def profiles(view: RaceView) -> Picture | None:
    """The target and the learned functions along u₁."""
    frame, (paths, lams) = view.last("target"), _paths(view)
    if frame is None:
        return None
    target, learned = TargetProfile.from_arrays(frame.arrays), numbers.profiles_at(paths, lams, view.options.setting)
    if not paths:
        learned = {name: one.profile for name, one in _learned(view).items()}
    return profile(target.z, target.truth, learned, theme=view.theme, rough=_rough(view, paths, lams), height=250)


def profile_film(view: RaceView, picture: Picture) -> Film | None:
    (paths, lams), stops = _paths(view), films.head_stops(view.spec)
    if not paths:
        return None
    return films.profile_film(
        picture.figure, PROFILE_GRID, films.readings_at(paths, lams, stops, "profile"), len(stops)
    )


def ridge(view: RaceView) -> Picture | None:
    """Risk against λ."""
    paths, chosen = _paths(view)
    if not paths:
        return None
    risk = "excess" if view.options.risk == ALL else view.options.risk
    lams, risks, tuned, settled = numbers.sweep(paths, view.options.setting, risk)
    return lam_curve(lams, risks, tuned, theme=view.theme, risk=risk, chosen=chosen, settled=settled, height=250)


def step_word(at: float) -> str:
    """Of a moment of the first layer, at = steps taken, the one under way by its fraction s."""
    before = max(math.ceil(at) - 1, 0)
    return f"step {before + 1}, s = {at - before:.2f}" if before else f"s = {at:.2f}"


STEP, HEAD = ("start", "neurons"), ("heads", "learned")
THE_STEP = Phase("the step: s = 0 … 1", STEP, step_word, seconds=4.0)
THE_HEAD = Phase(
    "the head: t = 1 … ∞",
    HEAD,
    lambda t: f"t = {number(t if math.isinf(t) else float(f'{t:.2g}'))}",
    stops=films.head_stops,
    seconds=5.0,
)
PHASES = (THE_STEP, THE_HEAD)
PANELS = (
    Panel("race-neurons", neurons, start=1, streams=STEP, film=neuron_film),
    Panel("race-risk", losses, streams=HEAD, film=loss_film),
    Panel("race-alignment", alignment, streams=STEP, film=alignment_film),
    Panel("race-error", errors, streams=HEAD, film=error_film),
    Panel("race-profile", profiles, streams=("target", *HEAD), film=profile_film),
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
    """What those that take a first step have in a race and the others have not, and what those without neurons have."""
    learned = [name for name in spec.methods if METHODS[name].steps]
    networks = [name for name in spec.methods if METHODS[name].neurons]
    stepped = [name for name in networks if name in learned]
    removing = [name for name in spec.methods if METHODS[name].removes_linear]
    half, whole, apart = number(spec.width // 2), number(spec.width), []
    if spec.distinct == "half" and 0 < len(stepped) < len(networks):
        apart.append(f"mirrored baselines have {half} distinct neurons, {_together(stepped)} {whole}")
    if kernels := [name for name in spec.methods if name not in networks]:
        has, its = ("has", "its") if len(kernels) == 1 else ("have", "their")
        apart.append(f"{_together(kernels)} {has} no neurons but {its} own kernel of all n = {number(spec.n)} samples")
    if spec.remove_linear and 0 < len(removing) < len(spec.methods):
        apart.append(f"only {_together(removing)} remove{'s' if len(removing) == 1 else ''} the linear part")
    if spec.first_layer_steps > 1 and stepped:
        takes, its = ("takes", "its") if len(stepped) == 1 else ("take", "their")
        new = f", {its} further ones on n new samples each" if spec.step_samples == "fresh" else ""
        apart.append(f"{_together(stepped)} {takes} {spec.first_layer_steps} steps{new}")
    return apart + ([f"the head of {_together(learned)} sees fresh data"] if spec.fresh_data and learned else [])


def _together(names: list[str]) -> str:
    return " and ".join(METHODS[name].label for name in names)


FILE_PANELS = ("race-risk", "race-error", "race-profile", "race-lambda")
# Every stop is drawn, with its film, before the file is sent. Of each method's own tuned λ, and of one for all.
FACTORS = tuple(10.0**power for power in range(-4, 3))
STRENGTHS = tuple(10.0**power for power in range(-5, 3))


def sliders(view: RaceView) -> Sliders[Options] | None:
    """A slider over λ, beginning where the page's stands; None of a race that did not finish. t is the film's."""
    if view.result() is None:
        return None
    now = view.options.setting
    shared = now.shared is not None
    lam = now.shared if now.shared is not None else now.factor
    lams = sorted({*(STRENGTHS if shared else FACTORS), lam})
    word = "λ = {}" if shared else "{} × tuned λ"
    control = Slider("Ridge strength λ", tuple(word.format(number(one)) for one in lams), lams.index(lam))

    def options(stops: Stops) -> Options:
        strength = lams[stops[0]]
        setting = Setting(1.0, strength, now.t) if shared else Setting(strength, None, now.t)
        return replace(view.options, setting=setting)

    return Sliders((control,), FILE_PANELS, options)
