"""What the «Try» buttons of «Look twice» promise, checked on the runs that they show."""

import numpy as np
import pytest
from trial_runs import PARTS, expects, run_of

from featdash.runs.codec import read_archive
from featdash.runs.recording import recorded_path


def overlaps(label):
    return run_of("repetition", label).summary["overlap"]


@expects("repetition", "A first look that fits the sample: ρ·d = 1")
def test_a_first_look_that_fits_leaves_nothing_for_the_second():
    found = overlaps("A first look that fits the sample: ρ·d = 1")
    assert max(found["twice"].values()) < 0.3
    assert found["twice"]["256"] <= found["once"]["256"]


@expects("repetition", "Label noise 1")
def test_two_looks_survive_noise():
    found = overlaps("Label noise 1")
    assert list(found["twice"].values()) == pytest.approx([0.6] * 3, abs=0.05)


@expects("repetition", "An even target: He₄/√24")
def test_an_even_target_shows_nothing_at_a_right_angle():
    summary = run_of("repetition", "An even target: He₄/√24").summary
    assert max(abs(drift) for drift in summary["drift"].values()) < 1e-9
    assert max(max(by.values()) for by in summary["overlap"].values()) < 0.2


def test_the_lesson_opens_on_two_looks_that_do_not_depend_on_d():
    spec = PARTS["repetition"].experiment.spec()
    summary = read_archive(recorded_path("repetition", spec), shipped=True).result.summary
    once, twice = (np.array([summary["overlap"][name][str(d)] for d in spec.dims]) for name in ("once", "twice"))
    assert twice == pytest.approx(0.73, abs=0.03)
    assert np.all(once < 0.2)
    assert summary["drift"]["once"] == pytest.approx(0, abs=1e-12)
    assert summary["drift"]["twice"] == pytest.approx(-0.042, abs=0.001)
