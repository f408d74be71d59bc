"""The closing table: what each method adapts to, in the numbers that were measured."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import plotly.graph_objects as go

from featdash.figures.error_curves import short
from featdash.figures.palette import METHODS, Look, blank
from featdash.figures.picture import Picture

NOTHING = "not measured"
QUESTION, MEASURED, PLAIN = 1.4, 2.3, 1.3  # widths of the columns in proportion
ENTRY = {"rbf": 1.85}  # its column holds the times of the solvers as well
SHADES = {"light": ("#DDF0E4", "#FBE3D6"), "dark": ("#173A2A", "#46281A")}


@dataclass(frozen=True)
class Row:
    """A row: what could help, what is measured and over what, and a text a method.

    adapts : method -> whether the measurement says so, for the shade; methods without a verdict stay white.
    """

    question: str
    measured: str
    texts: Mapping[str, str]
    adapts: Mapping[str, bool]


def adaptivity_table(rows: Sequence[Row], methods: Sequence[str], *, look: Look, height: int = 330) -> Picture:
    """The table; texts may hold <br>."""
    figure = blank(look, height, "What each method adapts to, as measured")
    heads = ["", "measured", *(f"<b>{METHODS[name].glyph} {short(name)}</b>" for name in methods)]
    columns = [[f"<b>{row.question}</b>" for row in rows], [row.measured for row in rows]]
    columns += [[row.texts.get(name, NOTHING) for row in rows] for name in methods]
    fills = [[look.paper] * len(rows)] * 2 + [[_shade(row, name, look) for row in rows] for name in methods]
    line = {"color": look.grid, "width": 1}
    figure.add_trace(
        go.Table(
            columnwidth=[QUESTION, MEASURED, *(ENTRY.get(name, PLAIN) for name in methods)],
            header={
                "values": heads,
                "fill_color": look.paper,
                "line": line,
                "align": "left",
                "font": {"size": look.text, "color": look.ink},
            },
            cells={
                "values": columns,
                "fill_color": fills,
                "line": line,
                "align": "left",
                "height": round(1.5 * look.text),
                "font": {"size": look.text, "color": look.ink},
            },
        )
    )
    figure.update_layout(margin={"l": 8, "r": 8, "b": 6})
    table = {"what could help": [row.question for row in rows], "measured": [_plain(row.measured) for row in rows]}
    table |= {METHODS[name].label: [_plain(row.texts.get(name, NOTHING)) for row in rows] for name in methods}
    return Picture(figure, _finding(rows, methods), table)


def _shade(row: Row, method: str, look: Look) -> str:
    if method not in row.adapts:
        return look.paper
    yes, no = SHADES[look.theme]
    return yes if row.adapts[method] else no


def _plain(text: str) -> str:
    return text.replace("<br>", "; ").replace("<i>", "").replace("</i>", "").replace("<sup>", "^").replace("</sup>", "")


def _finding(rows: Sequence[Row], methods: Sequence[str]) -> str:
    """Who adapts to what, in words."""
    told = []
    for row in rows:
        who = [short(name) for name in methods if row.adapts.get(name)]
        if row.adapts:
            told.append(f"{row.question}: {', '.join(who) or 'no method'}")
    return (
        f"By the measured numbers, those that adapt are, for {'; for '.join(told)}."
        if told
        else "Nothing measured yet."
    )
