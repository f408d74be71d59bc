"""The matrix of each round, and what the rounds have learned."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from featdash.figures.axes import end_labels, value_axis, value_range
from featdash.figures.film import Changes, Film, place_of, times_of
from featdash.figures.palette import DIVERGING
from featdash.figures.picture import METHODS, Picture, Theme, blank
from featdash.figures.text import course, join_words, number, quote_number, trace_values, with_decimals, with_index
from featdash.lessons.rfm.frames import MatrixFrame

PRINTED = 0.095  # a smaller entry has no number in its cell
MOST_NAMED = 15  # inputs; of more, a number a cell would not fit
BESIDE = 0.2  # rounds before the first one and after the last one
MATRIX = "M"
CARRIES = 1e-6  # an input with less of the hidden directions carries none


def matrix_map(frame: MatrixFrame, U: np.ndarray, at: int, *, theme: Theme, height: int = 400) -> Picture:
    """The entries of M/tr M, rows and columns the inputs; U (r, d), the hidden directions; at : the round."""
    M, d = np.asarray(frame.M, float), len(frame.M)
    names = [with_index("x", i + 1) for i in range(d)]
    figure = blank(theme, height, _matrix_title(at))
    figure.add_heatmap(
        z=[trace_values(row) for row in M], x=names, y=names, text=_cell_texts(M), texttemplate="%{text}",
        zmin=-1, zmax=1, colorscale=DIVERGING, xgap=1, ygap=1, name=MATRIX,
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
    return Picture(figure, _matrix_finding(frame, carriers, at), table)


def matrix_film(figure: go.Figure, frames: Sequence[MatrixFrame], rounds: Sequence[int]) -> Film:
    """Of `matrix_map`: weight gathers on the inputs that carry the hidden directions."""
    matrices = [np.asarray(frame.M, float) for frame in frames]
    cells = ("data", place_of(figure.data, MATRIX))
    changes: Changes = {
        ("layout", "title", "text"): [_matrix_title(at) for at in rounds],
        (*cells, "z"): np.stack(matrices),
        (*cells, "text"): [_cell_texts(M) for M in matrices],
    }
    return Film(times_of(0, len(frames)), changes)


def _matrix_title(at: int) -> str:
    return f"M after round {at}; its diagonal adds up to 1" if at else "M of the fixed kernel: all alike"


def _cell_texts(M: np.ndarray) -> list[list[str]]:
    """What stands in each cell."""
    least = PRINTED if len(M) <= MOST_NAMED else 2.0
    return [[with_decimals(value, 2) if abs(value) >= least else "" for value in row] for row in M]


def _matrix_finding(frame: MatrixFrame, carriers: np.ndarray, at: int) -> str:
    diagonal = np.diag(np.asarray(frame.M, float))
    largest = int(np.argmax(diagonal))
    inputs = join_words([with_index("x", int(i) + 1) for i in carriers[:4]])
    more = "" if len(carriers) <= 4 else f" and {number(len(carriers) - 4)} more"
    clause = f"the hidden directions, on {inputs}{more}, have a share of {quote_number(frame.share)} of M"
    if np.ptp(diagonal) < CARRIES:
        return f"In round {at} all inputs weigh alike; {clause}."
    name = with_index("x", largest + 1)
    return f"In round {at} the largest diagonal entry is that of {name}, {quote_number(diagonal[largest])}; {clause}."


MACHINE = METHODS["rfm"]
SHARES = (0.0, 1.05)


def risk_by_round(
    risks: Sequence[float], rivals: Mapping[str, float], rounds: int, *, theme: Theme, height: int = 400
) -> Picture:
    """risks : excess risk by round, round 0 the fixed kernel; rivals : excess risk by name; rounds : the last one."""
    figure = blank(theme, height, "Excess risk by round")
    vertical = value_range([*risks, *rivals.values()], True)
    labels = [(value, _tag(name, value)) for name, value in rivals.items()]
    for name, value in rivals.items():
        figure.add_scatter(
            x=[0, rounds], y=trace_values([value, value]), mode="lines", name=METHODS[name].label,
            line=METHODS[name].line(), hovertemplate=f"{METHODS[name].label}<br>excess risk %{{y:.3f}}<extra></extra>",
        )  # fmt: skip
    if risks:
        _machine(figure, risks, "excess risk")
        labels.append((risks[-1], _tag("rfm", risks[-1])))
    _round_axis(figure, rounds)
    figure.update_yaxes(**value_axis("excess risk", vertical, True))
    end_labels(figure, labels, vertical, theme=theme, log=True, height=height)
    table: dict[str, list] = {"curve": [MACHINE.label] * len(risks) + [METHODS[name].label for name in rivals]}
    table["round"] = [str(at) for at in range(len(risks))] + ["all"] * len(rivals)
    table["excess risk"] = trace_values([*risks, *rivals.values()])
    return Picture(figure, _rounds_finding(risks, rivals), table, _rounds_headline(risks))


def share_by_round(
    shares: Sequence[float],
    rounds: int,
    chance: tuple[int, int],
    *,
    theme: Theme,
    alignment: float | None = None,
    height: int = 400,
) -> Picture:
    """shares : of M on the hidden directions, by round; chance : (r, d); alignment : of Algorithm 1's first layer."""
    rank, d = chance
    figure = blank(theme, height, "Share of M on the hidden directions")
    _machine(figure, shares, "share")
    labels = [(shares[-1], _tag("rfm", shares[-1])), (rank / d, f"··· chance {number(rank)}/{number(d)}")]
    across: dict[str, Any] = {"x": [-BESIDE, rounds + BESIDE], "mode": "lines", "hoverinfo": "skip"}
    figure.add_scatter(y=trace_values([rank / d] * 2), name="chance", line=theme.theory("dot"), **across)
    if alignment is not None:
        rival = METHODS["algorithm1"]
        figure.add_scatter(y=trace_values([alignment] * 2), name=rival.label, line=rival.line(), **across)
        labels.append((alignment, _tag("algorithm1", alignment)))
    _round_axis(figure, rounds)
    figure.update_yaxes(title_text="share, 0 to 1", range=SHARES)
    end_labels(figure, labels, SHARES, theme=theme, log=False, height=height)
    change = course(shares[0], shares[-1], " in the fixed kernel", f" after round {len(shares) - 1}")
    beside = "" if alignment is None else f" Algorithm 1's first layer has {quote_number(alignment)}."
    alt = f"The share of M on the hidden directions {change}; chance is {quote_number(rank / d)}.{beside}"
    table: dict[str, list] = {"round": list(range(len(shares))), "share": trace_values(shares)}
    return Picture(figure, alt, table)


def _tag(method: str, value: float) -> str:
    return METHODS[method].tag(f"{METHODS[method].label} {with_decimals(value, 2)}")


def _machine(figure: go.Figure, values: Sequence[float], word: str) -> None:
    figure.add_scatter(
        x=list(range(len(values))), y=trace_values(values), mode="lines+markers", name=MACHINE.label,
        line=MACHINE.line(2.4), marker={"symbol": MACHINE.marker, "size": 11, "color": MACHINE.colour},
        hovertemplate=f"round %{{x}}<br>{word} %{{y:.3f}}<extra></extra>",
    )  # fmt: skip


def _round_axis(figure: go.Figure, rounds: int) -> None:
    figure.update_xaxes(title_text="round; 0 is the fixed kernel", range=[-BESIDE, rounds + BESIDE], dtick=1)


def _rounds_finding(risks: Sequence[float], rivals: Mapping[str, float]) -> str:
    if not risks:
        return "No round is measured yet."
    change = course(risks[0], risks[-1], " for the fixed kernel", f" after round {len(risks) - 1}")
    beside = [f"{METHODS[name].label} has {quote_number(value)}" for name, value in rivals.items()]
    return f"The excess risk {change}" + (f"; on the same samples {' and '.join(beside)}." if beside else ".")


def _rounds_headline(risks: Sequence[float]) -> str:
    if len(risks) < 2:
        return ""
    return f"Re-weighted {len(risks) - 1}×: risk {with_decimals(risks[0], 2)} → {with_decimals(risks[-1], 2)}"
