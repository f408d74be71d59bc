"""The palette: every colour of the pictures, and what it means. A colour means one thing in the whole product.

A method is known by its colour *and* its dash *and* its marker, so that a picture survives a bad projector, a grey
print and colour blindness (most of these colours are Okabe and Ito's). What else is compared takes its look from
`CASES`, in order: no case looks like a method. Blue is Algorithm 1 and, in a lesson about another network, what that
lesson is about; grey is noise, chance and what is left over.
"""

from __future__ import annotations

from typing import NamedTuple


class Look(NamedTuple):
    """How a curve, its points and its bars are drawn, by Plotly's names; the glyph stands before its label."""

    colour: str
    dash: str
    marker: str
    glyph: str
    hatch: str


METHODS: dict[str, Look] = {
    "algorithm1": Look("#0072B2", "solid", "circle", "●", ""),
    "random_features": Look("#D55E00", "dash", "square", "■", "/"),
    "ntk": Look("#009E73", "dot", "triangle-up", "▲", "."),
    "ntk_after_step": Look("#7A6FF0", "2px,3px,9px,3px", "hexagram", "✶", "+"),
    "rfm": Look("#C2185B", "10px,3px,2px,3px", "star-diamond", "✦", "\\"),
    "network": Look("#CC79A7", "longdash", "diamond", "◆", "x"),
    "rbf": Look("#E69F00", "dashdot", "star", "★", "-"),
    "laplace": Look("#A6761D", "longdashdot", "triangle-down", "▼", "|"),
    "linear": Look("#8A8A8A", "3px,8px", "x", "✕", "+"),
    "transfer": Look("#56B4E9", "12px,3px,3px,3px,3px,3px", "pentagon", "⬟", "\\"),
}
POLYNOMIAL_KERNEL = Look("#999933", "8px,3px,2px,3px", "hexagon", "⬢", "\\")  # on the page of smoothness alone

SUBJECT = METHODS["algorithm1"]
# Variants, targets, single tasks, solvers: whatever a picture compares that is no method, in the order of the picture.
CASES = (
    Look("#44AA99", "7px,2px", "square", "■", "/"),
    Look("#CC3311", "8px,2px,2px,2px", "diamond", "◆", "x"),
    Look("#6699CC", "4px,2px", "triangle-up", "▲", "\\"),
    Look("#CC6677", "10px,2px", "triangle-down", "▼", "-"),
    Look("#C8B44A", "2px,2px", "star", "★", "+"),
    Look("#778899", "6px,2px,2px,2px", "cross", "✚", "."),
    Look("#A078A8", "12px,3px,3px,3px", "x", "✖", "|"),
    Look("#6B8E5A", "14px,4px", "pentagon", "⬟", ""),
)
STAGES = ("#8C8C8C", "#8DB8D6", "#4A98CC")  # earlier stages of what ends as blue
ALIGNMENT = Look("#AA4499", "dashdot", "diamond", "◆", "x")  # of a first layer, beside risks
NOISE = "#9A9A9A"
HEURISTIC = "#858585"  # legible on either paper, and fainter than what is measured or proved
POSITIVE, NEGATIVE = "#8C6BB1", "#D1700B"  # output weights, and sides of a classifier
HERE = "#F0E442"  # the flag at the visitor's own place

# Cosines, −1 to 1. Its middle is grey, so that a point without alignment stays visible on either paper.
DIVERGING = [[0.0, "#B35806"], [0.25, "#F1A340"], [0.5, "#BFBFBF"], [0.75, "#998EC3"], [1.0, "#542788"]]

# By the visitor's theme.
PAPER = {"light": "#FFFFFF", "dark": "#0E1117"}
INK = {"light": "#111111", "dark": "#F2F2F2"}  # text, axes and theory
GRID = {"light": "#E3E3E3", "dark": "#30343D"}
GHOST = {"light": "#B7B7B7", "dark": "#444853"}  # what was before, under what is now: paler than any neuron
# Shares and alignments, 0 to 1, from next to the paper to far from it.
SEQUENTIAL = {
    "light": [[0.0, "#ACACAC"], [0.5, "#9C6FB6"], [1.0, "#4A0A55"]],
    "dark": [[0.0, "#4B505C"], [0.5, "#B27CC4"], [1.0, "#F0CAFF"]],
}
# Behind the cell of a table: whether a measurement says yes, no, or does not decide.
VERDICTS = {
    "light": {True: "#D3EEDD", False: "#FBDDCB", None: "#FFF3B8"},
    "dark": {True: "#173A2A", False: "#4A2416", None: "#453C12"},
}


def blend(colour: str, paper: str, share: float) -> str:
    """So much of a colour of the palette, 0 to 1, on that paper; opaque, so that no grid line shows through."""
    channels = (share * int(colour[i : i + 2], 16) + (1 - share) * int(paper[i : i + 2], 16) for i in (1, 3, 5))
    return "#" + "".join(f"{round(part):02X}" for part in channels)


def translucent(colour: str, opacity: float) -> str:
    """A colour of the palette, with an opacity from 0 to 1."""
    red, green, blue = (int(colour[place : place + 2], 16) for place in (1, 3, 5))
    return f"rgba({red},{green},{blue},{opacity:g})"
