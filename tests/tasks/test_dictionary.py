"""Patterns from a dictionary: exact γ, σ̃ and class shares, and draws that follow the law."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from featdash.tasks.dictionary import PatternLaw, count_labels, count_law, label_correlation, parity_counts
from featdash.tasks.gaussian import random_directions

LAWS = [
    PatternLaw(6, (0, 2, 5), (1, 3)),
    PatternLaw(6, (1, 2, 4), (1, 3), p0=0.2, structure=0.4),
    PatternLaw(6, (0, 1, 2, 3), (2, 4), p0=0.3),
    PatternLaw(5, (1, 3, 4), (2,), p0=0.1, structure=0.7),
    PatternLaw(5, (0, 1, 2), (1, 3), structure=0.0),
]


def enumerated(law):
    """Every φ with its probability, from the mixture told in words: coins, then spikes, one subset at a time."""
    k, high = len(law.relevant), max(law.positive)
    share = np.mean([sum(bits) in law.positive for bits in itertools.product((0, 1), repeat=k)])
    off = 0.5 + law.structure * (law.p0 - 0.5)
    subsets = [set(chosen) for chosen in itertools.combinations(range(k), high)]
    rows, chances = [], []
    for phi in itertools.product((0, 1), repeat=law.D):
        on = {place for place, column in enumerate(law.relevant) if phi[column]}
        chance = (1 - law.structure / 2) / 2**k
        chance += law.structure / 2 * (1 - share) * (on in subsets) / len(subsets)
        chance += law.structure / 2 * share * (not on)
        background = [phi[column] for column in range(law.D) if column not in law.relevant]
        chance *= math.prod(off if bit else 1 - off for bit in background)
        rows.append(phi)
        chances.append(chance)
    return np.array(rows), np.array(chances)


@pytest.mark.parametrize("law", LAWS)
def test_gamma_sigma_and_shares_equal_the_enumeration(law):
    phi, chance = enumerated(law)
    y = np.where(np.isin(phi[:, list(law.relevant)].sum(axis=1), law.positive), 1, -1)
    assert chance.sum() == pytest.approx(1)
    means = chance @ phi
    np.testing.assert_allclose(law.means, means, atol=1e-14)
    assert law.sigma**2 == pytest.approx(np.sum(chance @ phi**2 - means**2), rel=1e-13)
    correlations = chance @ (y[:, None] * phi) - (chance @ y) * means
    np.testing.assert_allclose(correlations[list(law.relevant)], law.gamma, atol=1e-14)


@pytest.mark.parametrize("law", LAWS[1:4])
def test_draws_follow_the_law(law):
    n = 100_000
    phi, y = law.draw(n, np.random.default_rng(0))
    rows, chance = enumerated(law)
    counts = np.bincount(phi @ 2 ** np.arange(law.D)[::-1], minlength=len(rows))
    error = np.sqrt(np.maximum(chance * (1 - chance) / n, 1 / n**2))
    assert np.all(np.abs(counts / n - chance) < 5 * error)  # 5 standard errors in each of 2^D cells
    assert set(y) == {-1, 1}
    np.testing.assert_array_equal(y > 0, np.isin(phi[:, list(law.relevant)].sum(axis=1), law.positive))


def test_inputs_have_mean_zero_and_unit_energy_and_keep_it_in_the_dictionary():
    law = PatternLaw(12, (3, 4, 8), (1, 3), p0=0.3)
    z = law.coordinates(law.draw(200_000, np.random.default_rng(1)).phi)
    x = z @ random_directions(12, 20, np.random.default_rng(2))
    energy = np.sum(x**2, axis=1)
    assert np.abs(z.mean(axis=0)).max() < 5 * 0.5 / law.sigma / np.sqrt(len(z))
    assert abs(energy.mean() - 1) < 5 * energy.std() / np.sqrt(len(z))


def test_a_shorter_draw_is_the_head_of_a_longer_one():
    law = LAWS[1]
    long, short = law.draw(50, np.random.default_rng(3)), law.draw(20, np.random.default_rng(3))
    np.testing.assert_array_equal(long.phi[:20], short.phi)
    np.testing.assert_array_equal(long.y[:20], short.y)


@given(k=st.integers(1, 9), data=st.data())
def test_full_structure_balances_the_classes_for_any_label_set(k, data):
    positive = tuple(data.draw(st.sets(st.integers(1, k), min_size=1)))
    assume(label_correlation(k, positive, 1.0) > 0)
    law = PatternLaw(k + 3, tuple(range(k)), positive)
    assert count_law(k, positive, 1.0) @ (count_labels(k, positive) > 0) == pytest.approx(0.5)
    assert law.gamma > 0


@pytest.mark.parametrize("k", [1, 3, 5, 9])
def test_parity_has_gamma_one_quarter_with_structure_and_none_without(k):
    law = PatternLaw(20, tuple(range(k)), parity_counts(k))
    assert law.gamma == pytest.approx(0.25 if k > 1 else 0.5)
    np.testing.assert_allclose(count_law(k, law.positive, 0.0), [math.comb(k, c) / 2**k for c in range(k + 1)])
    assert law.at(0.0).gamma == pytest.approx(0 if k > 1 else 0.5, abs=1e-15)


def test_without_structure_the_background_is_fair_whatever_p0():
    assert PatternLaw(9, (0, 1, 2), (1, 3), p0=0.1, structure=0.0).background_probability == 0.5


@pytest.mark.parametrize(
    ("make", "part"),
    [
        (lambda: parity_counts(4), "k must be odd with parity labels, got 4; use 5"),
        (lambda: PatternLaw(3, (0, 1, 2, 3), (1, 3)), "k must be from 1 to D = 3, got 4; lower k"),
        (lambda: PatternLaw(5, (0, 1, 2), ()), "P must not be empty, got no count; name"),
        (lambda: PatternLaw(5, (0, 1, 2), (4,)), "from 1 to k = 3, got 4; remove it"),
        (lambda: PatternLaw(5, (0, 1, 2, 3, 4), (1,)), "γ = -0.134; add higher counts"),
        (lambda: PatternLaw(5, (0, 1, 2), (1, 3), p0=0.6), "at most 1/2"),
        (lambda: PatternLaw(5, (0, 1, 2), (1, 3), structure=1.5), "structure from 0 to 1"),
    ],
)
def test_a_bad_law_is_refused_in_one_sentence(make, part):
    with pytest.raises(ValueError, match="; ") as refused:
        make()
    assert part in str(refused.value)
