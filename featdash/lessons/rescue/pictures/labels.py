"""What each transform makes of the label, along u."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from featdash.figures.findings import each, with_decimals
from featdash.figures.labels import name_above
from featdash.figures.palette import Theme, blank
from featdash.figures.picture import Picture
from featdash.figures.text import Numbers, trace_values
from featdash.lessons.rescue.pictures.styles import HERMITE, STYLES

HIGHEST = 3.6  # what is beyond is cut off: the label of a sample seldom is


def transformed_labels(
    z: Numbers,
    transformed: Mapping[str, Numbers],
    correlation: Mapping[str, float],
    exponent: int,
    *,
    theme: Theme,
    height: int = 235,
) -> Picture:
    """T(f*) against z = u·x, and behind each name its correlation with He_k(z).

    transformed : transform -> (Z,); correlation : of the noisy label's transform; exponent : k.
    """
    wanted = HERMITE[exponent]
    figure = blank(theme, height, f"Labels of the step, and their correlation with {wanted}")
    table: dict[str, list] = {"z": trace_values(z)}
    for name, values in transformed.items():
        style = STYLES[name]
        hover = f"{style.label}<br>z = %{{x:.2f}}<br>T(y) = %{{y:.3f}}<extra></extra>"
        shape = "hv" if name == "sign_threshold" else "linear"
        line = style.line(2.5) | {"shape": shape}
        curve = {"mode": "lines", "line": line, "name": style.label, "hovertemplate": hover}
        figure.add_scatter(x=trace_values(z), y=trace_values(values), **curve)
        table[style.label] = trace_values(values)
    figure.add_hline(y=0, line=theme.theory("dot"))
    most = max((float(np.max(np.abs(values))) for values in transformed.values()), default=1.0)
    top = min(HIGHEST, 1.1 * most) if most > 0 else 1.0
    figure.update_xaxes(
        title_text="z = u·x, the place along the hidden direction", range=[float(min(z)), float(max(z))]
    )
    figure.update_yaxes(title_text="T(y)", range=[-top, top])
    tags = [STYLES[name].tag(f"{STYLES[name].label} ({with_decimals(correlation[name], 2)})") for name in transformed]
    name_above(figure, [tag.replace("(-0.00)", "(0.00)") for tag in tags], theme)
    known = {STYLES[name].label: float(correlation[name]) for name in transformed}
    told = f"The correlation of T(y) with {wanted} is {each(_rounded(known), 2)}." if known else "No labels yet."
    return Picture(figure, told, table)


def _rounded(values: Mapping[str, float]) -> dict[str, float]:
    """What is zero but for the quadrature is told as zero."""
    return {name: 0.0 if abs(value) < 0.005 else value for name, value in values.items()}
