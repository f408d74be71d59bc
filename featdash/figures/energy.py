"""The energy of a target by Hermite degree."""

from __future__ import annotations

from featdash.figures.picture import Picture, Theme, blank
from featdash.figures.text import Numbers, join_words, number, quote_number, trace_values


def target_energy(energy: Numbers, *, theme: Theme, height: int = 150) -> Picture:
    """The target's energy E f_k² by Hermite degree, alone and small."""
    degrees = list(range(len(energy)))
    figure = blank(theme, height, "Energy by Hermite degree")
    texts = [number(round(float(value), 3)) if value > 0 else "" for value in energy]
    figure.add_bar(
        x=degrees, y=trace_values(energy), text=texts, marker_color=theme.ink, hoverinfo="skip", cliponaxis=False
    )
    figure.update_xaxes(title_text="degree k", dtick=1)
    figure.update_yaxes(title_text="E fₖ²", rangemode="tozero")
    return Picture(figure, _strongest(energy), {"degree": degrees, "energy": trace_values(energy)})


def _strongest(energy: Numbers) -> str:
    """A sentence that names the degrees with the largest energy."""
    most = quote_number(max(energy))
    degrees = [str(k) for k, share in enumerate(energy) if quote_number(share) == most]
    if not any(energy):
        return "The target has no energy."
    if len(degrees) == 1:
        return f"The largest part of the target's energy, {most}, has Hermite degree {degrees[0]}."
    return f"The largest parts of the target's energy, {most} each, have the Hermite degrees {join_words(degrees)}."
