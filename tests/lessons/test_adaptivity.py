"""What a method adapts to: the tasks are what they say, the experiments show it, and the table has their numbers."""

import json
from itertools import islice
from types import SimpleNamespace

import numpy as np
import pytest
import torch
from scipy.integrate import quad
from scipy.stats import kstest

from featdash.learners.richardson import bounded_step, richardson
from featdash.learners.trained_network import Parameters, Training, loss_gradient, train_network
from featdash.lessons.adaptivity import recipe
from featdash.lessons.adaptivity.lesson import LESSON
from featdash.lessons.dimension import recipe as dimension_recipe
from featdash.lessons.dimension import run as dimension_run
from featdash.lessons.smoothness import recipe as smoothness_recipe
from featdash.lessons.smoothness import run as smoothness_run
from featdash.lessons.solvers import recipe as solvers_recipe
from featdash.lessons.solvers import run as solvers_run
from featdash.recipes.events import Frame, Progress, Result
from featdash.tasks.step import SHAPES, StepTask
from featdash.tasks.support import RandomWaves, SupportTask

SMALL = {
    "dimension": dimension_recipe.DimensionSpec(dims=(2, 12), n=200, methods=("rbf", "ntk"), repeats=2),
    "support": dimension_recipe.SupportSpec(
        dims=(4, 60), n=200, methods=("rbf", "ntk", "network"), repeats=1, steps=300
    ),
    "latent": dimension_recipe.LatentSpec(dims=(4, 12), n=600, methods=("algorithm1", "ntk"), repeats=1, width=200),
    "smoothness": smoothness_recipe.SmoothnessSpec(sizes=(25, 200), repeats=1, steps=400),
    "solvers": solvers_recipe.SolversSpec(largest=400, sizes=4, repeats=2, iterations=5),
}


@pytest.fixture(scope="module")
def runs():
    return {name: list(recipe.PARTS[name].run(spec, "cpu")) for name, spec in SMALL.items()}


def slope_between(function, A, B):
    return np.abs(function(A) - function(B)) / np.linalg.norm(A - B, axis=1)


@pytest.mark.parametrize("k", [1, 3, 20])
def test_waves_have_variance_one_and_a_bounded_slope(k):
    rng = np.random.default_rng(k)
    waves = RandomWaves.draw(k, 2.0, rng).standardise(rng.standard_normal((20_000, k)))
    values = waves(rng.standard_normal((20_000, k)))
    assert abs(values.mean()) < 5 * np.sqrt(2 / 20_000)
    # two samples of 20 000, kurtosis of a sum of waves at most 3: a variance has standard error √2/√20000 each
    assert abs(values.var() - 1) < 5 * 2 / np.sqrt(20_000)
    A = rng.standard_normal((2000, k))
    B = A + 1e-3 * rng.standard_normal((2000, k))
    assert slope_between(waves, A, B).max() <= 2.0 * len(waves.phases) / waves.scale


def test_every_wave_is_as_steep_in_every_dimension():
    rng = np.random.default_rng(0)
    slopes = []
    for k in (2, 5, 20):
        waves = RandomWaves.draw(k, 2.0, rng).standardise(rng.standard_normal((20_000, k)))
        Z, step = rng.standard_normal((4000, k)), 1e-4
        gradients = [(waves(Z + step * axis) - waves(Z - step * axis)) / (2 * step) for axis in np.eye(k)]
        slopes.append(np.sqrt(np.mean(np.sum(np.square(gradients), axis=0))))
    assert max(slopes) / min(slopes) < 1.25  # the waves' interference moves the normalisation by some per cent


@pytest.mark.parametrize("shape", ["subspace", "sphere"])
def test_inputs_lie_on_their_support_and_labels_do_not_depend_on_the_space(shape):
    tasks = {d: SupportTask(shape, 2, d, 2.0, 0.0, 0.3, 0) for d in (3, 40)}
    samples = {d: task.sample(50, "train") for d, task in tasks.items()}
    np.testing.assert_array_equal(samples[3].y, samples[40].y)
    singular = np.linalg.svd(samples[40].X, compute_uv=False)
    assert np.all(singular[tasks[40].coordinates :] < 1e-12)
    np.testing.assert_allclose(samples[3].X @ samples[3].X.T, samples[40].X @ samples[40].X.T, atol=1e-10)
    if shape == "sphere":
        np.testing.assert_allclose(np.linalg.norm(samples[40].X, axis=1), np.sqrt(3))


def test_points_of_the_sphere_are_uniform():
    """On the sphere of R³ each coordinate is uniform: Archimedes."""
    Z = SupportTask("sphere", 2, 3, 2.0, 0.0, 0.0, 0).latent(4000, "test")
    assert kstest(Z[:, 0], "uniform", args=(-np.sqrt(3), 2 * np.sqrt(3))).pvalue > 1e-6


def test_thickness_is_orthogonal_to_the_support_and_has_its_energy():
    task, flat = (SupportTask("subspace", 2, 30, 2.0, thickness, 0.0, 0) for thickness in (0.5, 0.0))
    off = task.sample(5000, "test").X - flat.sample(5000, "test").X
    np.testing.assert_allclose(off @ task.frame.T, 0, atol=1e-12)
    # E‖off‖² = τ²k = 0.5, a chi-square of 28 degrees: relative standard error √(2/28/5000)
    assert abs(np.mean(np.sum(off**2, axis=1)) / 0.5 - 1) < 5 * np.sqrt(2 / 28 / 5000)


@pytest.mark.parametrize("shape", SHAPES)
def test_step_targets_have_mean_zero_and_variance_one(shape):
    function = StepTask(shape, 0.0, 0).function
    for power, expected in ((1, 0.0), (2, 1.0)):
        parts = [quad(lambda x, p=power: float(function(np.array(x))) ** p, *ends)[0] for ends in ((-1, 0), (0, 1))]
        assert sum(parts) / 2 == pytest.approx(expected, abs=1e-9)


def test_a_trained_network_learns_what_its_start_does_not_know():
    task = StepTask("kink", 0.0, 0)
    train, holdout = task.sample(200, "train")[:2], task.sample(500, "holdout")[:2]
    fits = list(train_network(Training(60, 400), train, holdout, np.random.default_rng(0), checkpoints=5))
    assert [fit.step for fit in fits] == [0, 80, 160, 240, 320, 400]
    assert fits[0].holdout_risk == pytest.approx(np.mean(holdout[1] ** 2))  # mirrored: f = 0
    assert fits[-1].holdout_risk < 0.02 * fits[0].holdout_risk
    again = list(train_network(Training(60, 400), train, holdout, np.random.default_rng(0), checkpoints=1))
    np.testing.assert_array_equal(again[-1].network.W, fits[-1].network.W)


@pytest.mark.parametrize("changes", [{"width": 7}, {"steps": 0}, {"rate": 0.0}, {"batch": 0}])
def test_bad_training_is_refused(changes):
    with pytest.raises(ValueError, match="must be"):
        Training(**changes)


@pytest.mark.parametrize("name", SMALL)
def test_frames_stream_and_the_result_comes_last_and_is_plain(runs, name):
    events = runs[name]
    fractions = [event.fraction for event in events if isinstance(event, Progress)]
    assert fractions == sorted(fractions)
    assert fractions[-1] == pytest.approx(1)
    assert [isinstance(event, Result) for event in events].index(True) == len(events) - 1
    json.dumps(events[-1].summary, allow_nan=False)
    frames = [event for event in events if isinstance(event, Frame)]
    for stream in {frame.stream for frame in frames}:
        positions = [frame.at for frame in frames if frame.stream == stream]
        assert positions == sorted(set(positions))
        assert (len(positions) > 1) == (stream != "kernel")
    for array in [array for frame in frames for array in frame.arrays.values()]:
        assert np.all(np.isfinite(array))


def test_the_curse_spares_no_kernel_and_a_support_lifts_it(runs):
    cursed = runs["dimension"][-1].summary["methods"]
    spared = runs["support"][-1].summary["methods"]
    for name in ("rbf", "ntk"):
        assert cursed[name]["ratio"] > 5
        assert spared[name]["ratio"] < 2
        assert cursed[name]["reach"] < 12
        assert spared[name]["reach"] is None
    assert spared["network"]["error"][1] < 0.25


def test_latent_variables_are_found_by_algorithm1_alone(runs):
    methods = runs["latent"][-1].summary["methods"]
    assert methods["algorithm1"]["error"][1] < 0.6 * methods["ntk"]["error"][1]


def test_both_kinds_of_fit_adapt_to_smoothness(runs):
    rates = runs["smoothness"][-1].summary["rates"]
    for name in smoothness_recipe.METHODS:
        assert rates["smooth"][name]["exponent"] < rates["heaviside"][name]["exponent"] - 0.2
        assert rates["smooth"][name]["error"][-1] < rates["heaviside"][name]["error"][-1]


def test_a_summary_is_its_arrays(runs):
    result = runs["dimension"][-1]
    for name, method in result.summary["methods"].items():
        np.testing.assert_allclose(result.arrays[f"{name}/errors"].mean(axis=1), method["error"])
    last = [event for event in runs["dimension"] if isinstance(event, Frame)][-1]
    np.testing.assert_allclose(last.arrays["rbf/error"], result.summary["methods"]["rbf"]["error"])


def test_adding_a_method_changes_no_other_number(runs):
    spec = SMALL["support"]
    alone = list(dimension_run.run(dimension_recipe.SupportSpec(**{**spec.to_mapping(), "methods": ("ntk",)})))[-1]
    assert alone.summary["methods"]["ntk"]["error"] == runs["support"][-1].summary["methods"]["ntk"]["error"]


def test_reach_is_where_the_errors_cross_the_level():
    level = dimension_recipe.LEVEL
    assert dimension_recipe.reach([1, 10, 100], np.array([0.1, 0.2, level])) is None
    assert dimension_recipe.reach([5, 10], np.array([0.3, 0.9])) == 5
    assert dimension_recipe.reach([1, 100], np.array([level - 0.1, level + 0.1])) == pytest.approx(10)


def test_the_rise_of_a_ramp_is_its_width():
    assert smoothness_run.rise(np.clip(smoothness_run.GRID / 0.1, -1, 1)) == pytest.approx(0.16, abs=0.006)
    assert smoothness_run.rise(np.zeros_like(smoothness_run.GRID)) is None


IDLE = np.ones(8)  # the processor worked all the time


@pytest.mark.parametrize("exponent", [2, 3])
def test_the_line_has_the_slope_of_the_flops_and_goes_through_the_largest_size(exponent):
    n = np.geomspace(700, 5600, 8)
    seconds = 1e-10 * n**exponent
    seconds[n < 2000] *= 7  # caches and overheads
    line = solvers_run.flop_line(n, seconds, IDLE, exponent)
    assert not line.disturbed
    assert line.scatter < 1e-9
    assert line.summary()["at_ten_million"] == pytest.approx(1e-10 * 1e7**exponent)
    assert line.summary()["range"] == pytest.approx([1e-10 * 1e7**exponent] * 2)
    seconds[-2] *= 1.3  # the two largest sizes need not agree, and both are told
    line = solvers_run.flop_line(n, seconds, IDLE, exponent)
    assert line.summary()["range"] == pytest.approx([1e-10 * 1e7**exponent, 1.3e-10 * 1e7**exponent])
    assert line.summary()["at_ten_million"] == pytest.approx(1e-10 * 1e7**exponent)


def test_disturbed_times_lead_nowhere():
    n = np.geomspace(700, 5600, 8)
    seconds = 1e-10 * n**3
    uneven = np.where(np.arange(8) == 6, 3.0, 1.0)  # one of the fitted sizes took three times as long
    away = np.where(np.arange(8) == 7, 0.5, 1.0)  # the processor gave half of its time to others
    for line in (solvers_run.flop_line(n, seconds * uneven, IDLE, 3), solvers_run.flop_line(n, seconds, away, 3)):
        summary = line.summary()
        assert summary["disturbed"]
        assert summary["at_ten_million"] is None
        assert summary["range"] is None
    assert not solvers_run.flop_line(n, seconds, np.where(n < 2000, 0.5, 1.0), 3).disturbed  # those do not count


def test_a_time_knows_how_much_of_it_the_processor_worked(monkeypatch):
    wall, processor = iter([10.0, 14.0]), iter([2.0, 3.0])
    clocks = SimpleNamespace(perf_counter=wall.__next__, thread_time=processor.__next__)
    monkeypatch.setattr(solvers_run, "time", clocks)
    assert solvers_run._time(lambda: None) == solvers_run.Timing(seconds=4.0, share=0.25)


@pytest.mark.parametrize("lam", [1e-6, 2.5, 10.0])
def test_no_ridge_makes_the_timed_iteration_diverge(lam):
    """Warnings are errors: a step too long overflows within the iterations."""
    spec = solvers_recipe.SolversSpec(largest=400, sizes=4, repeats=1, iterations=1000, lam=lam)
    summary = list(solvers_run.run(spec))[-1].summary
    assert summary["residual"] <= 1
    K, y = solvers_run.system(400, lam, 0)
    *_, alpha = islice(richardson(K, y, bounded_step(K)), 400)
    assert np.linalg.norm(K @ alpha - y) < np.linalg.norm(y)


def test_the_gradient_of_the_trained_network_is_that_of_autograd():
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((30, 5)), rng.standard_normal(30)
    parameters = Parameters(rng.standard_normal(8 * 7), 8)
    gradient = Parameters(np.empty(8 * 7), 8)
    loss_gradient(parameters, X, y, gradient)
    a, W, b = (torch.tensor(part, requires_grad=True) for part in (parameters.a, parameters.W, parameters.b))
    torch.mean((torch.relu(torch.tensor(X) @ W.T + b) @ a - torch.tensor(y)) ** 2).backward()
    for expected, found in ((a, gradient.a), (W, gradient.W), (b, gradient.b)):
        np.testing.assert_allclose(found, expected.grad.numpy(), atol=1e-12)


def test_training_is_adam_along_a_cosine():
    """Full batch, so that torch's optimiser and schedule are an oracle; single precision, 20 steps."""
    rng = np.random.default_rng(1)
    X, y = rng.standard_normal((40, 3)), rng.standard_normal(40)
    training = Training(width=10, steps=20, batch=40)
    *_, last = train_network(training, (X, y), (X, y), np.random.default_rng(2), checkpoints=1)
    start = training.start(3, np.random.default_rng(2))
    parts = [torch.tensor(part, dtype=torch.float32, requires_grad=True) for part in (start.a, start.W, start.b)]
    a, W, b = parts
    optimiser = torch.optim.Adam(parts, lr=training.rate)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimiser, training.steps)
    rows, labels = (torch.tensor(part, dtype=torch.float32) for part in (X, y))
    for _ in range(training.steps):
        optimiser.zero_grad()
        torch.mean((torch.relu(rows @ W.T + b) @ a - labels) ** 2).backward()
        optimiser.step()
        schedule.step()
    for expected, found in ((a, last.network.a), (W, last.network.W), (b, last.network.b)):
        np.testing.assert_allclose(found, expected.detach().numpy(), atol=1e-4)


@pytest.mark.parametrize(
    ("reaches", "verdict"),
    [
        ([20.0, 22.0, 21.0], True),
        ([6.0, 7.0, 6.5], False),
        ([9.0, 11.0, 10.0], None),  # about the mark
        ([6.0, 25.0, 12.0], None),  # wide apart
        ([None, None, None], True),
        ([20.0, 22.0], None),  # too few
    ],
)
def test_a_verdict_needs_repeats_that_agree(reaches, verdict):
    assert recipe.passes(reaches, 10.0, 40.0) is verdict


def test_a_huge_lambda_still_has_a_picture():
    """Degree 15 at a tiny length scale chooses a λ beyond single precision; warnings are errors."""
    spec = smoothness_recipe.SmoothnessSpec(
        kernel="polynomial", degree=15, length=0.01, n=30, sizes=(20, 30), repeats=1, steps=20
    )
    *events, result = smoothness_run.run(spec)
    assert np.isfinite(result.summary["fits"]["kernel"]["lam"])
    (kernel,) = [event for event in events if isinstance(event, Frame) and event.stream == "kernel"]
    assert np.all(np.isfinite(kernel.arrays["kernel"]))


def test_the_table_holds_the_numbers_of_its_parts(runs):
    spec = recipe.AdaptivitySpec(seed=3)
    assert [name for name, _ in recipe.EXPERIMENT.cells(spec)] == list(spec.parts)
    assert all(cell.seed == 3 for _, cell in recipe.EXPERIMENT.cells(spec))
    results = [ValueError("out of data") if name == "latent" else runs[name][-1] for name in spec.parts]
    table = recipe.EXPERIMENT.gather(spec, results).summary
    json.dumps(table, allow_nan=False)
    ntk = runs["dimension"][-1].summary["methods"]["ntk"]
    assert table["dimension"]["methods"]["ntk"]["error"] == [ntk["error"][0], ntk["error"][-1]]
    for name, line in table["solvers"]["methods"].items():
        told = runs["solvers"][-1].summary[name]
        assert line == {key: value for key, value in told.items() if key != "seconds"}
    assert table["dimension"]["methods"]["ntk"]["adapts"] is None  # two repeats
    assert table["latent"] == {"error": "out of data"}


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: dimension_recipe.DimensionSpec(width=3), "width must be even"),
        (lambda: dimension_recipe.SupportSpec(r=9), "d must be at least 10 to hold a sphere of dimension 9, got 4"),
        (lambda: dimension_recipe.LatentSpec(target="z1*z9"), "z9"),
        (lambda: smoothness_recipe.SmoothnessSpec(kernel="cubic"), "kernel must be one of"),
        (lambda: solvers_recipe.SolversSpec(largest=10**6), "largest must be a whole number from 400 to 7000"),
        (lambda: recipe.AdaptivitySpec(parts=("cost",)), "must be one of dimension"),
    ],
)
def test_bad_recipes_are_refused_in_one_sentence(make, says):
    with pytest.raises(ValueError, match=says) as refusal:
        make()
    assert "\n" not in str(refusal.value)


def test_the_closing_table_keeps_the_frames_that_its_panels_read_and_no_others():
    read = {stream for panel in LESSON.panels for stream in panel.streams or ()}
    assert read == {f"cell/*/{stream}" for stream in recipe.EXPERIMENT.cell_streams}
