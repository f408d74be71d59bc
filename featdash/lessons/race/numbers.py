"""The numbers behind the race's pictures: from frames while it runs, from spectral paths after its end."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from featdash.lessons.shared.frames import RISKS, LossCurve, RaceArrays
from featdash.recipes.events import Frame, Result, nest
from featdash.theory.error_parts import error_parts
from featdash.theory.ridge_path import SpectralPath

CURVE_POINTS = 80
Curves = dict[str, LossCurve]


@dataclass(frozen=True)
class Setting:
    """Where the visitor's sliders stand after a run.

    factor : each method's λ is this multiple of its tuned one; shared : one λ for all instead, None for none.
    t : head steps, inf for the limit.
    """

    factor: float = 1.0
    shared: float | None = None
    t: float = math.inf

    @property
    def steps(self) -> float | None:
        """t as a spectral path takes it."""
        return None if math.isinf(self.t) else self.t


def paths_of(result: Result | None) -> Mapping[str, SpectralPath]:
    """method -> its path; empty before the end."""
    return {} if result is None else RaceArrays.from_arrays(result.arrays).path


def lams_of(paths: Mapping[str, SpectralPath], setting: Setting) -> dict[str, float]:
    """method -> the λ that the sliders ask for."""
    if setting.shared is not None:
        return dict.fromkeys(paths, setting.shared)
    return {name: setting.factor * path.tune() for name, path in paths.items()}


def curves_of_frame(frame: Frame | None) -> Curves:
    """method -> its curves in a frame of the stream `heads`."""
    return {} if frame is None else nest(LossCurve, frame.arrays)


def curves_at(paths: Mapping[str, SpectralPath], lams: Mapping[str, float], steps: int) -> Curves:
    """The same from the paths, at any λ, and where the solver went far enough."""
    t = np.unique(np.geomspace(1, max(steps, 2), CURVE_POINTS).round())
    return {
        name: LossCurve(
            t,
            settled=path.is_converged(lams[name], t),
            **{shown: path.risk(kept, lams[name], t) for shown, kept in RISKS.items()},
        )
        for name, path in paths.items()
    }


def limits_at(paths: Mapping[str, SpectralPath], lams: Mapping[str, float]) -> dict[str, dict[str, float]]:
    """method -> {"train", "holdout", "excess"} of the ridge solution, the limit t = ∞, and whether it is "settled"."""
    return {
        name: {"settled": bool(path.is_converged(lams[name]))}
        | {shown: float(path.risk(kept, lams[name])) for shown, kept in RISKS.items()}
        for name, path in paths.items()
    }


def excess_at(paths: Mapping[str, SpectralPath], lams: Mapping[str, float], setting: Setting) -> dict[str, float]:
    """method -> its excess risk for what the sliders ask."""
    return {name: float(path.risk(RISKS["excess"], lams[name], setting.steps)) for name, path in paths.items()}


def last_excess(curves: Curves) -> dict[str, float]:
    """method -> the excess risk that its curve has reached."""
    return {name: float(curve.risk("excess")[-1]) for name, curve in curves.items()}


def converged_at(paths: Mapping[str, SpectralPath], lams: Mapping[str, float], setting: Setting) -> dict[str, bool]:
    """method -> whether its solver went far enough for what the sliders ask."""
    return {name: bool(path.is_converged(lams[name], setting.steps)) for name, path in paths.items()}


def error_left_at(
    paths: Mapping[str, SpectralPath], lams: Mapping[str, float], setting: Setting, energy: np.ndarray
) -> dict[str, np.ndarray]:
    """method -> (p + 2,) the parts of its excess risk."""
    risks = excess_at(paths, lams, setting)
    return {
        name: error_parts(path.read("energy", lams[name], setting.steps), risks[name], energy)
        for name, path in paths.items()
    }


def profiles_at(
    paths: Mapping[str, SpectralPath], lams: Mapping[str, float], setting: Setting
) -> dict[str, np.ndarray]:
    """method -> its function along u₁."""
    return {name: path.read("profile", lams[name], setting.steps) for name, path in paths.items()}


def sweep(
    paths: Mapping[str, SpectralPath], setting: Setting, risk: str
) -> tuple[np.ndarray, dict[str, np.ndarray], dict[str, float], dict[str, np.ndarray]]:
    """Risk over a range of λ that holds every method's: the λs, method -> risks, tuned λ, and where it is settled."""
    grids = [path.default_lams() for path in paths.values()]
    lams = np.geomspace(min(grid[0] for grid in grids), max(grid[-1] for grid in grids), CURVE_POINTS)
    risks = {name: path.risk(RISKS[risk], lams, setting.steps) for name, path in paths.items()}
    settled = {name: path.is_converged(lams, setting.steps) for name, path in paths.items()}
    return lams, risks, {name: path.tune() for name, path in paths.items()}, settled
