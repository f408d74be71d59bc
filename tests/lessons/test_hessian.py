"""The Hessian announces the next feature: a run's frames against autograd, and who finds u₂ first at five seeds."""

import numpy as np
import pytest
import torch
from trial_runs import computed

from featdash.figures.picture import Theme
from featdash.lessons import EXPERIMENTS
from featdash.lessons.hessian.frames import ThresholdFrame, TrainingFrame
from featdash.lessons.hessian.pictures import feature_plane, share_course
from featdash.lessons.hessian.recipe import RATIOS, HessianSpec
from featdash.lessons.hessian.run import describe_threshold, run, since
from featdash.recipes.events import Frame, Progress
from featdash.tasks.streams import stream

TINY = {"d": 10, "few": 2, "many": 6, "steps": 20, "seed": 3}


def by_autograd(seed, d, ratio, step):
    """The lowest eigenvalue, its vector's share and the layer's share along u₂ after so many steps, by torch alone."""
    n = round(ratio * d)
    X = stream(seed, "gaussian", "train", "inputs").standard_normal((n, d))
    rows, labels = torch.tensor(X), torch.tensor(X[:, 0] + X[:, 1] ** 2 - 1)
    W = stream(seed, "hessian", "start").standard_normal((4, d))
    W = torch.tensor(0.02 * W / np.linalg.norm(W, axis=1, keepdims=True), requires_grad=True)

    def loss(W):
        values = torch.nn.functional.softplus(rows @ W.reshape(4, d).T) - np.log(2)
        return ((values.sum(dim=1) - labels) ** 2).mean() / 2

    for _ in range(step):
        (gradient,) = torch.autograd.grad(loss(W), W)
        W = (W - 0.2 * gradient).detach().requires_grad_()
    values, vectors = np.linalg.eigh(torch.autograd.functional.hessian(loss, W.detach().ravel()).numpy())
    layer = W.detach().numpy()
    return values[0], np.sum(vectors[1::d, 0] ** 2), np.sum(layer[:, 1] ** 2) / np.sum(layer**2)


def test_the_frames_are_those_of_autograd():
    frames = {f.at: f for f in run(HessianSpec(**TINY)) if isinstance(f, Frame) and f.stream == "training"}
    assert list(frames) == [0, 10, 20]
    for step, frame in frames.items():
        for name in ("few", "many"):
            found = TrainingFrame.from_arrays(frame.arrays).networks[name]
            value, vector, share = by_autograd(3, 10, TINY[name], step)
            assert found.eigenvalues[0] == pytest.approx(value, rel=1e-8)
            assert found.vector[1] == pytest.approx(vector, abs=1e-6)
            assert found.share[1] == pytest.approx(share, rel=1e-8)


def test_a_run_tells_its_frames():
    events = list(run(HessianSpec(**TINY)))
    progress = [event.fraction for event in events if isinstance(event, Progress)]
    assert progress == sorted(progress)
    last = {event.stream: event for event in events if isinstance(event, Frame)}
    table, summary = ThresholdFrame.from_arrays(last["threshold"].arrays), events[-1].summary
    assert summary["threshold"]["neurons"] == np.median(table.neurons, axis=1).tolist()
    look = TrainingFrame.from_arrays(last["training"].arrays).networks["few"]
    assert summary["few"]["share"] == pytest.approx(look.share[1])
    assert summary["few"]["loss"] == look.loss


def test_pictures_without_the_vector_tell_nothing_of_it():
    """A scene asks where it points, after one that asks of the neurons alone."""
    frames = [f for f in run(HessianSpec(**TINY)) if isinstance(f, Frame) and f.stream == "training"]
    arrays, steps = [TrainingFrame.from_arrays(f.arrays) for f in frames], [int(f.at) for f in frames]
    looks, ratios = [one.networks["many"] for one in arrays], {"few": 2.0, "many": 6.0}
    for vector in (True, False):
        plane = feature_plane(arrays[-1], 20, ratios, vector, theme=Theme("light"))
        course = share_course(steps, looks, 6.0, 20, vector, theme=Theme("light"))
        for picture in (plane, course):
            said = f"{picture.figure.to_json()} {picture.alt} {picture.table} {picture.headline}"
            assert ("vector" in said or "Hessian" in said) == vector
            assert "neurons" in said


def test_when_and_from_where_on():
    assert since([0, 10, 20], np.array([0.1, 0.6, 0.4])) == 10
    assert since([0, 10], np.array([0.1, 0.2])) is None
    shares = np.array([[0.1], [0.6], [0.2], [0.5], [0.7], [0.7], [0.8], [0.9]])
    assert describe_threshold(shares, shares)["from"] == RATIOS[3]
    assert describe_threshold(shares, 0 * shares)["from"] is None


@pytest.mark.parametrize("seed", [0, 1, 2, 7, 11])
def test_the_vector_finds_u2_before_the_neurons_above_the_threshold_and_never_below(seed):
    summary = computed("hessian", EXPERIMENTS["hessian"].spec(seed=seed)).summary
    assert summary["many"]["vector_from"] <= 10 < 50 <= summary["many"]["neurons_from"]
    assert summary["few"]["vector_from"] is None
    assert summary["few"]["neurons_from"] is None
