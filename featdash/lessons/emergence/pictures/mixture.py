"""How often students agree with their teachers, by kind of input; and what the two kinds of input look like."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from featdash.figures.axes import name_above
from featdash.figures.palette import CASES, SUBJECT
from featdash.figures.picture import MethodStyle, Picture, Theme, blank
from featdash.figures.text import join_words, number, trace_values, with_decimals
from featdash.lessons.emergence.pictures.accuracy import step_axis, step_places
from featdash.lessons.emergence.recipe import SIDE

STYLES = {
    "digits": MethodStyle("digits", *SUBJECT),
    "gaussian": MethodStyle("Gaussian inputs", *CASES[1]),
    "mixture": MethodStyle("both together", *CASES[5]),
    "alone": MethodStyle("other student, digits alone", *CASES[0]),
}
OPACITY = 0.15  # of a band
SPACE = 2  # pixels between two images
ACROSS = 5  # images a line
DARK = 3.0  # ink that is drawn darkest, in standard deviations of a pixel


def accuracies(
    steps: Sequence[int],
    courses: Mapping[str, np.ndarray],
    majority: float | None,
    last: int,
    *,
    theme: Theme,
    height: int = 400,
) -> Picture:
    """Mean share of right classes on held-out inputs against the step, with one standard deviation over the runs.

    courses : one of STYLES -> (T, R).  majority : what always saying a teacher's commonest class gets on Gaussian
    inputs, None before the end.  last : the last step, so that the axis stands still.
    """
    figure = blank(theme, height, "Right classes on new inputs")
    table: dict[str, list] = {"inputs": [], "step": [], "mean": [], "std": []}
    places, means, spreads = step_places(steps), {}, {}
    for name, values in courses.items():
        style, mean = STYLES[name], values.mean(axis=1)
        spread = values.std(axis=1, ddof=1) if values.shape[1] > 1 else np.zeros(len(mean))
        means[name], spreads[name] = mean, spread
        edge = np.concatenate([mean + spread, (mean - spread)[::-1]])
        figure.add_scatter(
            x=trace_values(np.concatenate([places, places[::-1]])), y=trace_values(edge), name=style.label,
            mode="lines", line={"width": 0}, fill="toself", fillcolor=style.colour, opacity=OPACITY, hoverinfo="skip",
        )  # fmt: skip
        figure.add_scatter(
            x=trace_values(places), y=trace_values(mean), mode="lines+markers", name=style.label, line=style.line(2.2),
            marker={"symbol": style.marker, "size": 7, "maxdisplayed": 9}, customdata=[int(step) for step in steps],
            hovertemplate=f"{style.label}<br>step %{{customdata}}<br>right %{{y:.3f}}<extra></extra>",
        )  # fmt: skip
        table["inputs"] += [style.label] * len(steps)
        table["step"] += [int(step) for step in steps]
        table["mean"] += trace_values(mean)
        table["std"] += trace_values(spread)
    if majority is not None:
        figure.add_hline(y=majority, line=theme.theory("dot"))
    figure.update_xaxes(**step_axis("training step (log scale)", last))
    figure.update_yaxes(title_text="share of right classes", range=[0, 1.04], dtick=0.2)
    commonest = ["··· commonest class, Gaussian inputs"] if majority is not None else []
    name_above(figure, [*(STYLES[name].tag() for name in courses), *commonest], theme)
    ends = {name: float(mean[-1]) for name, mean in means.items()}
    return Picture(figure, _finding(steps, ends, majority), table, _headline(steps, ends))


def _finding(steps: Sequence[int], ends: Mapping[str, float], majority: float | None) -> str:
    """The shares after the last step so far."""
    clauses = [f"{with_decimals(value, 2)} for {STYLES[name].label}" for name, value in ends.items()]
    beside = f"; the commonest class alone gets {with_decimals(majority, 2)} on Gaussian inputs" if majority else ""
    return f"After step {number(steps[-1])} the share of right classes is {join_words(clauses)}{beside}."


def _headline(steps: Sequence[int], ends: Mapping[str, float]) -> str:
    """The two kinds of input, after the same number of steps."""
    if "digits" not in ends or "gaussian" not in ends or not steps[-1]:
        return ""
    both = f"{with_decimals(ends['digits'], 2)} on digits, {with_decimals(ends['gaussian'], 2)} on Gaussian inputs"
    return f"Right classes after step {number(steps[-1])}: {both}"


def both_kinds(
    digits: np.ndarray, gaussian: np.ndarray, mean: np.ndarray, *, theme: Theme, height: int = 400
) -> Picture:
    """Images of 8×8 pixels, digits above Gaussian inputs: deviations (c, 64) each, from the mean image (64,)."""
    figure = blank(theme, height, "Inputs as images; the teacher labels both kinds")
    rows = {"digits": digits, "Gaussian": gaussian}
    ink = np.concatenate([line for images in rows.values() for line in _lines(images + mean)])
    figure.add_heatmap(
        z=[trace_values(line) for line in ink], colorscale=theme.sequential, zmin=0, zmax=DARK, showscale=False,
        name="ink", hovertemplate="ink %{z:.2f}<extra></extra>",
    )  # fmt: skip
    still = {"showgrid": False, "showline": False, "ticks": "", "constrain": "domain"}
    figure.update_xaxes(title_text="some inputs of each kind", showticklabels=False, **still)
    lines = [len(_lines(images)) for images in rows.values()]
    starts = np.cumsum([0, *lines[:-1]])
    middles = [(SIDE + SPACE) * (start + count / 2) - SPACE for start, count in zip(starts, lines, strict=True)]
    places = {"tickvals": middles, "ticktext": list(rows), "autorange": "reversed", "scaleanchor": "x"}
    figure.update_yaxes(title_text="kind of input", **places, **still)
    table: dict[str, list] = {"kind": [], "input": [], "pixel": [], "ink": []}
    for name, images in rows.items():
        for index, image in enumerate(images + mean, start=1):
            table["kind"] += [name] * len(image)
            table["input"] += [index] * len(image)
            table["pixel"] += list(range(1, len(image) + 1))
            table["ink"] += trace_values(image)
    clauses = [f"{with_decimals(_neighbours(images), 2)} for {name} inputs" for name, images in rows.items()]
    alt = f"Off the mean image the correlation of a pixel with the one beside it is {join_words(clauses)}."
    return Picture(figure, alt, table)


def _lines(images: np.ndarray) -> list[np.ndarray]:
    """Lines of at most ACROSS images side by side, gaps as NaN, each with a gap below: (10, 10 ACROSS)."""
    whole = -len(images) % ACROSS
    tiles = np.pad(images.reshape(-1, SIDE, SIDE), ((0, 0), (0, SPACE), (0, SPACE)), constant_values=np.nan)
    tiles = np.concatenate([tiles, np.full((whole, *tiles.shape[1:]), np.nan)])
    return [np.concatenate(list(tiles[at : at + ACROSS]), axis=1) for at in range(0, len(tiles), ACROSS)]


def _neighbours(images: np.ndarray) -> float:
    """Correlation of horizontal neighbours over all pixels and images; 0 where either never varies."""
    grid = images.reshape(-1, SIDE, SIDE)
    left, right = grid[:, :, :-1].ravel(), grid[:, :, 1:].ravel()
    scale = left.std() * right.std()
    return float(np.mean((left - left.mean()) * (right - right.mean())) / scale) if scale > 0 else 0.0
