"""Places in a run's summary."""

import pytest

from featdash.recipes.claim import value_at


def test_a_path_that_leads_nowhere_is_one_sentence():
    rows = {"rows": [{"n": 1, "mean": 2.0}, {"n": 1, "mean": 3.0}], "name": "x"}
    assert value_at(rows, "rows.1.mean") == 3
    for path, said in (("rows[n=1].mean", "chooses 2"), ("row.0", "row is not"), ("name", "lead to a number")):
        with pytest.raises(ValueError, match=said):
            value_at(rows, path)
