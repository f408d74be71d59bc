"""How much each layer looks at each column."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from featdash.figures.picture import METHODS, Picture, Theme, blank
from featdash.figures.text import Numbers, join_words, quote_number, trace_values
from featdash.lessons.own_data.pictures.risks import SHORT

MOST = 40  # columns side by side; those that no layer looks at are left out first
NAMED = 16  # columns up to which all have their names on the axis; with more, only those that matter
LONGEST = 14  # letters of a name on the axis
STAR = "★ "
ALIKE = 0.8  # of the largest share, from which on the second one is named beside it


def column_map(
    look: Mapping[str, Numbers], columns: Sequence[str], planted: Sequence[str], *, theme: Theme, height: int = 300
) -> Picture:
    """A row a layer, a column a column of the table; look : method -> (d,), shares that sum to 1.

    planted : columns that made the target, marked with a star.
    """
    figure = blank(theme, height, "What each method looks at: its share by column")
    shares = np.array([np.nan_to_num(np.asarray(one, float)) for one in look.values()]).reshape(len(look), len(columns))
    indices = _visible_columns(shares, len(columns))
    rows = [f"{METHODS[name].glyph} {SHORT[name]}" for name in look]
    values = shares[:, indices] if len(look) else np.zeros((0, len(indices)))
    top = float(values.max(initial=0.0)) or 1.0
    figure.add_heatmap(
        z=[trace_values(row) for row in values], x=list(range(len(indices))), y=rows, zmin=0, zmax=top,
        colorscale=theme.sequential, customdata=[[columns[index] for index in indices] for _ in rows], xgap=1, ygap=1,
        hovertemplate="layer %{y}<br>column %{customdata}<br>share %{z:.3f}<extra></extra>",
        colorbar={"title": {"text": "share", "font": {"size": theme.text}}, "thickness": 12},
    )  # fmt: skip
    left_out = len(columns) - len(indices)
    title = f"columns of the table; {left_out} more have less" if left_out else "columns of the table"
    title += f"; {STAR}makes the label" if planted else ""
    places = [place for place in range(len(indices)) if indices[place] in _named_places(shares, columns, planted)]
    names = [_label(columns[indices[place]], planted) for place in places]
    ticks = {"tickvals": places, "ticktext": names, "tickangle": -90 if len(places) > 10 else -30}
    figure.update_xaxes(title_text=title, showgrid=False, **ticks)
    figure.update_yaxes(autorange="reversed", showgrid=False)
    table = {"column": list(columns)} | {SHORT[name]: trace_values(row) for name, row in zip(look, shares, strict=True)}
    return Picture(figure, _finding(look, columns, planted), table, _headline(look, columns, planted))


def _visible_columns(shares: np.ndarray, count: int) -> list[int]:
    """Indices of the columns that are drawn, in the table's order."""
    if count <= MOST or not len(shares):
        return list(range(min(count, MOST)))
    return sorted(np.argsort(-shares.max(axis=0), kind="stable")[:MOST].tolist())


def _named_places(shares: np.ndarray, columns: Sequence[str], planted: Sequence[str]) -> set[int]:
    """Indices of the columns with a name on the axis: all, or the planted ones and those that layers look at most."""
    if len(columns) <= NAMED or not len(shares):
        return set(range(min(len(columns), NAMED)))
    planted_places = {index for index, name in enumerate(columns) if name in planted}
    return planted_places | set(np.argsort(-shares.max(axis=0), kind="stable")[: NAMED // 2].tolist())


def _label(name: str, planted: Sequence[str]) -> str:
    short = name if len(name) <= LONGEST else f"{name[: LONGEST - 1]}…"
    return f"{STAR}{short}" if name in planted else short


def leading(shares: Numbers, columns: Sequence[str], count: int = 2) -> list[tuple[str, float]]:
    """The columns with the largest shares, largest first."""
    order = np.argsort(-np.nan_to_num(np.asarray(shares, float)), kind="stable")[:count]
    return [(columns[index], float(shares[index])) for index in order]


def _finding(look: Mapping[str, Numbers], columns: Sequence[str], planted: Sequence[str]) -> str:
    if not look:
        return "No layer has been measured yet."
    clauses = []
    for name, shares in look.items():
        words = [f"{column} ({quote_number(share, 2)})" for column, share in leading(shares, columns)]
        clauses.append(f"{SHORT[name]} {join_words(words)}")
    origin = f" The target was made of {join_words(list(planted))}." if planted else ""
    return f"The columns that each layer looks at most, with their shares: {'; '.join(clauses)}.{origin}"


def _headline(look: Mapping[str, Numbers], columns: Sequence[str], planted: Sequence[str]) -> str:
    """Which methods find the planted columns; without planted columns, where RFM looks most."""
    if not look:
        return ""
    if planted:
        finders = [
            SHORT[name]
            for name, shares in look.items()
            if {column for column, _ in leading(shares, columns, len(planted))} == set(planted)
        ]
        return f"Found by {join_words(finders) or 'none so far'}: {join_words(list(planted))}"
    if "rfm" not in look:
        return ""
    first, *others = leading(look["rfm"], columns)
    most = [first, *(one for one in others if one[1] >= ALIKE * first[1])]
    shares = join_words([quote_number(share, 2) for _, share in most])
    return f"RFM looks most at {join_words([column for column, _ in most])}: share{'s' * (len(most) > 1)} {shares}"
