"""The pictures of `sweep`."""

from alt_claims import names_the_lowest, says, says_each
from hypothesis import strategies as st
from picture_case import LOOK, case, judge_halvings, seeded, some

from featdash.figures.picture import METHODS
from featdash.lessons.sweep.pictures import risk_against_samples


@case(risk_against_samples)
def _(draw):
    rows = [row | {"width": width} for width in (10, 100) for row in seeded(draw, some(draw, METHODS))]
    log = draw(st.booleans())
    picture = risk_against_samples(rows, (10, 100), (10, 100, 1000, 10_000), 10, theme=LOOK, log=log)
    if not rows:
        assert "No point" in picture.alt
        assert picture.headline == ""
        return picture
    width = max(row["width"] for row in rows)
    most = max(row["n"] for row in rows if row["width"] == width)
    values = {METHODS[row["method"]].label: row["mean"] for row in rows if (row["width"], row["n"]) == (width, most)}
    curves = {}
    for row in (row for row in rows if row["width"] == width):
        curves.setdefault(METHODS[row["method"]].label, []).append((row["n"], row["mean"]))
    says("Width #: ", picture.headline, width)
    judge_halvings(picture.headline, curves)
    says("At width # and n = # the", picture.alt, width, most)
    says_each(picture.alt, values)
    names_the_lowest(picture.alt, values)
    return picture
