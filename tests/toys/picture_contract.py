"""What every picture owes its viewer, whatever it shows."""

from __future__ import annotations

import json

import pytest

from featdash.figures.picture import Picture, Theme
from featdash.figures.text import MOST_POINTS


def check_picture(picture: Picture, theme: Theme) -> None:
    """A title, a sentence in words, named axes, legible text, a rectangular table, and no more than is seen."""
    layout = picture.figure.layout
    assert picture.title
    assert picture.alt.endswith(".")
    assert "<" not in picture.alt
    assert "nan" not in picture.alt.split()
    assert layout.height >= 100
    assert len({len(column) for column in picture.table.values()}) == 1
    json.dumps(picture.table, allow_nan=False)
    json.loads(picture.figure.to_json(), parse_constant=lambda word: pytest.fail(f"{word} in the figure"))
    drawn = [trace for trace in picture.figure.data if trace.type not in ("heatmap", "table")]
    assert all(trace.x is None or len(trace.x) <= MOST_POINTS for trace in drawn)
    if {trace.type for trace in picture.figure.data} - {"scatter3d", "table"}:
        axes = [axis for axis in picture.figure.select_xaxes() if axis.visible is not False]  # a map's mean nothing
        assert not axes or any(axis.title.text for axis in axes)
    sizes = [note.font.size for note in layout.annotations if note.font.size]
    assert min([layout.template.layout.font.size, *sizes]) >= theme.text
