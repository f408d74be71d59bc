"""The pictures of `degenerate`."""

import re

import numpy as np
from alt_claims import says
from hypothesis import strategies as st
from picture_case import LOOK, case, numbers, one_of, some

from featdash.figures.picture import METHODS
from featdash.lessons.degenerate import pictures as degenerate


def tables(draw, d, n):
    values = numbers(draw, 2 * len(d) * len(n)).reshape(2, len(d), len(n))
    kept = draw(st.integers(0, len(n)))
    values[:, one_of(draw, 0, -1), kept:] = np.nan
    if draw(st.booleans()):
        values[1] = np.nan
    return values


def ends_of(table):
    """Mean of the repeats at the last n with any, in each dimension; None without."""
    for column in range(table.shape[1]):
        known = [row[np.isfinite(row)].mean() for row in table[:, column].T if np.isfinite(row).any()]
        yield known[-1] if known else None


def says_ends(alt, d, named):
    """Each curve's part of the sentence has its numbers; curves without any are not named."""
    for name, table in named.items():
        ends = list(ends_of(table))
        longer = [re.escape(other.removeprefix(name)) for other in named if other.startswith(f"{name} ")]
        other = f"(?!{'|'.join(longer)})" if longer else ""
        part = re.search(rf"(?:: |; ){re.escape(name)}{other} ([^;]*?)(?:;|\.$)", alt)
        assert bool(part) == any(end is not None for end in ends), (name, alt)
        for size, end in zip(d, ends, strict=True) if part else ():
            if end is None:
                assert f"d = {size}" not in part[1]
            else:
                says(f"# at d = {size}", part[1], end)


@case(degenerate.failure_risks)
def _(draw):
    d, n = [10, 20], [300, 1000]
    risks = {name: tables(draw, d, n) for name in some(draw, METHODS)}
    rescue = one_of(draw, None, tables(draw, d, n))
    picture = degenerate.failure_risks(d, n, risks, one_of(draw, [], [31.6, 89.4]), rescue, theme=LOOK)
    named = {METHODS[name].label: table for name, table in risks.items()}
    says_ends(picture.alt, d, named | ({} if rescue is None else {"Algorithm 1 on the rescue": rescue}))
    ends = {label: list(ends_of(table)) for label, table in named.items()}
    begun = [index for index in range(len(d)) if any(values[index] is not None for values in ends.values())]
    assert bool(picture.headline) == bool(begun)
    if begun:
        at_ends = sorted({begun[0], begun[-1]})
        best_ones = re.findall(r"\((.*?)\)", picture.headline)
        best_ones = best_ones * len(at_ends) if len(best_ones) == 1 else best_ones
        for place, best in zip(at_ends, best_ones, strict=True):
            known = {label: values[place] for label, values in ends.items() if values[place] is not None}
            says(f"# at d = {d[place]}", picture.headline, min(known.values()), decimals=2)
            assert known[best] == min(known.values())
        saved = [] if rescue is None else [list(ends_of(rescue))[place] for place in at_ends]
        if "rescue" in picture.headline:
            says(f"on the rescue {' and '.join('#' * len(saved))}", picture.headline, *saved, decimals=2)
        else:
            assert not saved or None in saved or len(picture.headline) > 50
    return picture


@case(degenerate.failure_alignment)
def _(draw):
    d, n = [10, 20], [300, 1000]
    ours, noise = tables(draw, d, n), tables(draw, d, n)
    picture = degenerate.failure_alignment(d, n, ours, noise, [0.1, 0.05], theme=LOOK)
    says_ends(picture.alt, d, {"Algorithm 1": ours, "random signs: noise alone": noise})
    return picture


@case(degenerate.gradient_against_noise)
def _(draw):
    d, n, noise = [10, 20], [300, 1000], tables(draw, [10, 20], [300, 1000])
    population = numbers(draw, 2)
    picture = degenerate.gradient_against_noise(d, n, noise, population, theme=LOOK)
    first, second = picture.alt.split("; ")
    assert ("exactly zero" in first) == (not population.any())
    for size, level, end in zip(d, population, ends_of(noise), strict=True):
        if population.any():
            says(f"# at d = {size}", first, level)
        if end is not None:
            says(f"# at d = {size}", second, end)
        assert (end is not None) == (f"d = {size}" in second)
    return picture
