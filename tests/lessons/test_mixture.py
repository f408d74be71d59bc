"""Digits beside noise: gradients against autograd, a run against torch with draws of its own, and the splits."""

import numpy as np
import pytest
import torch
from sklearn.datasets import load_digits

from featdash.learners.classifiers import Classifiers
from featdash.lessons.emergence.mixture_run import run
from featdash.lessons.emergence.recipe import MOMENTS, MixtureSpec
from featdash.recipes.events import Frame, Progress
from featdash.runs.codec import read_archive
from featdash.runs.recording import recorded_path
from featdash.tasks.digits import TRAIN, gaussian_inputs, load_ten

SMALL = MixtureSpec(m=4, steps=40, runs=2, batch=16, seed=5)


def torch_gradients(parameters, X, y):
    W, b, A, c = (torch.tensor(part, requires_grad=True) for part in parameters)
    scores = torch.relu(torch.tensor(X) @ W + b) @ A + c
    loss = sum(
        torch.nn.functional.cross_entropy(one, label) for one, label in zip(scores, torch.tensor(y), strict=True)
    )
    loss.backward()
    return [part.grad.numpy() for part in (W, b, A, c)]


def test_gradients_are_those_of_autograd_for_each_network_by_itself():
    rng = np.random.default_rng(0)
    networks = Classifiers(6, 5, 4, [np.random.default_rng(i) for i in range(3)])
    for part in networks.parameters:
        part += 0.1 * rng.standard_normal(part.shape)
    X, y = rng.standard_normal((3, 8, 6)), rng.integers(0, 4, (3, 8))
    expected = torch_gradients(networks.parameters, X, y)
    for found, wanted in zip(networks.gradients(X, y), expected, strict=True):
        np.testing.assert_allclose(found, wanted, atol=1e-12)


def test_a_step_is_that_of_torch_with_momentum():
    networks = Classifiers(6, 5, 4, [np.random.default_rng(1)])
    parts = [torch.tensor(part.copy(), requires_grad=True) for part in networks.parameters]
    descent = torch.optim.SGD(parts, lr=0.1, momentum=0.9)
    rng = np.random.default_rng(2)
    for _ in range(4):
        X, y = rng.standard_normal((1, 8, 6)), rng.integers(0, 4, (1, 8))
        networks.step(X, y, 0.1, 0.9)
        descent.zero_grad()
        scores = torch.relu(torch.tensor(X[0]) @ parts[0][0] + parts[1][0]) @ parts[2][0] + parts[3][0]
        torch.nn.functional.cross_entropy(scores, torch.tensor(y[0])).backward()
        descent.step()
    for found, wanted in zip(networks.parameters, parts, strict=True):
        np.testing.assert_allclose(found, wanted.detach().numpy(), atol=1e-12)


def torch_runs(seeds, steps=100):
    """The whole comparison once more, nothing of the package in it: agreement on digits and on noise, a row a seed.

    The runs go side by side; each has its own split, teacher, student and draws.
    """
    count, generator = len(seeds), torch.manual_seed(0)
    pixels, shown = load_digits(return_X_y=True)
    orders = [np.random.default_rng(seed).permutation(len(shown)) for seed in seeds]
    X = np.stack([pixels[order] for order in orders])
    X = X - X[:, :1200].mean(axis=1, keepdims=True)
    X /= np.sqrt(X[:, :1200].var(axis=1).mean(axis=1))[:, None, None]
    X, shown = torch.tensor(X, dtype=torch.float32), torch.tensor(np.stack([shown[order] for order in orders]))

    def trained(inputs, labels, steps):
        sizes = ((64, 20, (2 / 64) ** 0.5), (1, 20, 0.0), (20, 10, 20**-0.5), (1, 10, 0.0))
        parts = [scale * torch.randn(count, *shape, generator=generator) for *shape, scale in sizes]
        W, b, A, c = (part.requires_grad_() for part in parts)
        scores = lambda Z: torch.relu(Z @ W + b) @ A + c  # noqa: E731
        descent = torch.optim.SGD([W, b, A, c], lr=0.1, momentum=0.9)
        for _ in range(steps):
            rows = torch.arange(count)[:, None], torch.randint(0, inputs.shape[1], (count, 64), generator=generator)
            descent.zero_grad()
            loss = torch.nn.functional.cross_entropy
            (loss(scores(inputs[rows]).flatten(0, 1), labels[rows].flatten(), reduction="sum") / 64).backward()
            descent.step()
        return lambda Z: scores(Z).argmax(2)

    teacher = trained(X[:, :1200], shown[:, :1200], 1500)
    mixed = torch.cat([X[:, :1200], torch.randn(count, 1200, 64, generator=generator)], dim=1)
    student, judges = trained(mixed, teacher(mixed), steps), torch.randn(count, 2000, 64, generator=generator)
    alike = lambda Z: (student(Z) == teacher(Z)).float().mean(1).numpy()  # noqa: E731
    return np.stack([alike(X[:, 1200:]), alike(judges)], axis=1)


def test_the_accuracies_are_those_of_torch_with_other_draws():
    """Two means over five runs each: four standard errors of their difference, taken from ours."""
    summary = read_archive(recorded_path("mixture", MixtureSpec()), shipped=True).result.summary
    others = torch_runs(range(5))
    for kind, values in zip(("digits", "gaussian"), others.T, strict=True):
        error = np.sqrt((summary["spread"][kind]["100"] ** 2 + values.var(ddof=1)) / 5)
        assert abs(summary["accuracy"][kind]["100"] - values.mean()) < 4 * error


def test_every_image_is_in_one_part_and_noise_is_as_it_is_called():
    pixels, digits = load_digits(return_X_y=True)
    found = load_ten(np.random.default_rng(0))
    assert len(found.train) == TRAIN
    assert len(found.train) + len(found.test) == len(digits)
    assert np.bincount(np.concatenate([found.train_digits, found.test_digits])).tolist() == np.bincount(digits).tolist()
    assert len(np.unique(np.vstack([found.train, found.test]).round(6), axis=0)) == len(np.unique(pixels, axis=0))
    assert abs(found.train.mean(axis=0)).max() < 1e-12
    assert found.train.var(axis=0).mean() == pytest.approx(1)
    white, matched = (gaussian_inputs(40_000, found.train, like, np.random.default_rng(1)) for like in (False, True))
    assert np.abs(np.cov(white.T) - np.eye(64)).max() < 0.04  # five standard errors, 0.0071 each on the diagonal
    wanted = np.cov(found.train.T)
    assert np.abs(np.cov(matched.T) - wanted).max() < 0.04 * wanted.max()


def test_frames_lead_to_the_summary():
    events = list(run(SMALL))
    progress = [event.fraction for event in events if isinstance(event, Progress)]
    assert progress == sorted(progress)
    frames = {frame.at: frame.arrays for frame in events if isinstance(frame, Frame) and frame.stream == "accuracies"}
    summary = events[-1].summary
    assert set(summary["accuracy"]["digits"]) == {*(str(step) for step in MOMENTS if step < 40), "40"}
    for kind in ("digits", "gaussian", "alone"):
        assert summary["accuracy"][kind]["40"] == pytest.approx(frames[40][kind].mean())
    halves = [summary["accuracy"][kind]["40"] for kind in ("digits", "gaussian")]
    assert summary["accuracy"]["mixture"]["40"] == pytest.approx(np.mean(halves))


def test_runs_do_not_depend_on_how_many_there_are():
    few, more = (list(run(MixtureSpec(m=4, steps=20, runs=count))) for count in (1, 2))
    last = [[event for event in events if isinstance(event, Frame)][-1].arrays for events in (few, more)]
    for name, values in last[0].items():
        assert values[0] == pytest.approx(last[1][name][0])
