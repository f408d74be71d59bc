"""The pictures of `width`."""

import re

from alt_claims import NUMBER, names_the_lowest, reads, says, says_each, value
from hypothesis import strategies as st
from picture_case import EXTREME, LOOK, case, one_of, positive, sizes, some

from featdash.figures.picture import METHODS
from featdash.lessons.width.pictures import risk_against_weights, risk_against_width


def widened(draw, names):
    rows = []
    for name in names:
        for width in sizes(draw, start=4):
            std = one_of(draw, None, 0.01)
            row = {"method": name, "width": width, "weights": width // 2, "std": std, "seeds": 1 if std is None else 3}
            rows.append(row | {"mean": positive(draw, 1, EXTREME)[0]})
    return rows


@case(risk_against_width)
def _(draw):
    rows = widened(draw, some(draw, METHODS))
    corners = {"ntk": [(4, 1.0), (40, 1.0), (40, 0.5), (4000, 0.5)]}
    stairs = one_of(draw, None, corners)
    picture = risk_against_width(rows, (4, 40, 400, 4000), theme=LOOK, stairs=stairs, log=draw(st.booleans()))
    if not rows:
        assert "No width" in picture.alt
        assert picture.headline == ""
        return picture
    widest = max(row["width"] for row in rows)
    values = {METHODS[row["method"]].label: row["mean"] for row in rows if row["width"] == widest}
    first = picture.alt.partition(". Algorithm 1 ")[0].removesuffix(".") + "."
    says("At width # the", first, widest)
    says_each(first, values)
    names_the_lowest(first, values)
    judge_overtaking(picture.headline, rows)
    assert picture.headline in picture.alt
    return picture


def judge_overtaking(headline, rows):
    """Who is named is the best at the widest of each other method, and from that width on all bands are apart."""
    ours = {row["width"]: row["mean"] + (row["std"] or 0) for row in rows if row["method"] == "algorithm1"}
    ends = {}
    for row in rows:
        if row["method"] != "algorithm1" and row["width"] >= ends.get(row["method"], row)["width"]:
            ends[row["method"]] = row
    assert bool(headline) == bool(ours and ends)
    if not headline:
        return
    label, width = re.search(rf"below the (.*) with ({NUMBER}) neurons", headline).groups()
    (rival,) = (row for row in ends.values() if METHODS[row["method"]].label == label)
    assert rival["mean"] == min(row["mean"] for row in ends.values())
    assert value(width) == rival["width"]
    limit = rival["mean"] - (rival["std"] or 0)
    below = [m for m in ours if all(high < limit for other, high in ours.items() if other >= m)]
    assert ("not clearly" in headline) == (not below)
    if below:
        says("With # neurons or more", headline, min(below))


@case(risk_against_weights)
def _(draw):
    rows = widened(draw, some(draw, METHODS))
    picture = risk_against_weights(rows, (2, 20, 2000), theme=LOOK, log=draw(st.booleans()))
    assert ("No width" in picture.alt) == (not rows)
    for name in {row["method"] for row in rows}:
        mine = [row for row in rows if row["method"] == name]
        least = min(row["mean"] for row in mine)
        label = METHODS[name].label
        texts = re.findall(rf"(?:there: |, )({NUMBER}) for {label} with ({NUMBER})(?=[,.])", picture.alt)
        assert len(texts) == 1
        assert reads(texts[0][0], least, 3)
        assert value(texts[0][1]) in [row["weights"] for row in mine if row["mean"] == least]
    return picture
