"""Labels against the one number that the second filter finds, with the first filter before it and without."""

from __future__ import annotations

from featdash.figures.findings import with_decimals
from featdash.figures.labels import name_above
from featdash.figures.palette import Theme, blank
from featdash.figures.picture import Picture
from featdash.figures.text import number, trace_values
from featdash.lessons.hidden_layers.frames import FilterFrame
from featdash.lessons.hidden_layers.pictures.styles import STYLES

REACH = 3.4  # of the axis, in standard deviations of q̂
SIZES = {"second": 5, "two": 6}


def found_number(frame: FilterFrame, n: int, *, theme: Theme, height: int = 240) -> Picture:
    """Noise-free labels of new inputs against q̂."""
    figure = blank(theme, height, f"Labels against the number found, q̂, n = {number(n)}")
    table: dict[str, list] = {"filters": [], "q̂": [], "label": []}
    for name, size in SIZES.items():
        style, found = STYLES[name], getattr(frame, name)
        figure.add_scatter(
            x=trace_values(found), y=trace_values(frame.labels), mode="markers", name=style.label,
            marker={"symbol": style.marker, "size": size, "color": style.colour, "opacity": 0.75},
            hovertemplate=f"{style.label}<br>q̂ = %{{x:.2f}}<br>label %{{y:.2f}}<extra></extra>",
        )  # fmt: skip
        table["filters"] += [style.label] * len(found)
        table["q̂"] += trace_values(found)
        table["label"] += trace_values(frame.labels)
    figure.update_xaxes(title_text="q̂ of new inputs, in standard deviations", range=[-REACH, REACH])
    figure.update_yaxes(title_text="label, without noise")
    name_above(figure, [STYLES[name].tag() for name in reversed(SIZES)], theme)
    both, alone = (with_decimals(one, 2) for one in frame.correlation)
    alt = f"With n = {number(n)} the correlation of q̂ with the true q is {both} after both filters and {alone} after "
    return Picture(figure, f"{alt}filter 2 alone.", table, f"Correlation of q̂ with the true q, n = {number(n)}: {both}")
