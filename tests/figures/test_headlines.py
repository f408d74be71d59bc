"""The headlines that several pictures share, and that of an ablation, are true of any numbers."""

import math
import re

import numpy as np
import pytest
from alt_claims import NUMBER, heads_well, quoted, value
from hypothesis import given, settings
from hypothesis import strategies as st
from picture_case import errors_by_dimension

from featdash.lessons.ablation.pictures import VARIANTS, headline
from featdash.lessons.dimension.pictures import errors_at_end, errors_growth
from featdash.lessons.shared.pictures.errors import FLOOR, short
from featdash.lessons.shared.pictures.headlines import gradients_headline, shorten

DIMS = [4, 10, 30, 100]
some_numbers = settings(derandomize=True, database=None, deadline=None, max_examples=60)


def close(text, true):
    """Two digits of a number."""
    return value(text) == true or abs(value(text) - true) <= 0.06 * abs(true)


@some_numbers
@given(st.data())
def test_the_errors_are_those_of_the_largest_dimension_that_all_have(data):
    curves = errors_by_dimension(data.draw, DIMS)
    told = errors_at_end(curves)
    heads_well(told)
    assert bool(told) == bool(curves)
    if not curves:
        return
    last = min(curve.d[-1] for curve in curves.values())
    ends = {short(name): curve.error[curve.d.tolist().index(last)] for name, curve in curves.items()}
    assert close(quoted("at d = #", told)[0], last)
    if told.startswith("Lowest"):
        name, text = re.fullmatch(rf".*?: (.*) ({NUMBER})", told).groups()
        assert ends[name] == min(ends.values())
        assert close(text, ends[name])
        return
    for name, error in ends.items():
        assert close(quoted(f"{name} #", told)[0], error)


@some_numbers
@given(st.data())
def test_the_growth_spans_the_methods(data):
    curves = errors_by_dimension(data.draw, DIMS)
    told = errors_growth(curves)
    heads_well(told)
    whole = bool(curves) and len({curve.d[-1] for curve in curves.values()}) == 1
    assert bool(told) == (whole and all(len(curve.d) > 1 for curve in curves.values()))
    if told:
        factors = [max(curve.error[-1], FLOOR) / max(curve.error[0], FLOOR) for curve in curves.values()]
        texts = re.search(rf"factor of ({NUMBER})(?: to ({NUMBER}))?$", told).groups()
        assert close(texts[0], min(factors))
        assert close(texts[1] or texts[0], max(factors))
        assert ("grow" in told) == (min(factors) > 1)


@some_numbers
@given(st.sampled_from(list(VARIANTS)), st.lists(st.floats(0, 1e9) | st.just(1e300), min_size=2, max_size=2))
def test_a_variant_stands_beside_the_intact_algorithm(chosen, risks):
    rows = {"intact": (risks[0], 0.93), chosen: (risks[0] if chosen == "intact" else risks[1], 0.125)}
    variants = {name: {"excess_risk": risk, "alignment": aligned} for name, (risk, aligned) in rows.items()}
    told = headline(variants, chosen)
    heads_well(told)
    if chosen == "intact":
        assert close(quoted("excess risk #", told)[0], risks[0])
    else:
        assert VARIANTS[chosen].label in told
        ended, intact = quoted("excess risk # instead of #", told)
        assert close(ended, risks[1])
        assert close(intact, risks[0])


def test_nothing_is_said_where_nothing_is_known():
    assert headline({}, "intact") == ""
    assert errors_at_end({}) == errors_growth({}) == ""
    assert gradients_headline(np.zeros((2, 1)), np.zeros((2, 1)), 100) == ""
    assert shorten("x" * 91, "y" * 91) == ""


@pytest.mark.parametrize(
    ("seen", "words"), [(1.1, "10\N{NO-BREAK SPACE}% off"), (3.0, "noise as large"), (math.nan, "noise as large")]
)
def test_gradients_are_off_by_a_share_of_their_size(seen, words):
    assert words in gradients_headline(np.ones((2, 1)), np.full((2, 1), seen), 100)
