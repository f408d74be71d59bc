"""What a class has chosen, as a bar for each option and round: in a picture of its own, or on an axis of another."""

from __future__ import annotations

from dataclasses import dataclass

import plotly.graph_objects as go

from featdash.figures.guesses import DEPTH, FULL, PALE
from featdash.figures.picture import Picture, Theme, blank
from featdash.figures.text import count_noun, in_lines

LETTERS = 30  # of a line of an option's text
ROW, TOP = 56, 46  # pixels; a row has an option's text, and its bars below
WORDS, BARS = -0.23, 0.46  # where the text of a row stands, and the height of its bars, in rows from its middle down
BELOW, ABOVE = 0.24, 0.7  # of a range upwards: where its bars stand, and the option's text
UNSURE = "not sure"
RIGHT = "✓ "


@dataclass(frozen=True)
class Votes:
    """Counts of a choice or of an order.

    rounds : for each round, one or two, how often each option was chosen; unsure : how many were not sure, by round.
    right : the option that the run shows to be right; "" if there is none.
    """

    options: tuple[str, ...]
    rounds: tuple[tuple[int, ...], ...]
    unsure: tuple[int, ...]
    right: str = ""


def votes_picture(votes: Votes, title: str, theme: Theme) -> Picture:
    """Bars from the top in the order of the options, «not sure» last; the first round pale, the last one full.

    An option's text stands over its bars, not beside them: so the picture may be narrow.
    """
    names = [*votes.options, UNSURE]
    texts = [_label(name, name == votes.right) for name in names]
    rounds = [(*counts, unsure) for counts, unsure in zip(votes.rounds, votes.unsure, strict=True)]
    figure = blank(theme, TOP + ROW * len(names), title)
    height = BARS / len(rounds)
    for index, counts in enumerate(rounds):
        bars = _bars(texts, counts, FULL if index == len(rounds) - 1 else PALE, f"round {index + 1}", theme)
        figure.add_trace(bars.update(offset=index * height, width=0.9 * height))
    for row, text in enumerate(texts):
        figure.add_annotation(
            text=text, x=0, xref="paper", xanchor="left", y=row + WORDS, yanchor="middle", showarrow=False,
            align="left", font={"size": theme.text + 1, "color": theme.ink},
        )  # fmt: skip
    most = max([1, *(count for counts in rounds for count in counts)])
    figure.update_layout(barmode="overlay", margin={"l": 14, "b": 10})
    figure.update_xaxes(visible=False, range=(0, 1.12 * most))
    figure.update_yaxes(range=(len(names) - 0.5, -0.5), visible=False)
    table: dict[str, list] = {
        "option": names,
        **{f"round {index + 1}": list(counts) for index, counts in enumerate(rounds)},
    }
    return Picture(figure, votes_line(votes), table)


def draw_votes(
    figure: go.Figure, votes: Votes, option: int, ends: tuple[float, float], axis: str, theme: Theme
) -> None:
    """The bars of one option on its range of the axis, with the count of the last round; below the curves.

    ends : of the range, as Plotly has them: log10 on a log axis.
    axis : "x", bars from below, or "y", bars from the left, in the part of the range below the option's text.
    """
    along, log = ("y" if axis == "x" else "x"), figure.layout[f"{axis}axis"].type == "log"
    most = max([1, *(count for counts in votes.rounds for count in counts)])
    width = ends[1] - ends[0]
    middle = ends[0] + (0.5 if axis == "x" else BELOW) * width
    for index, counts in enumerate(votes.rounds):
        last = index == len(votes.rounds) - 1
        share, half = DEPTH * counts[option] / most, width * (0.11 if last else 0.18)
        edges = [10.0**place if log else place for place in (middle - half, middle + half)]
        figure.add_shape(
            type="rect", layer="below", line={"width": 0}, fillcolor=theme.ink, opacity=FULL if last else PALE,
            name="votes", **{f"{axis}ref": axis, f"{along}ref": f"{along} domain"},
            **{f"{axis}0": edges[0], f"{axis}1": edges[1], f"{along}0": 0.0, f"{along}1": share},
        )  # fmt: skip
    anchors = {"yanchor": "bottom"} if axis == "x" else {"xanchor": "left"}
    figure.add_annotation(
        text=f"<b>{votes.rounds[-1][option]}</b>", name="votes", showarrow=False,
        font={"size": theme.text + 4, "color": theme.ink}, **anchors,
        **{f"{axis}ref": axis, f"{along}ref": f"{along} domain", axis: middle, along: share},
    )  # fmt: skip


def votes_line(votes: Votes) -> str:
    """What the class chose, option by option, and which is right: all that the bars show."""
    last = [*zip(votes.options, votes.rounds[-1], strict=True), (UNSURE, votes.unsure[-1])]
    answers = sum(count for _, count in last)
    sentence = f"The class gave {count_noun(answers, 'answer', 'answers')}"
    if answers:
        sentence += f": {', '.join(f'«{name}» {count}' for name, count in last)}"
    if votes.right in votes.options:
        sentence += f"; right is «{votes.right}»"
        if len(votes.rounds) > 1:
            sentence += f", which {votes.rounds[0][votes.options.index(votes.right)]} chose before talking"
    return f"{sentence}."


def _label(text: str, right: bool) -> str:
    """An option in lines; the right one is marked and bold."""
    lines = in_lines(text, LETTERS)
    return f"<b>{RIGHT}{lines}</b>" if right else lines


def _bars(texts: list[str], counts: tuple[int, ...], opacity: float, name: str, theme: Theme) -> go.Bar:
    return go.Bar(
        x=counts,
        y=texts,
        orientation="h",
        name=name,
        text=[str(count) for count in counts],
        textposition="outside",
        cliponaxis=False,
        textfont={"size": theme.text + 2, "color": theme.ink},
        marker={"color": theme.ink, "opacity": opacity},
        hovertemplate=f"%{{x}} answers in {name}: %{{y}}<extra></extra>",
    )
