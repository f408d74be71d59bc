"""Recipes are frozen, checked where they enter, and equal recipes have equal keys."""

import dataclasses
import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from featdash.lessons import EXPERIMENTS
from featdash.lessons.race.recipe import RaceSpec
from featdash.recipes.experiment import find_experiment
from featdash.recipes.spec import Choice, Flag, MultipleChoice, Number, Text, setting, spec_digest
from featdash.recipes.version import run_id
from featdash.theory.targets import TARGETS

SHIPPED = [name for name, one in EXPERIMENTS.items() if one.spec.__module__.startswith("featdash.")]
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=300),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
RULES = st.sampled_from(
    [Number(0, 5), Number(1, 9, whole=True), Choice(("a", 2)), Flag(), Text(9), MultipleChoice(Number(0, 1))]
)


def keeps(rule, checked):
    """Whether a value is what its rule asks for, told apart from the rule's own check."""
    match rule:
        case Number():
            kind = int if rule.whole else float
            return type(checked) is kind and rule.low <= checked <= rule.high
        case MultipleChoice():
            fits = all(keeps(rule.each, one) for one in checked)
            return fits and type(checked) is tuple and rule.fewest <= len(set(checked)) == len(checked) <= rule.most
        case Choice():
            return checked in rule.options and type(checked) is not bool
        case Flag():
            return checked is True or checked is False
        case Text():
            return type(checked) is str and len(checked) <= rule.longest


@given(rule=RULES, value=ANYTHING)
def test_a_rule_accepts_or_refuses_in_one_sentence(rule, value):
    try:
        checked = rule.check("width", value)
    except ValueError as error:
        sentence = str(error)
        assert "width" in sentence
        assert "; " in sentence
        assert "\n" not in sentence
        assert len(sentence) < 250
    else:
        assert keeps(rule, checked)
        assert rule.check("width", checked) == checked


@given(name=st.sampled_from([field.name for field in dataclasses.fields(RaceSpec)]), value=ANYTHING)
def test_a_race_recipe_is_valid_or_refused_in_one_sentence(name, value):
    try:
        spec = RaceSpec.from_mapping({name: value})
    except ValueError as error:
        sentence = str(error)
    else:
        sentence = None
        assert RaceSpec.from_mapping(json.loads(spec.canonical_json())) == spec
    assert sentence is None or ("\n" not in sentence and len(sentence) < 400)


@pytest.mark.parametrize("name", SHIPPED)
def test_default_recipes_round_trip_and_have_labels(name):
    experiment = EXPERIMENTS[name]
    spec = experiment.spec()
    again = experiment.spec.from_mapping(json.loads(spec.canonical_json()))
    assert again == spec
    assert run_id(name, again) == run_id(name, spec)
    for field in dataclasses.fields(spec):
        assert field.metadata["label"]
        assert field.metadata["about"].endswith(".")


@pytest.mark.parametrize("name", SHIPPED)
def test_default_recipes_fit_the_limits(name):
    cost = EXPERIMENTS[name].cost(EXPERIMENTS[name].spec())
    assert 0 < cost.memory < 1_000_000_000
    assert 0 < cost.seconds < 900
    assert cost.remedy


def test_every_setting_changes_the_key():
    changed = [
        RaceSpec(seed=1), RaceSpec(n=9999), RaceSpec(target="transfer"), RaceSpec(noise=0.5), RaceSpec(fresh_data=True),
    ]  # fmt: skip
    assert len({run_id("race", spec) for spec in [RaceSpec(), *changed]}) == 6
    assert len({spec_digest("race", spec) for spec in [RaceSpec(), *changed]}) == 6


def test_a_target_is_known_by_its_formula():
    """Its name is another way to write it, and what the name stands for may change."""
    formula = TARGETS["product"].expression
    assert run_id("race", RaceSpec(target="product")) == run_id("race", RaceSpec(target=formula))
    assert json.loads(RaceSpec(target="product", seed=3).identity_json()) == {"seed": 3, "target": formula}


def test_a_group_is_one_of_the_pages():
    with pytest.raises(ValueError, match="group must be one of Task, Method, Training, Data, Repeats, got 'Training '"):
        setting(1, Number(0, 1), "Rate", group="Training ")


def test_nan_and_infinity_are_refused():
    for value in (math.nan, math.inf, -math.inf):
        with pytest.raises(ValueError, match="noise must be a number from 0 to 10"):
            RaceSpec(noise=value)


def test_unknown_experiment_names_the_known_ones():
    with pytest.raises(ValueError, match="race"):
        find_experiment("marathon")
