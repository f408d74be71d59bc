"""The pictures of `own_data`."""

import itertools
import math
import re

import numpy as np
from alt_claims import says
from hypothesis import strategies as st
from picture_case import LOOK, case, numbers, one_of, positive, some

from featdash.lessons.own_data.pictures import looks as own_looks
from featdash.lessons.own_data.pictures import risks as own_risks
from featdash.lessons.own_data.pictures.risks import SHORT as OWN_SHORT


def fold_table(draw):
    """Risks of some methods on five folds, of which some are not yet measured."""
    names = some(draw, OWN_SHORT, least=1, most=5)
    risk = {name: numbers(draw, 5) for name in names}
    for values in risk.values():
        if draw(st.booleans()):
            values[draw(st.integers(0, 4)) :] = np.nan
    return risk, one_of(draw, 0.25, 1 / 3, 1.0)


def written_out(values, ratio):
    """Mean and standard error over five folds, by the formula."""
    mean = math.fsum(values) / 5
    return mean, ((1 / 5 + ratio) * math.fsum((value - mean) ** 2 for value in values) / 4) ** 0.5


@case(own_risks.fold_risks)
def _(draw):
    risk, ratio = fold_table(draw)
    picture = own_risks.fold_risks(risk, ratio, theme=LOOK)
    whole = {name: values for name, values in risk.items() if np.isfinite(values).all()}
    if not whole:
        assert "No method" in picture.alt
    for name, values in whole.items():
        says(f"{OWN_SHORT[name]} # ± ", picture.alt, written_out(values, ratio)[0])
    if picture.headline.startswith("Lowest, and clearly"):
        best = next(name for name in risk if picture.headline.endswith(OWN_SHORT[name]))
        for name in set(risk) - {best}:
            mean, error = written_out(risk[name] - risk[best], ratio)
            assert mean > 2.7 * error
    if picture.headline.startswith("No difference shown"):
        for first, second in itertools.combinations(risk, 2):
            mean, error = written_out(risk[first] - risk[second], ratio)
            assert abs(mean) <= 2.8 * error
    if len(whole) < len(risk) or len(risk) < 2:
        assert picture.headline == ""
    return picture


@case(own_risks.pair_table)
def _(draw):
    risk, ratio = fold_table(draw)
    picture = own_risks.pair_table(risk, ratio, theme=LOOK)
    called = {label: name for name, label in OWN_SHORT.items()}
    for better, worse in re.findall(r"(?:: |; )([\w ]+?) below ([\w ]+?) by", picture.alt):
        mean, error = written_out(risk[called[worse]] - risk[called[better]], ratio)
        assert mean > 2.7 * error
    clear = picture.table["verdict"].count("clear")
    assert picture.alt.count(" below ") == clear
    whole = sum(np.isfinite(values).all() for values in risk.values())
    assert len(picture.table["verdict"]) == whole * (whole - 1) // 2
    return picture


@case(own_looks.column_map)
def _(draw):
    d = one_of(draw, 2, 5, 30, 70)
    columns = [f"c{index}" for index in range(d)]
    planted = some(draw, columns, most=2)
    look = {name: positive(draw, d) for name in some(draw, OWN_SHORT, most=5)}
    look = {name: values / values.sum() for name, values in look.items()}
    picture = own_looks.column_map(look, columns, planted, theme=LOOK)
    for name, values in look.items():
        first = re.search(rf"{OWN_SHORT[name]} (c\d+) \(", picture.alt)[1]
        assert values[columns.index(first)] == values.max()
        says(f"{OWN_SHORT[name]} {first} (#)", picture.alt, values.max(), decimals=2)
    if not look:
        assert "No layer" in picture.alt
    elif planted and "none so far" not in picture.headline:
        for name, values in look.items():
            leaders = {columns[index] for index in np.argsort(-values, kind="stable")[: len(planted)]}
            assert (OWN_SHORT[name] in picture.headline) == (leaders == set(planted))
    elif "rfm" in look and not planted:
        order = np.argsort(-look["rfm"], kind="stable")[:2]
        near = order[look["rfm"][order] >= 0.8 * look["rfm"].max()]
        assert re.findall(r"c\d+", picture.headline) == [columns[index] for index in near]
    assert len(picture.table["column"]) == d
    return picture
