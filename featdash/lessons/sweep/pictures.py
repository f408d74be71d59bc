"""Excess risk against the number of samples, one panel a width, with what theory predicts for kernels."""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go

from featdash.figures.axes import columns, margin_of, panel_labels, risk_axis, value_range
from featdash.figures.picture import METHODS, Picture, Theme, blank
from featdash.figures.seed_band import Row, power_axis, power_of, seed_band
from featdash.figures.text import each, lowest, number, trace_values
from featdash.lessons.shared.pictures.headlines import halvings
from featdash.theory.predictions import Mark

HEADROOM = 1.45  # of a linear axis, in zero predictors; what goes beyond is told in words
ABOUT = "number of samples"


def risk_against_samples(
    rows: Sequence[Row],
    widths: Sequence[int],
    sizes: Sequence[int],
    d: int,
    *,
    theme: Theme,
    plateaus: Sequence[tuple[float, float]] = (),
    zero: float = 1.0,
    marks: Sequence[Mark] = (),
    paper: Sequence[Row] = (),
    methods: Sequence[str] = (),
    log: bool = False,
    height: int = 400,
) -> Picture:
    """Mean excess risk E(f − f*)² against log_d n, a curve a method with a band of one standard deviation over seeds.

    rows : {"method", "width", "n", "mean", "std" or None, "seeds"}, ascending in n; those that exist so far.
    widths : one panel each; sizes : the whole grid of n, so that the axes stand still while points appear.
    plateaus : (n, risk), the corners of the staircase predicted for fixed kernels; zero : E f*², the zero predictor.
    marks : sample sizes worth a vertical line.
    paper : the published points, {"method", "width", "n", "mean", "low", "high"}, drawn hollow.
    methods : who will have points, named in the title from the start; by default who has.
    """
    figure = blank(theme, height, _title(methods or methods_of(rows), bool(paper)))
    vertical = value_range([*(row["mean"] for row in rows), zero], True) if log else (0.0, HEADROOM * max(zero, 1e-9))
    beyond = {width: [] if log else _beyond(_at(rows, width), vertical[1]) for width in widths}
    titles = [f"width m = {number(width)}{_worst(beyond[width])}" for width in widths]
    columns(figure, len(widths), margin_of(9, theme), titles)
    room = height - 8 * theme.text - 24
    across = power_axis(sizes, d, "n", ABOUT)
    for panel, width in enumerate(widths, start=1):
        mine = _at(rows, width)
        theirs = [row for row in paper if row["width"] == width and min(sizes) <= row["n"] <= max(sizes)]
        _theory(figure, panel, across["range"], [(power_of(n, d), risk) for n, risk in plateaus], zero, theme)
        hidden = max((row["n"] for row in beyond[width]), default=0)
        _marks(figure, panel, marks, d, (min(sizes), hidden, max(sizes)), theme)
        for method in methods_of(mine):
            style = METHODS[method]
            seed_band(figure, panel, _of(mine, method), "n", d, vars(style), style.label)
        for method in methods_of(theirs):
            _paper_points(figure, panel, _of(theirs, method), d, theme)
        panel_labels(figure, _ends(mine), vertical, panel=panel, room=room, theme=theme, log=log)
    figure.update_xaxes(**across)
    figure.update_yaxes(**risk_axis(("excess",), vertical, log))
    if len(widths) > 1:
        for panel in range(2, len(widths) + 1):
            figure.update_yaxes(title_text="", row=1, col=panel)
    figure.update_annotations(font_size=theme.text)
    figure.update_layout(margin={"t": 4 * theme.text, "r": margin_of(9, theme), "b": 5 * theme.text + 4})
    return Picture(figure, _finding(rows), _table(rows, paper, d), headline=_headline(rows, zero))


def methods_of(rows: Sequence[Row]) -> list[str]:
    """The methods that have rows, in the order of their table."""
    present = {row["method"] for row in rows}
    return [method for method in METHODS if method in present]


def _at(rows: Sequence[Row], width: int) -> list[Row]:
    return [row for row in rows if row["width"] == width]


def _of(rows: Sequence[Row], method: str) -> list[Row]:
    return [row for row in rows if row["method"] == method]


def _title(methods: Sequence[str], overlaid: bool) -> str:
    parts = [METHODS[method].tag() for method in METHODS if method in methods]
    parts += ["┄ predicted, fixed kernels", "··· zero predictor"] + (["hollow: published"] if overlaid else [])
    return "Excess risk:  " + "   ".join(parts)


def _theory(
    figure: go.Figure,
    panel: int,
    across: Sequence[float],
    plateaus: Sequence[tuple[float, float]],
    zero: float,
    theme: Theme,
) -> None:
    """The zero predictor, and the staircase of the kernels."""
    stairs = [(max(power, across[0]), risk) for power, risk in plateaus]
    lines = {"zero predictor": ("dot", across, [zero, zero])}
    lines["predicted for fixed kernels"] = ("dash", [power for power, _ in stairs], [risk for _, risk in stairs])
    for name, (dash, x, y) in lines.items():
        hover = f"{name}<br>risk = %{{y:.3g}}<extra></extra>"
        line = {"mode": "lines", "line": theme.theory(dash) | {"width": 1.4}, "name": name, "hovertemplate": hover}
        figure.add_scatter(row=1, col=panel, x=trace_values(x), y=trace_values(y), **line)


def _marks(
    figure: go.Figure, panel: int, marks: Sequence[Mark], d: int, sizes: tuple[int, int, int], theme: Theme
) -> None:
    """The sample sizes of theory: of the order d² is enough for the first step, a fixed kernel needs d^p.

    sizes : the smallest, the largest at which a curve is above the axis, and the largest. Where a curve comes down
    from above the axis, a name stands at the foot of its line.
    """
    least, hidden, most = sizes
    for mark in marks:
        if least <= mark.n <= most:
            side = "bottom" if mark.n <= hidden else "top"
            figure.add_vline(
                x=power_of(mark.n, d),
                line={"color": theme.ink, "width": 1, "dash": "dot"},
                opacity=0.5,
                annotation={"text": f"n = {mark.label}", "yanchor": side, "font": {"shadow": theme.halo}},
                annotation_position=f"{side} right",
                row=1,
                col=panel,
            )


def _paper_points(figure: go.Figure, panel: int, rows: Sequence[Row], d: int, theme: Theme) -> None:
    """Hollow markers with bars of one standard deviation."""
    style = METHODS[rows[0]["method"]]
    means = [row["mean"] for row in rows]
    bars = {
        "type": "data",
        "symmetric": False,
        "array": trace_values([row["high"] - row["mean"] for row in rows]),
        "arrayminus": trace_values([row["mean"] - row["low"] for row in rows]),
        "color": style.colour,
        "thickness": 1,
        "width": 3,
    }
    figure.add_scatter(
        row=1,
        col=panel,
        x=trace_values([power_of(row["n"], d) for row in rows]),
        y=trace_values(means),
        error_y=bars,
        mode="markers",
        name=f"{style.label}, published",
        marker={"symbol": style.marker, "size": 10, "color": theme.paper, "line": {"color": style.colour, "width": 2}},
        customdata=[number(row["n"]) for row in rows],
        hovertemplate=f"{style.label}, published<br>n = %{{customdata}}<br>risk = %{{y:.3f}}<extra></extra>",
    )


def _ends(rows: Sequence[Row]) -> list[tuple[float, str]]:
    """(risk, label) at the largest n of each method."""
    last = [_of(rows, method)[-1] for method in methods_of(rows)]
    return [(row["mean"], METHODS[row["method"]].tag(number(round(row["mean"], 3)))) for row in last]


def _beyond(rows: Sequence[Row], top: float) -> list[Row]:
    """What a linear axis leaves out."""
    return [row for row in rows if row["mean"] > top]


def _worst(rows: Sequence[Row]) -> str:
    """The largest of these means and where it is, behind the name of a panel."""
    if not rows:
        return ""
    worst = max(rows, key=lambda row: row["mean"])
    return f": ↑ {METHODS[worst['method']].tag(number(round(worst['mean'], 1)))} at n = {number(worst['n'])}"


def _finding(rows: Sequence[Row]) -> str:
    """Who is lowest at the largest n of the widest network."""
    if not rows:
        return "No point of the sweep has been computed yet."
    width = max(row["width"] for row in rows)
    most = max(row["n"] for row in rows if row["width"] == width)
    last = [row for row in rows if row["width"] == width and row["n"] == most]
    values = {METHODS[row["method"]].label: float(row["mean"]) for row in last}
    return f"At width {number(width)} and n = {number(most)} the excess risk is {each(values)}{lowest(values)}."


def _headline(rows: Sequence[Row], zero: float) -> str:
    """By which n each method has halved the error, at the widest network."""
    width = max((row["width"] for row in rows), default=0)
    widest = [row for row in rows if row["width"] == width]
    curves = {
        METHODS[method].label: [(row["n"], row["mean"]) for row in _of(widest, method)] for method in methods_of(widest)
    }
    return halvings(curves, zero, "n", f"width {number(width)}: ")


def _table(rows: Sequence[Row], paper: Sequence[Row], d: int) -> dict[str, list]:
    names = ("source", "width", "method", "n", "log_d n", "mean", "std", "seeds")
    table: dict[str, list] = {name: [] for name in names}
    ours = [("here", row, row["std"], row["seeds"]) for row in rows]
    for where, row, std, seeds in [*ours, *(("published", row, row["high"] - row["mean"], 10) for row in paper)]:
        cells = (where, row["width"], METHODS[row["method"]].label, row["n"], round(power_of(row["n"], d), 4))
        for name, value in zip(
            names, (*cells, *trace_values([row["mean"]]), std and float(f"{std:.6g}"), seeds), strict=True
        ):
            table[name].append(value)
    return table
