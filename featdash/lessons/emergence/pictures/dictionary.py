"""The gradient's components along the patterns, and the bound on features that stay fixed."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
from plotly.subplots import make_subplots

from featdash.figures.axes import decades, margin_of, panel_labels
from featdash.figures.film import Changes, Film, times_of
from featdash.figures.palette import NOISE, SUBJECT
from featdash.figures.picture import METHODS, MethodStyle, Picture, Theme, blank, plot_height
from featdash.figures.text import join_words, letters, number, quote_number, thin_out, trace_values
from featdash.lessons.emergence.frames import FixedFeatures, GradientComponents
from featdash.theory.fixed_features import fixed_feature_bound

ON, OFF = SUBJECT.colour, NOISE
Steps = Mapping[int, GradientComponents]


def gradient_components(laws: Mapping[str, Steps], *, theme: Theme, height: int = 264) -> Picture:
    """Mean of T_j over the neurons, for j in A with its spread, then for all others; a row a step, a column a law.

    laws : law -> step -> its components.
    """
    steps, cells = _grid(laws)
    titles = [_title(law if step == steps[0] else "", laws[law].get(step)) for law, step in cells]
    legend = f'<span style="color:{ON}">■</span> on A  <span style="color:{OFF}">■</span> off A  ┄ βγ/σ̃'
    figure = blank(theme, height, f"Gradient components T<sub>j</sub>   {legend}")
    make_subplots(
        len(steps), len(laws), figure=figure, subplot_titles=titles, vertical_spacing=0.28, horizontal_spacing=0.2
    )
    table: dict[str, list] = {"inputs": [], "step": [], "j": [], "on A": [], "T": []}
    for row, step in enumerate(steps, start=1):
        figure.update_yaxes(title_text=f"step {step}: T<sub>j</sub>", row=row, col=1)
    for place, (law, step) in enumerate(cells):
        if step in laws[law]:
            row, column = divmod(place, len(laws))
            for trace in _bars(laws[law][step], theme):
                figure.add_trace(trace, row=row + 1, col=column + 1)
            figure.update_yaxes(range=_reach(laws[law][step]), row=row + 1, col=column + 1)
            for on, part in ((1, laws[law][step].on), (0, laws[law][step].off)):
                values = trace_values(part)
                table["inputs"] += [law] * len(values)
                table["step"] += [step] * len(values)
                table["j"] += list(range(1, len(values) + 1))
                table["on A"] += [on] * len(values)
                table["T"] += values
    figure.update_xaxes(showticklabels=False, ticks="")
    figure.update_xaxes(title_text="j, A first", row=len(steps))
    figure.update_yaxes(nticks=4, exponentformat="power", zeroline=True, zerolinecolor=theme.ink)
    figure.update_layout(bargap=0.15, margin={"t": 4 * theme.text + 14, "b": 2 * theme.text + 4})
    figure.update_annotations(font_size=theme.text, yshift=-2)
    return Picture(figure, _gradient_finding(laws), table)


def gradient_film(laws: Mapping[str, Steps], moments: Sequence[float]) -> Film | None:
    """Of `gradient_components`: the bars of each step grow while the step is taken; None before all are there.

    moments : the steps of the timeline's only phase.
    """
    steps, cells = _grid(laws)
    if not steps or max(moments, default=0) < steps[-1] or any(step not in laws[law] for law, step in cells):
        return None
    stops = np.array([0, *steps])
    changes: Changes = {}
    for place, (law, step) in enumerate(cells):
        frame, is_taken = laws[law][step], stops >= step
        on, off, prediction = (3 * place + index for index in range(3))
        for trace, heights in ((on, frame.on), (off, frame.off)):
            changes[("data", trace, "y")] = np.where(is_taken[:, None], heights, 0.0)
        for path in (("data", on, "error_y", "visible"), ("data", prediction, "visible")):
            changes[path] = is_taken.tolist()
        titles = [_title(law if step == steps[0] else "", frame if one else None) for one in is_taken]
        changes[("layout", "annotations", place, "text")] = titles
    times = np.interp(stops, moments, times_of(0, len(moments)))
    return Film(times.tolist(), changes)


def _grid(laws: Mapping[str, Steps]) -> tuple[list[int], list[tuple[str, int]]]:
    """The steps, and the panels row by row: (law, step)."""
    steps = sorted({step for components in laws.values() for step in components})
    return steps, [(law, step) for step in steps for law in laws]


def _title(law: str, frame: GradientComponents | None) -> str:
    """The law, for the row that names it, and signal over noise: on two lines, for panels are narrow."""
    ratio = f"S/N {number(frame.signal_to_noise)}" if frame else ""
    return "<br>".join(part for part in (law, ratio) if part)


def _bars(frame: GradientComponents, theme: Theme) -> list[dict]:
    on, off = trace_values(frame.on), trace_values(frame.off)
    gap = max(1, len(off) // 25)  # the relevant bars are as wide as `gap` others, so that they are seen
    places = [gap * (index + 0.5) for index in range(len(on))]
    edge, end = gap * len(on), gap * (len(on) + 1) + len(off)
    spread = {"type": "data", "array": trace_values(frame.on_spread), "thickness": 1, "width": 2, "visible": True}
    hover = "T = %{y:.3g}<extra></extra>"
    theory = {"mode": "lines", "line": theme.theory("dash") | {"width": 2}, "name": "predicted", "hoverinfo": "skip"}
    prediction = trace_values([frame.predicted] * 2)
    return [
        _bar(places, on, 0.8 * gap, ON) | {"name": "on A", "error_y": spread, "hovertemplate": f"on A<br>{hover}"},
        _bar(list(np.arange(edge + gap, end) + 0.5), off, 1, OFF)
        | {"name": "off A", "hovertemplate": f"off A<br>{hover}"},
        {"type": "scatter", "x": [0, edge], "y": prediction} | theory,
    ]


def _reach(frame: GradientComponents) -> list[float]:
    """The axis of a panel, which stands still in the film."""
    ends = [0.0, *(frame.on - frame.on_spread), *(frame.on + frame.on_spread), *frame.off, float(frame.predicted)]
    room = 0.06 * (max(ends) - min(ends) or 1.0)
    return [min(ends) - room, max(ends) + room]


def _bar(places: list[float], values: list, width: float, colour: str) -> dict:
    return {"type": "bar", "x": places, "y": values, "width": width, "marker": {"color": colour, "line": {"width": 0}}}


def _gradient_finding(laws: Mapping[str, Steps]) -> str:
    clauses = [
        f"{number(frame.signal_to_noise)} on {law} inputs at step {step}"
        for law, components in laws.items()
        for step, frame in components.items()
    ]
    if not clauses:
        return "No step has been taken yet."
    return f"The signal-to-noise ratio of the gradient, relevant patterns against the others, is {'; '.join(clauses)}."


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
    all_norms = np.concatenate([[], *(np.asarray(one.norm, float) for one in methods.values())])
    all_norms = all_norms[all_norms > 0]
    low, high = (np.log10(all_norms.min()), np.log10(all_norms.max())) if len(all_norms) else (0.0, 1.0)
    for method, heads in methods.items():
        style, size = METHODS[method], float(heads.size)
        norms, losses = thin_out(heads.norm, heads.hinge)
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
    room = plot_height(theme, height)
    panel_labels(figure, labels, VERTICAL, panel=1, room=room, theme=theme, log=False)
    figure.update_layout(margin_r=margin_of(letters([text for _, text in labels]), theme))
    return Picture(figure, _bound_finding(methods, p0, k, stated), table)


def _bound_line(norms: np.ndarray, heights: np.ndarray, style: MethodStyle) -> dict:
    """A thin line where the bound says something."""
    is_above = heights > 0
    return {
        "x": trace_values(norms[is_above]),
        "y": trace_values(heights[is_above]),
        "name": f"bound, {style.label}",
        "line": {"color": style.colour, "width": 1.2, "dash": style.dash},
        "mode": "lines",
        "hoverinfo": "skip",
    }


def _bound_finding(methods: Mapping[str, FixedFeatures], p0: float, k: int, stated: bool) -> str:
    clauses = []
    for method, heads in methods.items():
        vanishing = 2.0**k / np.sqrt(2 * float(heads.size))
        clauses.append(
            f"{quote_number(np.min(heads.hinge), 2)} for {METHODS[method].label}"
            + stated * f" (the bound says nothing from B = {number(float(f'{vanishing:.2g}'))} on)"
        )
    if not clauses:
        return "No fixed features have been measured yet."
    bound = f"the bound starts at p₀ = {number(p0)}" if stated else "the theorem states no bound for these settings"
    return f"The lowest hinge loss of fixed features is {join_words(clauses)}; {bound}."
