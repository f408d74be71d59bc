"""The risks that are plotted, and the axis they share."""

from __future__ import annotations

from collections.abc import Sequence

from featdash.figures.axes import value_axis

RISKS = {"excess": "excess risk", "holdout": "holdout risk", "train": "training risk"}
RISK_SYMBOLS = {"excess": "E (f − f*)²", "holdout": "E (f − y)²", "train": "1/n Σ (f(xᵢ) − yᵢ)²"}


def risk_axis(shown: Sequence[str], vertical: tuple[float, float], log: bool) -> dict:
    """The axis of one risk, with its symbol, or of several."""
    title = f"{RISKS[shown[0]]}, {RISK_SYMBOLS[shown[0]]}" if len(shown) == 1 else "risk, mean squared error"
    return value_axis(title, vertical, log)
