"""The monomials of a target as a network learns them: their coefficients against the steps, a panel a target."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from featdash.figures.axes import decades, margin_of, panel_labels
from featdash.figures.palette import NOISE
from featdash.figures.picture import Picture, Theme, blank
from featdash.figures.text import join_words, letters, number, quote_number, thin_out, trace_values
from featdash.lessons.staircase.pictures.style import MONOMIALS, monomial_text

HALF = 0.5
VERTICAL = (-0.28, 1.28)
GAP = 0.075  # of the height, between panels, where a name stands
MOST_NAMES = 3  # of a headline; more would not be read


@dataclass(frozen=True, eq=False)
class Learned:
    """The course of the coefficients of one target's network.

    own : monomial of the target, such as "x1x2", -> (k,); its coefficient in the target is 1. other (O, k) : the rest.
    """

    own: Mapping[str, np.ndarray]
    other: np.ndarray

    def half(self, monomial: str) -> int | None:
        """The row from which on the coefficient stays above ½; None for never."""
        below = np.flatnonzero(~(self.own[monomial] > HALF))
        since = int(below[-1]) + 1 if len(below) else 0
        return since if since < len(self.own[monomial]) else None


def coefficients(
    steps: Sequence[int], courses: Mapping[str, Learned], d: int, *, theme: Theme, log: bool = False, height: int = 430
) -> Picture:
    """Coefficients against the step for each target; steps (k,), courses : target -> its networks' course.

    Grey: monomials that are not in the target.
    """
    figure = blank(theme, height, f"Coefficients of monomials, d = {d}")
    make_subplots(len(courses), 1, figure=figure, shared_xaxes=True, vertical_spacing=GAP)
    room = (height - 5 * theme.text) / len(courses) - GAP * height
    table: dict[str, list] = {"target": [], "monomial": [], "step": [], "coefficient": []}
    names = [monomial_text(name) for course in courses.values() for name in course.own]
    for panel, (name, course) in enumerate(courses.items(), start=1):
        _draw_others(figure, panel, steps, course, table, name)
        for monomial, values in course.own.items():
            _draw(figure, panel, (steps, values), monomial)
            _enter(table, name, monomial_text(monomial), (steps, values))
        ends = [(_last(values), monomial_text(monomial)) for monomial, values in course.own.items()]
        panel_labels(figure, ends, VERTICAL, panel=panel, room=room, theme=theme, log=False)
        _name(figure, panel, f"<b>{monomial_text(name)}</b>", theme)
        figure.update_yaxes(range=VERTICAL, tickvals=[0, 0.5, 1], row=panel, col=1)
    middle = (len(courses) + 1) // 2
    figure.update_yaxes(title_text="coefficient", row=middle, col=1)
    _step_axis(figure, steps, log, len(courses))
    figure.update_layout(margin={"r": margin_of(letters(names), theme), "t": 4 * theme.text})
    return Picture(figure, _finding(steps, courses), table, _headline(steps, courses))


def _step_axis(figure: go.Figure, steps: Sequence[int], log: bool, panels: int) -> None:
    last = max(steps[-1], 20)
    end = math.log10(last)
    across = {"type": "log", "range": [1, end]} | decades(1, math.floor(end)) if log else {"range": [0, last]}
    figure.update_xaxes(**across)
    figure.update_xaxes(title_text="step", row=panels, col=1)


def _draw(figure: go.Figure, panel: int, course: tuple[Sequence[int], np.ndarray], monomial: str) -> None:
    colour, dash, marker, *_ = MONOMIALS[monomial.count("x")]
    x, y = thin_out(*course)
    name = monomial_text(monomial)
    sparse = {"symbol": marker, "size": 7, "color": colour, "maxdisplayed": 8}
    hover = f"{name}<br>step %{{x:,.0f}}<br>coefficient %{{y:.3g}}<extra></extra>"
    figure.add_scatter(
        x=trace_values(x), y=trace_values(y), mode="lines+markers", name=name, line={"color": colour, "dash": dash,
        "width": 2.4}, marker=sparse, hovertemplate=hover, row=panel, col=1,
    )  # fmt: skip


def _draw_others(
    figure: go.Figure, panel: int, steps: Sequence[int], course: Learned, table: dict[str, list], target: str
) -> None:
    """The largest size of the coefficients that the target does not have."""
    if not len(course.other):
        return
    values = np.abs(course.other).max(axis=0)
    x, y = thin_out(steps, values)
    name = "largest of the others, in size"
    hover = f"{name}<br>step %{{x:,.0f}}<br>coefficient %{{y:.3g}}<extra></extra>"
    figure.add_scatter(
        x=trace_values(x), y=trace_values(y), mode="lines", name=name, line={"color": NOISE, "width": 1.2},
        hovertemplate=hover, row=panel, col=1,
    )  # fmt: skip
    _enter(table, target, name, (steps, values))


def _enter(table: dict[str, list], target: str, name: str, course: tuple[Sequence[int], np.ndarray]) -> None:
    x, y = thin_out(*course)
    table["target"] += [monomial_text(target)] * len(x)
    table["monomial"] += [name] * len(x)
    table["step"] += trace_values(x)
    table["coefficient"] += trace_values(y)


def _name(figure: go.Figure, panel: int, text: str, theme: Theme) -> None:
    axis = "" if panel == 1 else str(panel)
    place = {"xref": f"x{axis} domain", "yref": f"y{axis} domain", "x": 0, "y": 1, "yanchor": "bottom"}
    figure.add_annotation(text=text, showarrow=False, xanchor="left", font={"size": theme.text}, **place)


def _last(values: np.ndarray) -> float:
    """The last finite value, 0 if there is none."""
    finite = values[np.isfinite(values)]
    return float(finite[-1]) if len(finite) else 0.0


def _finding(steps: Sequence[int], courses: Mapping[str, Learned]) -> str:
    clauses = []
    for name, course in courses.items():
        places = {monomial: course.half(monomial) for monomial in course.own}
        when = {one: "no step" if at is None else f"step {number(steps[at])}" for one, at in places.items()}
        parts = [f"{monomial_text(monomial)} at {step}" for monomial, step in when.items()]
        clauses.append(f"on {monomial_text(name)}, {join_words(parts)}")
    return f"The coefficients are above {quote_number(HALF)} for good: {'; '.join(clauses)}."


def _headline(steps: Sequence[int], courses: Mapping[str, Learned]) -> str:
    """The order in which the first target's monomials came."""
    course = next(iter(courses.values()))
    places = {monomial: course.half(monomial) for monomial in course.own}
    came = sorted((at, monomial) for monomial, at in places.items() if at is not None)[:MOST_NAMES]
    if not came:
        return f"After {number(steps[-1])} steps no monomial is half learned" if steps[-1] > 1 else ""
    return "Half learned: " + ", ".join(f"{monomial_text(name)} at step {number(steps[at])}" for at, name in came)
