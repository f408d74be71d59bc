"""The risks that are plotted, and the axis they share."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from featdash.figures.axes import value_axis
from featdash.figures.palette import Theme
from featdash.figures.text import Numbers

RISKS = {"excess": "excess risk", "holdout": "holdout risk", "train": "training risk"}
RISK_SYMBOLS = {"excess": "E (f − f*)²", "holdout": "E (f − y)²", "train": "1/n Σ (f(xᵢ) − yᵢ)²"}

ROUGH = 0.35  # opacity of what the solver has not settled
ROUGH_NOTE = "Pale, ≈: rough, beyond the solver's reach."


def converged_part(values: np.ndarray, settled: Numbers | None, rough: bool) -> np.ndarray:
    """The settled values, NaN elsewhere; or with `rough` the others, and the settled ones beside them."""
    values = np.asarray(values, dtype=float)
    known = np.ones(len(values), bool) if settled is None else np.asarray(settled, bool)
    unsettled = ~known
    beside = unsettled | np.append(unsettled[1:], False) | np.append(False, unsettled[:-1])
    return np.where(beside if rough else known, values, np.nan)


def note_rough(figure: go.Figure, theme: Theme) -> None:
    """Says under the picture what is pale in it: over the curves it would hide the lowest, which are the best."""
    below, room = figure.layout.margin.b or figure.layout.template.layout.margin.b, theme.text + 6
    place = {"xref": "paper", "yref": "paper", "x": 0, "xanchor": "left", "y": 0, "yanchor": "top", "yshift": -below}
    font = {"size": theme.text, "color": theme.ink}
    figure.add_annotation(text=ROUGH_NOTE, showarrow=False, font=font, **place)
    figure.update_layout(margin_b=below + room)


def risk_axis(shown: Sequence[str], vertical: tuple[float, float], log: bool) -> dict:
    """The axis of one risk, with its symbol, or of several."""
    title = f"{RISKS[shown[0]]}, {RISK_SYMBOLS[shown[0]]}" if len(shown) == 1 else "risk, mean squared error"
    return value_axis(title, vertical, log)
