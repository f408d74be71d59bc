"""What the lessons of «Beyond one step» promise of each «Try», on the runs of those very buttons."""

import pytest
from trial_runs import computed, expects, run_of

from featdash.lessons.hessian.recipe import RATIOS
from featdash.lessons.more_steps.recipe import STEPS as T1
from featdash.lessons.staircase.recipe import HIGH, LONG, LOOSE, NONE


def steps_over_seeds(label):
    """{target: {d: [steps at seeds 0, 7, 11]}} of that «Try»."""
    spec = run_of("staircase", label).spec
    found = [computed("staircase", type(spec)(**(vars(spec) | {"seed": seed}))).summary["steps"] for seed in (0, 7, 11)]
    return {name: {d: [one[name][d] for one in found] for d in dims} for name, dims in found[0].items()}


@expects("staircase", "Three loose stones")
def test_loose_stones_are_learned_at_once_in_every_dimension():
    for steps in steps_over_seeds("Three loose stones")[LOOSE].values():
        assert 240 <= min(steps) <= max(steps) <= 250


@expects("staircase", "Biases drawn at the start")
def test_with_drawn_biases_the_product_waits_less_and_is_still_the_last():
    drawn, zero = steps_over_seeds("Biases drawn at the start"), run_of("staircase").summary["steps"]
    assert 800 <= min(drawn[NONE]["80"]) <= max(drawn[NONE]["80"]) <= 830
    assert 1830 <= zero[NONE]["80"] <= 1870
    assert min(drawn[NONE]["80"]) > max(steps for name, dims in drawn.items() if name != NONE for steps in dims["80"])


@expects("staircase", "A stair of four, and a leap of three")
def test_a_leap_of_three_costs_steps_in_a_large_dimension_only():
    found = steps_over_seeds("A stair of four, and a leap of three")
    assert found[LONG]["20"] == [390] * 3
    assert 360 <= min(found[HIGH]["20"]) <= max(found[HIGH]["20"]) <= 370
    assert 550 <= min(found[LONG]["80"]) <= max(found[LONG]["80"]) <= 570
    assert 710 <= min(found[HIGH]["80"]) <= max(found[HIGH]["80"]) <= 730


@expects("staircase", "Give up after 1000 steps")
def test_who_gives_up_has_no_number():
    summary = run_of("staircase", "Give up after 1000 steps").summary
    assert summary["steps"][NONE]["80"] is None
    assert summary["reached"][NONE] == {"20": 3, "40": pytest.approx(2, abs=1), "80": 0}
    assert summary["growth"][NONE] is None


def spikes_over_seeds(label):
    """The summaries of that «Try» at seeds 0, 7, 11; without a label, of the defaults."""
    spec = run_of("spikes", label).spec
    return [computed("spikes", type(spec)(**(vars(spec) | {"seed": seed}))).summary for seed in (0, 7, 11)]


@expects("spikes", "Line 1 as in Algorithm 1")
def test_without_the_linear_part_there_are_as_many_spikes_of_a_worse_direction():
    plain, removed = spikes_over_seeds(""), spikes_over_seeds("Line 1 as in Algorithm 1")
    assert [one["spikes"][-1] for one in removed] == [one["spikes"][-1] for one in plain] == [2, 2, 2]
    assert all(0.72 <= round(one["overlap"], 2) <= 0.75 for one in plain)
    assert all(0.34 <= round(one["overlap"], 2) <= 0.40 for one in removed)


@expects("spikes", "Fewer inputs: d = 100")
def test_with_fewer_inputs_the_direction_is_better_and_the_second_spike_later():
    found = spikes_over_seeds("Fewer inputs: d = 100")
    assert all(0.90 <= round(one["overlap"], 2) <= 0.91 for one in found)
    assert [one["two_from"] for one in found] == [0.4] * 3
    assert max(one["two_from"] for one in spikes_over_seeds("")) < 0.4


@expects("spikes", "A line alone: y = z₁")
def test_a_line_alone_makes_a_bowl_too():
    for one in spikes_over_seeds("A line alone: y = z₁"):
        assert one["two_from"] == 0.35
        assert min(one["second"][7:]) > 0.85


@expects("more-steps", "The theorem's kind of activation: log cosh")
def test_log_cosh_has_the_same_powers_from_fewer_samples():
    smooth, relu = (
        run_of("more-steps", "The theorem's kind of activation: log cosh").summary,
        run_of("more-steps").summary,
    )
    for steps in T1:
        assert abs(smooth["exponents"][str(steps)]["slope"] - relu["exponents"][str(steps)]["slope"]) < 0.15
    assert 820 <= smooth["samples"]["8"]["200"] <= 940
    assert 1190 <= relu["samples"]["8"]["200"] <= 1350
    assert smooth["alignment"]["correlation"][-1] == pytest.approx(0.94, abs=0.01)
    assert relu["alignment"]["correlation"][-1] == pytest.approx(0.8, abs=0.02)


@expects("more-steps", "A product of two: z₁z₂")
def test_a_product_of_two_has_much_the_same_powers():
    product, bowl = run_of("more-steps", "A product of two: z₁z₂").summary, run_of("more-steps").summary
    for steps in T1:
        assert abs(product["exponents"][str(steps)]["slope"] - bowl["exponents"][str(steps)]["slope"]) < 0.2


@expects("more-steps", "A cubic: He₃/√6")
def test_a_cubic_is_not_found_by_eight_steps_either():
    assert max(run_of("more-steps", "A cubic: He₃/√6").summary["alignment"]["correlation"]) < 0.1


@expects("hessian", "Between: four samples per dimension")
def test_near_the_threshold_the_neurons_come_late():
    between, usual = run_of("hessian", "Between: four samples per dimension").summary, run_of("hessian").summary
    assert 0.6 <= between["many"]["share"] <= 0.8
    assert between["many"]["neurons_from"] > usual["many"]["neurons_from"]


@expects("hessian", "Label noise 1")
def test_with_noise_the_vector_is_first_as_well():
    summary = run_of("hessian", "Label noise 1").summary
    assert summary["many"]["vector_from"] < summary["many"]["neurons_from"]
    four = RATIOS.index(4.0)
    assert summary["threshold"]["neurons"][four] < run_of("hessian").summary["threshold"]["neurons"][four] - 0.1


@expects("hessian", "Fifty dimensions")
def test_half_the_dimensions_give_the_same_picture():
    summary = run_of("hessian", "Fifty dimensions").summary
    assert summary["many"]["vector_from"] < summary["many"]["neurons_from"]
    assert summary["few"]["neurons_from"] is None
    assert 2 <= summary["threshold"]["from"] <= 4
