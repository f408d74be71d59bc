"""Energy by Hermite degree: the target's own, and what each method has learned of it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from featdash.figures.axes import ROUGH, method_tags, name_above, note_rough
from featdash.figures.picture import METHODS, Picture, Theme, blank
from featdash.figures.text import Numbers, each, join_words, number, quote_number, trace_values


def energy_by_degree(
    target: Numbers,
    learned: Mapping[str, Numbers],
    *,
    theme: Theme,
    rough: Collection[str] = (),
    height: int = 200,
) -> Picture:
    """Grouped bars: E f_k² of the target's degree-k part, and of each method's learned multiple of it.

    target : (p + 1,), degrees 0 to p; learned : method -> (p + 1,); rough : methods whose solver did not go far
    enough, drawn pale.
    """
    degrees = list(range(len(target)))
    figure = blank(theme, height, "Energy learned, by Hermite degree")
    hollow = {"color": "rgba(0,0,0,0)", "line": {"color": theme.ink, "width": 1.5}}
    hover = "degree %{x}<br>energy %{y:.3f}"
    figure.add_bar(
        x=degrees,
        y=trace_values(target),
        name="target",
        marker=hollow,
        hovertemplate=f"target<br>{hover}<extra></extra>",
    )
    for method, energies in learned.items():
        style = METHODS[method]
        fill = {
            "color": style.colour,
            "pattern": {"shape": style.hatch, "bgcolor": style.colour, "fgcolor": theme.paper, "size": 5},
        }
        figure.add_bar(
            x=degrees,
            y=trace_values(energies),
            name=f"{style.label} (rough)" if method in rough else style.label,
            opacity=ROUGH if method in rough else 1.0,
            marker=fill,
            hovertemplate=f"{style.label}<br>{hover}<extra></extra>",
        )
    figure.update_xaxes(title_text="Hermite degree k", dtick=1)
    figure.update_yaxes(title_text="energy E fₖ²", rangemode="tozero")
    figure.update_layout(barmode="group", bargap=0.25)
    name_above(figure, ["□ target", *method_tags(learned, rough)], theme)
    if rough:
        note_rough(figure, theme)
    table: dict[str, Sequence] = {"degree": degrees, "target": trace_values(target)}
    table |= {METHODS[method].label: trace_values(energies) for method, energies in learned.items()}
    return Picture(figure, _finding(target, learned), table)


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
    """Which degrees hold the largest energy."""
    most = quote_number(max(energy))
    degrees = [str(k) for k, share in enumerate(energy) if quote_number(share) == most]
    if not any(energy):
        return "The target has no energy."
    if len(degrees) == 1:
        return f"The largest part of the target's energy, {most}, has Hermite degree {degrees[0]}."
    return f"The largest parts of the target's energy, {most} each, have the Hermite degrees {join_words(degrees)}."


def _finding(target: Numbers, learned: Mapping[str, Numbers]) -> str:
    highest = max((k for k, energy in enumerate(target) if energy > 1e-9), default=0)
    energy = quote_number(target[highest])
    if not learned:
        return f"The highest degree of the target is {highest}, with energy {energy}."
    told = each({METHODS[method].label: float(energies[highest]) for method, energies in learned.items()})
    return f"Of the target's highest degree, {highest}, with energy {energy}, the learned energy is {told}."
