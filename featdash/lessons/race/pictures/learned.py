"""What the layer and the head have learned: alignment, the predictor along u₁, and the risk at every λ."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np

from featdash.figures.axes import (
    RISKS,
    ROUGH,
    converged_part,
    decades,
    method_tags,
    name_above,
    note_rough,
    risk_axis,
    value_range,
)
from featdash.figures.picture import METHODS, Picture, Theme, blank
from featdash.figures.text import Numbers, join_words, number, quote_number, thin_out, trace_values, with_index
from featdash.lessons.shared.frames import LayerFrame

AXES = {
    "": (0.0, 0.48),
    "2": (0.52, 1.0),
}  # endings of the names of two pictures' axes beside one another -> their share
SMOOTH = {"shape": "spline"}  # of a function that is known at a few dozen places
MOST_PRINTED = 60  # cells whose number is printed; more would overlap


def alignment_heatmap(before: LayerFrame, now: LayerFrame, *, theme: Theme, height: int = 200) -> Picture:
    """|<u_i, v_j>| as two heatmaps, with the principal angles between the two subspaces in the titles."""
    panels = {"before": before, "now": now}
    titles = [f"{name}: {angles(panel.angles)}" for name, panel in panels.items()]
    rank = len(now.angles)
    directions = "v₁" if rank == 1 else f"v₁ … {with_index('v', rank)}"
    figure = blank(theme, height, f"Alignment |⟨uᵢ, vⱼ⟩|, angles to the framed {directions}")
    table: dict[str, list] = {"panel": [], "principal direction": [], "layer direction": [], "overlap": []}
    heatmaps = []
    for axis, (name, panel) in zip(AXES, panels.items(), strict=True):
        overlap = np.asarray(panel.overlap, float)
        heatmaps.append({"type": "heatmap", "xaxis": f"x{axis}", "yaxis": f"y{axis}", **_cells(overlap, theme)})
        for i, row in enumerate(overlap, start=1):
            for j, value in enumerate(row, start=1):
                for key, entry in zip(
                    table, (name, with_index("u", i), with_index("v", j), round(float(value), 6)), strict=True
                ):
                    table[key].append(entry)
    figure.add_traces(heatmaps)
    # All at once: it is drawn while others wait for theirs, and each update of a layout takes Plotly milliseconds.
    figure.update_layout(
        **_axes(),
        annotations=[_heading(*one, theme) for one in zip(AXES.values(), titles, strict=True)],
        shapes=[_frame(axis, rank, now.overlap.shape, theme) for axis in AXES],
        coloraxis={
            "colorscale": theme.sequential,
            "cmin": 0,
            "cmax": 1,
            "colorbar": {"thickness": 10, "tickvals": [0, 0.5, 1], "len": 1.0},
            "showscale": now.overlap.size > MOST_PRINTED,  # a number in each cell says more, in less room
        },
        margin={"t": 3 * theme.text + 10, "l": 46},
    )
    return Picture(figure, _alignment_finding(before, now), table)


def _axes() -> dict[str, dict]:
    """The axes of both heatmaps; only the left one says what its rows are."""
    axes: dict[str, dict] = {}
    for axis, domain in AXES.items():
        across = {"anchor": f"y{axis}", "domain": domain, "title": {"text": "vⱼ of W"}, "showline": False}
        axes |= {f"xaxis{axis}": across}
        axes |= {f"yaxis{axis}": {"anchor": f"x{axis}", "autorange": "reversed", "showline": False}}
    axes["yaxis"] |= {"title": {"text": "uᵢ"}}
    axes["yaxis2"] |= {"showticklabels": False, "ticks": ""}
    return axes


def _heading(domain: Sequence[float], text: str, theme: Theme) -> dict:
    """The title of a heatmap, above its middle."""
    place = {"xref": "paper", "x": sum(domain) / 2, "yref": "paper", "y": 1, "yanchor": "bottom", "yshift": -2}
    return {"text": text, "font": {"size": theme.text}, "showarrow": False, "xanchor": "center", **place}


def _frame(axis: str, rank: int, shape: tuple[int, ...], theme: Theme) -> dict:
    """A frame around the leading directions v_1 .. v_r; the angles are measured to their span."""
    corners = {"x0": -0.5, "x1": min(rank, shape[1]) - 0.5, "y0": -0.5, "y1": shape[0] - 0.5}
    place = {"xref": f"x{axis}", "yref": f"y{axis}"}
    return {"type": "rect", "line": {"color": theme.ink, "width": 2}, **place, **corners}


def angles(degrees: Any) -> str:
    """Principal angles in words: at most three of them are written out."""
    values = np.asarray(degrees, float).ravel()
    if len(values) <= 3:
        return ", ".join(f"{value:.3g}°" for value in values)
    return f"{values[0]:.3g}° to {values[-1]:.3g}°"


def _cells(overlap: np.ndarray, theme: Theme) -> dict:
    rows, columns = overlap.shape
    text = {"texttemplate": "%{z:.2f}", "textfont": {"size": theme.text}}
    numbers = text if overlap.size <= MOST_PRINTED else {}
    return {
        "z": [trace_values(row) for row in overlap],
        "x": [with_index("v", j + 1) for j in range(columns)],
        "y": [with_index("u", i + 1) for i in range(rows)],
        "coloraxis": "coloraxis",
        "xgap": 1,
        "ygap": 1,
        "hovertemplate": "alignment |⟨%{y}, %{x}⟩| = %{z:.3f}<extra></extra>",
        **numbers,
    }


def _alignment_finding(before: LayerFrame, now: LayerFrame) -> str:
    start, end = (float(np.max(panel.angles)) for panel in (before, now))
    return (
        f"The largest angle between the principal subspace and the leading directions of the first layer is "
        f"{quote_number(start, 1)}° before training and {quote_number(end, 1)}° now."
    )


def profile(
    z: Numbers,
    truth: Numbers,
    functions: Mapping[str, Numbers],
    *,
    theme: Theme,
    rough: Collection[str] = (),
    height: int = 240,
) -> Picture:
    """Each method's prediction at x = z u₁, and the target there.

    z : (Z,); truth : (Z,); functions : method -> (Z,); rough : methods whose solver did not go far enough, drawn pale.
    """
    figure = blank(theme, height, "The learned function along u₁")
    table = {"z": trace_values(z), "target": trace_values(truth)}
    grid, heights = thin_out(z, truth)
    hover = "<br>z = %{x:.3g}<br>f(z u₁) = %{y:.3g}<extra></extra>"
    target_line = {"name": "target f*", "mode": "lines", "hovertemplate": f"target f*{hover}"}
    figure.add_scatter(x=trace_values(grid), y=trace_values(heights), line=theme.theory() | SMOOTH, **target_line)
    for method, values in functions.items():
        style, (grid, heights) = METHODS[method], thin_out(z, values)
        marker = {"symbol": style.marker, "size": 6, "maxdisplayed": 8}
        figure.add_scatter(
            x=trace_values(grid),
            y=trace_values(heights),
            name=f"{style.label} (rough)" if method in rough else style.label,
            opacity=ROUGH if method in rough else 1.0,
            line=style.line() | SMOOTH,
            mode="lines+markers",
            marker=marker,
            hovertemplate=f"{style.label}{hover}",
        )
        table[style.label] = trace_values(values)
    figure.update_xaxes(title_text="z, with x = z u₁")
    figure.update_yaxes(title_text="f(z u₁)")
    name_above(figure, ["─ target f*", *method_tags(functions, rough)], theme)
    if rough:
        note_rough(figure, theme)
    return Picture(figure, _profile_finding(z, truth, functions), table)


def _profile_finding(z: Numbers, truth: Numbers, functions: Mapping[str, Numbers]) -> str:
    middle = np.abs(np.asarray(z, float)) <= 2  # where samples are; further out every method guesses
    gaps = {
        METHODS[method].label: float(np.sqrt(np.mean((np.asarray(values) - np.asarray(truth))[middle] ** 2)))
        for method, values in functions.items()
    }
    if not gaps:
        return "The target is shown along its first principal direction; no method has learned anything yet."
    distances = ", ".join(f"{number(gap)} for {label}" for label, gap in gaps.items())
    return f"For |z| ≤ 2 the root mean square distance to the target is {distances}."


STRENGTH = "ridge strength λ"


def lam_curve(
    lams: Numbers,
    risks: Mapping[str, Numbers],
    tuned: Mapping[str, float],
    *,
    theme: Theme,
    risk: str = "excess",
    manual: Mapping[str, float] | None = None,
    settled: Mapping[str, Numbers] | None = None,
    height: int = 240,
) -> Picture:
    """Risk of the ridge limit against λ, a curve a method.

    lams : (L,), shared by all; risks : method -> (L,); tuned : method -> the λ best on the holdout, marked by a ring;
    manual : method -> the λ set by the visitor, marked by a filled marker, by default the tuned one.
    settled : method -> (L,), whether the solver went far enough; elsewhere the curve is pale, with a note. None: all.
    """
    figure = blank(theme, height, f"{RISKS[risk].capitalize()} against the ridge strength λ")
    table: dict[str, list] = {"method": [], STRENGTH: [], RISKS[risk]: []}
    for method, values in risks.items():
        style, (strengths, heights) = METHODS[method], thin_out(lams, values)
        hover = f"{style.label}<br>λ = %{{x:.3g}}<br>risk = %{{y:.3g}}<extra></extra>"
        converged = None if settled is None else thin_out(settled[method])[0]
        for rough in (False, True) if converged is not None and not np.all(converged) else (False,):
            part = {"y": trace_values(converged_part(heights, converged, rough)), "opacity": ROUGH if rough else 1.0}
            figure.add_scatter(
                x=trace_values(strengths),
                name=style.label,
                mode="lines",
                line=style.line(),
                hovertemplate=hover,
                **part,
            )
        for place, fill in ((tuned[method], theme.paper), ((manual or tuned)[method], style.colour)):
            ring = {"symbol": style.marker, "size": 11, "color": fill, "line": {"color": style.colour, "width": 2}}
            value = float(np.interp(math.log(place), np.log(lams), values))
            figure.add_scatter(x=[place], y=[value], mode="markers", marker=ring, name=style.label, hoverinfo="skip")
        table["method"] += [style.label] * len(strengths)
        table[STRENGTH] += trace_values(strengths)
        table[RISKS[risk]] += trace_values(heights)
    vertical = value_range(table[RISKS[risk]], True)
    figure.update_xaxes(title_text=STRENGTH, type="log", **decades(-12, 12, 2))
    figure.update_yaxes(**risk_axis((risk,), vertical, log=True))
    if settled is not None and not all(np.all(converged) for converged in settled.values()):
        note_rough(figure, theme)
    words = join_words([f"{number(tuned[method])} for {METHODS[method].label}" for method in risks])
    alt = f"On the holdout set the best λ is {words}." if words else "No λ has been tried yet."
    return Picture(figure, alt, table)
