"""The pictures of `transfer`."""

import re

from alt_claims import NUMBER, names_the_lowest, near, quoted, reads, says, says_each, value
from hypothesis import strategies as st
from picture_case import EXTREME, LOOK, case, judge_course, judge_halvings, positive, seeded, sizes, some

from featdash.lessons.transfer.pictures import bench_curves, transfer_panels


@case(transfer_panels)
def _(draw):
    ns, Ns = sizes(draw), sizes(draw)
    grid = [(n, N) for n in ns for N in Ns]
    means = positive(draw, len(grid), EXTREME)
    rows = [
        {"method": "transfer", "n": n, "N": N, "mean": mean, "std": None, "seeds": 1}
        for (n, N), mean in zip(grid, means, strict=True)
    ][: draw(st.integers(0, len(grid)))]
    picture = transfer_panels(rows, ns, Ns, 10, theme=LOOK, log=draw(st.booleans()))
    if not rows:
        return picture
    text, n, N = quoted("new target is #, at n = # and N = #", picture.alt)
    best = min(row["mean"] for row in rows)
    assert reads(text, best)
    assert any(near(row["mean"], best) for row in rows if (row["n"], row["N"]) == (value(n), value(N)))
    for along, other in (("n", "N"), ("N", "n")):
        most = max(row[other] for row in rows)
        line = sorted((row for row in rows if row[other] == most), key=lambda row: row[along])
        part = re.search(rf"with {other} = {NUMBER} it (.*?)(?:;|\.$)", picture.alt)
        assert bool(part) == (len(line) > 1)
        if part:
            judge_course(part[1], line[0]["mean"], line[-1]["mean"])
        if along == "n":
            assert bool(picture.headline) == (len(line) > 1)
            if picture.headline:
                says("With N = # the error", picture.headline, most)
                judge_course(picture.headline.partition("the error ")[2], line[0]["mean"], line[-1]["mean"])
    return picture


@case(bench_curves)
def _(draw):
    rows = [row | {"N": row["n"], "n": 100} for row in seeded(draw, some(draw, ("transfer", "algorithm1"), most=2))]
    picture = bench_curves(rows, (10, 100, 1000, 10_000), 100, 10, theme=LOOK, log=draw(st.booleans()))
    names = {"transfer": "frozen layer from n = 100, new head", "algorithm1": "Algorithm 1 from scratch"}
    shared = set.intersection(*({row["N"] for row in rows if row["method"] == name} for name in names))
    if shared:
        values = {names[row["method"]]: row["mean"] for row in rows if row["N"] == max(shared)}
        says_each(picture.alt, values)
        names_the_lowest(picture.alt, values)
    assert ("no point in common" in picture.alt) == (not shared)
    short = {"transfer": "frozen layer", "algorithm1": "from scratch"}
    curves = {
        label: [(row["N"], row["mean"]) for row in rows if row["method"] == name] for name, label in short.items()
    }
    judge_halvings(picture.headline, {name: points for name, points in curves.items() if points})
    return picture
