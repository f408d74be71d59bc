"""Algorithm 1 as it is printed: five lines and their start, one looked at, one switched off."""

from __future__ import annotations

from featdash.figures.palette import METHODS, MethodStyle, Theme, blank
from featdash.figures.picture import Picture

INTACT = METHODS["algorithm1"]
VARIANTS = {
    "intact": MethodStyle("intact", INTACT.colour, INTACT.dash, INTACT.marker, INTACT.glyph, INTACT.hatch),
    "linear_part_left": MethodStyle("linear part left", "#E69F00", "dash", "diamond", "◆", "/"),
    "no_symmetry": MethodStyle("no mirror copies", "#CC79A7", "dot", "x", "✕", "x"),
    "small_start": MethodStyle("no mirror, a/m", "#009E73", "5px,2px", "cross", "✚", "+"),
    "old_weights_kept": MethodStyle("λ₁ = 0", "#A6761D", "dashdot", "triangle-down", "▼", "\\"),
    "biases_not_drawn": MethodStyle("biases stay 0", "#D55E00", "longdash", "square", "■", "-"),
    "fresh_data": MethodStyle("fresh data", "#56B4E9", "longdashdot", "pentagon", "⬟", "."),
}
LINES = (
    "1  α ← mean y,  β ← mean y x,  y ← y − α − β·x",
    "2  W ← W − η₁ (∇L + λ₁ W),  λ₁ = 1/η₁",
    "3  redraw biases  bⱼ ~ N(0, 1)",
    "4  repeat  a ← a − η (∇L + λ a),  same data",
    "5  return  x ↦ α + β·x + a·ReLU(W x + b)",
)
START = "   start: aⱼ = ±1, wⱼ ~ N(0, I/d), b = 0, mirrored"
# What stands in place of a line when its variant is on: the row of the listing, 0 for the start, and its words.
DELETED = {
    "linear_part_left": (1, "1  α ← 0,  β ← 0"),
    "no_symmetry": (0, "   start: aⱼ = ±1, wⱼ ~ N(0, I/d), b = 0, no mirror"),
    "small_start": (0, "   start: aⱼ = ±1/m, wⱼ ~ N(0, I/d), b = 0, no mirror"),
    "old_weights_kept": (2, "2  W ← W − η₁ ∇L,  λ₁ = 0"),
    "biases_not_drawn": (3, "3  biases stay  bⱼ = 0"),
    "fresh_data": (4, "4  repeat  a ← a − η (∇L + λ a),  fresh data"),
}
CHANGED = "#D55E00"


def listing(line: int, variant: str, *, theme: Theme, height: int = 190) -> Picture:
    """Algorithm 1 printed: the line looked at on a band, the one that is switched off in colour.

    line : 1 to 5; variant : one of VARIANTS.
    """
    figure = blank(theme, height, "Algorithm 1" + ("" if variant == "intact" else f", {VARIANTS[variant].label}"))
    texts = [START, *LINES]
    changed, words = DELETED.get(variant, (None, ""))
    if changed is not None:
        texts[changed] = words
    for row, text in enumerate(texts):
        marked = f'<span style="color:{CHANGED}"><b>{text}</b></span>' if row == changed else text
        told = f"▸ {marked}" if row == line else f"   {marked}"
        place = {"x": 0, "xref": "paper", "xanchor": "left", "y": -row, "yref": "y"}
        figure.add_annotation(text=told, showarrow=False, align="left", font={"size": theme.text + 1}, **place)
    band = {"y0": -line - 0.5, "y1": -line + 0.5, "x0": 0, "x1": 1, "xref": "x domain"}
    figure.add_shape(type="rect", fillcolor=theme.grid, line_width=0, layer="below", **band)
    hidden = {"showticklabels": False, "showgrid": False, "showline": False, "ticks": "", "fixedrange": True}
    figure.update_xaxes(range=[0, 1], title_text="", **hidden)
    figure.update_yaxes(range=[-5.6, 0.6], title_text="", **hidden)
    figure.update_layout(margin={"l": 8, "r": 4, "b": 4, "t": 2 * theme.text + 8})
    instead = " ".join(words.split()).removeprefix(f"{changed} ").removeprefix("start: ")
    gone = "unchanged" if changed is None else f"with its {_row_name(changed)} changed: {instead}"
    alt = f"Algorithm 1 {gone}; shown is line {line}."
    return Picture(figure, alt, {"row": list(range(len(texts))), "line": [text.strip() for text in texts]})


def _row_name(row: int) -> str:
    return f"line {row}" if row else "start"
