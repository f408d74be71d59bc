"""Hinge loss of fixed features against the norm of their weights, with the bound that no fixed features beat."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from featdash.figures.axes import decades
from featdash.figures.findings import join_words, quote_number
from featdash.figures.palette import METHODS, MethodStyle, Theme, blank
from featdash.figures.panel_labels import margin_of, panel_labels
from featdash.figures.picture import Picture
from featdash.figures.text import letters, number, thin_out, trace_values
from featdash.lessons.emergence.frames import FixedFeatures
from featdash.theory.fixed_features import fixed_feature_bound

POINTS = 60
VERTICAL = (0.0, 1.12)


def hinge_bound(
    methods: Mapping[str, FixedFeatures],
    p0: float,
    k: int,
    *,
    theme: Theme,
    stated: bool = True,
    height: int = 250,
) -> Picture:
    """Test hinge loss against B, a curve a method, and p₀(1 − √(2N)B/2^k) with the method's N as a thin line.

    methods : fixed method -> its ridge heads.
    stated : whether the theorem is stated for the run's labels and sizes; if not, no bound is drawn.
    """
    which = "thin: p₀(1 − √(2N) B / 2ᵏ)" if stated else "the bound is for parity alone"
    figure = blank(theme, height, f"Hinge loss; {which}")
    labels: list[tuple[float, str]] = []
    table: dict[str, list] = {"method": [], "norm": [], "hinge": [], "bound": []}
    drawn = np.concatenate([[], *(np.asarray(one.norm, float) for one in methods.values())])
    drawn = drawn[drawn > 0]
    low, high = (np.log10(drawn.min()), np.log10(drawn.max())) if len(drawn) else (0.0, 1.0)
    for method, measured in methods.items():
        style, size = METHODS[method], float(measured.size)
        norms, losses = thin_out(measured.norm, measured.hinge)
        bounds = fixed_feature_bound(p0, k, size, norms) if stated else np.full(len(norms), np.nan)
        hover = f"{style.label}, N = {number(size)}<br>B = %{{x:.3g}}<br>hinge loss %{{y:.3f}}<extra></extra>"
        figure.add_scatter(
            x=trace_values(norms),
            y=trace_values(np.minimum(losses, 9)),
            name=style.label,
            line=style.line(),
            marker={"symbol": style.marker, "size": 7},
            mode="lines+markers",
            hovertemplate=hover,
        )
        if stated:
            grid = np.geomspace(10.0**low, 10.0**high, POINTS)
            figure.add_scatter(**_bound_line(grid, fixed_feature_bound(p0, k, size, grid), style))
        labels.append((float(losses[0]), style.tag()))
        table["method"] += [style.label] * len(norms)
        for key, column in {"norm": norms, "hinge": losses, "bound": bounds}.items():
            table[key] += trace_values(column)
    figure.update_xaxes(
        title_text="norm B of the weights",
        type="log",
        range=[low - 0.1, high + 0.1],
        **decades(math.floor(low), math.ceil(high), 1 if high - low < 3 else 2),
    )
    figure.update_yaxes(title_text="hinge loss E max(0, 1 − y g)", range=VERTICAL)
    room = height - 5 * theme.text - 16
    panel_labels(figure, labels, VERTICAL, panel=1, room=room, theme=theme, log=False)
    figure.update_layout(margin_r=margin_of(letters([text for _, text in labels]), theme))
    return Picture(figure, _finding(methods, p0, k, stated), table)


def _bound_line(norms: np.ndarray, heights: np.ndarray, style: MethodStyle) -> dict:
    """A thin line where the bound says something."""
    seen = heights > 0
    return {
        "x": trace_values(norms[seen]),
        "y": trace_values(heights[seen]),
        "name": f"bound, {style.label}",
        "line": {"color": style.colour, "width": 1.2, "dash": style.dash},
        "mode": "lines",
        "hoverinfo": "skip",
    }


def _finding(methods: Mapping[str, FixedFeatures], p0: float, k: int, stated: bool) -> str:
    told = []
    for method, measured in methods.items():
        vanishing = 2.0**k / np.sqrt(2 * float(measured.size))
        told.append(
            f"{quote_number(np.min(measured.hinge), 2)} for {METHODS[method].label}"
            + stated * f" (the bound says nothing from B = {number(float(f'{vanishing:.2g}'))} on)"
        )
    if not told:
        return "No fixed features have been measured yet."
    bound = f"the bound starts at p₀ = {number(p0)}" if stated else "the theorem states no bound for these settings"
    return f"The lowest hinge loss of fixed features is {join_words(told)}; {bound}."
