"""What the cases of `picture_cases/` share: numbers that no template expects, and how a case is registered."""

import re

import numpy as np
from alt_claims import NUMBER, goes, reads, value
from hypothesis import strategies as st

from featdash.figures.picture import METHODS, Theme
from featdash.lessons.shared.frames import ErrorCurve

LOOK = Theme()
CASES = {}
MODEST = (0.0, 1e-12, 1e-5, 0.0004, 0.00051, 0.05, 0.0512, 0.5, 0.99951, 1.0, 1.0, 2.5, 999.7, 12345.6, 1e7)
EXTREME = (*MODEST, 1e-300, 1e300)


def case(function):
    """Registers how a picture is drawn and judged."""

    def register(judge):
        CASES[function] = judge
        return judge

    return register


def numbers(draw, count, pool=MODEST):
    """Curves of all shapes: constant, rising, falling, with ties, of any magnitude."""
    drawn = draw(st.lists(st.sampled_from(pool) | st.floats(1e-6, 10), min_size=count, max_size=count))
    shape = draw(st.sampled_from(("any", "any", "constant", "rising", "falling")))
    if shape == "constant":
        return np.full(count, drawn[0] if count else 0.0)
    ordered = {"any": drawn, "rising": sorted(drawn), "falling": sorted(drawn, reverse=True)}[shape]
    return np.array(ordered, float)


def positive(draw, count, pool=MODEST):
    return np.maximum(numbers(draw, count, pool), 1e-12)


def signed(draw, count, pool=MODEST):
    return (
        numbers(draw, count, pool)
        * draw(st.sampled_from((1, -1)))
        * np.resize([1, draw(st.sampled_from((1, -1)))], count)
    )


def some(draw, names, least=0, most=4):
    return draw(st.lists(st.sampled_from(list(names)), unique=True, min_size=least, max_size=most))


def one_of(draw, *values):
    return draw(st.sampled_from(values))


def sizes(draw, least=1, most=4, start=10):
    count = draw(st.integers(least, most))
    return [start * 10**power for power in range(count)]


def layer(draw, rank=2, count=5):
    points = signed(draw, 2 * count, (0.0, 0.5, 1.0)).reshape(count, 2)
    stars = np.eye(2)[:rank]
    panel = {"points": points, "stars": np.vstack([stars, -stars]), "stress": positive(draw, 1)[0]}
    panel |= {"points_folded": points, "stars_folded": stars, "stress_folded": 0.1}
    panel |= {"share": np.array([draw(st.floats(0, 1)) for _ in range(count)]), "sign": np.resize([1, -1], count)}
    cosine = draw(st.sampled_from((0.0, 0.2, 0.20001, 1.0)) | st.floats(0, 1))
    edges = np.linspace(-1, 1, 5)
    panel |= {"histogram": np.resize([0, 3], 4), "edges": edges, "median_abs_cos": cosine}
    panel |= {"star": np.resize([1, -1, 0], count), "dead_count": draw(st.integers(0, 2))}
    angles = sorted(
        draw(st.lists(st.sampled_from((0.0, 1e-6, 89.99, 90.0)) | st.floats(0, 90), min_size=rank, max_size=rank))
    )
    panel["alignment"] = draw(st.floats(0, 1))
    return panel | {"overlap": np.full((rank, rank + 1), 0.3), "angles": np.array(angles)}


def errors_by_dimension(draw, dims, least=1):
    curves = {}
    for name in some(draw, METHODS):
        count = draw(st.integers(least, len(dims)))
        error = numbers(draw, count, EXTREME)
        curves[name] = ErrorCurve(np.array(dims[:count]), error, error / 2, error)
    return curves


def judge_course(text, first, last):
    """«rises from a to b», «falls from a to b» or «stays at a» is what two numbers do."""
    verb = re.search(r"\b(rises|falls|stays)\b", text)[1]
    assert goes(verb, first, last), text
    found = re.search(rf"{verb} (?:from|at) ({NUMBER})(?:(?! from ).*? to ({NUMBER}))?", text)
    assert verb == "stays" or found[2], text
    assert reads(found[1], first)
    if verb != "stays":
        assert reads(found[2], last)


def seeded(draw, names):
    rows = []
    for name in names:
        for n in sizes(draw):
            spread = one_of(draw, None, 0.01)
            rows.append(
                {
                    "method": name,
                    "n": n,
                    "mean": positive(draw, 1, EXTREME)[0],
                    "std": spread,
                    "seeds": 1 if spread is None else 3,
                }
            )
    return rows


def judge_halvings(headline, curves, zero=1.0):
    """Who is said to halve the error by some size is below the half from there on, and not just before."""
    told, late = 0, headline.partition("not yet (")[2]
    for name, points in curves.items():
        found = re.search(rf"({NUMBER}) \({re.escape(name)}\)", headline)
        last = points[-1][1] < zero / 2
        if found:
            told += 1
            size = value(found[1])
            assert size in [n for n, _ in points]
            assert all(risk < zero / 2 for n, risk in points if n >= size)
            before = [risk for n, risk in points if n < size]
            assert not before or not before[-1] < zero / 2
        assert not last or found or len(headline) > 50
        assert not last or name not in late.partition(")")[0].split(", ")
    assert told or not curves or "not halved yet" in headline
    assert "not halved yet" not in headline or not any(points[-1][1] < zero / 2 for points in curves.values())


def shares(draw, count, columns):
    return np.stack([numbers(draw, count, (0.0, 0.49, 0.5, 0.51, 1.0, 1.2)) for _ in range(columns)], axis=1)
