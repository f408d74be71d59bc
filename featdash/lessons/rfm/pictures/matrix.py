"""M of a round as a heat map, with the inputs that carry the hidden directions in a frame."""

from __future__ import annotations

import numpy as np

from featdash.figures.findings import join_words, quote_number, with_decimals
from featdash.figures.palette import DIVERGING, Theme, blank
from featdash.figures.picture import Picture
from featdash.figures.text import indexed, number, trace_values
from featdash.lessons.rfm.frames import MatrixFrame

PRINTED = 0.095  # a smaller entry has no number in its cell
MOST_NAMED = 15  # inputs; of more, a number a cell would not fit
CARRIES = 1e-6  # an input with less of the hidden directions carries none


def matrix_map(frame: MatrixFrame, U: np.ndarray, at: int, *, theme: Theme, height: int = 400) -> Picture:
    """The entries of M/tr M, rows and columns the inputs; U (r, d), the hidden directions; at : the round."""
    M, d = np.asarray(frame.M, float), len(frame.M)
    names = [indexed("x", i + 1) for i in range(d)]
    title = f"M after round {at}; its diagonal adds up to 1" if at else "M of the fixed kernel: all alike"
    figure = blank(theme, height, title)
    least = PRINTED if d <= MOST_NAMED else 2.0
    printed = [[with_decimals(value, 2) if abs(value) >= least else "" for value in row] for row in M]
    figure.add_heatmap(
        z=[trace_values(row) for row in M], x=names, y=names, text=printed, texttemplate="%{text}",
        zmin=-1, zmax=1, colorscale=DIVERGING, xgap=1, ygap=1, name="M",
        showscale=d > MOST_NAMED, colorbar={"thickness": 8, "tickvals": [-1, 0, 1]},
        hovertemplate="row %{y}, column %{x}<br>M/tr M = %{z:.3f}<extra></extra>",
    )  # fmt: skip
    carriers = np.flatnonzero(np.sum(np.asarray(U) ** 2, axis=0) > CARRIES)
    for i in carriers:
        corners = {"x0": i - 0.5, "x1": i + 0.5, "y0": i - 0.5, "y1": i + 0.5}
        figure.add_shape(type="rect", **corners, line={"color": theme.ink, "width": 2.5})
    figure.update_xaxes(title_text="inputs; framed: those that the labels depend on", showline=False)
    figure.update_yaxes(autorange="reversed", showline=False)
    table: dict[str, list] = {
        "row": [name for name in names for _ in names],
        "column": names * d,
        "M/tr M": trace_values(M.ravel()),
    }
    return Picture(figure, _finding(frame, carriers, at), table)


def _finding(frame: MatrixFrame, carriers: np.ndarray, at: int) -> str:
    diagonal = np.diag(np.asarray(frame.M, float))
    largest = int(np.argmax(diagonal))
    held = join_words([indexed("x", int(i) + 1) for i in carriers[:4]])
    more = "" if len(carriers) <= 4 else f" and {number(len(carriers) - 4)} more"
    told = f"the hidden directions, on {held}{more}, have a share of {quote_number(frame.share)} of M"
    if np.ptp(diagonal) < CARRIES:
        return f"In round {at} all inputs weigh alike; {told}."
    name = indexed("x", largest + 1)
    return f"In round {at} the largest diagonal entry is that of {name}, {quote_number(diagonal[largest])}; {told}."
