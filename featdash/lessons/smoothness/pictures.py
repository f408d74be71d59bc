"""Fits of one variable around a jump: truth, kernel and network, and how far off they are near it and elsewhere."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypedDict

import numpy as np
import plotly.graph_objects as go

from featdash.figures.axes import end_labels, value_axis, value_range
from featdash.figures.film import Changes, Film, place_of, times_of, whole
from featdash.figures.growth import shifts_apart
from featdash.figures.palette import POLYNOMIAL_KERNEL
from featdash.figures.picture import METHODS, MethodStyle, Picture, Theme, blank
from featdash.figures.text import join_words, number, quote_number, thin_out, trace_values, with_decimals
from featdash.lessons.shared.pictures.headlines import two_digits
from featdash.lessons.smoothness.frames import FixedCurves

ROOM = 0.12  # over and under the curves
OUTER = 0.65  # rows over the first method and under the last one, for their numbers
POLYNOMIAL = MethodStyle("polynomial kernel", *POLYNOMIAL_KERNEL)
STYLES = METHODS | {"polynomial": POLYNOMIAL}  # only these pictures have that kernel


def short(method: str) -> str:
    """A method's name without its explanation."""
    return STYLES[method].label.split(",")[0]


@dataclass(frozen=True, eq=False)
class Fits:
    """The fixed curves, the network (801,), the kernel's name, and the training step if it is not the last one.

    training : the network (801,) at other moments; the vertical axis holds it too, and so stands still in a film.
    """

    fixed: FixedCurves
    network: np.ndarray
    kernel: str
    step: float | None = None
    training: Sequence[np.ndarray] = ()


def jump_fit(fits: Fits, *, theme: Theme, window: float = 1.0, height: int = 400) -> Picture:
    """The functions on [−window, window] over the sample."""
    fixed, kernel = fits.fixed, fits.kernel
    figure = blank(theme, height, _fits_title(fits.step, window))
    inside = np.abs(fixed.x) <= window
    visible = np.abs(fixed.X) <= window
    X, y = thin_out(fixed.X[visible], fixed.y[visible])
    dots = {"size": 5, "color": theme.ink, "opacity": 0.35}
    hover = "sample<br>x = %{x:.3g}<br>y = %{y:.3g}<extra></extra>"
    figure.add_scatter(
        x=trace_values(X), y=trace_values(y), mode="markers", marker=dots, name="sample", hovertemplate=hover
    )
    curves = {"target f*": fixed.truth, kernel: fixed.kernel, "network": fits.network}
    ends: list[tuple[float, str]] = []
    table: dict[str, list] = {"curve": ["sample"] * len(X), "x": trace_values(X), "value": trace_values(y)}
    for name, values in curves.items():
        style = STYLES.get(name)
        x, heights = thin_out(fixed.x[inside], values[inside])
        line = style.line(2.5) if style else theme.theory() | {"width": 1.6}
        label = style.label if style else name
        figure.add_scatter(
            x=trace_values(x), y=trace_values(heights), mode="lines", name=label, line=line,
            hovertemplate=f"{label}<br>x = %{{x:.3g}}<br>f(x) = %{{y:.3g}}<extra></extra>",
        )  # fmt: skip
        ends.append((float(heights[-1]), style.tag(short(name)) if style else "─ target f*"))
        table["curve"] += [label] * len(x)
        table["x"] += trace_values(x)
        table["value"] += trace_values(heights)
    heights_of_all = [values[inside] for values in (*curves.values(), *fits.training)]
    extent = np.concatenate([*heights_of_all, fixed.y[visible]])
    low, high = float(extent.min()), float(extent.max())
    room = ROOM * (high - low or 1.0)
    vertical = (low - room, high + room)
    figure.update_xaxes(title_text="x", range=[-window, window])
    figure.update_yaxes(title_text="f(x)", range=vertical)
    end_labels(figure, ends, vertical, theme=theme, log=False, height=height)
    errors = {name: float(np.mean((curves[name] - fixed.truth) ** 2)) for name in (kernel, "network")}
    clauses = " and ".join(f"{quote_number(error, 4)} for {short(name)}" for name, error in errors.items())
    headline = join_words([f"{short(name)} {two_digits(error)}" for name, error in errors.items()])
    return Picture(figure, f"The error over the whole interval is {clauses}.", table, f"Mean squared error: {headline}")


def training_film(
    figure: go.Figure, x: np.ndarray, training: Sequence[np.ndarray], steps: Sequence[float | None], window: float
) -> Film:
    """Of `jump_fit`: the network bends as it is trained, and its name stays level with its end.

    x (801,), training : the network (801,) at each moment; steps : the moments, None for the last.
    """
    inside = np.abs(x) <= window
    heights = np.stack([thin_out(values[inside])[0] for values in training])
    layout = whole(figure)["layout"]
    notes = layout["annotations"]
    name = next(index for index, note in enumerate(notes) if note["text"].endswith(short("network")))
    levels = np.tile([[note["y"]] for note in notes], len(training))
    levels[name] = heights[:, -1]
    shifts = shifts_apart(levels, layout, "y", notes[name])
    shifts[:, -1] = [note["yshift"] for note in notes]
    changes: Changes = {
        ("layout", "title", "text"): [_fits_title(step, window) for step in steps],
        ("data", place_of(figure.data, STYLES["network"].label), "y"): heights,
        ("layout", "annotations", name, "y"): levels[name],
    }
    changes |= {("layout", "annotations", index, "yshift"): shift for index, shift in enumerate(shifts)}
    return Film(times_of(0, len(training)), changes)


def _fits_title(step: float | None, window: float) -> str:
    when = "" if step is None else f", network at step {number(step)}"
    return f"The fits{' near the middle' if window < 1 else ''}{when}"


class FitErrors(TypedDict):
    """What a summary says about a fit; `rise` is None if the fit never rises far enough."""

    near: float
    elsewhere: float
    overshoot: float
    rise: float | None


def near_and_elsewhere(fits: Mapping[str, FitErrors], near: float, *, theme: Theme, height: int = 180) -> Picture:
    """Errors within `near` of the middle and away from it, a row a method, on a log axis."""
    figure = blank(theme, height, f"Error at |x| ≤ {number(near)} (filled) and elsewhere (hollow)")
    table: dict[str, list] = {"method": [], "place": [], "error": []}
    for method, fit in fits.items():
        style, errors = STYLES[method], [fit["elsewhere"], fit["near"]]
        rim = {"color": style.colour, "width": 1.8}
        figure.add_scatter(
            x=trace_values(errors),
            y=[style.tag(short(method))] * 2,
            mode="lines+markers+text",
            line={"color": style.colour, "width": 1.5, "dash": "dot"},
            marker={"symbol": style.marker, "size": 12, "color": [theme.paper, style.colour], "line": rim},
            text=[number(round(error, 4)) for error in errors],
            textposition=["top center", "bottom center"],
            textfont={"size": theme.text, "shadow": theme.halo},
            cliponaxis=False,
            name=style.label,
            customdata=["elsewhere", f"at |x| ≤ {number(near)}"],
            hovertemplate=f"{style.label}<br>error %{{x:.3g}} %{{customdata}}<extra></extra>",
        )
        table["method"] += [style.label] * 2
        table["place"] += ["elsewhere", f"|x| ≤ {number(near)}"]
        table["error"] += trace_values(errors)
    low, high = value_range([max(error, 1e-9) for error in table["error"]], True)
    room = 0.3 * (high - low)
    figure.update_xaxes(**value_axis("mean squared error there", (low - room, high + room), True))
    figure.update_yaxes(range=(len(fits) - 1 + OUTER, -OUTER), title_text="", automargin=True)
    return Picture(figure, _shape(fits), table)


def _shape(fits: Mapping[str, FitErrors]) -> str:
    clauses = []
    for method, fit in fits.items():
        rise = f" and rises over a width of {quote_number(fit['rise'], 4)}" if fit["rise"] is not None else ""
        over = fit["overshoot"]
        way = (
            f"overshoots by {quote_number(over)}"
            if over > 0
            else f"stays {quote_number(-over)} below the truth's height"
        )
        clauses.append(f"{short(method)} {way if over else 'reaches just the height of the truth'}{rise}")
    return f"The {'; the '.join(clauses)}." if clauses else "Nothing has been fitted yet."


@dataclass(frozen=True)
class Target:
    """A short word for a target, and the slope that theory predicts, if any."""

    word: str
    slope: float | None = None


@dataclass(frozen=True, eq=False)
class RateCurves:
    """n (k,), and the errors (k,) of each method."""

    n: Sequence[float] | np.ndarray
    errors: Mapping[str, Sequence[float] | np.ndarray]


def error_rates(
    rates: Mapping[str, RateCurves],
    sizes: Sequence[int],
    exponents: Mapping[str, Mapping[str, float]] | None,
    *,
    theme: Theme,
    targets: Mapping[str, Target],
    height: int = 240,
) -> Picture:
    """Error against n for each target and method, log–log, hollow markers for the first target.

    rates : by target; sizes : all n of the run; exponents : target -> method -> fitted slope, None until they are
    fitted; targets : a slope that theory predicts is drawn from the target's first point.
    """
    figure = blank(theme, height, "Error against n, with fitted exponents" if exponents else "Error against n")
    ends: list[tuple[float, str]] = []
    table: dict[str, list] = {"target": [], "method": [], "n": [], "error": []}
    for order, (target, curves) in enumerate(rates.items()):
        word = targets[target].word
        for method, errors in curves.errors.items():
            style = STYLES[method]
            rim = {"color": style.colour, "width": 1.6}
            slope = f" n<sup>{with_decimals(exponents[target][method], 2)}</sup>" if exponents else ""
            figure.add_scatter(
                x=trace_values(curves.n), y=trace_values(errors), mode="lines+markers", line=style.line(2),
                marker={"symbol": style.marker, "size": 9, "color": style.colour if order else theme.paper,
                        "line": rim},
                name=f"{style.label}, {word}",
                hovertemplate=f"{style.label}, {word}<br>n = %{{x}} samples<br>error %{{y:.3g}}<extra></extra>",
            )  # fmt: skip
            ends.append((float(errors[-1]), style.tag(f"{short(method)}, {word}{slope}", hollow=not order)))
            table["target"] += [word] * len(curves.n)
            table["method"] += [style.label] * len(curves.n)
            table["n"] += trace_values(curves.n)
            table["error"] += trace_values(errors)
    for target, theory in targets.items():
        if target in rates and theory.slope is not None:
            ends.append(_guide(figure, rates[target], max(sizes), theory.slope, theme))
    vertical = value_range([*table["error"], *(value for value, _ in ends)], True)
    span = (np.log10(min(sizes)) - 0.03, np.log10(max(sizes)) + 0.03)
    figure.update_xaxes(**value_axis("samples n", span, True))
    figure.update_yaxes(**value_axis("error E (f̂ − f*)²", vertical, True))
    end_labels(figure, ends, vertical, theme=theme, log=True, height=height)
    return Picture(figure, _slopes(exponents, targets), table)


def _guide(figure: go.Figure, curves: RateCurves, last: float, slope: float, theme: Theme) -> tuple[float, str]:
    """A thin line of a known slope through the first point of a target's first method; returns its label."""
    first, start = float(curves.n[0]), float(next(iter(curves.errors.values()))[0])
    end = start * (last / first) ** slope
    name = f"slope {number(slope)}"
    figure.add_scatter(
        x=[first, last], y=trace_values([start, end]), mode="lines", line=theme.theory("dot"), name=name,
        hoverinfo="skip",
    )  # fmt: skip
    return end, f"┈ {name}"


def _slopes(exponents: Mapping[str, Mapping[str, float]] | None, targets: Mapping[str, Target]) -> str:
    if not exponents:
        return "The rates are being measured."
    clauses = [
        f"{with_decimals(value, 2)} for {short(method)} on the {targets[target].word} target"
        for target, methods in exponents.items()
        for method, value in methods.items()
    ]
    return (
        f"The fitted exponents of the error in n are {', '.join(clauses)}." if clauses else "No rate has been measured."
    )
