"""What a figure function returns, and the look of every picture: the methods' styles and the two themes.

The colours are those of `palette`.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import plotly.graph_objects as go

from featdash.figures import palette
from featdash.learners import methods


@dataclass(frozen=True)
class Picture:
    """A finished picture.

    figure : with its title, axis titles and legend; height fixed, width left to the page.
    alt : one sentence that states the finding.
    table : the plotted numbers, named columns of equal length.
    headline : the finding in a few words, shown over the picture where it leads a page; "" for none.
    """

    figure: go.Figure
    alt: str
    table: Mapping[str, Sequence]
    headline: str = ""

    @property
    def title(self) -> str:
        """The figure's title in plain letters."""
        return re.sub("<[^>]*>", "", self.figure.layout.title.text.replace("<br>", " ")).strip()


HOLLOW = str.maketrans("●■▲◆★", "○□△◇☆")  # the glyphs of markers that are drawn by their edge alone


@dataclass(frozen=True)
class MethodStyle:
    """How one method is named and drawn, everywhere."""

    label: str
    colour: str
    dash: str
    marker: str
    glyph: str
    hatch: str

    def line(self, width: float = 2) -> dict:
        return {"color": self.colour, "dash": self.dash, "width": width}

    def tag(self, text: str | None = None, hollow: bool = False) -> str:
        """Its name, or a text in its place, behind a glyph of its colour; the text itself stays legible.

        hollow : whether the curve's markers are drawn by their edge alone.
        """
        glyph = self.glyph.translate(HOLLOW) if hollow else self.glyph
        return f'<span style="color:{self.colour}">{glyph}</span> {text or self.label}'


METHODS = {name: MethodStyle(method.label, *palette.METHODS[name]) for name, method in methods.METHODS.items()}


@dataclass(frozen=True)
class Theme:
    """The visitor's theme: "light" or "dark".

    large : whether the browser magnifies the pictures, words included: they then have room for fewer words.
    """

    theme: str = "light"
    large: bool = False

    @property
    def paper(self) -> str:
        return palette.PAPER[self.theme]

    @property
    def ink(self) -> str:
        """Text, axes and theory lines."""
        return palette.INK[self.theme]

    @property
    def grid(self) -> str:
        return palette.GRID[self.theme]

    @property
    def sequential(self) -> list:
        return palette.SEQUENTIAL[self.theme]

    @property
    def ghost(self) -> str:
        """The previous state, drawn under the present one: paler than any neuron."""
        return palette.GHOST[self.theme]

    def star(self, size: int = 17) -> dict:
        """The marker of a hidden direction: hollow, so that it is seen among neurons as light or as dark as the ink."""
        return {"symbol": "star", "size": size, "color": self.paper, "line": {"color": self.ink, "width": 2}}

    @property
    def halo(self) -> str:
        """The shadow of words that stand over what is drawn."""
        return ", ".join([f"0 0 3px {self.paper}"] * 4)

    @property
    def text(self) -> int:
        """Pixels of the smallest text."""
        return 12

    def theory(self, dash: str = "solid") -> dict:
        """The thin line of a prediction."""
        return {"color": self.ink, "dash": dash, "width": 1}


def margins(theme: Theme) -> dict[str, int]:
    """Pixels around a plot: room for the numbers and the title of an axis as most pictures have them.

    Where it is too little, Plotly finds out when it has drawn the picture, and draws all of it once more.
    """
    return {"l": 5 * theme.text + 2, "r": theme.text + 4, "t": 2 * theme.text + 10, "b": 4 * theme.text + 1}


@functools.cache
def template(theme: Theme) -> go.layout.Template:
    """What all pictures share; each adds its titles and traces."""
    axis = {
        "gridcolor": theme.grid,
        "linecolor": theme.ink,
        "zeroline": False,
        "showline": True,
        "ticks": "outside",
        "ticklen": 4,
        "automargin": True,
        "title": {"standoff": 6, "font": {"size": theme.text}},
    }
    return go.layout.Template(
        layout={
            "font": {"family": "system-ui, sans-serif", "size": theme.text, "color": theme.ink},
            "paper_bgcolor": theme.paper,
            "plot_bgcolor": theme.paper,
            "title": {"font": {"size": theme.text + 1}, "x": 0.01, "xanchor": "left", "y": 0.985, "yanchor": "top"},
            "margin": margins(theme),
            "xaxis": axis,
            "yaxis": axis,
            "showlegend": False,
            "hoverlabel": {"font": {"size": theme.text}},
        }
    )


def plot_height(theme: Theme, height: int, top: int | None = None) -> int:
    """Pixels of the plot of a picture of that height, within the template's margins, or below `top` pixels."""
    sides = margins(theme)
    return height - (sides["t"] if top is None else top) - sides["b"]


def blank(theme: Theme, height: int, title: str) -> go.Figure:
    """An empty figure in the house template, as wide as the page makes it.

    It is built in one call: each later update of a figure costs Plotly more than all of this.
    """
    # Zoom survives new data only if the figure itself says so; Plotly does not look into the template for this.
    layout = {"height": height, "title": {"text": title}, "autosize": True, "uirevision": "kept"}
    return go.Figure(layout={"template": template(theme), **layout})


def legend_above(theme: Theme) -> dict:
    """The layout of a legend between title and picture, where it covers no data; for when direct labels do not fit."""
    place = {"orientation": "h", "x": 1, "xanchor": "right", "y": 1.0, "yanchor": "bottom"}
    legend = place | {"font": {"size": theme.text}}
    return {"showlegend": True, "legend": legend, "margin": {"t": round(3.8 * theme.text) + 8}}


def hatch_pattern(shape: str, colour: str | Sequence[str], theme: Theme) -> dict:
    """The pattern of a bar, or of some: a hatch in the paper's colour over the bar's own."""
    return {"shape": shape, "bgcolor": colour, "fgcolor": theme.paper, "size": 5}
