"""Each ablation changes the line that it names and nothing else; a degenerate cell is the race of its d, n and seed."""

import dataclasses

import numpy as np
import pytest
import torch
from event_streams import last_of

from featdash.lessons.ablation.recipe import LINES, AblationSpec
from featdash.lessons.ablation.run import ablate, concentration, run, untrained_network
from featdash.lessons.degenerate import run as degenerate_run
from featdash.lessons.degenerate.frames import FailureTable
from featdash.lessons.degenerate.recipe import DegenerateSpec
from featdash.lessons.race import run as race_run
from featdash.lessons.shared.gaussian_race import train_first_layer
from featdash.lessons.shared.gaussian_recipe import task_of
from featdash.recipes.events import Frame, Progress

SMALL = AblationSpec(target="linear", d=6, n=1500, width=60, holdout=800, test=800)


@pytest.fixture(scope="module")
def lines_1_to_3():
    """The race, its sample, and what each variant has after line 3."""
    recipe = SMALL.race()
    task = task_of(recipe.target, recipe, recipe.seed)
    sample = task.sample(recipe.n, "train")
    intact = last_of(train_first_layer(recipe, sample, task.target.subspace, "cpu"))
    variants = {name: ablate(name, recipe, sample, intact, "cpu") for name in LINES if name != "intact"}
    return recipe, sample, {"intact": intact, **variants}


@pytest.fixture(scope="module")
def finished():
    return list(run(SMALL))


def test_the_intact_run_is_the_race(finished):
    *_, alone = race_run.run(SMALL.race())
    found = finished[-1].summary["variants"]["intact"]
    for name in ("excess_risk", "lam"):
        assert found[name] == pytest.approx(alone.summary["methods"]["algorithm1"][name], rel=1e-9)
    assert found["alignment"] == pytest.approx(alone.summary["alignment"]["after"], rel=1e-9)


def test_without_line_1_only_the_labels_differ(lines_1_to_3):
    recipe, sample, layers = lines_1_to_3
    left = layers["linear_part_left"]
    assert left.linear.alpha == 0
    assert not left.linear.beta.any()
    np.testing.assert_array_equal(left.network.b, layers["intact"].network.b)
    start = untrained_network(recipe, recipe.width)
    gates = (sample.X @ start.W.T > 0).astype(float)
    step = start.a[:, None] * (gates.T @ (sample.y[:, None] * sample.X))
    expected = step / np.sqrt(np.mean(np.sum(step**2, axis=1)))
    np.testing.assert_allclose(left.network.W, expected, atol=1e-12)


def test_without_symmetry_the_step_is_that_of_the_whole_loss(lines_1_to_3):
    """Autograd of (1/n)Σ(f - r)² at a start where f is far from 0."""
    recipe, sample, layers = lines_1_to_3
    start = untrained_network(recipe, 2 * recipe.width).first_half()
    residual = torch.tensor(sample.y - layers["intact"].linear(sample.X))
    W = torch.tensor(np.array(start.W), requires_grad=True)
    output = torch.relu(torch.tensor(sample.X) @ W.T) @ torch.tensor(np.array(start.a))
    assert output.detach().std() > 3
    gradient = torch.autograd.grad(torch.mean((output - residual) ** 2), W)[0].numpy()
    expected = -gradient / np.sqrt(np.mean(np.sum(gradient**2, axis=1)))
    np.testing.assert_allclose(layers["no_symmetry"].network.W, expected, atol=1e-12)
    np.testing.assert_array_equal(layers["no_symmetry"].network.b, layers["intact"].network.b)


def test_a_small_start_is_the_same_step_from_almost_zero(lines_1_to_3):
    """With a = ±1/m the gradient is 1/m times that of the labels alone, but for what f says at the start."""
    recipe, sample, layers = lines_1_to_3
    start = untrained_network(recipe, 2 * recipe.width).first_half()
    output = np.maximum(sample.X @ start.W.T, 0) @ start.a / recipe.width
    assert output.std() < 0.2
    residual = sample.y - layers["intact"].linear(sample.X) - output
    step = start.a[:, None] * ((sample.X @ start.W.T > 0).T @ (residual[:, None] * sample.X))
    expected = step / np.sqrt(np.mean(np.sum(step**2, axis=1)))
    np.testing.assert_allclose(layers["small_start"].network.W, expected, atol=1e-12)


def test_the_other_lines_change_what_they_name(lines_1_to_3):
    recipe, _, layers = lines_1_to_3
    intact = layers["intact"].network
    kept, bare = layers["old_weights_kept"].network, layers["biases_not_drawn"].network
    np.testing.assert_allclose(kept.W - intact.W, untrained_network(recipe, recipe.width).W, atol=1e-14)
    np.testing.assert_array_equal(kept.b, intact.b)
    np.testing.assert_array_equal(bare.W, intact.W)
    assert not bare.b.any()
    assert intact.b.all()
    assert layers["fresh_data"] is layers["intact"]


def test_fresh_data_are_fresh(finished):
    variants = finished[-1].summary["variants"]
    assert variants["fresh_data"]["alignment"] == variants["intact"]["alignment"]
    assert variants["fresh_data"]["excess_risk"] != variants["intact"]["excess_risk"]
    *_, alone = race_run.run(dataclasses.replace(SMALL.race(), fresh_data=True))
    expected = alone.summary["methods"]["algorithm1"]["excess_risk"]
    assert variants["fresh_data"]["excess_risk"] == pytest.approx(expected, rel=1e-9)


def test_neurons_collapse_on_one_line_if_the_linear_part_is_left():
    """λ_1²/Σλ² of the first layer: near 1 with one dominating direction, near ½ with two alike."""
    *_, result = run(AblationSpec(target="linear", n=3000, width=100, holdout=200, test=200))
    variants = result.summary["variants"]
    assert variants["linear_part_left"]["concentration"] > 0.9
    assert variants["intact"]["concentration"] < 0.65


def test_deleting_a_line_costs_on_figure_1():
    *_, result = run(AblationSpec(n=4000, width=200, holdout=2000, test=2000))
    risk = {name: variant["excess_risk"] for name, variant in result.summary["variants"].items()}
    for name in ("no_symmetry", "biases_not_drawn"):
        assert risk[name] > 3 * risk["intact"]
    assert risk["small_start"] < 2 * risk["intact"]
    assert risk["old_weights_kept"] > 1.5 * risk["intact"]
    assert risk["fresh_data"] < 2 * risk["intact"]


def test_concentration_of_known_layers():
    assert concentration(np.outer([1.0, -2, 3], [1.0, 1])) == pytest.approx(1)
    assert concentration(np.eye(4)) == pytest.approx(0.25)


def test_frames_of_the_layers_name_their_variants(finished):
    layers = [event for event in finished if isinstance(event, Frame) and event.stream == "layers"]
    assert [str(frame.arrays["variant"]) for frame in layers] == list(LINES)
    assert [frame.at for frame in layers] == list(range(len(LINES)))
    last = [event for event in finished if isinstance(event, Frame) and event.stream == "heads"][-1]
    assert {name.split("/")[0] for name in last.arrays} == set(LINES)
    fractions = [event.fraction for event in finished if isinstance(event, Progress)]
    assert fractions == sorted(fractions)


def table_of(spec):
    """The table of a failure when all its cells are done."""
    *_, last, _ = degenerate_run.run(spec)
    return FailureTable.from_arrays(last.arrays)


def test_a_degenerate_cell_is_the_race_of_its_seed():
    spec = DegenerateSpec(dims=(5,), sizes=(400,), width=60, repeats=2, holdout=500, test=500, seed=3)
    table = table_of(spec)
    for repeat in (0, 1):
        *_, alone = race_run.run(dataclasses.replace(spec.race(5, 400), seed=3 + repeat))
        for name in spec.methods:
            expected = alone.summary["methods"][name]["excess_risk"]
            assert table.risk[name][repeat, 0, 0] == pytest.approx(expected, rel=1e-6)
        assert table.alignment[repeat, 0, 0] == pytest.approx(alone.summary["alignment"]["after"], rel=1e-9)


def test_the_rescue_is_the_race_of_its_target_on_the_same_inputs():
    spec = DegenerateSpec(dims=(5,), sizes=(400,), methods=("algorithm1",), width=60, holdout=500, test=500, seed=3)
    table = table_of(spec)
    *_, alone = race_run.run(dataclasses.replace(spec.race(5, 400), target=spec.rescue))
    expected = alone.summary["methods"]["algorithm1"]["excess_risk"]
    assert table.rescue.risk[0, 0, 0] == pytest.approx(expected, rel=1e-6)
    assert table.rescue.alignment[0, 0, 0] == pytest.approx(alone.summary["alignment"]["after"], rel=1e-9)
    *_, last, without = degenerate_run.run(dataclasses.replace(spec, rescue="none"))
    assert not [name for name in [*last.arrays, *without.summary["dims"][0]] if name.startswith("rescue")]
    np.testing.assert_array_equal(last.arrays["risk/algorithm1"], table.risk["algorithm1"])


def test_without_a_hessian_what_is_learned_is_what_noise_shows():
    """He3, ten seeds: the alignment is that of labels with random signs, and far from that of He2."""
    spec = DegenerateSpec(
        dims=(20,), sizes=(2000,), methods=("algorithm1",), width=100, repeats=10, holdout=50, test=50, rescue="none"
    )
    *_, last, blind = degenerate_run.run(spec)
    alignment = last.arrays["alignment"]
    gap = alignment - last.arrays["noise_alignment"]
    assert abs(gap.mean()) < 4 * gap.std() / np.sqrt(10)
    assert alignment.mean() < 0.3
    assert table_of(dataclasses.replace(spec, target="quadratic")).alignment.mean() > 0.6
    assert blind.summary["dims"][0]["population"] == 0
    assert blind.summary["dims"][0]["csq_mark"] == pytest.approx(20**1.5)


def test_degenerate_frames_fill_one_table():
    spec = DegenerateSpec(
        dims=(5, 4), sizes=(300, 100), methods=("algorithm1",), width=20, holdout=50, test=50, repeats=2
    )
    events = list(degenerate_run.run(spec))
    frames = [event for event in events if isinstance(event, Frame)]
    filled = [int(np.isfinite(frame.arrays["risk/algorithm1"]).sum()) for frame in frames]
    assert filled == list(range(1, 9))
    assert frames[-1].arrays["d"].tolist() == [4, 5]
    assert frames[-1].arrays["n"].tolist() == [100, 300]


@pytest.mark.parametrize(("make", "values", "message"), [
    (AblationSpec, {"width": 9}, "width must be even for the symmetric start, got 9; use 10"),
    (AblationSpec, {"noise": -1}, "noise must be a number from 0 to 10, got -1; raise noise"),
    (DegenerateSpec, {"dims": [1]}, "each of dims must be a whole number from 2 to 60, got 1"),
    (DegenerateSpec, {"dims": [10, 2], "target": "parity"}, "d must be at least 3"),
    (DegenerateSpec, {"dims": [2], "rescue": "rank-3"}, "d must be at least 3"),
    (DegenerateSpec, {"methods": ["ntk", "luck"]}, "each of methods must be one of"),
])  # fmt: skip
def test_bad_values_are_refused_in_one_sentence(make, values, message):
    with pytest.raises(ValueError, match=message):
        make.from_mapping(values)
