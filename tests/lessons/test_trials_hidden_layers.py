"""What the «Try» buttons of «Hidden layers in order» promise, checked on the runs that they show."""

import pytest
from trial_runs import expects, run_of


def errors_of(label=None):
    run = run_of("hidden-layers", label) if label else run_of("hidden-layers")
    return run.summary["errors"]


@expects("hidden-layers", "A wavier outer function: 0.6 q + sin 3q")
def test_a_wavier_outer_function_is_harder_for_all():
    errors = errors_of("A wavier outer function: 0.6 q + sin 3q")  # seeds 0, 7, 11: .28 .27 .27; .51 .49 .51
    assert errors["two"] == pytest.approx(0.28, abs=0.005)
    assert 0.47 < errors["one"] < errors["second"] < 0.57
    assert all(errors[stage] > usual for stage, usual in errors_of().items())


@expects("hidden-layers", "Sixteen directions")
def test_with_sixteen_directions_the_second_filter_alone_beats_the_first():
    errors = errors_of("Sixteen directions")  # .225 .235 .254; .294 .290 .296; .121 .130 .130
    assert errors["one"] == pytest.approx(0.29, abs=0.005)
    assert 0.22 <= errors["second"] < 0.25
    assert errors["two"] == pytest.approx(0.12, abs=0.005)


@expects("hidden-layers", "Few samples: n = 1000")
def test_with_few_samples_the_second_filter_adds_nothing():
    summary = run_of("hidden-layers", "Few samples: n = 1000").summary
    assert summary["share"] == pytest.approx(2 / 3, abs=0.03)
    assert summary["errors"]["two"] == pytest.approx(summary["errors"]["one"], rel=0.05)


def test_the_lesson_opens_on_filters_that_need_each_other():
    errors = errors_of()
    assert errors["two"] < 0.5 * min(errors["one"], errors["second"])
    assert errors["one"] < errors["second"] < errors["products"] < errors["random"]
