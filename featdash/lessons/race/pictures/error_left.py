"""What is left of each method's error: a stacked bar of the Hermite degrees, and of what lies beside the target."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import numpy as np

from featdash.figures.axes import ROUGH, name_above, note_rough
from featdash.figures.palette import INK, blend
from featdash.figures.picture import METHODS, Picture, Theme, blank, hatch_pattern
from featdash.figures.text import Numbers, join_words, number, quote_number, trace_values
from featdash.theory.error_parts import error_parts

BESIDE = "beside the target"
ZERO = "answer 0"  # the predictor that has learned nothing, whose error is the whole target
TOTAL = "error"  # name of the trace of the numbers over the bars
PALEST = 0.35  # share of the method's colour in the lowest degree; the highest degree has all of it
HATCHED = 0.8  # of a method's colour, between the lines of its hatch, which are the paper's
LACKING = 0.5  # share of a degree's energy above which a method is said to lack most of the degree
HEADROOM = 1.2
LONGEST = 90  # letters of a headline


def error_left(
    energy: Numbers,
    remainders: Mapping[str, Numbers],
    *,
    theme: Theme,
    most: float = 0.0,
    rough: Collection[str] = (),
    height: int = 250,
) -> Picture:
    """Stacked bars whose height is the excess risk; see `theory.error_parts`.

    energy : (p + 1,), E f*_k² of the degrees 0 to p: the first bar, the error if you always answer 0.
    remainders : method -> (p + 2,), the parts of its excess risk: degrees 0 to p, and last what lies beside the target.
    most : a risk that the axis must hold besides those on show; rough : methods whose solver did not go far enough,
    drawn pale.
    """
    figure = blank(theme, height, "Error left, by Hermite degree")
    rows = {ZERO: error_parts(np.zeros(len(energy)), float(np.sum(energy)), energy), **remainders}
    parts = np.array([np.asarray(row, float) for row in rows.values()])
    labels = [_lines(ZERO), *(_label(name, name in rough) for name in remainders)]
    colours = [theme.ink, *(METHODS[name].colour for name in remainders)]
    opacity = [ROUGH if name in rough else 1.0 for name in rows]
    names = part_names(energy)
    for column, (name, shade) in enumerate(zip(names, _shades(energy), strict=True)):
        if shade is None:
            continue
        heights = parts[:, column]
        bar = {"x": labels, "y": trace_values(heights), "name": name, "type": "bar", "hovertemplate": _hover(name)}
        fills = [blend(colour, theme.paper, shade) for colour in colours]
        pattern = hatch_pattern("/", fills, theme) if name == BESIDE else {}
        on_full = [theme.paper if one == theme.ink else INK["dark"] for one in colours]
        letters = theme.ink if shade < 0.6 or name == BESIDE else on_full
        figure.add_trace(
            bar
            | {
                "marker": {"color": fills, "opacity": opacity, "pattern": pattern, "line": {"width": 0}},
                "text": [name.split(" the ")[0]] * len(labels),
                "textposition": "inside",
                "insidetextanchor": "middle",
                "textangle": 0,
                "textfont": {"size": theme.text, "color": letters, "shadow": theme.halo if name == BESIDE else None},
            }
        )
    figure.add_scatter(
        x=labels, y=trace_values(parts.sum(axis=1)), name=TOTAL, mode="text", text=totals(parts.sum(axis=1)),
        textposition="top center", textfont={"size": theme.text + 4, "shadow": theme.halo}, hoverinfo="skip",
        cliponaxis=False,
    )  # fmt: skip
    top = HEADROOM * max(parts.sum(axis=1).max(), most)
    figure.update_xaxes(title_text="method", type="category", showline=False, ticks="", tickangle=0)
    figure.update_yaxes(title_text="excess risk, E (f − f*)²", range=[0, max(top, 1e-9)])
    figure.update_layout(barmode="stack", bargap=0.28, uniformtext={"mode": "hide", "minsize": theme.text - 1})
    name_above(figure, _key(energy), theme)
    if rough:
        note_rough(figure, theme)
    table: dict[str, Sequence] = {"method": [ZERO, *(METHODS[name].label for name in remainders)]}
    table |= {name: trace_values(parts[:, column]) for column, name in enumerate(names)}
    table["excess risk"] = trace_values(parts.sum(axis=1))
    return Picture(figure, _finding(energy, remainders), table, headline(energy, remainders))


def _label(method: str, rough: bool) -> str:
    """A method's glyph, and below it its name with one word a line, which fits a narrow bar."""
    style = METHODS[method]
    return style.tag(f"{'≈' if rough else ''}<br>{_lines(style.label)}")


def _lines(words: str) -> str:
    return words.replace(" ", "<br>")


def part_names(energy: Numbers) -> list[str]:
    """(p + 2,) the names of the parts of an error."""
    return [*(f"degree {k}" for k in range(len(energy))), BESIDE]


def totals(risks: Numbers) -> list[str]:
    """The numbers over the bars, with two digits."""
    return [f"<b>{number(float(f'{risk:.2g}'))}</b>" for risk in np.asarray(risks, float)]


def _shades(energy: Numbers) -> list[float | None]:
    """How much of the method's colour each part has; None for a degree that is not in the target."""
    present = [k for k, value in enumerate(energy) if value > 0]
    shades = dict(zip(present, np.linspace(PALEST if len(present) > 1 else 1.0, 1.0, len(present)), strict=True))
    return [*(float(shades[k]) if k in shades else None for k in range(len(energy))), HATCHED]


def _key(energy: Numbers) -> list[str]:
    """Which part of a bar is which: all bars have their own colours, in which degrees differ by their shade alone."""
    present = [f"{k}" for k, value in enumerate(energy) if value > 0]
    degrees = [f"full: degree {present[-1]}"] if present else []
    if len(present) == 2:
        degrees.insert(0, f"pale: degree {present[0]}")
    elif len(present) > 2:
        degrees = [f"from pale to full: degrees {join_words(present)}"]
    return [*degrees, f"hatched: {BESIDE}"]


def _hover(name: str) -> str:
    return f"error of %{{x}}<br>{name}: %{{y:.3f}}<extra></extra>"


def _finding(energy: Numbers, remainders: Mapping[str, Numbers]) -> str:
    if not remainders:
        return f"Nothing has been learned yet: the excess risk is {quote_number(float(np.sum(energy)))}."
    names = part_names(energy)
    clauses = [
        f"{quote_number(float(np.sum(parts)))} for {METHODS[method].label}, the largest part of it "
        f"{'of ' if names[int(np.argmax(parts))] != BESIDE else ''}{names[int(np.argmax(parts))]}"
        for method, parts in remainders.items()
    ]
    return f"The excess risk is {'; '.join(clauses)}."


def headline(energy: Numbers, remainders: Mapping[str, Numbers]) -> str:
    """Which methods lack most of which degree, or else the best method; "" if nobody has learned anything yet."""
    methods_by_words: dict[str, list[str]] = {}
    for method, parts in remainders.items():
        degrees = [f"{k}" for k, value in enumerate(energy) if value > 0 and parts[k] > LACKING * value]
        words = "lacks little of any degree" if not degrees else f"lacks most of degree {join_words(degrees)}"
        methods_by_words.setdefault(words, []).append(METHODS[method].label)
    clauses = [
        f"{join_words(methods)} {words if len(methods) == 1 else words.replace('lacks', 'lack', 1)}"
        for words, methods in methods_by_words.items()
    ]
    text = "; ".join(clauses)
    if len(text) > LONGEST:
        best = min(remainders, key=lambda method: float(np.sum(remainders[method])))
        text = f"{METHODS[best].label} has the smallest error left"
    return text[:1].upper() + text[1:]
