"""The race's pictures: six panels of one moment."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

from featdash.export.slider import Slider, Stops
from featdash.figures.axes import RISKS
from featdash.figures.energy import energy_by_degree
from featdash.figures.picture import Picture
from featdash.figures.text import number
from featdash.learners.methods import METHODS
from featdash.lessons.race import numbers
from featdash.lessons.race.numbers import Setting
from featdash.lessons.race.pictures.learned import alignment_heatmap, lam_curve, profile
from featdash.lessons.race.pictures.risk import headline, loss_curves
from featdash.lessons.race.recipe import EXPERIMENT, RaceSpec
from featdash.lessons.race.toolbar import ALL, Options, lam_is_manual
from featdash.lessons.shared.frames import LayerFrame, RaceArrays
from featdash.lessons.shared.pictures.neurons import Alignment, neuron_map
from featdash.theory.predictions import kernel_plateau
from featdash.theory.ridge_path import SpectralPath
from featdash.theory.target import PolynomialTarget
from featdash.ui.panels import NOT_THERE, Panel, View
from featdash.ui.sliders import Sliders
from featdash.ui.target_picker import target_of

RaceView = View[RaceSpec, Options]
PLAYS = (("neurons",), ("heads",))  # first the step, then the head


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
    """The curves of the newest frame, without the decades of t that playback still holds back.

    The last frame reaches far beyond those before it, all at once: its steps are let out decade by decade.
    """
    frames = view.frames("heads")
    curves, steps = numbers.curves_of_frame(frames[-1] if frames else None), view.spec.steps
    if len(frames) < 2 or not (view.run.active or view.moves("heads")):
        return curves
    return numbers.truncate_curves(curves, numbers.head_steps(frames, dict(view.limits).get("heads"), steps))


def losses(view: RaceView) -> Picture | None:
    """Risk against head steps; None before the first head has begun."""
    spec, options = view.spec, view.options
    paths, lams = _paths(view)
    if view.moves("heads"):
        paths = {}
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


def _layers(view: RaceView) -> tuple[LayerFrame, LayerFrame] | None:
    """The untrained layer, and the layer looked at; None before the first."""
    frames, now = view.frames("neurons"), view.last("neurons", view.options.frame)
    return None if now is None else (LayerFrame.from_arrays(frames[0].arrays), LayerFrame.from_arrays(now.arrays))


def neurons(view: RaceView) -> Picture | None:
    """The MDS map of the layer now, the untrained one pale in it, and the alignment."""
    pair, now = _layers(view), view.last("neurons", view.options.frame)
    if pair is None or now is None:
        return None
    aligned, folded = _alignment_at(view, now.at), view.options.folded
    return neuron_map(*pair, theme=view.theme, folded=folded, samples=now.at, aligned=aligned, height=300)


def _alignment_at(view: RaceView, samples: float) -> Alignment:
    """The layer's alignment at both ends of the step; of the layers in between it is not measured."""
    result = view.result()
    ends = result.summary.get("alignment", {}) if result else {}
    known = {0.0: ends.get("before"), float(view.spec.n): ends.get("after")}
    return Alignment(ends.get("before"), known.get(samples), _target(view).rank / view.spec.d)


def alignment(view: RaceView) -> Picture | None:
    """The heatmap, before and now."""
    pair = _layers(view)
    if pair is None:
        return None
    height = 126 + 14 * min(len(pair[1].angles), 8)
    return alignment_heatmap(*pair, theme=view.theme, height=height)


def energies(view: RaceView) -> Picture:
    """Energy learned by Hermite degree; the target's alone before the end."""
    energy, (paths, lams) = _target(view).energy_by_degree, _paths(view)
    learned = numbers.energies_at(paths, lams, view.options.setting, energy)
    rough = _rough(view, paths, lams)
    return energy_by_degree(energy, learned, theme=view.theme, rough=rough, height=250)


def profiles(view: RaceView) -> Picture | None:
    """The learned functions along u₁."""
    result = view.result()
    if result is None:
        return None
    (paths, lams), target = _paths(view), RaceArrays.from_arrays(result.arrays).profile
    learned, rough = numbers.profiles_at(paths, lams, view.options.setting), _rough(view, paths, lams)
    return profile(target.z, target.truth, learned, theme=view.theme, rough=rough, height=250)


def ridge(view: RaceView) -> Picture | None:
    """Risk against λ."""
    paths, chosen = _paths(view)
    if not paths:
        return None
    risk = "excess" if view.options.risk == ALL else view.options.risk
    lams, risks, tuned, settled = numbers.sweep(paths, view.options.setting, risk)
    return lam_curve(lams, risks, tuned, theme=view.theme, risk=risk, chosen=chosen, settled=settled, height=250)


PANELS = (
    Panel("race-risk", losses, width=1.12, streams=("heads",)),
    Panel("race-neurons", neurons, start=1, streams=("neurons",)),
    Panel("race-alignment", alignment, width=1.35, stacked=True, wall_row=1, streams=("neurons",)),
    Panel("race-energy", energies, row=1),
    Panel("race-profile", profiles, row=1),
    Panel("race-lambda", ridge, row=1, wall_row=NOT_THERE),
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
    return apart + ([f"the head of {_together(learned)} sees fresh data"] if spec.fresh_data and learned else [])


def _together(names: list[str]) -> str:
    return " and ".join(METHODS[name].label for name in names)


FILE_PANELS = ("race-risk", "race-energy", "race-profile", "race-lambda")
# Every stop is drawn before the file is sent: the fewer, the sooner. Of each method's own tuned λ, and of one for all.
FACTORS = tuple(10.0**power for power in range(-4, 3))
STRENGTHS = tuple(10.0**power for power in range(-5, 3))


def sliders(view: RaceView) -> Sliders[Options] | None:
    """A slider over λ and one over t, beginning where the page's stand; None of a race that did not finish."""
    if view.result() is None:
        return None
    now, most = view.options.setting, view.spec.steps
    shared = now.shared is not None
    lam = now.shared if now.shared is not None else now.factor
    lams = sorted({*(STRENGTHS if shared else FACTORS), lam})
    steps = (10.0**power for power in range(0, math.ceil(math.log10(most)), 2))
    times = sorted({*steps, float(most), now.t, math.inf})
    word = "λ = {}" if shared else "{} × tuned λ"
    controls = (
        Slider("Ridge strength λ", tuple(word.format(number(one)) for one in lams), lams.index(lam)),
        Slider("Head steps t", tuple(f"t = {number(one)}" for one in times), times.index(now.t)),
    )

    def options(stops: Stops) -> Options:
        lam, t = lams[stops[0]], times[stops[1]]
        return replace(view.options, setting=Setting(1.0, lam, t) if shared else Setting(lam, None, t))

    return Sliders(controls, FILE_PANELS, options)
