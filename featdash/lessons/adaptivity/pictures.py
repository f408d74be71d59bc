"""The closing table: what each method adapts to, in the numbers that were measured."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import plotly.graph_objects as go

from featdash.figures.palette import VERDICTS
from featdash.figures.picture import METHODS, Picture, Theme, blank
from featdash.figures.text import join_words
from featdash.lessons.shared.pictures.errors import short
from featdash.lessons.shared.pictures.headlines import shorten

NOTHING = "not measured"
MARKS = {True: "✓", False: "✗", None: "~"}
QUESTION, MEASURED, PLAIN = 1.25, 1.95, 1.45  # widths of the columns in proportion
ENTRY = {"rbf": 1.55}  # its column holds the times of the solvers as well


@dataclass(frozen=True)
class Row:
    """A row: what could help, what is measured and over what, and a text for each method.

    adapts : method -> whether the measurement says that it adapts, None if it does not decide; for the mark and the
    shade. A method without a verdict stays white.  absent : method -> why it has no text.
    brief : method -> its text where letters are large, if that is a different one.
    """

    question: str
    quantity: str
    texts: Mapping[str, str]
    adapts: Mapping[str, bool | None]
    absent: Mapping[str, str] = field(default_factory=dict)
    brief: Mapping[str, str] = field(default_factory=dict)

    def entry(self, method: str, brief: bool = False) -> str:
        """The mark and the text, or why there is none; a brief entry leaves that reason out."""
        if method not in self.texts:
            reason = "" if brief else self.absent.get(method)
            return f"<i>{NOTHING}{f':<br>{reason}' if reason else ''}</i>"
        mark = f"<b>{MARKS[self.adapts[method]]}</b> " if method in self.adapts else ""
        texts = {**self.texts, **self.brief} if brief else self.texts
        return mark + texts[method]


def adaptivity_table(rows: Sequence[Row], methods: Sequence[str], *, theme: Theme, height: int = 370) -> Picture:
    """The table; texts may hold <br>. With large letters it leaves out the column of what is measured."""
    figure = blank(theme, height, "What each method adapts to, as measured")
    about = [(QUESTION, "", [f"<b>{row.question}</b>" for row in rows])]
    about += [] if theme.large else [(MEASURED, "measured", [row.quantity for row in rows])]
    heads = [head for _, head, _ in about] + [f"<b>{METHODS[name].glyph} {short(name)}</b>" for name in methods]
    columns = [texts for *_, texts in about] + [[row.entry(name, theme.large) for row in rows] for name in methods]
    fills = [[theme.paper] * len(rows)] * len(about) + [[_shade(row, name, theme) for row in rows] for name in methods]
    line = {"color": theme.grid, "width": 1}
    figure.add_trace(
        go.Table(
            columnwidth=[*(width for width, *_ in about), *(ENTRY.get(name, PLAIN) for name in methods)],
            header={
                "values": heads,
                "fill_color": theme.paper,
                "line": line,
                "align": "left",
                "font": {"size": theme.text, "color": theme.ink},
            },
            cells={
                "values": columns,
                "fill_color": fills,
                "line": line,
                "align": "left",
                "height": round(1.5 * theme.text),
                "font": {"size": theme.text, "color": theme.ink},
            },
        )
    )
    figure.update_layout(margin={"l": 8, "r": 8, "b": 6})
    table = {"what could help": [row.question for row in rows], "measured": [_plain(row.quantity) for row in rows]}
    table |= {METHODS[name].label: [_plain(row.entry(name)) for row in rows] for name in methods}
    return Picture(figure, _finding(rows, methods), table, _headline(rows, methods))


def _shade(row: Row, method: str, theme: Theme) -> str:
    if method not in row.adapts:
        return theme.paper
    return VERDICTS[theme.theme][row.adapts[method]]


def _plain(text: str) -> str:
    text = re.sub("([:,⇢])<br>", r"\1 ", text).replace("<br>", "; ").replace("<sup>", "^")
    return re.sub("<[^>]*>", "", text)


def _headline(rows: Sequence[Row], methods: Sequence[str]) -> str:
    """Who adapts and who does not, in the last row that has both; "" if no row has."""
    for row in reversed(rows):
        who, not_who = (
            [short(name) for name in methods if row.adapts.get(name) is verdict] for verdict in (True, False)
        )
        if who and not_who:
            adapt, does = ("adapts" if len(who) == 1 else "adapt"), ("does" if len(not_who) == 1 else "do")
            return shorten(f"{row.question}: {join_words(who)} {adapt}, {join_words(not_who)} {does} not")
    return ""


def _finding(rows: Sequence[Row], methods: Sequence[str]) -> str:
    """Who adapts to what, in words, and where the repeats do not decide."""
    clauses = []
    for row in rows:
        verdicts = {name: row.adapts[name] for name in methods if name in row.adapts}
        if not verdicts:
            continue
        who = [short(name) for name, verdict in verdicts.items() if verdict]
        open_ = [short(name) for name, verdict in verdicts.items() if verdict is None]
        note = f" (undecided: {', '.join(open_)})" if open_ else ""
        clauses.append(f"{row.question}: {', '.join(who) or 'no method'}{note}")
    return (
        f"By the measured numbers, this is who adapts, for {'; for '.join(clauses)}."
        if clauses
        else "Nothing has been measured yet."
    )
