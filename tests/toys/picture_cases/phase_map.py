"""The pictures of `phase_map`."""

import math
import re

import numpy as np
from alt_claims import NUMBER, says, value
from picture_case import LOOK, case, numbers, one_of

from featdash.figures.text import with_decimals
from featdash.lessons.phase_map.pictures.phases import phase_map
from featdash.lessons.phase_map.pictures.sample_growth import SHARES, needed_samples
from featdash.theory.exponents import LEVELS, growths


def judge_map_headline(headline, d, n, values, measure):
    """Every row that is named turns there for good; of none that turns, all or none of the cells are over."""
    hits = values > 0.5 if measure == "alignment" else values < 1
    known = ~np.isnan(values)
    named = re.findall(rf"n = ({NUMBER}) at d = ({NUMBER})", headline)
    for size, dimension in named:
        row, column = d.index(value(dimension)), n.index(value(size))
        assert hits[row, column:][known[row, column:]].all()
        assert hits[row, column]
        assert not hits[row, :column][known[row, :column]][-1:].any()
    assert [value(dimension) for _, dimension in named] == sorted(value(dimension) for _, dimension in named)
    if "every cell" in headline:
        assert hits[known].all()
    elif "no cell" in headline:
        assert not hits[known].any()
    else:
        assert named or not headline


@case(phase_map)
def _(draw):
    d, n, measure = [5, 10, 20], [10, 100, 1000], one_of(draw, "alignment", "ratio")
    values = numbers(
        draw, 9, (0.0, 0.2, 0.5, 0.8, 1.0, math.nan) if measure == "alignment" else (0.1, 1.0, 3.0, math.nan)
    )
    values = np.minimum(values, 1).reshape(3, 3) if measure == "alignment" else np.maximum(values, 0.01).reshape(3, 3)
    picture = phase_map(d, n, {"alignment": values, "ratio": values}, theme=LOOK, measure=measure)
    turns = []
    for size, row in zip(d, values, strict=True):
        known = [
            (m, one > 0.5 if measure == "alignment" else one < 1) for m, one in zip(n, row, strict=True) if one == one
        ]
        starts = [i for i in range(1, len(known)) if all(hit for _, hit in known[i:]) and not known[i - 1][1]]
        turns += [math.log(known[i][0]) / math.log(size) for i in starts]
    if turns:
        says("In # of # rows", picture.alt, len(turns), 3)
        says("near n = d to the power #", picture.alt, np.mean(turns), decimals=1)
    else:
        assert "no row" in picture.alt or np.isnan(values).all()
    assert ("on average" in picture.alt) == (len(turns) > 1)
    judge_map_headline(picture.headline, d, n, values, measure)
    return picture


@case(needed_samples)
def _(draw):
    d, n, level = [5, 10, 20, 40], [10, 100, 1000], one_of(draw, *LEVELS)
    maps = {name: numbers(draw, 12, (0.0, 0.2, 0.6, 0.9, math.nan)).reshape(4, 3) for name in ("alignment", "ntk")}
    found = {name: by["half" if name == "alignment" else level] for name, by in growths(d, n, maps, 1.0).items()}
    picture = needed_samples(found, level, n, d, theme=LOOK, degree=4)
    for name, what in (("alignment", "alignment ½"), ("ntk", f"{SHARES[level]} of the zero risk for NTK")):
        one = found[name]
        known = {size: need for size, need in one.needed.items() if need is not None}
        if len(known) > 2:
            slope = np.polyfit(np.log(list(known)), np.log(list(known.values())), 1)[0]
            told = rf"{what} like d to the power ([−0-9.]+) ± [0-9.]+ over {len(known)} dim"
            (text,) = re.findall(told, picture.alt)
            assert abs(value(text) - slope) < 0.006
        else:
            assert f"{what} {'nowhere' if one.beyond and not known else 'at too few'}" in picture.alt
    assert bool(picture.headline) == (found["ntk"].slope is not None)
    headline = picture.headline
    assert not headline or f"like d{with_decimals(found['ntk'].slope, 2)} ±" in headline
    return picture
