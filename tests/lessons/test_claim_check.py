"""The measured claims at another seed: what is outside its range is listed, each run is carried out once."""

import pytest

from featdash import claim_check
from featdash.__main__ import main
from featdash.claim_check import at_seed, measurements, outliers
from featdash.lessons import EXPERIMENTS
from featdash.recipes.claim import Claim, Figure
from featdash.recipes.spec import Spec
from featdash.runs.execution import Outcome, perform

TINY = {"dims": (4,), "time": 1, "runs": 2}  # milliseconds, without torch
SIDE = {**TINY, "rho": 0.4}


def claim(stated, path="overlap.once.4", settings=TINY):
    return Claim("measured", "It is {}.", "Seeds 0 to 5.", settings, (Figure(path, stated),))


@pytest.fixture
def claims(monkeypatch):
    """Gives the lesson «Look twice» these claims, and every other one none."""

    def give(*of):
        monkeypatch.setattr(claim_check, "claims_of", lambda name: of if name == "repetition" else ())

    return give


def test_a_figure_in_its_range_is_not_listed(claims, capsys):
    claims(claim("0 to 1"))
    assert main(["claims", "--seed", "3"]) == 0
    assert capsys.readouterr().out == "0 of 1 figures outside their range at seed 3\n"


def test_a_figure_outside_is_listed_with_what_was_found_at_that_seed(claims, capsys):
    claims(claim("0 to 1"), claim("2 to 3"))
    assert main(["claims", "--seed", "3", "--lesson", "repetition"]) == 1
    listed, total = capsys.readouterr().out.splitlines()
    assert total == "1 of 2 figures outside their range at seed 3"
    assert listed.startswith("repetition: overlap.once.4: stated 2 to 3, found 0.")
    assert listed.endswith("«It is 2 to 3.»")
    assert main(["claims", "--seed", "4"]) == 1
    assert capsys.readouterr().out.splitlines()[0] != listed


def test_the_number_is_that_of_the_run_at_that_seed(claims):
    spec = EXPERIMENTS["repetition"].recipe({**TINY, "dims": [4], "seed": 5})
    found = claim_check.Runs().result("repetition", spec).summary["overlap"]["once"]["4"]
    claims(claim("2"))
    assert [one.value for one in outliers(measurements(5), str)] == [found]


def test_a_run_is_carried_out_once(claims, monkeypatch):
    carried_out = []

    def count(experiment, spec, *rest):
        carried_out.append(spec)
        return perform(experiment, spec, *rest)

    monkeypatch.setattr(claim_check, "perform", count)
    claims(claim("0 to 1"), claim("5"), claim("0 to 1", "overlap.twice.4"), claim("0 to 1", settings=SIDE))
    told = []
    assert len(list(outliers(measurements(1), told.append))) == 1
    assert len(carried_out) == len(set(carried_out)) == 2
    assert told == ["run 1 of 2: repetition", "run 2 of 2: repetition"]


def test_the_cells_of_two_sweeps_are_carried_out_once(monkeypatch):
    carried_out = []

    def count(experiment, spec, *rest):
        carried_out.append(spec)
        return perform(experiment, spec, *rest)

    monkeypatch.setattr(claim_check, "perform", count)
    small = {"d": 4, "n": [31], "widths": [4], "holdout": 100, "test": 100, "methods": ["algorithm1"]}
    runs, entry = claim_check.Runs(), EXPERIMENTS["sweep"]
    both = [runs.result("sweep", entry.recipe({**small, "seeds": seeds})).summary for seeds in ([0], [0, 1])]
    assert len(carried_out) == len(set(carried_out)) == 2
    assert [one["statistics"][0]["n"] for one in both] == [31, 31]


def test_a_place_that_is_not_in_the_summary_and_a_run_that_fails_are_listed(claims, monkeypatch):
    claims(claim("0 to 1", "overlap.thrice.4"))
    (lost,) = outliers(measurements(0), str)
    assert "thrice is not" in str(lost)
    monkeypatch.setattr(claim_check, "perform", lambda *_: Outcome("failed", error="no memory; lower n"))
    claims(claim("0 to 1"))
    (failed,) = outliers(measurements(0), str)
    assert "no memory; lower n" in str(failed)


def test_a_list_of_seeds_moves_past_itself():
    entry = EXPERIMENTS["sweep"]
    for seeds in ((0, 1, 2), (0, 7, 11)):
        spec = entry.recipe({"seeds": list(seeds)})
        lists = [at_seed(spec, seed).seeds for seed in range(5)]
        assert lists[0] == seeds
        assert len({one for each in lists for one in each}) == 15
    assert at_seed(entry.recipe({"seeds": [0, 1, 2]}), 4).seeds == (12, 13, 14)


def test_every_measured_claim_has_runs_at_the_largest_seed():
    largest = measurements(10**8)
    assert {one.experiment for one in largest} == {one.experiment for one in measurements(0)} > {"race", "own-data"}
    assert all(isinstance(one.spec, Spec) for one in largest)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--seed", "some"], "--seed must be a whole number from 0 to 1e+08, got 'some'"),
        (["--seed", "-1"], "--seed must be a whole number from 0"),
        (["--seed", "1.5"], "--seed must be a whole number from 0"),
        (["--seed", "NaN"], "--seed must be a whole number from 0"),
        (["--seed", "9" * 5000], "--seed must be a whole number from 0"),
        (["--seed", "1", "--lesson", "marathon"], "--lesson must be one of race, sweep"),
        (["--seed", "1", "--lesson", ""], "--lesson must be one of race, sweep"),
    ],
)
def test_a_bad_value_is_one_sentence(arguments, says, capsys):
    assert main(["claims", *arguments]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.startswith(f"featdash: {says}")
    assert shown.err.count("\n") == 1
