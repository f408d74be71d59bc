"""The gradient's components T_j along the patterns, on the relevant ones and off them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from plotly.subplots import make_subplots

from featdash.figures.palette import METHODS, Theme, blank
from featdash.figures.picture import Picture
from featdash.figures.text import number, trace_values
from featdash.lessons.shared.two_stage_frames import GradientComponents

ON, OFF = "#0072B2", METHODS["linear"].colour
Steps = Mapping[int, GradientComponents]


def gradient_components(laws: Mapping[str, Steps], *, theme: Theme, height: int = 264) -> Picture:
    """Mean of T_j over the neurons, for j in A with its spread, then for all others; a row a step, a column a law.

    laws : law -> step -> its components.
    """
    steps = sorted({step for taken in laws.values() for step in taken})
    cells = [(law, step) for step in steps for law in laws]
    titles = [_title(law if step == steps[0] else "", laws[law].get(step)) for law, step in cells]
    legend = f'<span style="color:{ON}">■</span> on A  <span style="color:{OFF}">■</span> off A  ┄ βγ/σ̃'
    figure = blank(theme, height, f"Gradient components T<sub>j</sub>   {legend}")
    make_subplots(
        len(steps), len(laws), figure=figure, subplot_titles=titles, vertical_spacing=0.28, horizontal_spacing=0.14
    )
    table: dict[str, list] = {"inputs": [], "step": [], "j": [], "on A": [], "T": []}
    for row, step in enumerate(steps, start=1):
        figure.update_yaxes(title_text=f"step {step}: T<sub>j</sub>", row=row, col=1)
    for place, (law, step) in enumerate(cells):
        if step in laws[law]:
            row, column = divmod(place, len(laws))
            for trace in _bars(laws[law][step], theme):
                figure.add_trace(trace, row=row + 1, col=column + 1)
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
    return Picture(figure, _finding(laws), table)


def _title(law: str, frame: GradientComponents | None) -> str:
    """The law, for the row that names it, and signal over noise: on two lines, for panels are narrow."""
    ratio = f"S/N {number(frame.signal_to_noise)}" if frame else ""
    return "<br>".join(part for part in (law, ratio) if part)


def _bars(frame: GradientComponents, theme: Theme) -> list[dict]:
    on, off = trace_values(frame.on), trace_values(frame.off)
    gap = max(1, len(off) // 25)  # the relevant bars are as wide as `gap` others, so that they are seen
    places = [gap * (index + 0.5) for index in range(len(on))]
    edge, end = gap * len(on), gap * (len(on) + 1) + len(off)
    spread = {"type": "data", "array": trace_values(frame.on_spread), "thickness": 1, "width": 2}
    hover = "T = %{y:.3g}<extra></extra>"
    theory = {"mode": "lines", "line": theme.theory("dash") | {"width": 2}, "name": "predicted", "hoverinfo": "skip"}
    prediction = trace_values([frame.predicted] * 2)
    return [
        _bar(places, on, 0.8 * gap, ON) | {"name": "on A", "error_y": spread, "hovertemplate": f"on A<br>{hover}"},
        _bar(list(np.arange(edge + gap, end) + 0.5), off, 1, OFF)
        | {"name": "off A", "hovertemplate": f"off A<br>{hover}"},
        {"type": "scatter", "x": [0, edge], "y": prediction} | theory,
    ]


def _bar(places: list[float], values: list, width: float, colour: str) -> dict:
    return {"type": "bar", "x": places, "y": values, "width": width, "marker": {"color": colour, "line": {"width": 0}}}


def _finding(laws: Mapping[str, Steps]) -> str:
    told: Sequence[str] = [
        f"{number(frame.signal_to_noise)} on {law} inputs at step {step}"
        for law, taken in laws.items()
        for step, frame in taken.items()
    ]
    if not told:
        return "No step has been taken yet."
    return f"The signal-to-noise ratio of the gradient, relevant patterns against the others, is {'; '.join(told)}."
