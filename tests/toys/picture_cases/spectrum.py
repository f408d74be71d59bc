"""The pictures of `spectrum`."""

import numpy as np
from alt_claims import quoted, says, value
from hypothesis import strategies as st
from picture_case import LOOK, case, positive, sizes

from featdash.lessons.spectrum.frames import SpectrumFrame
from featdash.lessons.spectrum.pictures import spectrum_course, spike_and_bulk


@case(spike_and_bulk)
def _(draw):
    values = np.sort(positive(draw, 5))[::-1]
    share = np.array([draw(st.sampled_from((0.0, 0.9999, 1.0)) | st.floats(0, 1)) for _ in values])
    edge, shuffled = positive(draw, 2)
    null = positive(draw, 10).reshape(2, 5)
    picture = spike_and_bulk(
        SpectrumFrame(values, share, null, edge, shuffled), theme=LOOK, samples=100, reach=(1e-3, 1e3)
    )
    out, beyond = (int(np.sum(values > limit)) for limit in (edge, shuffled))
    counts = {0: "no singular values lie", 1: "one singular value lies"}
    assert counts.get(out, f"{out} singular values lie") in picture.alt
    assert {0: "none lies", 1: "one lies"}.get(beyond, f"{beyond} lie") + " beyond that of shuffled" in picture.alt
    says("edge of the bulk, #", picture.alt, edge, decimals=None)
    says("shuffled labels, #", picture.alt, shuffled, decimals=None)
    assert f"{ {0: 'no directions stand', 1: 'one direction stands'}.get(out, f'{out} directions stand') } out" in (
        picture.headline
    )
    if out:
        least = value(quoted("at least #", picture.alt)[0])
        assert 0 <= share[values > edge].min() - least < 0.00101
    return picture


@case(spectrum_course)
def _(draw):
    n, rank = sizes(draw), draw(st.integers(0, 3))
    values = np.sort(positive(draw, 5 * len(n)).reshape(len(n), 5), axis=1)[:, ::-1]
    edge = positive(draw, len(n))
    picture = spectrum_course(n, values, edge, edge / 2, theme=LOOK, rank=rank)
    out = np.sum(values > edge[:, None], axis=1)
    first, second = picture.alt.split("; ")
    counts = {0: "no singular values lie", 1: "one singular value lies"}
    assert counts.get(out[-1], f"{out[-1]} singular values lie") in first
    if not rank:
        assert "none" in second
    elif out[-1] >= rank:
        (since,) = quoted("out from n = # on", second)
        row = n.index(value(since))
        assert (out[row:] >= rank).all()
        assert row == 0 or out[row - 1] < rank
    else:
        assert "not out at the largest n" in second
    return picture
