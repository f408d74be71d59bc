"""The race: same recipe, same numbers; competitors never share a stream; what is shown is what was measured."""

import functools

import numpy as np
import pytest
from event_streams import last_of
from trial_runs import run_of

from featdash.lessons.race.first_layer import several_steps_of, train_step_by_step
from featdash.lessons.race.numbers import Heads, Setting
from featdash.lessons.race.panels import step_word
from featdash.lessons.race.pictures.films import head_stops
from featdash.lessons.race.recipe import EXPERIMENT, PAPER_METHODS, RaceSpec
from featdash.lessons.race.run import run
from featdash.lessons.shared.frames import RaceArrays
from featdash.lessons.shared.gaussian_race import degree_projector, draw_profile, layer_of
from featdash.lessons.shared.gaussian_recipe import task_of
from featdash.lessons.shared.pictures.neurons import REACH
from featdash.recipes.events import Frame, Progress, Result
from featdash.runs.limits import Limits, TooLarge
from featdash.tasks.gaussian import GaussianTask
from featdash.theory.error_parts import error_parts
from featdash.theory.ridge_path import SpectralPath
from featdash.theory.target import resolve_target
from featdash.ui.stage.phases import MOST

SMALL = {"n": 400, "width": 60, "holdout": 800, "test": 900}


@pytest.fixture(scope="module")
def events():
    return list(run(RaceSpec(**SMALL)))


@functools.cache
def risks(**changes):
    """method -> its excess risk; each race is run once."""
    return {
        name: method["excess_risk"]
        for name, method in list(run(RaceSpec(**(SMALL | changes))))[-1].summary["methods"].items()
    }


def test_progress_never_goes_back_and_the_result_comes_last(events):
    fractions = [event.fraction for event in events if isinstance(event, Progress)]
    assert fractions == sorted(fractions)
    assert 0 < fractions[0] < fractions[-1] <= 1
    assert [isinstance(event, Result) for event in events].index(True) == len(events) - 1


def test_frames_have_the_shapes_that_the_pictures_expect(events):
    frames = [event for event in events if isinstance(event, Frame)]
    neurons = [frame for frame in frames if frame.stream == "neurons"]
    assert [frame.at for frame in neurons] == sorted({frame.at for frame in neurons})
    assert (neurons[0].at, neurons[-1].at) == (0, 1), "from the untrained layer to the whole step"
    for frame in neurons:
        assert frame.arrays["points"].shape == frame.arrays["points_folded"].shape == (60, 2)
        assert frame.arrays["stars"].shape == (2, 2)
        assert frame.arrays["stars_folded"].shape == (1, 2)
        assert frame.arrays["overlap"].shape == (1, 3)
        assert all(np.all(np.isfinite(array)) for array in frame.arrays.values())
    last = [frame for frame in frames if frame.stream == "heads"][-1]
    for name in PAPER_METHODS:
        assert last.arrays[f"{name}/t"][-1] == 1_000_000


@pytest.mark.parametrize("seed", [0, 1, 2])
@pytest.mark.parametrize("target", ["figure-1", "product", "rank-3"])
def test_every_star_keeps_its_place_from_frame_to_frame_and_the_neurons_turn(target, seed):
    spec = RaceSpec(target=target, seed=seed, methods=("algorithm1",), **SMALL)
    neurons = [event for event in run(spec) if isinstance(event, Frame) and event.stream == "neurons"]
    for ending in ("", "_folded"):
        stars = np.array([frame.arrays[f"stars{ending}"] for frame in neurons])
        assert np.ptp(stars, axis=0).max() < 1e-6, "the places are stored with seven digits"
        points = np.array([frame.arrays[f"points{ending}"] for frame in neurons])
        assert np.median(np.linalg.norm(points[-1] - points[0], axis=1)) > 0.2, "half of the neurons have moved"
        assert np.abs(points).max() < REACH[bool(ending)], "the frame of the picture holds them"
        moved = np.linalg.norm(np.diff(points, axis=0), axis=2).max()
        assert moved < 2 * REACH[bool(ending)] / 3, "no neuron moves more than a third of the map between two frames"
    gauge = [float(frame.arrays["alignment"]) for frame in neurons]
    assert gauge == sorted(gauge), "the alignment only rises from W⁰ to W¹"


def test_adding_a_method_changes_no_other_curve():
    together = risks()
    for name in PAPER_METHODS:
        assert risks(methods=(name,)) == {name: together[name]}


def test_another_seed_gives_other_numbers():
    assert all(value != risks()[name] for name, value in risks(seed=1).items())


def test_rotating_the_subspace_leaves_the_problem_as_hard():
    """x ~ N(0, I) has no preferred axes: the alignment before training is r/d on average either way."""
    specs = [RaceSpec(**SMALL, methods=("algorithm1",), rotated=flag) for flag in (False, True)]
    straight, turned = (task_of(spec.target, spec, spec.seed).target.subspace for spec in specs)
    assert not np.allclose(straight, turned)
    np.testing.assert_allclose(turned @ turned.T, np.eye(1), atol=1e-12)
    for *_, result in map(run, specs):
        # 30 distinct neurons, share ~ Beta(1/2, 9/2): standard deviation 0.12, five standard errors
        assert abs(result.summary["alignment"]["before"] - 0.1) < 5 * 0.12 / np.sqrt(30)


def test_the_stored_path_gives_back_the_reported_risk(events):
    result = events[-1]
    for name, method in result.summary["methods"].items():
        path = SpectralPath.from_arrays(result.arrays, f"path/{name}/")
        assert path.tune("holdout") == method["lam"]
        # features in single precision, 6e-8 a number, summed over 900 test points
        assert path.risk("test", method["lam"]) == pytest.approx(method["excess_risk"], rel=1e-5)


def quadrature(f, d=2, nodes=60):
    """E f(x) for x ~ N(0, I_d), by the tensor product of Gauss and Hermite's rule; kinks cost it digits."""
    z, weights = np.polynomial.hermite_e.hermegauss(nodes)
    X = np.stack(np.meshgrid(*[z] * d), axis=-1).reshape(-1, d)
    return np.prod(np.meshgrid(*[weights / weights.sum()] * d), axis=0).ravel() @ f(X)


def test_the_parts_of_an_error_are_those_of_its_projections():
    """Against quadrature: the multiples by inner products, and what lies beside by its own second moment."""
    target = resolve_target("He2(z1)/2 + z1*z2/2 + He3(z2)/4", 2)
    energy = target.energy_by_degree

    def predictor(X):
        return np.tanh(X[:, 0] + 0.5) + 0.3 * X[:, 0] ** 2 * X[:, 1] + 0.2 * X[:, 0] * X[:, 1]

    products = quadrature(lambda X: target.components(X) * predictor(X)[:, None])
    multiples = np.divide(products, energy, out=np.zeros_like(energy), where=energy > 0)
    risk = quadrature(lambda X: (predictor(X) - target(X)) ** 2)
    beside = quadrature(lambda X: (predictor(X) - target.components(X) @ multiples) ** 2)
    *degrees, rest = error_parts(multiples, risk, energy)
    np.testing.assert_allclose(degrees, quadrature(lambda X: target.components(X) ** 2) * (1 - multiples) ** 2)
    assert rest == pytest.approx(beside, rel=1e-9)
    assert beside > 0.1, "there is something beside the target"


def test_the_parts_always_add_up_to_the_risk_that_was_measured():
    multiples, energy = np.array([[0.0, 0.2, 0.9], [0.0, 0.0, 0.0]]), np.array([0.0, 0.5, 0.5])
    for share in (0.97, 1.0, 1.2):  # of what the degrees alone come to: the test sample may give less
        risk = share * ((1 - multiples) ** 2 @ energy)
        parts = error_parts(multiples, risk, energy)
        np.testing.assert_allclose(parts.sum(axis=-1), risk)
        np.testing.assert_allclose(parts[:, -1], np.maximum(1 - 1 / share, 0) * risk)
        assert np.all(parts >= 0)


def test_the_bars_end_where_the_loss_curve_ends(events):
    result, spec = events[-1], RaceSpec(**SMALL)
    heads = Heads(RaceArrays.from_arrays(result.arrays).path, Setting())
    film = heads.errors_at(head_stops(spec), task_of(spec.target, spec, spec.seed).target.energy_by_degree)
    for name, method in result.summary["methods"].items():
        assert film[name][-1].sum() == pytest.approx(method["excess_risk"], rel=1e-5)  # single precision, as above
        np.testing.assert_allclose(film[name].sum(axis=-1), heads.risks_at(head_stops(spec))[name])


def test_learned_energy_and_profile_of_the_truth_itself():
    target = resolve_target("figure-1", 10)
    X = GaussianTask(target, 0.0, 0).sample(500, "test").X
    np.testing.assert_allclose(degree_projector(target, X) @ target(X), [0, 0, 1, 0, 1], atol=1e-10)
    profile = draw_profile(target, 0)
    z = np.linspace(-3, 3, 41)
    by_hand = (z**2 - 1) / 2 + (z**4 - 6 * z**2 + 3) / (4 * np.sqrt(3))
    np.testing.assert_allclose(profile.mixing @ target(profile.X), by_hand, atol=1e-10)


@pytest.mark.parametrize(
    "changes", [{"remove_linear": False}, {"biases": "kept"}, {"fresh_data": True}, {"step_rule": "fixed"}]
)
def test_each_ablation_changes_algorithm1_alone(changes):
    plain, ablated = risks(), risks(**changes)
    assert ablated["algorithm1"] != plain["algorithm1"]
    assert ablated["random_features"] == plain["random_features"]
    assert ablated["ntk"] == plain["ntk"]


@functools.cache
def layers_of(**changes):
    """at -> frame of the stream `neurons`, and the summary's alignment."""
    found = list(run(RaceSpec(methods=("algorithm1",), **(SMALL | changes))))
    frames = {event.at: event.arrays for event in found if isinstance(event, Frame) and event.stream == "neurons"}
    return frames, found[-1].summary["alignment"]


@pytest.mark.parametrize("count", [2, 3, 7, 20])
def test_each_of_several_steps_is_shown_little_by_little(count):
    frames, aligned = layers_of(first_layer_steps=count)
    assert list(frames) == sorted(frames)
    assert len(frames) <= MOST, "the timeline has a word for each"
    assert set(range(count + 1)) <= set(frames), "every step ends at a moment of its own"
    assert len(aligned["by_step"]) == count
    shown = [float(frames[taken]["alignment"]) for taken in range(count + 1)]
    assert shown == pytest.approx([aligned["before"], *aligned["by_step"]], abs=1e-6)
    assert aligned["by_step"][-1] == aligned["after"]


def test_the_first_of_several_steps_is_the_one_step():
    """At its end and half-way, where both films have a moment."""
    (one, alone), (several, aligned) = layers_of(), layers_of(first_layer_steps=3)
    for at in (0, 0.5, 1):
        for name in ("share", "overlap", "angles", "alignment"):
            np.testing.assert_allclose(several[at][name], one[at][name], rtol=1e-5, atol=1e-5)
    assert aligned["by_step"][0] == pytest.approx(alone["after"])
    assert aligned["by_step"][1] > aligned["by_step"][0], "the labels have curvature, and f is left out"


@pytest.mark.parametrize("changes", [{"step_samples": "fresh"}, {"step_loss": "square_root"}])
def test_what_is_said_of_further_steps_says_nothing_of_one(changes):
    plain = risks()
    assert risks(**changes) == plain
    more = risks(first_layer_steps=2)
    changed = risks(first_layer_steps=2, **changes)
    assert changed["algorithm1"] != more["algorithm1"]
    for name in ("random_features", "ntk"):
        assert plain[name] == more[name] == changed[name]


def test_fresh_samples_are_new_in_every_step_and_not_those_of_the_holdout():
    spec = RaceSpec(first_layer_steps=3, step_samples="fresh", **SMALL)
    task = task_of(spec.target, spec, spec.seed)
    further = several_steps_of(spec, task, spec.width).further
    drawn = [further(2), further(3), *(task.sample(spec.n, purpose)[:2] for purpose in ("train", "fresh", "holdout"))]
    firsts = [X[0] for X, _ in drawn]
    assert len({row.tobytes() for row in firsts}) == len(drawn)
    np.testing.assert_array_equal(further(2)[0], drawn[0][0])


def test_the_tangent_kernel_after_the_steps_has_the_layer_of_algorithm1():
    spec = RaceSpec(first_layer_steps=3, step_loss="square_mean", **SMALL)
    task = task_of(spec.target, spec, spec.seed)
    train = task.sample(spec.n, "train")
    watched, _ = last_of(train_step_by_step(spec, task, train, "cpu"))
    step = several_steps_of(spec, task, spec.width)
    for name in ("algorithm1", "ntk_after_step"):
        network = layer_of(name, spec, train, "cpu", step).network
        np.testing.assert_array_equal(network.W, watched.network.W)
        np.testing.assert_array_equal(network.b, watched.network.b)


def test_a_moment_says_which_step_is_under_way():
    assert [step_word(at) for at in (0.0, 0.4, 1.0)] == ["s = 0.00", "s = 0.40", "s = 1.00"]
    assert [step_word(at) for at in (1.5, 2.0, 2.25)] == ["step 2, s = 0.50", "step 2, s = 1.00", "step 3, s = 0.25"]


def test_all_distinct_neurons_are_those_of_twice_the_width():
    all_distinct, wide = risks(distinct="all"), risks(width=2 * SMALL["width"])
    for name in ("random_features", "ntk"):
        assert all_distinct[name] == wide[name]
    assert all_distinct["algorithm1"] == risks()["algorithm1"]


def test_one_sample_and_two_neurons_still_end():
    for name, risk in risks(n=1, width=2, d=2).items():
        assert np.isfinite(risk), name


def test_the_default_race_is_won_by_algorithm1():
    """Figure 1 at n = 10⁴, width 1000, as recorded; the published points are 0.064, 0.538 and 0.477."""
    summary = run_of("race").summary
    risk = {name: method["excess_risk"] for name, method in summary["methods"].items()}
    assert risk["algorithm1"] <= 0.12
    assert 0.40 <= risk["random_features"] <= 0.62
    assert risk["algorithm1"] < 0.5 * risk["ntk"]
    assert summary["alignment"]["after"] >= 0.9


def test_a_summary_of_a_target_is_plain_json():
    assert resolve_target("transfer", 5).describe()["condition_number"] is None


def test_a_kernel_of_too_many_samples_is_refused_in_one_sentence():
    limits = Limits()
    limits.check_cost(EXPERIMENT, RaceSpec(n=3000, methods=("algorithm1", "rfm")))
    rule = r"^race needs 4\.\d+ GB of memory, the limit is 1 GB; lower n to 4000, or leave out RFM$"
    with pytest.raises(TooLarge, match=rule):
        limits.check_cost(EXPERIMENT, RaceSpec(n=10_000, methods=("algorithm1", "rfm")))
    assert EXPERIMENT.cost(RaceSpec(n=10_000)).remedy == "lower n to 4000, or the width"
