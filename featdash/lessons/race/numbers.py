"""The numbers behind the race's pictures after its end: from spectral paths, at every λ and t, without a refit."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from featdash.lessons.shared.frames import RISKS, LossCurve
from featdash.theory.error_parts import error_parts
from featdash.theory.ridge_path import SpectralPath

CURVE_POINTS = 80


@dataclass(frozen=True)
class Setting:
    """The visitor's sliders after a run.

    factor : each method's λ is this multiple of its tuned one; common_lam : one λ for all instead, None for none.
    t : head steps, inf for the limit.
    """

    factor: float = 1.0
    common_lam: float | None = None
    t: float = math.inf

    @property
    def steps(self) -> float | None:
        """t as a spectral path takes it."""
        return None if math.isinf(self.t) else self.t


@dataclass(frozen=True, eq=False)
class Heads:
    """The heads of a race at a setting of the sliders; every result is by method, and empty before the end.

    path : method -> its head at every λ and t.
    """

    path: Mapping[str, SpectralPath]
    setting: Setting

    @cached_property
    def lam(self) -> dict[str, float]:
        """The λ that the sliders ask for."""
        if self.setting.common_lam is not None:
            return dict.fromkeys(self.path, self.setting.common_lam)
        return {name: self.setting.factor * path.tune() for name, path in self.path.items()}

    def curves(self, steps: int) -> dict[str, LossCurve]:
        """The descent of each head, and where the solver went far enough."""
        t = np.unique(np.geomspace(1, max(steps, 2), CURVE_POINTS).round())
        return {
            name: LossCurve(
                t,
                settled=path.is_converged(self.lam[name], t),
                **{risk: path.risk(readout, self.lam[name], t) for risk, readout in RISKS.items()},
            )
            for name, path in self.path.items()
        }

    def limits(self) -> dict[str, dict[str, float]]:
        """{"train", "holdout", "excess"} of the ridge solution, the limit t = ∞, and whether it is "settled"."""
        return {
            name: {"settled": bool(path.is_converged(self.lam[name]))}
            | {risk: float(path.risk(readout, self.lam[name])) for risk, readout in RISKS.items()}
            for name, path in self.path.items()
        }

    def excess(self) -> dict[str, float]:
        """Excess risks at the sliders' λ and t."""
        t = self.setting.steps
        return {name: float(path.risk(RISKS["excess"], self.lam[name], t)) for name, path in self.path.items()}

    def rough(self) -> tuple[str, ...]:
        """The methods whose solver did not go far enough for the sliders' λ and t."""
        t = self.setting.steps
        return tuple(name for name, path in self.path.items() if not path.is_converged(self.lam[name], t))

    def read(self, readout: str) -> dict[str, np.ndarray]:
        """(rows,) of a readout at the sliders' λ and t."""
        return {name: path.read(readout, self.lam[name], self.setting.steps) for name, path in self.path.items()}

    def error_left(self, energy: np.ndarray) -> dict[str, np.ndarray]:
        """(p + 2,) the parts of the excess risks."""
        multiples = self.read("energy")
        return {name: error_parts(multiples[name], risk, energy) for name, risk in self.excess().items()}

    def sweep(self, risk: str) -> tuple[np.ndarray, dict[str, np.ndarray], dict[str, float], dict[str, np.ndarray]]:
        """Risk over a range of λ for all methods: the λs, the risks, the tuned λ, and where the risk has settled."""
        grids, t = [path.default_lams() for path in self.path.values()], self.setting.steps
        lams = np.geomspace(min(grid[0] for grid in grids), max(grid[-1] for grid in grids), CURVE_POINTS)
        risks = {name: path.risk(RISKS[risk], lams, t) for name, path in self.path.items()}
        settled = {name: path.is_converged(lams, t) for name, path in self.path.items()}
        return lams, risks, {name: path.tune() for name, path in self.path.items()}, settled

    def risks_at(self, stops: Sequence[float]) -> dict[str, np.ndarray]:
        """(stops,) the excess risks at each stop of a film, the last of which is infinity."""
        return {name: _along(path.risk, RISKS["excess"], self.lam[name], stops) for name, path in self.path.items()}

    def readings_at(self, readout: str, stops: Sequence[float]) -> dict[str, np.ndarray]:
        """(stops, rows) of a readout."""
        return {name: _along(path.read, readout, self.lam[name], stops) for name, path in self.path.items()}

    def errors_at(self, stops: Sequence[float], energy: np.ndarray) -> dict[str, np.ndarray]:
        """(stops, p + 2) the parts of the excess risks."""
        multiples = self.readings_at("energy", stops)
        return {name: error_parts(multiples[name], risks, energy) for name, risks in self.risks_at(stops).items()}


def _along(ask: Callable[..., np.ndarray], name: str, lam: float, stops: Sequence[float]) -> np.ndarray:
    finite = ask(name, lam, np.array([stop for stop in stops if math.isfinite(stop)]))
    return np.concatenate([finite, ask(name, lam)[None]])
