"""What the lesson «Recovery» promises of each «Try», on the runs of those very buttons."""

import pytest
from trial_runs import computed, expects, run_of


def end(run):
    return run.summary["stages"][-1]


@expects("recovery", "No weight decay")
def test_without_decay_the_loss_falls_and_pairs_go_on_cancelling():
    last = end(run_of("recovery", "No weight decay"))
    assert last["loss"] == pytest.approx(3e-6, rel=0.3)
    assert last["mass_weighted_cosine"] == pytest.approx(0.89, abs=0.01)
    assert last["cancelling"] == pytest.approx(208, abs=5)


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
    run = run_of("recovery", "Keep the linear part")
    stages = {stage["name"]: stage for stage in run.summary["stages"]}
    assert run.summary["first_step"]["one_direction"] == pytest.approx(0.995, abs=1e-3)
    assert stages["head"]["cancelling"] == pytest.approx(1204, abs=10)
    assert min(run.summary["nearest"]) > 0.999
    assert end(run)["loss"] == pytest.approx(4e-7, rel=0.3)
    assert end(run)["mass_weighted_cosine"] == pytest.approx(0.65, abs=0.02)
    assert end(run)["cancelling"] == pytest.approx(153, abs=10)


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
