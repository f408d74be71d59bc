"""What a figure function returns."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import plotly.graph_objects as go


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
