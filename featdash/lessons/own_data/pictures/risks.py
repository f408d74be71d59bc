"""Risk of the methods on the five test parts, and which of their differences are clear."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations

import numpy as np
import plotly.graph_objects as go

from featdash.figures.axes import value_axis, value_range
from featdash.figures.palette import DIVERGING
from featdash.figures.picture import METHODS, Picture, Theme, blank
from featdash.figures.text import Numbers, count_noun, join_words, number, quote_number, trace_values, with_decimals
from featdash.theory.paired_difference import MeanAndError, over_folds

SHORT = {"linear": "ridge", "laplace": "fixed kernel", "rfm": "RFM", "algorithm1": "Algorithm 1", "network": "network"}
LONG = {"linear": "ridge regression", "laplace": "the fixed kernel", "network": "the trained network"}
ACROSS = SHORT | {"laplace": "fixed<br>kernel", "algorithm1": "Alg. 1"}  # a column's, which is narrow
NONE_CLEAR = "no difference shown"
UNCLEAR = "?"  # stands for it in a cell
Risks = Mapping[str, Numbers]


def whole_risks(risk: Risks, ratio: float) -> dict[str, MeanAndError]:
    """Mean and error of each method that is measured on all folds."""
    return {name: over_folds(np.asarray(values, float), ratio) for name, values in risk.items() if _whole(values)}


def differences(risk: Risks, ratio: float) -> dict[tuple[str, str], MeanAndError]:
    """(first, second) -> risk of the first minus that of the second, paired over the folds."""
    whole = {name: np.asarray(values, float) for name, values in risk.items() if _whole(values)}
    return {(a, b): over_folds(whole[a] - whole[b], ratio) for a, b in combinations(whole, 2)}


def _whole(values: Numbers) -> bool:
    return len(values) > 1 and bool(np.isfinite(np.asarray(values, float)).all())


def fold_risks(risk: Risks, ratio: float, *, theme: Theme, height: int = 285) -> Picture:
    """A line a method: the test risk of each fold, their mean and its standard error.

    risk : method -> (5,), NaN where not yet measured; ratio : rows of a test part by those of a training part.
    """
    figure = blank(theme, height, "Risk on five hidden parts (folds), mean and standard error")
    means = whole_risks(risk, ratio)
    table: dict[str, list] = {"method": [], "fold": [], "risk": []}
    on_axis = [float(value) for values in risk.values() for value in values if np.isfinite(value)]
    for name, values in risk.items():
        style, label = METHODS[name], SHORT[name]
        look = {"symbol": style.marker, "size": 7, "color": style.colour, "opacity": 0.55}
        hover = f"{label}<br>risk %{{x:.3f}}<extra></extra>"
        finite = [value for value in values if np.isfinite(value)]
        at = [label] * len(finite)
        figure.add_scatter(x=trace_values(finite), y=at, mode="markers", marker=look, name=label, hovertemplate=hover)
        table["method"] += [label] * len(values)
        table["fold"] += [index + 1 for index in range(len(values))]
        table["risk"] += trace_values(values)
        if name in means:
            mean, error = means[name]
            on_axis += [mean + error]
            bar = {"type": "data", "array": trace_values([error]), "thickness": 3, "width": 7, "color": style.colour}
            figure.add_scatter(
                x=trace_values([mean]), y=[label], mode="markers", error_x=bar, name=f"{label}, mean",
                marker={"symbol": "line-ns-open", "size": 18, "color": theme.ink, "line": {"width": 2}},
                hovertemplate=f"{label}<br>mean %{{x:.3f}} ± {error:.3f}<extra></extra>",
            )  # fmt: skip
    figure.add_vline(x=1, line=theme.theory("dot"))
    across = value_range([*(min(value, 3.0) for value in on_axis), 1.05], False)
    figure.update_xaxes(**value_axis("risk; 1 is to predict the mean", across, False))
    order = [SHORT[name] for name in risk]
    figure.update_yaxes(categoryorder="array", categoryarray=order[::-1], range=[-0.6, len(order) - 0.4])
    return Picture(figure, _finding(means, differences(risk, ratio)), table, headline(risk, ratio))


def _finding(means: Mapping[str, MeanAndError], pairs: Mapping[tuple[str, str], MeanAndError]) -> str:
    if not means:
        return "No method has been measured on all five folds yet."
    clauses = [f"{SHORT[name]} {quote_number(one.mean)} ± {quote_number(one.error)}" for name, one in means.items()]
    clear = sum(one.is_clear for one in pairs.values())
    pairs_clause = f"{clear} of {count_noun(len(pairs), 'pair', 'pairs')}" if clear else "no pair"
    verb = "differs" if clear < 2 else "differ"
    ending = f"; {pairs_clause} {verb} clearly" if pairs else ""
    return f"Mean risk and its standard error over five folds: {', '.join(clauses)}{ending}."


def headline(risk: Risks, ratio: float) -> str:
    """The lowest method if that is clear, else those that none beats clearly; «no difference shown» if nothing is."""
    means, pairs = whole_risks(risk, ratio), differences(risk, ratio)
    if len(means) < len(risk) or len(means) < 2:
        return ""
    clear = [pair for pair, one in pairs.items() if one.is_clear]
    if not clear:
        return f"{NONE_CLEAR.capitalize()}: the error bars allow any order"
    beaten = {_worse(pair, pairs[pair]) for pair in clear}
    best = [name for name in means if name not in beaten]
    if len(best) == 1:
        return f"Lowest, and clearly: {SHORT[best[0]]}" if _beats_all(best[0], pairs) else ""
    return f"Not clearly beaten: {join_words([SHORT[name] for name in best])}"


def _worse(pair: tuple[str, str], difference: MeanAndError) -> str:
    return pair[0] if difference.mean > 0 else pair[1]


def _beats_all(name: str, pairs: Mapping[tuple[str, str], MeanAndError]) -> bool:
    """Whether the method is clearly better in each of its pairs."""
    return all(one.is_clear and _worse(pair, one) != name for pair, one in pairs.items() if name in pair)


def pair_table(risk: Risks, ratio: float, *, theme: Theme, height: int = 285) -> Picture:
    """Row minus column if the paired difference is clear, else a mark for «no difference shown»."""
    figure = blank(theme, height, "Risk of the row less that of the column")
    names = list(risk)
    pairs = differences(risk, ratio)
    values, texts = np.full((len(names), len(names)), np.nan), [[""] * len(names) for _ in names]
    table: dict[str, list] = {"first": [], "second": [], "difference": [], "standard error": [], "verdict": []}
    for (first, second), one in pairs.items():
        row, column = names.index(second), names.index(first)
        values[row, column] = -one.mean if one.is_clear else 0.0
        cell = f"{with_decimals(-one.mean, 2)}<br>± {with_decimals(one.error, 2)}"
        texts[row][column] = cell if one.is_clear else UNCLEAR
        table["first"].append(SHORT[second])
        table["second"].append(SHORT[first])
        table["difference"] += trace_values([-one.mean])
        table["standard error"] += trace_values([one.error])
        table["verdict"].append("clear" if one.is_clear else NONE_CLEAR)
    _cells(figure, values, texts, names, theme)
    return Picture(figure, _pairs_finding(pairs), table)


def _cells(figure: go.Figure, values: np.ndarray, texts: list[list[str]], names: list[str], theme: Theme) -> None:
    """The triangle, with names at its two sides."""
    top = float(np.nanmax(np.abs(values), initial=0.0)) or 1.0
    across, down = names[:-1], names[1:]
    figure.add_heatmap(
        z=[trace_values(row[:-1]) for row in values[1:]], x=[SHORT[name] for name in across],
        y=[SHORT[name] for name in down], zmin=-top, zmax=top, colorscale=DIVERGING, showscale=False, hoverinfo="skip",
        opacity=0.6, xgap=2, ygap=2,
    )  # fmt: skip
    for row, name in enumerate(down, 1):
        for column, other in enumerate(across):
            if texts[row][column]:
                figure.add_annotation(
                    x=SHORT[other], y=SHORT[name], text=texts[row][column], showarrow=False, font={"size": theme.text}
                )
    figure.update_xaxes(
        title_text=f"below 0: the row has the lower risk<br>{UNCLEAR}: {NONE_CLEAR}", showgrid=False, tickangle=0,
        tickvals=[SHORT[name] for name in across], ticktext=[ACROSS[name] for name in across],
        range=(-0.5, len(across) - 0.5),
    )  # fmt: skip
    figure.update_yaxes(range=(len(down) - 0.5, -0.5), showgrid=False)


def _pairs_finding(pairs: Mapping[tuple[str, str], MeanAndError]) -> str:
    if not pairs:
        return "No two methods have been measured on all five folds yet."
    clauses = []
    for pair, one in pairs.items():
        if one.is_clear:
            worse = _worse(pair, one)
            better = pair[0] if worse == pair[1] else pair[1]
            clauses.append(f"{SHORT[better]} below {SHORT[worse]} by {quote_number(abs(one.mean))}")
    rest = len(pairs) - len(clauses)
    if not clauses:
        among = "the only pair" if rest == 1 else f"any of the {number(rest)} pairs"
        return f"No clear difference of risk in {among}."
    sentence = f"Clear differences of risk: {'; '.join(clauses)}"
    return (
        f"{sentence}. Of the other {count_noun(rest, 'pair', 'pairs')} no difference is shown."
        if rest
        else f"{sentence}."
    )
