"""Two networks and their Hessians: where neurons and lowest vector point, eigenvalues, errors, and the threshold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import plotly.graph_objects as go

from featdash.figures.axes import end_labels, name_above, value_axis, value_range
from featdash.figures.film import Changes, Film, times_of
from featdash.figures.palette import CASES, STAGES
from featdash.figures.picture import METHODS, MethodStyle, Picture, Theme, blank
from featdash.figures.text import join_words, number, quote_number, trace_values, with_decimals
from featdash.lessons.hessian.frames import NetworkLook, TrainingFrame

NEURONS = METHODS["algorithm1"]
VECTOR = MethodStyle("lowest vector of the Hessian", *CASES[1])
FIRST = MethodStyle("neurons, along u₁", STAGES[0], "dot", "square", "■", "")
NETWORKS = {
    "many": MethodStyle("many samples", NEURONS.colour, "solid", "circle", "●", ""),
    "few": MethodStyle("few samples", *CASES[0]),
}
NEURON, LOWEST = "a neuron", "lowest vector"
PLANE = "The neurons in the hidden plane, step {}"
LOWEST_ONES = "Lowest eigenvalues of the training Hessian, step {}"
SHARE = (0.0, 1.04)
STRETCH = 0.05  # eigenvalues nearer to 0 than this have a nearly linear axis
EIGENVALUE_TICKS = (-10.0, -2.0, -0.5, -0.1, 0.0, 0.1)
Ratios = Mapping[str, float]  # "few" and "many" -> n/d


def feature_plane(
    frame: TrainingFrame, step: int, ratios: Ratios, vector: bool = True, *, theme: Theme, height: int = 320
) -> Picture:
    """The neurons' directions in the plane of u₁ and u₂, and if wanted the sizes of the lowest vector's parts."""
    figure = blank(theme, height, PLANE.format(step))
    turn = np.linspace(0, 2 * np.pi, 73)
    circle = {"x": trace_values(np.cos(turn)), "y": trace_values(np.sin(turn)), "mode": "lines", "hoverinfo": "skip"}
    figure.add_scatter(**circle, line=theme.theory(), name="length 1")
    table: dict[str, list] = {"network": [], "what": [], "along u₁": [], "along u₂": []}
    for name, style in NETWORKS.items():
        one, label = frame.networks[name], f"n/d = {number(ratios[name])}"
        marks = [
            (NEURON, one.neurons, {"symbol": style.marker, "size": 11, "color": style.colour, "opacity": 0.7}),
            (LOWEST, _lengths(one)[None], {"symbol": f"{style.marker}-open", "size": 15, "color": style.colour}),
        ]
        for what, points, marker in marks if vector else marks[:1]:
            figure.add_scatter(
                x=trace_values(points[:, 0]), y=trace_values(points[:, 1]), mode="markers", name=f"{label}, {what}",
                marker=marker, meta=f"{name}, {what}",
                hovertemplate=f"{what}, {label}<br>along u₁ %{{x:.2f}}<br>along u₂ %{{y:.2f}}<extra></extra>",
            )  # fmt: skip
            table["network"] += [label] * len(points)
            table["what"] += [what] * len(points)
            table["along u₁"] += trace_values(points[:, 0])
            table["along u₂"] += trace_values(points[:, 1])
    figure.update_xaxes(title_text="along u₁, the line", range=[-1.1, 1.1], tickvals=[-1, 0, 1])
    figure.update_yaxes(title_text="along u₂, the bowl", range=[-1.1, 1.1], tickvals=[-1, 0, 1], scaleanchor="x")
    tags = [style.tag(f"n/d = {number(ratios[name])}") for name, style in NETWORKS.items()]
    name_above(figure, [*tags, "hollow: lowest vector"] if vector else tags, theme, each_line=3)
    shares = {name: frame.networks[name] for name in NETWORKS}
    clauses = [
        f"with n/d = {number(ratios[name])} the neurons have a share of {quote_number(one.share[1], 2)} along u₂"
        + (f" and the lowest vector of the Hessian one of {quote_number(one.vector[1], 2)}" if vector else "")
        for name, one in shares.items()
    ]
    many = shares["many"]
    beside = f"vector {with_decimals(many.vector[1], 2)}, " if vector else ""
    headline = f"With n/d = {number(ratios['many'])}, share along u₂ at step {step}: {beside}"
    alt = f"At step {step}, {join_words(clauses)}."
    return Picture(figure, alt, table, f"{headline}neurons {with_decimals(many.share[1], 2)}")


def plane_film(figure: go.Figure, frames: Sequence[TrainingFrame], steps: Sequence[int]) -> Film:
    """Of `feature_plane`: neurons and vectors go their ways, step by step."""
    changes: Changes = {("layout", "title", "text"): [PLANE.format(step) for step in steps]}
    for name in NETWORKS:
        looks = [frame.networks[name] for frame in frames]
        ways = {NEURON: [one.neurons for one in looks], LOWEST: [_lengths(one)[None] for one in looks]}
        for what, points in ways.items():
            if (index := _trace_of(figure, f"{name}, {what}")) is not None:
                paths = np.stack(points)
                changes |= {("data", index, axis): paths[..., side] for side, axis in enumerate("xy")}
    return Film(times_of(0, len(steps)), changes)


def eigenvalue_film(frames: Sequence[TrainingFrame], steps: Sequence[int]) -> Film:
    """Of `lowest_eigenvalues`: each moves along its row."""
    changes: Changes = {("layout", "title", "text"): [LOWEST_ONES.format(step) for step in steps]}
    for row, name in enumerate(NETWORKS):
        values = np.stack([frame.networks[name].eigenvalues for frame in frames])
        changes |= {("data", row, "x"): _stretched(values), ("data", row, "customdata"): values}
    return Film(times_of(0, len(steps)), changes)


def _lengths(one: NetworkLook) -> np.ndarray:
    """(2,) : of the lowest vector's parts along u₁ and u₂."""
    return np.sqrt(np.clip(one.vector, 0, 1))


def _trace_of(figure: go.Figure, mark: str) -> int | None:
    return next((index for index, trace in enumerate(figure.data) if trace.meta == mark), None)


def share_course(
    steps: Sequence[int],
    looks: Sequence[NetworkLook],
    ratio: float,
    last: int,
    vector: bool = True,
    *,
    theme: Theme,
    height: int = 300,
) -> Picture:
    """Squared shares of the neurons along u₁ and u₂, and if wanted of the lowest vector along u₂, against the steps."""
    figure = blank(theme, height, f"Who finds u₂? n/d = {number(ratio)}")
    curves = {
        "vector, u₂": (VECTOR, [one.vector[1] for one in looks]),
        "neurons, u₂": (NEURONS, [one.share[1] for one in looks]),
        "neurons, u₁": (FIRST, [one.share[0] for one in looks]),
    }
    if not vector:
        del curves["vector, u₂"]
    table: dict[str, list] = {"step": trace_values(steps)}
    labels = []
    for name, (style, values) in curves.items():
        figure.add_scatter(
            x=trace_values(steps), y=trace_values(values), mode="lines+markers", name=name, line=style.line(2.2),
            marker={"symbol": style.marker, "size": 7, "color": style.colour},
            hovertemplate=f"{name}<br>step %{{x}}<br>squared share %{{y:.3f}}<extra></extra>",
        )  # fmt: skip
        table[name] = trace_values(values)
        labels.append((float(values[-1]), style.tag(name)))
    figure.add_hline(y=0.5, line=theme.theory("dot"))
    figure.update_xaxes(title_text="step of gradient descent", range=[-0.02 * last, 1.02 * last])
    figure.update_yaxes(title_text="squared share", range=SHARE, tickvals=[0, 0.25, 0.5, 0.75, 1])
    end_labels(figure, labels, SHARE, theme=theme, log=False, height=height)
    first_steps = {
        word: _since(steps, curves[name][1])
        for word, name in (("the vector", "vector, u₂"), ("the neurons", "neurons, u₂"))
        if name in curves
    }
    return Picture(figure, _course_finding(first_steps), table, _course_headline(first_steps))


def _since(steps: Sequence[int], values: Sequence[float]) -> int | None:
    return next((step for step, value in zip(steps, values, strict=True) if value >= 0.5), None)


def _course_finding(first_steps: Mapping[str, int | None]) -> str:
    """Who has half of its squared length along u₂ from which step on, and who has not."""
    reached = [f"{word} {_when(step)}" for word, step in first_steps.items() if step is not None]
    missing = " or ".join(word for word, step in first_steps.items() if step is None)
    if not reached:
        return f"A share of one half along u₂ is not yet reached by {missing}."
    beside = f", and not yet by {missing}" if missing else ""
    return f"A share of one half along u₂ is reached by {join_words(reached)}{beside}."


def _when(step: int | None) -> str:
    return "not yet" if step is None else f"at step {number(step)}"


def _course_headline(first_steps: Mapping[str, int | None]) -> str:
    neurons = first_steps["the neurons"]
    if "the vector" not in first_steps:
        return f"Half of u₂: the neurons {_when(neurons)}"
    vector = first_steps["the vector"]
    if vector is None and neurons is None:
        return "Neither the Hessian nor the neurons find u₂"
    return f"Half of u₂: the Hessian {_when(vector)}, the neurons {_when(neurons)}"


def lowest_eigenvalues(
    frame: TrainingFrame, step: int, ratios: Ratios, reach: float, *, theme: Theme, height: int = 220
) -> Picture:
    """The lowest eigenvalues of both Hessians, a row each; reach : the lowest at any step, so that the axis stands.

    Training brings them from far below 0 to next to it, so the axis is stretched there: it is linear in
    arsinh(eigenvalue / STRETCH).
    """
    figure = blank(theme, height, LOWEST_ONES.format(step))
    table: dict[str, list] = {"n/d": [], "eigenvalue": []}
    for row, (name, style) in enumerate(NETWORKS.items()):
        values, label = frame.networks[name].eigenvalues, f"n/d = {number(ratios[name])}"
        figure.add_scatter(
            x=trace_values(_stretched(values)), y=[row] * len(values), mode="markers", name=label,
            marker={"symbol": "line-ns", "size": 22, "line": {"width": 2, "color": style.colour}},
            customdata=trace_values(values), hovertemplate=f"{label}<br>eigenvalue %{{customdata:.3f}}<extra></extra>",
        )  # fmt: skip
        table["n/d"] += [ratios[name]] * len(values)
        table["eigenvalue"] += trace_values(values)
    low, high = _stretched([min(reach, 0.0), max([*table["eigenvalue"], EIGENVALUE_TICKS[-1]])])
    names = [f"n/d = {number(ratios[name])}" for name in NETWORKS]
    ticks = {"tickvals": _stretched(EIGENVALUE_TICKS).tolist(), "ticktext": list(map(number, EIGENVALUE_TICKS))}
    figure.update_xaxes(title_text="eigenvalue (axis stretched around 0)", range=[low - 0.2, high + 0.2], **ticks)
    figure.update_yaxes(title_text="", range=[-0.6, 1.6], tickvals=[0, 1], ticktext=names)
    figure.add_vline(x=0, line=theme.theory("dot"))
    lowest = [quote_number(float(frame.networks[name].eigenvalues[0])) for name in NETWORKS]
    alt = f"At step {step} the lowest eigenvalue is {lowest[0]} for {names[0]} and {lowest[1]} for {names[1]}."
    headline = f"Lowest eigenvalue: {lowest[0]} for {names[0]}, {lowest[1]} for {names[1]}"
    return Picture(figure, alt, table, headline)


def _stretched(eigenvalues: np.ndarray | Sequence[float]) -> np.ndarray:
    """Where eigenvalues stand on their axis."""
    return np.arcsinh(np.asarray(eigenvalues, dtype=float) / STRETCH)


def error_course(
    steps: Sequence[int], frames: Sequence[TrainingFrame], ratios: Ratios, last: int, *, theme: Theme, height: int = 300
) -> Picture:
    """Mean squared errors of both networks, on their own samples and on new ones, against the steps."""
    figure = blank(theme, height, "Mean squared error, step by step")
    table: dict[str, list] = {"step": trace_values(steps)}
    labels, ends = [], {}
    for name, style in NETWORKS.items():
        for kind, word, dash, hollow in (("loss", "training", "solid", ""), ("risk", "new", "dot", "-open")):
            values = [getattr(frame.networks[name], kind) for frame in frames]
            label = f"{word}, n/d = {number(ratios[name])}"
            figure.add_scatter(
                x=trace_values(steps), y=trace_values(values), mode="lines+markers", name=label,
                line={"color": style.colour, "dash": dash, "width": 2.2},
                marker={"symbol": f"{style.marker}{hollow}", "size": 7, "color": style.colour},
                hovertemplate=f"{label}<br>step %{{x}}<br>mean squared error %{{y:.3f}}<extra></extra>",
            )  # fmt: skip
            table[label] = trace_values(values)
            labels.append((values[-1], style.tag(label)))
            ends[label] = values[-1]
    vertical = value_range([value for column in list(table.values())[1:] for value in column], True)
    figure.update_xaxes(title_text="step of gradient descent", range=[-0.02 * last, 1.02 * last])
    figure.update_yaxes(**value_axis("mean squared error", vertical, True))
    end_labels(figure, labels, vertical, theme=theme, log=True, height=height)
    clauses = [f"{quote_number(value, 2)} for {label}" for label, value in ends.items()]
    few = frames[-1].networks["few"]
    headline = f"With n/d = {number(ratios['few'])}: {quote_number(few.loss, 2)} on its samples, "
    alt = f"At step {number(steps[-1])} the error is {join_words(clauses)}."
    return Picture(figure, alt, table, f"{headline}{quote_number(few.risk, 2)} on new ones")


def threshold_course(
    ratios: Sequence[float], vector: np.ndarray, neurons: np.ndarray, *, theme: Theme, height: int = 300
) -> Picture:
    """Shares along u₂ against n/d, every draw and the medians; vector, neurons (K, R), NaN where there is none yet."""
    figure = blank(theme, height, "Share along u₂, by samples per dimension")
    table: dict[str, list] = {"n/d": trace_values(ratios)}
    labels, medians = [], {}
    for name, style, values in (
        ("vector, first phase", VECTOR, vector),
        ("neurons, end", NEURONS, neurons),
    ):
        has_share = np.isfinite(values).any(axis=1)
        middle = np.full(len(values), np.nan)
        middle[has_share] = np.nanmedian(values[has_share], axis=1)
        draws = {"symbol": style.marker, "size": 6, "color": style.colour, "opacity": 0.5}
        figure.add_scatter(
            x=trace_values(np.repeat(ratios, values.shape[1])), y=trace_values(values), mode="markers", marker=draws,
            name=f"{name}, draws", hovertemplate=f"{name}<br>n/d = %{{x}}<br>share %{{y:.3f}}<extra></extra>",
        )  # fmt: skip
        figure.add_scatter(
            x=trace_values(ratios), y=trace_values(middle), mode="lines", line=style.line(2.5), name=name,
            hovertemplate=f"{name}, median<br>n/d = %{{x}}<br>share %{{y:.3f}}<extra></extra>",
        )  # fmt: skip
        table[name] = trace_values(middle)
        if has_share.any():
            labels.append((float(middle[has_share][-1]), style.tag(name)))
            medians[name] = (float(np.asarray(ratios)[has_share][-1]), float(middle[has_share][-1]))
    figure.add_hline(y=0.5, line=theme.theory("dot"))
    ends = np.log10([min(ratios), max(ratios)])
    figure.update_xaxes(**value_axis("samples per dimension, n/d", (ends[0] - 0.04, ends[1] + 0.04), True))
    figure.update_xaxes(tickvals=list(ratios), ticktext=[number(one) for one in ratios])
    figure.update_yaxes(title_text="squared share along u₂", range=SHARE, tickvals=[0, 0.25, 0.5, 0.75, 1])
    end_labels(figure, labels, SHARE, theme=theme, log=False, height=height)
    clauses = [
        f"that of the {name} {quote_number(value, 2)} at n/d = {number(at)}" for name, (at, value) in medians.items()
    ]
    alt = f"Of the median shares along u₂ {join_words(clauses)}." if clauses else "No share is known yet."
    last = medians.get("neurons, end")
    return Picture(
        figure,
        alt,
        table,
        f"At n/d = {number(last[0])} the neurons have {with_decimals(last[1], 2)} of u₂" if last else "",
    )
