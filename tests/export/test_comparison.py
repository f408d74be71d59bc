"""Two summaries beside each other: what agrees, what differs, what is left out."""

from featdash.export.comparison import MOST, comparison

SHOWN = {"methods": {"ntk": {"risk": 0.5, "seconds": 1.0}}, "list": [1, {"N": 3}], "name": "x", "flag": True}


def test_equal_summaries_agree_whatever_their_times():
    here = {"methods": {"ntk": {"risk": 0.5 * (1 + 1e-9), "seconds": 9.0}}, "list": [1, {"N": 3}], "name": "y"}
    assert comparison(here, SHOWN) == "All 3 numbers agree with the page's."


def test_a_difference_is_named_with_its_place():
    here = {"methods": {"ntk": {"risk": 0.51}}, "list": [1, {"N": 3}]}
    told = comparison(here, SHOWN).splitlines()
    assert told[0].startswith("1 of 3 numbers differ.")
    assert told[1:] == ["methods.ntk.risk: 0.51 here, 0.5 on the page"]


def test_a_number_that_is_missing_on_either_side_is_a_difference():
    assert "list.1.N: None here, 3 on the page" in comparison({"list": [1, {}]}, SHOWN)
    assert "more: 7 here, None on the page" in comparison({**SHOWN, "more": 7}, SHOWN)


def test_many_differences_are_counted():
    told = comparison({"list": [0] * 100}, {"list": [1] * 100})
    assert told.count("\n") == MOST + 1
    assert told.endswith(f"and {100 - MOST} more")
