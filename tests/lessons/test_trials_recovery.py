"""What the lesson «Recovery» promises of each «Try», on the runs of those very buttons."""

from dataclasses import replace

import pytest
from trial_runs import computed, expects, run_of


def end(run):
    return run.summary["stages"][-1]


@expects("recovery", "No weight decay")
def test_without_decay_the_loss_falls_and_pairs_go_on_cancelling():
    run = run_of("recovery", "No weight decay")
    for seed in (0, 7, 11):
        last = end(run if seed == run.spec.seed else computed("recovery", replace(run.spec, seed=seed)))
        assert last["loss"] == pytest.approx(3e-6, rel=0.3)
        assert last["mass_weighted_cosine"] == pytest.approx(0.9, abs=0.04)
        assert 150 <= last["cancelling"] <= 220


@expects("recovery", "As few neurons as the teacher: m = 3")
def test_three_neurons_need_luck():
    run = run_of("recovery", "As few neurons as the teacher: m = 3")
    assert end(run)["loss"] == pytest.approx(0.037, abs=1e-3)
    W = run.arrays["final/W"] / (run.arrays["final/W"] ** 2).sum(1, keepdims=True) ** 0.5
    assert sorted(abs((W @ W.T)[[0, 0, 1], [1, 2, 2]]))[-1] > 0.98
    losses = [end(computed("recovery", type(run.spec)(width=3, seed=seed)))["loss"] for seed in (1, 2, 3)]
    assert [loss < 1e-9 for loss in losses] == [True, True, False]


@expects("recovery", "Keep the linear part")
def test_with_the_linear_part_kept_a_small_loss_is_no_recovery():
    first = run_of("recovery", "Keep the linear part")
    for run in (first, *(computed("recovery", replace(first.spec, seed=seed)) for seed in (7, 11))):
        stages = {stage["name"]: stage for stage in run.summary["stages"]}
        assert run.summary["first_step"]["one_direction"] == pytest.approx(0.995, abs=1e-3)
        assert stages["head"]["cancelling"] == pytest.approx(1200, abs=60)
        assert min(run.summary["nearest"]) > 0.999
        assert end(run)["loss"] < 1e-6
        assert 0.19 < end(run)["mass_weighted_cosine"] < 0.7
        assert 60 <= end(run)["cancelling"] <= 390


def test_progress_tells_the_step_of_the_newest_picture():
    from featdash.lessons.recovery.recipe import RecoverySpec
    from featdash.lessons.recovery.run import run
    from featdash.recipes.events import Frame, Progress

    shown = None
    for event in run(RecoverySpec(d=4, r=2, signs="+-", width=8, steps=3000)):
        if isinstance(event, Frame) and event.stream == "neurons":
            shown = int(event.at) - 2
        if isinstance(event, Progress) and "both layers" in event.doing:
            assert event.doing == f"both layers: step {shown} of 3000"
            assert event.fraction == pytest.approx(0.02 + 0.98 * shown / 3000)
