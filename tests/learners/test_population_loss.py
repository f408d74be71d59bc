"""The losses of a student: population against autograd and Monte Carlo, samples against both, heads in closed form."""

import numpy as np
import pytest
import torch

from featdash.learners.head_descent import HeadLoss
from featdash.learners.recovery import DecaySchedule, Student, train_both_layers
from featdash.learners.student_loss import PopulationLoss, SampleLoss, residual_labels, tiles
from featdash.tasks.teacher import equiangular_teacher

BOTH = pytest.mark.parametrize("linear", [False, True], ids=["even", "relu"])


def setting(m=7, d=5, r=3, linear=False, seed=0):
    rng = np.random.default_rng(seed)
    teacher = equiangular_teacher(r, d, 50.0, "+-+", rng)
    return (
        teacher,
        PopulationLoss(teacher.directions, teacher.weights, linear),
        rng.normal(size=m),
        rng.normal(size=(m, d)),
    )


def torch_loss(a, W, directions, weights, linear):
    """vᵀKv with the kernel written in the acute angle, as in the literature."""
    V = torch.cat([W, directions])
    v = torch.cat([a, -weights])
    norms = V.norm(dim=1)
    c = (V @ V.T) / norms[:, None] / norms
    off = ~torch.eye(len(v), dtype=torch.bool)
    acute = torch.arccos(c[off].abs())
    even = torch.full_like(c, np.pi / 2)
    even[off] = torch.sin(acute) + (np.pi / 2 - acute) * torch.cos(acute)
    K = norms[:, None] * norms * (even - 1) / (2 * np.pi)
    return v @ (K + V @ V.T / 4 if linear else K) @ v


@BOTH
@pytest.mark.parametrize(("m", "d", "r"), [(7, 5, 3), (150, 40, 8)], ids=["one tile", "several tiles"])
def test_loss_and_gradient_match_autograd(m, d, r, linear):
    teacher, loss, a, W = setting(m, d, r, linear)
    tensors = [torch.tensor(part, requires_grad=True) for part in (a, W)]
    expected = torch_loss(*tensors, torch.tensor(teacher.directions), torch.tensor(teacher.weights), linear)
    expected.backward()
    assert loss.loss(a, W) == pytest.approx(expected.item(), rel=1e-12)
    for found, tensor in zip(loss.gradients(a, W), tensors, strict=True):
        np.testing.assert_allclose(found, tensor.grad.numpy(), rtol=1e-9, atol=1e-10 * np.abs(found).max())


@BOTH
def test_loss_is_a_variance_by_monte_carlo(linear):
    teacher, loss, a, W = setting(linear=linear)
    X = np.random.default_rng(9).standard_normal((400_000, 5))
    activation = (lambda z: np.maximum(z, 0)) if linear else (lambda z: np.abs(z) / 2)
    gap = activation(X @ W.T) @ a - activation(X @ teacher.directions.T) @ teacher.weights
    squares = (gap - gap.mean()) ** 2
    assert abs(squares.mean() - loss.loss(a, W)) < 5 * squares.std() / np.sqrt(len(X))


@BOTH
def test_the_teacher_itself_has_no_loss_and_no_gradient(linear):
    teacher, loss, *_ = setting(linear=linear)
    a, W = 2 * teacher.weights, teacher.directions / 2
    assert loss.loss(a, W) < 1e-15
    for gradient in loss.gradients(a, W):
        np.testing.assert_allclose(gradient, 0, atol=1e-8)  # √(1 − c²) of a rounded c = 1


@BOTH
def test_dead_neurons_have_no_gradient_and_change_nothing(linear):
    teacher, loss, a, W = setting(linear=linear)
    X = np.random.default_rng(2).standard_normal((50, 5))
    for one in (loss, SampleLoss(X, teacher(X), linear)):
        dead = np.append(a, 0.0), np.vstack([W, np.zeros(5)])
        assert one.loss(*dead) == pytest.approx(one.loss(a, W), rel=1e-12)
        for grown, alone in zip(one.gradients(*dead), one.gradients(a, W), strict=True):
            np.testing.assert_allclose(grown[:-1], alone, rtol=1e-10, atol=1e-12)
            assert np.all(grown[-1] == 0)


def test_a_zero_neuron_with_an_output_weight_stays_at_the_kink_of_an_even_activation():
    teacher, loss, a, W = setting()
    X = np.random.default_rng(2).standard_normal((50, 5))
    for one in (loss, SampleLoss(X, teacher(X))):
        gradient = one.gradients(np.append(a, 1.5), np.vstack([W, np.zeros(5)]))[1]
        assert np.all(gradient[-1] == 0)


@BOTH
@pytest.mark.parametrize(("m", "n"), [(7, 40), (100, 900)], ids=["one tile", "several tiles"])
def test_sample_loss_and_gradient_match_autograd(m, n, linear):
    teacher, _, a, W = setting(m=m, linear=linear)
    X = np.random.default_rng(3).standard_normal((n, 5))
    y = residual_labels(X, teacher(X), linear)
    loss = SampleLoss(X, y, linear)
    ta, tW = (torch.tensor(part, requires_grad=True) for part in (a, W))
    Z = torch.tensor(X) @ tW.T
    features = (torch.relu(Z) if linear else Z.abs() / 2) - tW.norm(dim=1) / np.sqrt(2 * np.pi)
    expected = ((features @ ta - torch.tensor(y)) ** 2).mean()
    expected.backward()
    assert loss.loss(a, W) == pytest.approx(expected.item(), rel=1e-12)
    assert loss.head(W).loss(a) == pytest.approx(expected.item(), rel=1e-9)
    for found, tensor in zip(loss.gradients(a, W), (ta, tW), strict=True):
        np.testing.assert_allclose(found, tensor.grad.numpy(), rtol=1e-9, atol=1e-10 * np.abs(found).max())


@BOTH
def test_samples_tend_to_the_population(linear):
    """A mean of squares of kurtosis 9 has relative error √(8/n): five of those, and five for the fitted α and β."""
    teacher, population, a, W = setting(linear=linear)
    X = np.random.default_rng(4).standard_normal((200_000, 5))
    sample = SampleLoss(X, residual_labels(X, teacher(X), linear), linear)
    value = population.loss(a, W)
    assert sample.loss(a, W) == pytest.approx(value, rel=10 * np.sqrt(8 / len(X)))
    for found, expected in zip(sample.gradients(a, W), population.gradients(a, W), strict=True):
        np.testing.assert_allclose(found, expected, atol=0.05 * np.abs(expected).max())


def head_loss(rank: int, seed: int = 5) -> HeadLoss:
    rng = np.random.default_rng(seed)
    features = rng.standard_normal((rank, 6))
    target = rng.standard_normal(rank)
    return HeadLoss(features.T @ features, features.T @ target, float(target @ target))


@pytest.mark.parametrize("rank", [3, 9], ids=["singular", "regular"])
@pytest.mark.parametrize("lam", [0.0, 0.03])
def test_head_descent_is_gradient_descent(rank, lam):
    head = head_loss(rank)
    a = start = np.random.default_rng(6).standard_normal(6)
    for _ in range(37):
        a = a - 0.01 * (2 * (head.G @ a - head.b) + lam * a)
    np.testing.assert_allclose(head.descend(start, 37, 0.01, lam), a, rtol=1e-10, atol=1e-12)


def test_head_descent_takes_the_longest_step_that_does_not_overshoot_in_place_of_a_longer_one():
    head = head_loss(9)
    longest = 1 / (2 * np.linalg.eigvalsh(head.G)[-1])
    for eta in (1.5 * longest, 1e6):
        np.testing.assert_allclose(head.descend(np.ones(6), 9, eta, 0.0), head.descend(np.ones(6), 9, longest, 0.0))
    assert head.loss(head.descend(np.ones(6), 1000, 1e6, 0.0)) < head.loss(np.ones(6))


def test_ridge_solves_its_normal_equations():
    head = head_loss(9)
    a = head.ridge(0.2)
    np.testing.assert_allclose(head.G @ a + 0.2 * a, head.b, atol=1e-12)


@BOTH
@pytest.mark.parametrize("scale", [0.3, 3.0, 30.0])
def test_a_step_of_the_largest_allowed_size_never_raises_the_loss(linear, scale):
    """η = 1000 asks for more than the curvature bound allows, so each step is 1/bound; no decay."""
    rng = np.random.default_rng(7)
    for collapsed in (False, True):
        _, loss, a, W = setting(m=20, linear=linear)
        W = np.tile(W[0], (20, 1)) + 1e-3 * W if collapsed else W
        student = Student(scale * (np.abs(a) if collapsed else a), scale * W * rng.uniform(0.5, 1, (20, 1)))
        path = train_both_layers(loss, student, 1000.0, DecaySchedule(100, 0.0, 0.5, 0), range(1, 30))
        losses = [loss.loss(student.a, student.W), *(loss.loss(now.a, now.W) for _, now in path)]
        assert np.all(np.diff(losses) <= 1e-12 * losses[0])


def test_tiles_cover_the_rows_once():
    for rows, each in ((1, 10**9), (100, 1648), (300, 19_000), (0, 5)):
        covered = [i for tile in tiles(rows, each) for i in range(rows)[tile]]
        assert covered == list(range(rows))
