"""What the «Try» buttons of «Look twice» promise, checked on the runs that they show."""

import pytest
from trial_runs import expects, run_of


def summary(label=""):
    return run_of("repetition", label).summary


@expects("repetition", "A first look that fits the sample: ρ·d = 1")
def test_a_first_look_that_fits_leaves_nothing_for_the_second():
    found = summary("A first look that fits the sample: ρ·d = 1")["overlap"]
    assert max(found["twice"].values()) < 0.4
    assert found["twice"]["128"] == pytest.approx(0.13, abs=0.005)
    assert list(found["tanh_twice"].values()) == pytest.approx([0.6] * 3, abs=0.05)


@expects("repetition", "Label noise 1")
def test_two_looks_survive_noise():
    found = summary("Label noise 1")["overlap"]
    assert all(0.6 - 0.05 <= value <= 0.7 + 0.05 for value in found["twice"].values())
    assert list(found["tanh_twice"].values()) == pytest.approx([0.97] * 3, abs=0.006)


@expects("repetition", "One look, with the same γ·d in all dimensions")
def test_with_the_same_step_one_look_does_not_collapse():
    found = summary("One look, with the same γ·d in all dimensions")["half"]["tanh_once"]
    assert [found[d]["over_d2"] for d in ("32", "64", "128")] == pytest.approx([7, 4, 3], abs=0.5)


@expects("repetition", "An even target: He₄/√24")
def test_an_even_target_shows_nothing_at_a_right_angle():
    found = summary("An even target: He₄/√24")
    assert max(abs(drift) for drift in found["drift"].values()) < 1e-9
    assert max(max(by.values()) for by in found["overlap"].values()) < 0.25
    assert max(max(by.values()) for by in found["long_overlap"].values()) < 0.25


def test_the_lesson_opens_on_three_findings():
    found = summary()
    assert found["half"]["once"] == {d: {"over_d": None, "over_d2": None} for d in ("32", "64", "128")}
    assert max(found["long_overlap"]["once"].values()) < 0.25
    squares = [found["half"]["tanh_once"][d]["over_d2"] for d in ("64", "128")]
    assert all(3 < one < 6 for one in squares)
    for name in ("twice", "tanh_twice"):
        linear = [one["over_d"] for one in found["half"][name].values()]
        assert max(linear) < 1.25 * min(linear)
    assert found["drift"]["once"] == pytest.approx(0, abs=1e-12)
    assert found["drift"]["twice"] == pytest.approx(-0.042, abs=0.001)
