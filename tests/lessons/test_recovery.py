"""Three stages recover the teacher's directions; what each switch takes away; what is refused."""

import json
from itertools import pairwise

import numpy as np
import pytest

from featdash.geometry.teacher_match import (
    alive,
    cancelling_pairs,
    mass_weighted_cosine,
    nearest_neuron,
    one_direction,
    teacher_axes,
)
from featdash.learners.recovery import DecaySchedule, Student, balance, draw_student, first_step, train_both_layers
from featdash.learners.student_loss import PopulationLoss
from featdash.lessons.recovery.recipe import EXPERIMENT, RecoverySpec
from featdash.lessons.recovery.run import run
from featdash.lessons.recovery.timeline import frame_steps, pauses
from featdash.recipes.events import Frame, Progress, Result
from featdash.tasks.teacher import Teacher, equiangular_teacher


def events_of(**settings) -> list:
    return list(run(RecoverySpec(**settings)))


def stages_of(result: Result) -> dict[str, dict]:
    return {stage["name"]: stage for stage in result.summary["stages"]}


@pytest.fixture(scope="module")
def shorter_run():
    """The default setting with fewer neurons and steps; at full scale it is for tests/benchmarks to tell."""
    return events_of(width=60, steps=6000)


def test_the_head_fits_inside_the_subspace_and_both_layers_find_the_directions(shorter_run):
    """d = 16, r = 3, m = 60, signs + − +."""
    summary = shorter_run[-1].summary
    stages = stages_of(shorter_run[-1])
    assert stages["head"]["loss"] <= 0.03
    assert stages["head"]["mass_weighted_cosine"] <= 0.95
    assert stages["both layers"]["loss"] <= 1e-5
    assert stages["both layers"]["mass_weighted_cosine"] >= 0.97
    assert stages["both layers"]["cancelling"] < stages["head"]["cancelling"]
    assert min(summary["nearest"]) >= 0.999
    assert summary["stop"]["loss"] >= summary["stop"]["least_loss"] > 100 * stages["both layers"]["loss"]
    assert json.loads(json.dumps(summary, allow_nan=False)) == summary


def test_the_stream_is_small_finite_and_in_order(shorter_run):
    progress = [event.fraction for event in shorter_run if isinstance(event, Progress)]
    assert progress == sorted(progress)
    assert progress[-1] == 1
    for stream, most in (("teacher", 1), ("timeline", 60), ("neurons", 60)):
        frames = [event for event in shorter_run if isinstance(event, Frame) and event.stream == stream]
        assert 1 <= len(frames) <= most
        assert np.all(np.diff([frame.at for frame in frames]) > 0)
        for frame in frames:
            assert all(np.all(np.isfinite(array)) for array in frame.arrays.values())
    arrays = shorter_run[-1].arrays
    assert all(
        len(rows) == len(arrays["timeline/step"]) <= 300 for n, rows in arrays.items() if n.startswith("timeline/")
    )
    assert arrays["timeline/lam"][-1] == 0


def test_stop_and_go_on_are_one_run_until_the_head_is_fitted(shorter_run):
    arrays = shorter_run[-1].arrays
    before = arrays["timeline/stage"] <= 2
    assert before.sum() == 3
    np.testing.assert_allclose(arrays["timeline/stop_loss"][before], arrays["timeline/loss"][before], rtol=1e-9)


def test_stop_is_gradient_descent_on_the_head():
    """100 steps at λ₀ and 100 at 0, one by one, from the ridge head."""
    arrays = events_of(steps=200, drops=0, width=20)[-1].arrays
    spec = RecoverySpec(steps=200, drops=0, width=20)
    teacher, W = spec.teacher(), arrays["stop/W"]
    loss = PopulationLoss(teacher.directions, teacher.weights)
    head = loss.head(W)
    a = np.linalg.solve(head.G + spec.ridge * np.eye(20), head.b)
    for step in range(200):
        a = a - spec.eta * (loss.gradients(a, W)[0] + (spec.lam0 if step < 100 else 0) * a)
    np.testing.assert_allclose(arrays["stop/a"], a, rtol=1e-8, atol=1e-10)


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_keeping_the_linear_part_collapses_the_first_step_onto_it(seed):
    kept = events_of(keep_linear=True, steps=100, seed=seed)[-1].summary["first_step"]
    removed = events_of(steps=100, seed=seed)[-1].summary["first_step"]
    assert kept["one_direction"] >= 0.9
    assert kept["linear_part"] >= 0.9
    assert removed["one_direction"] <= 0.85


def test_without_weight_decay_the_loss_vanishes_but_neurons_go_on_cancelling():
    end = stages_of(events_of(weight_decay=False, width=40, steps=4000)[-1])["both layers"]
    assert end["loss"] <= 1e-4
    assert end["mass_weighted_cosine"] <= 0.95
    assert end["cancelling"] > 0


def test_skipping_stage_2_starts_above_the_zero_predictor():
    result = events_of(skip_stage_2=True, steps=100)[-1]
    loss, stage = result.arrays["timeline/loss"], result.arrays["timeline/stage"]
    assert list(stage[:3]) == [0, 1, 3]
    assert loss[2] > 10 * result.summary["target_variance"]
    assert "head" not in stages_of(result)


def test_samples_train_on_their_own_loss():
    result = events_of(n=1500, steps=300, width=30)[-1]
    train, stage = result.arrays["timeline/train"], result.arrays["timeline/stage"]
    assert train[-1] < train[stage == 2][0] < train[0]
    assert not np.allclose(train[-1], result.arrays["timeline/loss"][-1], rtol=1e-3)


def test_a_sample_without_signal_leaves_dead_neurons_that_are_counted():
    """One sample less its mean is zero, and so is every gradient."""
    result = events_of(n=1, keep_linear=True, steps=100, width=20)[-1]
    assert result.summary["first_step"]["dead"] == 20
    assert stages_of(result)["both layers"]["alive"] == 0
    assert all(np.all(np.isfinite(array)) for array in result.arrays.values())


@pytest.mark.parametrize(
    "settings",
    [{"eta": 1.0, "keep_linear": True}, {"eta": 1.0, "skip_stage_2": True}, {"n": 3, "d": 64}, {"width": 1}, {"r": 8}],
    ids=str,
)
def test_no_setting_diverges(settings):
    result = events_of(**({"width": 40} | settings), steps=150)[-1]
    assert all(np.all(np.isfinite(array)) for array in result.arrays.values())
    assert result.arrays["timeline/train"][-1] <= result.arrays["timeline/train"][2]


def test_same_recipe_same_numbers_and_each_seed_its_own():
    first, again, other = (events_of(steps=100, width=20, seed=seed)[-1].arrays["final/W"] for seed in (0, 0, 1))
    np.testing.assert_array_equal(first, again)
    assert not np.allclose(first, other)


def test_the_first_step_enters_the_subspace():
    """Only the part along w_i itself, an order smaller in 1/√d, stays outside; the step grows rows to RMS norm 1."""
    rng = np.random.default_rng(0)
    teacher = equiangular_teacher(3, 64, 70.0, "+-+", rng)
    start = draw_student(200, 64, rng)
    W = first_step(PopulationLoss(teacher.directions, teacher.weights), start).W
    basis = np.linalg.qr(teacher.directions.T)[0]
    shares = np.sum((W @ basis) ** 2, axis=1) / np.sum(W**2, axis=1)
    assert np.median(shares) > 0.98
    assert np.mean(np.sum(W**2, axis=1)) == pytest.approx(1)


def test_balancing_keeps_the_network():
    rng = np.random.default_rng(1)
    student = Student(np.append(rng.standard_normal(5), 0), np.vstack([rng.standard_normal((4, 3)), np.zeros((2, 3))]))
    even = balance(student)
    X = rng.standard_normal((20, 3))
    outputs = [np.abs(X @ one.W.T) @ one.a for one in (student, even)]
    np.testing.assert_allclose(*outputs, atol=1e-12)
    np.testing.assert_allclose(np.abs(even.a), np.linalg.norm(even.W, axis=1), atol=1e-12)


def test_training_is_gradient_descent_with_the_decay_of_each_level():
    teacher = equiangular_teacher(2, 4, 60.0, "+-", np.random.default_rng(2))
    loss = PopulationLoss(teacher.directions, teacher.weights)
    start = balance(draw_student(6, 4, np.random.default_rng(3)))
    schedule = DecaySchedule(9, 0.05, 0.1, 1)  # three steps each at 0.05, 0.005 and 0
    a, W = start.a, start.W
    for lam in (0.05, 0.05, 0.05, 0.005, 0.005, 0.005, 0, 0, 0):
        grad_a, grad_W = loss.gradients(a, W)
        a, W = a - 0.03 * (grad_a + lam * a), W - 0.03 * (grad_W + lam * W)
    _, end = next(train_both_layers(loss, start, 0.03, schedule, [9]))
    np.testing.assert_allclose(end.a, a, rtol=1e-12)
    np.testing.assert_allclose(end.W, W, rtol=1e-12)


def test_training_pauses_change_nothing():
    teacher = equiangular_teacher(2, 4, 60.0, "+-", np.random.default_rng(2))
    loss = PopulationLoss(teacher.directions, teacher.weights)
    student = balance(draw_student(6, 4, np.random.default_rng(3)))
    schedule = DecaySchedule(50, 0.01, 0.5, 3)
    ends = [list(train_both_layers(loss, student, 0.05, schedule, stops))[-1] for stops in ([50], [1, 7, 7, 50])]
    assert ends[0][0] == ends[1][0] == 50
    np.testing.assert_array_equal(ends[0][1].W, ends[1][1].W)


@pytest.mark.parametrize("steps", [100, 101, 20_000])
@pytest.mark.parametrize("drops", [0, 6, 12])
def test_a_schedule_gives_each_level_its_share_and_ends_at_zero(steps, drops):
    schedule = DecaySchedule(steps, 0.01, 0.3, drops)
    lams = [schedule.lam(step) for step in range(steps)]
    assert lams[0] == 0.01
    assert lams[-1] == 0
    assert all(earlier >= later for earlier, later in pairwise(lams))
    counts = [lams.count(level) for level in schedule.levels]
    assert sum(counts) == steps
    assert max(counts) - min(counts) <= 1
    spelled = [lam for count, lam in schedule.stretches(3, steps - 2) for _ in range(count)]
    assert spelled == lams[3 : steps - 2]


@pytest.mark.parametrize("steps", [100, 999, 100_000])
def test_pauses_and_frames_are_few_and_end_at_the_end(steps):
    assert len(pauses(steps)) <= 290
    assert pauses(steps)[-1] == steps
    assert frame_steps(steps) <= set(pauses(steps))
    assert steps in frame_steps(steps)
    assert len(frame_steps(steps)) <= 57


def test_measures_of_a_match_by_hand():
    U = np.eye(3)[:2]
    W = np.array([[2.0, 0, 0], [0, 0, 1.0], [-0.6, 0.8, 0], [0, 0, 0], [-1.0, 0.1, 0]])
    a = np.array([1.0, 1.0, -2.0, 5.0, -1e-5])
    mass = np.abs(a) * np.linalg.norm(W, axis=1)
    np.testing.assert_allclose(nearest_neuron(W, mass, U, lines=True), [1, 0.8])
    assert mass_weighted_cosine(W, mass, U, lines=True) == pytest.approx((2 * 1 + 1 * 0 + 2 * 0.8) / 5, rel=1e-4)
    living = alive(mass, np.array([1.0, -1.0]))
    assert list(living) == [True, True, True, False, False]
    assert cancelling_pairs(a, W, living, lines=True) == 0
    assert cancelling_pairs(a, W, np.ones(5, dtype=bool), lines=True) == 1
    assert cancelling_pairs(a, W, np.ones(5, dtype=bool), lines=False) == 0
    assert list(nearest_neuron(W, np.zeros(5), U, lines=True)) == [0, 0]
    assert mass_weighted_cosine(W, np.zeros(5), U, lines=True) == 0
    assert np.all(one_direction(np.zeros((4, 3))) == 0)
    assert abs(one_direction(np.outer([1.0, -2.0, 0.0], [0.6, 0.8]))) == pytest.approx([0.6, 0.8])


@pytest.mark.parametrize("r", [2, 3, 5])
def test_the_axes_of_the_picture_are_orthonormal_and_inside_the_subspace(r):
    teacher = equiangular_teacher(r, 9, 40.0, "+", np.random.default_rng(4))
    axes = teacher_axes(teacher.directions)
    np.testing.assert_allclose(axes @ axes.T, np.eye(min(r, 3)), atol=1e-12)
    basis = np.linalg.qr(teacher.directions.T)[0]
    np.testing.assert_allclose(axes @ basis @ basis.T, axes, atol=1e-12)


@pytest.mark.parametrize("angle", [0.5, 60, 90])
def test_every_pair_of_teacher_directions_has_the_angle(angle):
    teacher = equiangular_teacher(4, 6, angle, "+-", np.random.default_rng(5))
    gram = teacher.directions @ teacher.directions.T
    expected = np.where(np.eye(4, dtype=bool), 1, np.cos(np.deg2rad(angle)))
    np.testing.assert_allclose(gram, expected, atol=1e-12)
    assert list(teacher.weights) == [1, -1, 1, -1]


def test_the_teachers_linear_part_and_hessian_by_monte_carlo():
    """β = E[f x]; H = E[f (xxᵀ − I)] by Stein's lemma."""
    teacher = equiangular_teacher(2, 3, 60.0, "+-", np.random.default_rng(6))
    X = np.random.default_rng(7).standard_normal((400_000, 3))
    f = teacher(X)
    for found, draws in (
        (teacher.linear_part, f[:, None] * X),
        (teacher.hessian, f[:, None, None] * (X[:, :, None] * X[:, None, :] - np.eye(3))),
    ):
        assert np.all(np.abs(draws.mean(0) - found) < 5 * draws.std(0) / np.sqrt(len(X)))


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"angle": 0}, "angle must be > 0, got 0; .* coincide"),
        ({"angle": 0.01}, "directions must be distinct"),
        ({"angle": 120}, "angle must be a number from 0 to 90, got 120; lower angle"),
        ({"r": 4, "d": 3}, "r must be from 1 to d = 3, got 4"),
        ({"signs": "+x"}, "signs must be made of"),
        ({"signs": ""}, "signs must be made of"),
        ({"width": 0}, "width must be a whole number from 1 to 300, got 0"),
    ],
    ids=str,
)
def test_impossible_recipes_are_refused_in_one_sentence(settings, words):
    with pytest.raises(ValueError, match=words) as error:
        RecoverySpec(**settings)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("directions", "weights", "words"),
    [
        (np.array([[1.0, 0], [-1, 0]]), np.ones(2), "distinct up to sign"),
        (np.array([[1.0, 0], [0, 2]]), np.ones(2), "norm 1"),
        (np.eye(2), np.array([1.0, 0]), "other than 0"),
        (np.array([[1.0], [1.0]]), np.ones(2), "r must be <= d"),
    ],
    ids=["opposite", "long", "weightless", "too many"],
)
def test_impossible_teachers_are_refused(directions, weights, words):
    with pytest.raises(ValueError, match=words):
        Teacher(directions, weights)


def test_cost_grows_with_what_is_asked():
    default = EXPERIMENT.cost(RecoverySpec())
    for settings in ({"steps": 40_000}, {"width": 200}, {"n": 5000}):
        assert EXPERIMENT.cost(RecoverySpec(**settings)).seconds > 1.5 * default.seconds
