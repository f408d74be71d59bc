"""The eigenvalues of the label-weighted average of xxᵀ: those that the first filter keeps, and the bulk."""

from __future__ import annotations

import numpy as np

from featdash.figures.findings import count_noun, quote_number, with_decimals
from featdash.figures.labels import name_above
from featdash.figures.palette import Theme, blank
from featdash.figures.picture import Picture
from featdash.figures.text import number, trace_values
from featdash.lessons.hidden_layers.pictures.styles import STYLES


def filter_values(
    values: np.ndarray, r: int, share: float, n: int, *, theme: Theme, height: int = 240, reach: float = 0.0
) -> Picture:
    """values (d,), the largest in size first, of which r are kept; share : of their directions in the hidden ones.

    reach : the largest size of a value at any n, so that the axis stands still.
    """
    figure = blank(theme, height, f"Eigenvalues of the average of (y − ȳ) xxᵀ, n = {number(n)}")
    order = np.argsort(-values, kind="stable")
    ranks = np.empty(len(values), int)
    ranks[order] = np.arange(1, len(values) + 1)
    kinds = (("kept", slice(0, r), STYLES["two"], 9), ("left out", slice(r, None), STYLES["random"], 6))
    for name, part, style, size in kinds:
        figure.add_scatter(
            x=ranks[part].tolist(), y=trace_values(values[part]), mode="markers", name=name,
            marker={"symbol": style.marker, "size": size, "color": style.colour},
            hovertemplate=f"{name}<br>place %{{x}}<br>eigenvalue %{{y:.3f}}<extra></extra>",
        )  # fmt: skip
    top = max(reach, float(np.abs(values).max()), 1e-12) * 1.12
    figure.update_xaxes(title_text="place, from the largest to the smallest", range=[0, len(values) + 1])
    figure.update_yaxes(title_text="eigenvalue", range=[-top, top])
    name_above(figure, [STYLES["two"].tag("kept"), STYLES["random"].tag("left out")], theme)
    table = {
        "place": ranks[order].tolist(),
        "eigenvalue": trace_values(values[order]),
        "kept": ["yes" if place < r else "no" for place in order],
    }
    return Picture(figure, _finding(values, r, share, n), table, _headline(r, share, n))


def _finding(values: np.ndarray, r: int, share: float, n: int) -> str:
    sizes = np.abs(values)
    left = f", the largest left out {quote_number(sizes[r])}" if r < len(sizes) else ""
    kept = f"the smallest of {count_noun(r, 'kept eigenvalue', 'kept eigenvalues')} is {quote_number(sizes[r - 1])}"
    return f"With n = {number(n)}, in size, {kept}{left}; {_lies(share)}."


def _lies(share: float) -> str:
    return f"{with_decimals(share, 2)} of what is kept lies in the hidden directions"


def _headline(r: int, share: float, n: int) -> str:
    kept = count_noun(r, "direction", "directions")
    return f"With n = {number(n)}: {kept} kept, {with_decimals(share, 2)} of that along the hidden ones"
