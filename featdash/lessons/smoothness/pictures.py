"""Fits of one variable around a jump: truth, kernel and network, and how far off they are near it and elsewhere."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from featdash.figures.axes import value_axis, value_range
from featdash.figures.findings import quote_number, with_decimals
from featdash.figures.labels import end_labels
from featdash.figures.palette import METHODS, MethodStyle, Theme, blank
from featdash.figures.picture import Picture
from featdash.figures.text import number, thin_out, trace_values

ROOM = 0.12  # over and under the curves
POLYNOMIAL = MethodStyle("polynomial kernel", "#999933", "8px,3px,2px,3px", "hexagon", "⬢", "\\")
STYLES = METHODS | {"polynomial": POLYNOMIAL}  # only these pictures have that kernel


def short(method: str) -> str:
    """A method's name without its explanation."""
    return STYLES[method].label.split(",")[0]


def jump_fit(
    arrays: Mapping[str, np.ndarray],
    kernel: str,
    *,
    theme: Theme,
    window: float = 1.0,
    step: float | None = None,
    height: int = 400,
) -> Picture:
    """The functions on [−window, window] over the sample.

    arrays : x (G,), truth (G,), kernel (G,), network (G,), X (n,), y (n,); kernel : the kernel's name in the palette;
    step : the network's training step where it is not the last word.
    """
    when = "" if step is None else f", network at step {number(step)}"
    figure = blank(theme, height, f"The fits{' near the middle' if window < 1 else ''}{when}")
    inside = np.abs(arrays["x"]) <= window
    seen = np.abs(arrays["X"]) <= window
    X, y = thin_out(arrays["X"][seen], arrays["y"][seen])
    dots = {"size": 5, "color": theme.ink, "opacity": 0.35}
    hover = "sample<br>x = %{x:.3g}<br>y = %{y:.3g}<extra></extra>"
    figure.add_scatter(
        x=trace_values(X), y=trace_values(y), mode="markers", marker=dots, name="sample", hovertemplate=hover
    )
    curves = {"truth f*": arrays["truth"], kernel: arrays["kernel"], "network": arrays["network"]}
    ends, table = [], {"curve": ["sample"] * len(X), "x": trace_values(X), "value": trace_values(y)}
    for name, values in curves.items():
        style = STYLES.get(name)
        x, heights = thin_out(arrays["x"][inside], values[inside])
        line = style.line(2.5) if style else theme.theory() | {"width": 1.6}
        label = style.label if style else name
        figure.add_scatter(
            x=trace_values(x), y=trace_values(heights), mode="lines", name=label, line=line,
            hovertemplate=f"{label}<br>x = %{{x:.3g}}<br>f(x) = %{{y:.3g}}<extra></extra>",
        )  # fmt: skip
        ends.append((float(heights[-1]), style.tag(short(name)) if style else "─ truth f*"))
        for key, column in {"curve": [label] * len(x), "x": trace_values(x), "value": trace_values(heights)}.items():
            table[key] += column
    shown = np.concatenate([values[inside] for values in curves.values()] + [arrays["y"][seen]])
    low, high = float(shown.min()), float(shown.max())
    room = ROOM * (high - low or 1.0)
    vertical = (low - room, high + room)
    figure.update_xaxes(title_text="x", range=[-window, window])
    figure.update_yaxes(title_text="f(x)", range=vertical)
    end_labels(figure, ends, vertical, theme=theme, log=False, height=height)
    errors = {name: float(np.mean((curves[name] - arrays["truth"]) ** 2)) for name in (kernel, "network")}
    told = " and ".join(f"{quote_number(error, 4)} for {short(name)}" for name, error in errors.items())
    return Picture(figure, f"The error over the whole interval is {told}.", table)


def near_and_elsewhere(
    fits: Mapping[str, Mapping[str, float | None]], near: float, *, theme: Theme, height: int = 180
) -> Picture:
    """Errors within `near` of the middle and away from it, a row a method, on a log axis.

    fits : method -> {"near", "elsewhere", "overshoot", "rise" or None}.
    """
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
            textposition=["middle left", "middle right"] if errors[0] < errors[1] else ["middle right", "middle left"],
            textfont={"size": theme.text},
            cliponaxis=False,
            name=style.label,
            customdata=["elsewhere", f"at |x| ≤ {number(near)}"],
            hovertemplate=f"{style.label}<br>error %{{x:.3g}} %{{customdata}}<extra></extra>",
        )
        table["method"] += [style.label] * 2
        table["place"] += ["elsewhere", f"|x| ≤ {number(near)}"]
        table["error"] += trace_values(errors)
    low, high = value_range([max(error, 1e-9) for error in table["error"]], True)
    room = 0.22 * (high - low)
    figure.update_xaxes(**value_axis("mean squared error there", (low - room, high + room), True))
    figure.update_yaxes(autorange="reversed", title_text="", automargin=True)
    return Picture(figure, _shape(fits), table)


def _shape(fits: Mapping[str, Mapping[str, float | None]]) -> str:
    told = []
    for method, fit in fits.items():
        rise = f" and rises over a width of {quote_number(fit['rise'], 4)}" if fit["rise"] is not None else ""
        over = fit["overshoot"]
        way = (
            f"overshoots by {quote_number(over)}"
            if over > 0
            else f"stays {quote_number(-over)} below the truth's height"
        )
        told.append(f"{short(method)} {way if over else 'reaches just the height of the truth'}{rise}")
    return f"The {'; the '.join(told)}." if told else "Nothing has been fitted yet."


Rates = Mapping[str, Mapping[str, Mapping[str, Sequence[float]]]]


def error_rates(
    rates: Rates,
    sizes: Sequence[int],
    exponents: Mapping[str, Mapping[str, float]] | None,
    *,
    theme: Theme,
    guides: Mapping[str, float],
    names: Mapping[str, str],
    height: int = 240,
) -> Picture:
    """Error against n for each target and method, log–log, hollow markers for the first target.

    rates : target -> method -> {"n" (k,), "error" (k,)}; sizes : all n of the run; exponents : target -> method ->
    fitted slope, once known; guides : target -> a slope that theory knows, drawn from the target's first point;
    names : target -> a short word for it.
    """
    figure = blank(theme, height, "Error against n, with fitted exponents" if exponents else "Error against n")
    ends, table = [], {"target": [], "method": [], "n": [], "error": []}
    for order, (target, methods) in enumerate(rates.items()):
        for method, curve in methods.items():
            style = STYLES[method]
            rim = {"color": style.colour, "width": 1.6}
            slope = f" n<sup>{with_decimals(exponents[target][method], 2)}</sup>".replace("-", "−") if exponents else ""
            figure.add_scatter(
                x=trace_values(curve["n"]), y=trace_values(curve["error"]), mode="lines+markers", line=style.line(2),
                marker={"symbol": style.marker, "size": 9, "color": style.colour if order else theme.paper,
                        "line": rim},
                name=f"{style.label}, {names[target]}",
                hovertemplate=f"{style.label}, {names[target]}<br>n = %{{x}} samples<br>error %{{y:.3g}}"
                "<extra></extra>",
            )  # fmt: skip
            ends.append((float(curve["error"][-1]), style.tag(f"{names[target]}{slope}")))
            table["target"] += [names[target]] * len(curve["n"])
            table["method"] += [style.label] * len(curve["n"])
            table["n"] += trace_values(curve["n"])
            table["error"] += trace_values(curve["error"])
    for target, slope in guides.items():
        if rates.get(target):
            ends.append(_guide(figure, next(iter(rates[target].values())), sizes, slope, theme))
    vertical = value_range([*table["error"], *(value for value, _ in ends)], True)
    span = (np.log10(min(sizes)) - 0.03, np.log10(max(sizes)) + 0.03)
    figure.update_xaxes(**value_axis("samples n", span, True))
    figure.update_yaxes(**value_axis("error E (f̂ − f*)²", vertical, True))
    end_labels(figure, ends, vertical, theme=theme, log=True, height=height)
    return Picture(figure, _slopes(exponents, names), table)


def _guide(figure, curve: Mapping[str, Sequence[float]], sizes: Sequence[int], slope: float, theme: Theme):
    """A thin line of a known slope through a curve's first point; returns its label."""
    first, last = float(curve["n"][0]), float(max(sizes))
    end = float(curve["error"][0]) * (last / first) ** slope
    name = f"slope {slope:g}".replace("-", "−")
    figure.add_scatter(
        x=[first, last], y=trace_values([curve["error"][0], end]), mode="lines", line=theme.theory("dot"), name=name,
        hoverinfo="skip",
    )  # fmt: skip
    return end, f"┈ {name}"


def _slopes(exponents: Mapping[str, Mapping[str, float]] | None, names: Mapping[str, str]) -> str:
    if not exponents:
        return "The rates are being measured."
    told = [
        f"{with_decimals(value, 2)} for {short(method)} on the {names[target]} target".replace("-", "−")
        for target, methods in exponents.items()
        for method, value in methods.items()
    ]
    return f"The fitted exponents of the error in n are {', '.join(told)}." if told else "No rate has been measured."
