"""The race's pictures: six panels of one moment."""

from __future__ import annotations

from featdash.figures.energy import energy_by_degree
from featdash.figures.picture import Picture
from featdash.figures.risk_axis import RISKS
from featdash.figures.text import number
from featdash.learners.methods import METHODS
from featdash.lessons.race import numbers as numbers
from featdash.lessons.race.pictures.alignment import alignment_heatmap
from featdash.lessons.race.pictures.profile import profile
from featdash.lessons.race.pictures.ridge_curve import lam_curve
from featdash.lessons.race.pictures.risk import loss_curves
from featdash.lessons.race.recipe import EXPERIMENT, RaceSpec
from featdash.lessons.race.toolbar import ALL, by_hand
from featdash.lessons.shared.pictures.neurons import neuron_map
from featdash.theory.predictions import kernel_plateau
from featdash.theory.ridge_path import SpectralPath
from featdash.theory.target import PolynomialTarget
from featdash.ui.panels import Moment, Panel
from featdash.ui.target_picker import target_of

PLAYS = (("neurons",), ("heads",))  # first the step, then the head


def _target(moment: Moment) -> PolynomialTarget:
    return target_of(moment.view.spec.target, moment.view.spec.d)


def _paths(moment: Moment) -> tuple[dict[str, SpectralPath], dict[str, float]]:
    """Every method's path and the λ that the sliders ask for; empty before the end."""
    paths = numbers.paths_of(moment.result())
    return paths, numbers.lams_of(paths, moment.wish.setting)


def _rough(moment: Moment, paths: dict[str, SpectralPath], lams: dict[str, float]) -> tuple[str, ...]:
    """The methods whose solver did not go far enough for what the sliders ask."""
    settled = numbers.settled_at(paths, lams, moment.wish.setting)
    return tuple(name for name, known in settled.items() if not known)


def _high(moment: Moment, pixels: int, large: float = 0.75) -> int:
    """A picture's height; with larger text this share of it, so that the pictures of a row stay on one screen."""
    return round(large * pixels) if moment.look.presenter else pixels


def _descent(moment: Moment) -> numbers.Curves:
    """The curves of the newest frame, without the decades of t that playback still holds back.

    The last frame reaches far beyond those before it, all at once: its steps are let out decade by decade.
    """
    frames = moment.frames("heads")
    curves, steps = numbers.curves_of_frame(frames[-1] if frames else None), moment.view.spec.steps
    if len(frames) < 2 or not (moment.view.active or moment.moves("heads")):
        return curves
    return numbers.up_to(curves, numbers.head_steps(frames, dict(moment.limits).get("heads"), steps))


def losses(moment: Moment) -> Picture:
    """Risk against head steps."""
    spec, wish = moment.view.spec, moment.wish
    paths, lams = ({}, {}) if moment.moves("heads") else _paths(moment)
    curves = _descent(moment)
    return loss_curves(
        numbers.curves_at(paths, lams, spec.steps) if paths else curves,
        look=moment.look,
        shown=tuple(RISKS) if wish.risk == ALL else (wish.risk,),
        noise=spec.noise**2,
        plateau=kernel_plateau(_target(moment).energy_by_degree, spec.d, spec.n),
        log=wish.log,
        limits=numbers.limits_at(paths, lams) if paths else None,
        at=wish.setting.t if paths else None,
        last=float(spec.steps),
        scale=_target(moment).second_moment,
        height=_high(moment, 350),
    )


def neurons(moment: Moment) -> Picture | None:
    """The MDS map, before and now."""
    frames, now = moment.frames("neurons"), moment.last("neurons", moment.wish.frame)
    if now is None:
        return None
    settings = {"folded": moment.wish.folded, "samples": now.at, "height": _high(moment, 222, 0.85)}
    return neuron_map(frames[0].arrays, now.arrays, look=moment.look, **settings)


def alignment(moment: Moment) -> Picture | None:
    """The heatmap, before and now."""
    frames, now = moment.frames("neurons"), moment.last("neurons", moment.wish.frame)
    if now is None:
        return None
    rank = len(now.arrays["angles"])
    height = _high(moment, 126 + 14 * min(rank, 8), 0.95)
    return alignment_heatmap(frames[0].arrays, now.arrays, look=moment.look, height=height)


def energies(moment: Moment) -> Picture:
    """Energy learned by Hermite degree; the target's alone before the end."""
    energy, (paths, lams) = _target(moment).energy_by_degree, _paths(moment)
    learned = numbers.energies_at(paths, lams, moment.wish.setting, energy)
    rough = _rough(moment, paths, lams)
    return energy_by_degree(energy, learned, look=moment.look, rough=rough, height=_high(moment, 250))


def profiles(moment: Moment) -> Picture | None:
    """The learned functions along u₁."""
    paths, lams = _paths(moment)
    if not paths:
        return None
    rough = _rough(moment, paths, lams)
    arrays = moment.result().arrays
    learned = numbers.profiles_at(paths, lams, moment.wish.setting)
    return profile(arrays["profile/z"], arrays["profile/truth"], learned, look=moment.look, rough=rough, height=250)


def ridge(moment: Moment) -> Picture | None:
    """Risk against λ."""
    paths, chosen = _paths(moment)
    if not paths:
        return None
    risk = "excess" if moment.wish.risk == ALL else moment.wish.risk
    lams, risks, tuned, settled = numbers.sweep(paths, moment.wish.setting, risk)
    ways = {"risk": risk, "chosen": chosen, "settled": settled}
    return lam_curve(lams, risks, tuned, look=moment.look, height=250, **ways)


PANELS = (
    Panel("race-risk", losses, width=1.12, beside=True, streams=("heads",)),
    Panel("race-neurons", neurons, beside=True, streams=("neurons",)),
    Panel("race-alignment", alignment, stacked=True, beside=True, streams=("neurons",)),
    Panel("race-energy", energies, row=1),
    Panel("race-profile", profiles, row=1),
    Panel("race-lambda", ridge, row=1),
)


def fairness(spec: RaceSpec) -> str:
    """What is alike in a race, and what is not."""
    if len(spec.methods) == 1:
        return f"No race: {METHODS[spec.methods[0]].label} runs alone."
    strength = "λ set by hand ✗" if by_hand(EXPERIMENT.name) else "λ tuned alike ✓"
    line = f"Same data ✓ same width ✓ {strength}"
    apart = _differences(spec)
    return f"{line} · What differs: {', '.join(apart)}" if apart else line


def _differences(spec: RaceSpec) -> list[str]:
    """What those that take a first step have in a race and the others have not."""
    stepped = [name for name in spec.methods if METHODS[name].steps]
    removing = [name for name in spec.methods if METHODS[name].removes_linear]
    half, whole, apart = number(spec.width // 2), number(spec.width), []
    if spec.distinct == "half" and 0 < len(stepped) < len(spec.methods):
        apart.append(f"mirrored baselines have {half} distinct neurons, {_together(stepped)} {whole}")
    if spec.remove_linear and 0 < len(removing) < len(spec.methods):
        apart.append(f"only {_together(removing)} remove{'s' if len(removing) == 1 else ''} the linear part")
    return apart + ([f"the head of {_together(stepped)} sees fresh data"] if spec.fresh_data and stepped else [])


def _together(names: list[str]) -> str:
    return " and ".join(METHODS[name].label for name in names)
