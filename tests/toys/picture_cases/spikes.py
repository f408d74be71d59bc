"""The pictures of `spikes`."""

import re
from dataclasses import replace

import numpy as np
from alt_claims import NUMBER, near, reads, says, value
from hypothesis import strategies as st
from picture_case import LOOK, case, one_of, positive

from featdash.figures.text import number
from featdash.lessons.spikes.frames import DirectionFrame, FeatureFrame
from featdash.lessons.spikes.pictures import correlations, feature_spectrum, second_direction, spike_course


def feature_frame(draw):
    """Values, an edge and correlations of any kind."""
    values = np.sort(positive(draw, 8))[::-1]
    return FeatureFrame(
        values, float(positive(draw, 1)[0]), np.array([[draw(st.floats(0, 1)) for _ in range(4)] for _ in range(3)])
    )


@case(feature_spectrum)
def _(draw):
    frame, alpha = feature_frame(draw), one_of(draw, 0.0, 0.05, 0.5)
    larger = replace(frame, values=frame.values * one_of(draw, 1, 3))
    picture = feature_spectrum(frame, alpha, [frame, larger], theme=LOOK)
    out = sum(one > 1.05 * frame.edge for one in frame.values)
    lie = {0: "no singular values lie", 1: "one singular value lies"}.get(out, f"{out} singular values lie")
    assert lie in picture.alt
    says("edge of the bulk, #", picture.alt, frame.edge, decimals=None)
    says("a correlation of # with", picture.alt, frame.correlation[0, 0], decimals=2)
    limit, bars = 1.05 * frame.edge, picture.figure.data[0]
    if limit > bars.width:
        assert sum(many for place, many in zip(bars.x, bars.y, strict=True) if place > limit) == out
    leave = {0: "no spikes leave", 1: "one spike leaves"}.get(out, f"{out} spikes leave")
    assert picture.headline == f"With α = {number(alpha)}, {leave} the bulk"
    return picture


@case(spike_course)
def _(draw):
    alphas = [0.0, 0.05, 0.3, 0.5][: draw(st.integers(1, 4))]
    frames = [feature_frame(draw) for _ in alphas]
    picture = spike_course(alphas, frames, theme=LOOK, at=one_of(draw, None, 0.0))
    counts = [sum(one > 1.05 * frame.edge for one in frame.values) for frame in frames]

    def start(least):
        good = [alpha for index, alpha in enumerate(alphas) if min(counts[index:]) >= least]
        return good[0] if good else None

    assert {0: "are no spikes", 1: "is one spike"}.get(counts[-1], f"are {counts[-1]} spikes") in picture.alt
    for least, word in ((1, "one spike"), (2, "two")):
        if start(least) is None:
            assert f"not yet {word} for good" in picture.alt
        else:
            says(f"{word} from α = # on", picture.alt, start(least))
    spoken = [value(one) for one in re.findall(rf"from (?:α = )?({NUMBER}) on", picture.headline)]
    assert spoken == [one for one in (start(1), start(2)) if one is not None]
    assert spoken or "No spike" in picture.headline
    return picture


@case(correlations)
def _(draw):
    frame = feature_frame(draw)
    picture = correlations(frame, 0.35, theme=LOOK)
    for row, told in zip(frame.correlation, picture.alt.split(", vector"), strict=True):
        degree, size = re.search(rf"nearest to He(.)\(z\), with ({NUMBER})", told).groups()
        assert near(row["₁₂₃₄".index(degree)], row.max())
        assert reads(size, row.max(), 2)
    return picture


@case(second_direction)
def _(draw):
    sizes = [100, 178, 10_000, 31_623][: draw(st.integers(1, 4))]
    rows = [DirectionFrame(*(draw(st.floats(0, 1)) for _ in range(2)), 1.0) for _ in sizes]
    picture = second_direction(sizes, rows, 100, theme=LOOK)
    last = rows[-1].together, rows[-1].single
    says("With n = # the cosine", picture.alt, sizes[-1])
    says("# for all neurons together and # for one", picture.alt, *last, decimals=2)
    says("all neurons #, one neuron #", picture.headline, *last, decimals=2)
    return picture
