"""One neuron on one direction under gradient flow: when it turns, and when its coefficient follows.

The target is a h(e·x), the neuron r² h(u·x), r = ‖v‖, u = v/r, h = He_k/√k! of degree k >= 3, on x ~ N(0, I). Gradient
flow of ½ E(a h(e·x) − r² h(u·x))² in v, with m = u·e, x = r²/a and τ = a t, is

    dm/dτ = k m^{k−1} (1 − m²),        dx/dτ = 4 x (m^k − x).

The weight a is gone: a task of half the weight takes twice the time, but for x(0) = r(0)²/a.
"""

from __future__ import annotations

import numpy as np

POINTS = 20_000  # of the table; the trapezoids are then exact to 1e-5
LEARNED = 1e6  # e^I x(0) at the table's end: what is left to learn there is below 1e-5
HALF = 0.5


class SingleIndexFlow:
    """The flow from an overlap m(0) in (0, 1), by quadrature over λ = −log(1 − m²), where dτ = dλ/(2k m^k).

    With I = ∫ 4 m^k dτ = (2/k)(λ − λ(0)) the equation of x is solved by x = x(0) e^I / (1 + 4 x(0) ∫ e^I dτ).
    least : the smallest x(0) that will be asked for.
    """

    def __init__(self, degree: int, overlap: float, least: float) -> None:
        first = -np.log1p(-(overlap**2))
        last = first + degree / 2 * np.log(LEARNED / min(least, 1.0))
        level = np.geomspace(first, last, POINTS)
        self.overlap = np.sqrt(-np.expm1(-level))
        self.power = self.overlap**degree
        self.growth = np.exp(2 / degree * (level - first))
        pace = level / (2 * degree * self.power)  # dτ / d log λ
        width = np.diff(np.log(level))
        self.time = _integral(pace, width)
        self.integral = _integral(pace * self.growth, width)

    def half_time(self, start: float) -> float:
        """τ at which x m^k is ½, for x(0) = start."""
        return float(np.interp(HALF, _length(start, self.growth, self.integral) * self.power, self.time))

    def course(self, time: np.ndarray, start: np.ndarray | float) -> tuple[np.ndarray, np.ndarray]:
        """The share learned x m^k and what is left, E(h(e·x) − x h(u·x))² = 1 − 2 x m^k + x², at τ, any shape.

        start : x(0), of a shape that goes with that of τ.
        """
        power, growth, integral = (np.interp(time, self.time, one) for one in (self.power, self.growth, self.integral))
        x = _length(start, growth, integral)
        share = x * power
        return share, 1 - 2 * share + x**2


def _length(start: np.ndarray | float, growth: np.ndarray, integral: np.ndarray) -> np.ndarray:
    """x from x(0), e^I and ∫ e^I dτ."""
    return start * growth / (1 + 4 * start * integral)


def _integral(values: np.ndarray, width: np.ndarray) -> np.ndarray:
    return np.concatenate([[0.0], np.cumsum(width * (values[1:] + values[:-1]) / 2)])
