"""Transfer: risk of a refitted head against what the layer was pretrained on, and against what the head sees."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import plotly.graph_objects as go
from plotly.colors import sample_colorscale
from plotly.subplots import make_subplots

from featdash.figures.axes import columns, margin_of, panel_labels, risk_axis, value_range
from featdash.figures.picture import METHODS, Picture, Theme, blank
from featdash.figures.seed_band import Row, power_axis, power_of, seed_band
from featdash.figures.text import course, each, lowest, number, quote_number, trace_values
from featdash.lessons.shared.pictures.headlines import halvings
from featdash.theory.predictions import Mark

CURVES = 7  # of one panel at most; more cannot be told apart
HEADROOM = 1.25  # of a linear axis, in zero predictors
MARKERS = ("circle", "square", "diamond", "triangle-up", "pentagon", "star", "hexagon")
SHORT = {"transfer": "frozen layer", "algorithm1": "from scratch"}
ABOUT = {"n": "pretraining samples", "N": "samples of the new head"}


def transfer_panels(
    rows: Sequence[Row],
    pretraining: Sequence[int],
    refit: Sequence[int],
    d: int,
    *,
    theme: Theme,
    zero: float = 1.0,
    marks: Sequence[Mark] = (),
    paper: Sequence[Row] = (),
    log: bool = False,
    height: int = 400,
) -> Picture:
    """Two panels: excess risk of the new target against n for several N, and against N for several n.

    rows : {"n", "N", "mean", "std" or None, "seeds"}; those that exist so far.
    pretraining, refit : the whole grids of n and of N; zero : E f*² of the new target.
    marks : pretraining sizes worth a vertical line.
    paper : the published points, {"n", "N", "mean"}, drawn hollow beside the curve of the same size.
    """
    title = "Transfer: excess risk of the new head; fainter to stronger: fewer to more samples"
    figure = blank(theme, height, title + ("; hollow: published" if paper else ""))
    titles = ["against n, a curve for each N", "against N, a curve for each n"]
    columns(figure, 2, margin_of(13, theme), titles)
    vertical = _vertical(rows, zero, log)
    room = height - 8 * theme.text - 24
    grids = {"n": pretraining, "N": refit}
    for panel, (along, other) in enumerate((("n", "N"), ("N", "n")), start=1):
        across = power_axis(grids[along], d, along, ABOUT[along])
        figure.update_xaxes(**across, row=1, col=panel)
        _zero(figure, panel, across["range"], zero, theme)
        ends = []
        for rank, (size, style) in enumerate(_styles(grids[other], theme)):
            mine = sorted((row for row in rows if row[other] == size), key=lambda row: row[along])
            theirs = [row for row in paper if row[other] == size and row[along] in grids[along]]
            if theirs:
                _paper_points(figure, panel, theirs, along, d, style, f"{other} = {number(size)}", theme)
            if mine:
                seed_band(figure, panel, mine, along, d, style, f"{other} = {number(size)}")
                tag = f'<span style="color:{style["colour"]}">{GLYPHS[rank]}</span> {other} = {number(size)}'
                ends.append((mine[-1]["mean"], tag))
        panel_labels(figure, ends, vertical, panel=panel, room=room, theme=theme, log=log)
    for mark in marks:
        if min(pretraining) <= mark.n <= max(pretraining):
            figure.add_vline(
                x=power_of(mark.n, d), line={"color": theme.ink, "width": 1, "dash": "dot"}, opacity=0.5,
                annotation={"text": mark.label, "yanchor": "top"}, annotation_position="top right",
                row=1, col=1,
            )  # fmt: skip
    _finish(figure, vertical, theme, log, 13)
    alt = _finding(rows) + _agreement(rows, paper)
    return Picture(figure, alt, _table(rows, paper), headline=_headline(rows))


GLYPHS = ("●", "■", "◆", "▲", "⬟", "★", "⬢")


def bench_curves(
    rows: Sequence[Row],
    refit: Sequence[int],
    n: int,
    d: int,
    *,
    theme: Theme,
    zero: float = 1.0,
    log: bool = False,
    height: int = 400,
) -> Picture:
    """Excess risk against N: a new head on the frozen layer, and Algorithm 1 from scratch on the same N samples.

    rows : {"method": "transfer" or "algorithm1", "N", "mean", "std" or None, "seeds"}; n : what the layer has seen.
    """
    names = {"transfer": f"frozen layer from n = {number(n)}, new head", "algorithm1": "Algorithm 1 from scratch"}
    tags = "   ".join(METHODS[method].tag(name) for method, name in names.items())
    figure = blank(theme, height, f"Excess risk on the new target:  {tags}   ··· zero predictor")
    make_subplots(1, 1, figure=figure)
    vertical = _vertical(rows, zero, log)
    across = power_axis(refit, d, "N", "samples of the new target")
    figure.update_xaxes(**across)
    _zero(figure, 1, across["range"], zero, theme)
    ends = []
    for method, name in names.items():
        mine = sorted((row for row in rows if row["method"] == method), key=lambda row: row["N"])
        if mine:
            seed_band(figure, 1, mine, "N", d, vars(METHODS[method]), name)
            ends.append((mine[-1]["mean"], METHODS[method].tag(number(round(mine[-1]["mean"], 3)))))
    panel_labels(
        figure, ends, vertical, panel=1, room=height - 7 * theme.text - 24, theme=theme, log=log
    )  # fmt: skip
    _finish(figure, vertical, theme, log, 9)
    curves = {SHORT[method]: _along_N(rows, method) for method in names}
    return Picture(figure, _comparison(rows, names), _table(rows, ()), headline=halvings(curves, zero, "N"))


def _styles(values: Sequence[int], theme: Theme) -> list[tuple[int, dict[str, Any]]]:
    """The values that get a curve, with their styles from faint to strong; every second or third if there are many."""
    visible = list(reversed(values[::-1][:: math.ceil(len(values) / CURVES)]))
    count = len(visible)
    places = [1 - 0.8 * (count - 1 - i) / max(count - 1, 1) for i in range(count)]
    colours = sample_colorscale(theme.sequential, places)
    return [
        (value, {"colour": colour, "dash": "solid", "marker": marker})
        for value, colour, marker in zip(visible, colours, MARKERS, strict=False)
    ]


def _vertical(rows: Sequence[Row], zero: float, log: bool) -> tuple[float, float]:
    return value_range([*(row["mean"] for row in rows), zero], True) if log else (0.0, HEADROOM * max(zero, 1e-9))


def _zero(figure: go.Figure, panel: int, across: Sequence[float], zero: float, theme: Theme) -> None:
    hover = "zero predictor<br>risk = %{y:.3g}<extra></extra>"
    figure.add_scatter(
        row=1, col=panel, x=trace_values(across), y=trace_values([zero, zero]), mode="lines", name="zero predictor",
        line=theme.theory("dot") | {"width": 1.4}, hovertemplate=hover,
    )  # fmt: skip


def _finish(figure: go.Figure, vertical: tuple[float, float], theme: Theme, log: bool, letters: int) -> None:
    figure.update_yaxes(**risk_axis(("excess",), vertical, log))
    for axis in list(figure.select_yaxes())[1:]:
        axis.title.text = None
    figure.update_annotations(font_size=theme.text)
    figure.update_layout(margin={"t": 4 * theme.text, "r": margin_of(letters, theme), "b": 5 * theme.text + 4})


def _paper_points(
    figure: go.Figure,
    panel: int,
    rows: Sequence[Row],
    along: str,
    d: int,
    style: Mapping[str, Any],
    name: str,
    theme: Theme,
) -> None:
    """Hollow markers of a curve's colour and shape."""
    edge = {"color": style["colour"], "width": 1.6}
    figure.add_scatter(
        row=1, col=panel, x=trace_values([power_of(row[along], d) for row in rows]),
        y=trace_values([row["mean"] for row in rows]), mode="markers", name=f"{name}, published",
        marker={"symbol": style["marker"], "size": 10, "color": theme.paper, "line": edge},
        customdata=[number(row[along]) for row in rows],
        hovertemplate=f"{name}, published<br>{along} = %{{customdata}}<br>risk = %{{y:.3f}}<extra></extra>",
    )  # fmt: skip


def _finding(rows: Sequence[Row]) -> str:
    """How the risk goes with n at the largest N, and with N at the largest n."""
    if not rows:
        return "No point of the transfer has been computed yet."
    best = min(rows, key=lambda row: row["mean"])
    sentence = (
        f"The lowest excess risk on the new target is {quote_number(best['mean'])}, at n = {number(best['n'])} and "
    )
    sentence += f"N = {number(best['N'])}"
    for along, other in (("n", "N"), ("N", "n")):
        most = max(row[other] for row in rows)
        line = sorted((row for row in rows if row[other] == most), key=lambda row: row[along])
        first, last = line[0], line[-1]
        if first[along] < last[along]:
            ends = [f" at {along} = {number(row[along])}" for row in (first, last)]
            sentence += f"; with {other} = {number(most)} it {course(first['mean'], last['mean'], *ends)}"
    return f"{sentence}."


def _headline(rows: Sequence[Row]) -> str:
    """How the error goes from the fewest to the most pretraining samples, at the largest N."""
    most = max((row["N"] for row in rows), default=0)
    line = sorted((row for row in rows if row["N"] == most), key=lambda row: row["n"])
    if len(line) < 2 or line[0]["n"] == line[-1]["n"]:
        return ""
    ends = [f" at n = {number(row['n'])}" for row in (line[0], line[-1])]
    return f"With N = {number(most)} the error {course(line[0]['mean'], line[-1]['mean'], *ends)}"


def _along_N(rows: Sequence[Row], method: str) -> list[tuple[int, float]]:
    mine = [(row["N"], row["mean"]) for row in rows if row["method"] == method]
    return sorted(mine, key=lambda point: point[0])


def _agreement(rows: Sequence[Row], paper: Sequence[Row]) -> str:
    """A sentence on the published point that is farthest from our point of the same sizes."""
    ours = {(row["n"], row["N"]): row["mean"] for row in rows}
    pairs = [(ours[row["n"], row["N"]], row) for row in paper if (row["n"], row["N"]) in ours]
    if not pairs:
        return ""
    mine, row = max(pairs, key=lambda pair: abs(pair[0] - pair[1]["mean"]))
    return (
        f" Of {len(pairs)} published points the farthest from ours is {number(row['mean'])}, where we have "
        f"{number(round(mine, 3))}, at n = {number(row['n'])} and N = {number(row['N'])}."
    )


def _comparison(rows: Sequence[Row], names: dict[str, str]) -> str:
    sizes = {row["N"] for row in rows if row["method"] == "transfer"}
    sizes &= {row["N"] for row in rows if row["method"] == "algorithm1"}
    if not sizes:
        return "The two curves of the bench have no point in common yet."
    most = max(sizes)
    values = {names[row["method"]]: float(row["mean"]) for row in rows if row["N"] == most}
    return f"With N = {number(most)} samples of the new target the excess risk is {each(values)}{lowest(values)}."


def _table(rows: Sequence[Row], paper: Sequence[Row]) -> dict[str, list]:
    """Published rows below ours; their number of seeds and deviations are not stated."""
    table: dict[str, list] = {"method": [METHODS[row["method"]].label for row in rows]}
    table["method"] += [f"{METHODS['transfer'].label}, published"] * len(paper)
    table |= {name: [row[name] for row in (*rows, *paper)] for name in ("n", "N")}
    table["mean"] = trace_values([row["mean"] for row in (*rows, *paper)])
    table["std"] = [row["std"] and float(f"{row['std']:.6g}") for row in rows] + [None] * len(paper)
    return table | {"seeds": [row["seeds"] for row in rows] + [None] * len(paper)}
