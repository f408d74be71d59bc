"""One course of training: a truncated network through its two steps and minibatches, against fixed features.

All methods see the same samples in the same order: fixed features take an ordinary hinge step where the network takes
a feature step. What is ours: sample sizes, rates, and that the network's head restarts at 0 after step 2.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import torch

from featdash.learners.head import predict
from featdash.learners.minibatch import step_network, step_weights
from featdash.learners.network import Network
from featdash.learners.truncated_network import accuracy, output
from featdash.learners.two_step import FeatureStep, first_step, second_step
from featdash.lessons.emergence.fixed_heads import MeasuredHead, features_of, measured_head
from featdash.lessons.emergence.frames import GradientComponents, Neurons, Score
from featdash.lessons.emergence.neurons import EmergenceRecorder, gradient_components
from featdash.lessons.emergence.recipe import CHECKPOINTS, COMPARED, CURVE_ROWS, FIXED, TwoStageSchedule
from featdash.recipes.events import Event, Frame, Progress, flatten
from featdash.tasks import Labelled

LOST = 0.1  # of accuracy, beyond what chance moves on a hundred test images


@dataclass(frozen=True, eq=False)
class Dataset:
    """What is learned.

    sample : (purpose, index) -> (X (n, d), y (n,)); the purposes are "step" (1, 2), "head", "holdout", "test" (0) and
    "batch" (3, 4, ...).
    start : the mirrored network. star (d,) : the effective feature, in the coordinates of X.
    shown_start : (W⁰, star) for the first frame, where the start has more coordinates than X.
    relevant (d,), prediction : A as a mask and γ/σ̃, where the coordinates are patterns.
    """

    sample: Callable[[str, int], Labelled]
    start: Network
    star: np.ndarray
    shown_start: tuple[np.ndarray, np.ndarray] | None = None
    relevant: np.ndarray | None = None
    prediction: float = 0.0


class TwoStageTraining:
    """A course as it runs: exhaust `events()` once, then read the fields.

    heads : method -> its tuned head; the network's is the one on its features after step 2.
    head_accuracy : of tuned heads on the network's features after steps 0, 1, 2 and the last.
    trained : method -> accuracy after the last minibatch step.
    neurons, gradients : what the streams `neurons` and `gradient` have shown.
    layers : W after steps 0, 1 and 2.
    images : how many neurons are shown with all their weights.
    """

    def __init__(self, problem: Dataset, schedule: TwoStageSchedule, device: str = "cpu", images: int = 0) -> None:
        self._problem, self._schedule, self._device = problem, schedule, device
        self._recorder = EmergenceRecorder(problem.start.width, images)
        self.heads: dict[str, MeasuredHead] = {}
        self.head_accuracy: list[float] = []
        self.trained: dict[str, float] = {}
        self.neurons: list[Neurons] = []
        self.gradients: list[GradientComponents] = []
        self.layers: list[np.ndarray] = []

    def events(self) -> Iterator[Event]:
        """Progress from 0 to 1, and the frames of the streams `neurons`, `gradient`, `training`, `heads`."""
        start, last = self._problem.start, 2 + self._schedule.steps
        yield self._neuron_frame(0, *(self._problem.shown_start or (start.W, self._problem.star)))
        yield Progress(0.05, "random features and the linear model")
        self._samples = {purpose: self._problem.sample(purpose, 0) for purpose in ("head", "holdout", "test")}
        self.heads = {name: self._head(name, start) for name in ("random_features", "linear")}
        self.head_accuracy = [self.heads["random_features"].accuracy]
        yield scores("heads", 0, {name: head.accuracy for name, head in self.heads.items()})
        self._enter_curves()
        yield self._curves(0, start)
        network = yield from self._feature_steps()
        network = yield from self._minibatches(network)
        yield Progress(0.7, "the tangent kernel's head")
        self.heads["ntk"] = self._head("ntk", start)
        yield Progress(0.95, "a head on the last features")
        self.head_accuracy.append(self._head("random_features", network).accuracy)
        final = {"network": self.head_accuracy[-1], "ntk": self.heads["ntk"].accuracy}
        yield scores("heads", last, final)
        yield Progress(1.0, "done")

    def _feature_steps(self) -> Generator[Event, None, Network]:
        """Steps 1 and 2, each on a sample of its own; returns the network after them."""

        network = self._problem.start
        for at in (1, 2):
            yield Progress(0.1 * at, f"step {at}")
            X, y = self._problem.sample("step", at)
            if np.all(y == y[0]):
                rule = f"the sample of step {at} must hold both classes, got only y = {y[0]:+.0f}"
                raise ValueError(f"{rule}; raise n, or change the label set")
            if at == 1:
                step = first_step(X, y, network, self._schedule.output, self._device)
            else:
                step = second_step(X, y, network, self._schedule.noise, self._schedule.size, self._device)
            network = step.network
            yield from self._after_feature_step(at, step, X, y)
        return replace(network, a=np.zeros(network.width))

    def _after_feature_step(self, at: int, step: FeatureStep, X: np.ndarray, y: np.ndarray) -> Iterator[Event]:
        yield self._neuron_frame(at, step.network.W, self._problem.star)
        if self._problem.relevant is not None:
            self.gradients.append(gradient_components(step, self._problem.relevant, self._problem.prediction))
            yield Frame("gradient", at, self.gradients[-1].to_arrays())
        self._step_fixed(X, y)
        yield self._curves(at, step.network)
        self.heads["network"] = self._head("random_features", step.network)
        self.head_accuracy.append(self.heads["network"].accuracy)
        yield scores("heads", at, {"network": self.head_accuracy[-1]})

    def _minibatches(self, network: Network) -> Generator[Event, None, Network]:
        """Steps 3, 4, ... of all methods on the same batches; returns the network after them."""

        steps = self._schedule.steps
        checkpoints = set(np.unique(np.geomspace(1, steps, CHECKPOINTS).round().astype(int)).tolist())
        X, _ = self._problem.sample("step", 2)
        eta = self._schedule.rate / features_of("random_features", network, self._device)(X, keep=False).energy()
        for step in range(1, steps + 1):
            X, y = self._problem.sample("batch", 2 + step)
            network = step_network(X, y, network, eta)
            self._step_fixed(X, y)
            if step in checkpoints:
                yield self._neuron_frame(2 + step, network.W, self._problem.star)
                yield self._curves(2 + step, network)
                yield Progress(0.3 + 0.4 * step / steps, f"minibatch {step} of {steps}")
        return network

    def _enter_curves(self) -> None:
        """The fixed methods at θ = 0, with their own rate each, and a part of the test sample."""
        (X, y), start = self._samples["test"], self._problem.start
        self._curve_labels, self._curve_inputs = y[:CURVE_ROWS], X[:CURVE_ROWS]
        self._maps = {name: features_of(name, start, self._device) for name in FIXED}
        self._curve_features = {name: self._maps[name](self._curve_inputs) for name in FIXED}
        self._rates = {name: self._schedule.rate / features.energy() for name, features in self._curve_features.items()}
        self._weights = {
            name: torch.zeros(features.shape[1], dtype=torch.float64, device=self._device)
            for name, features in self._curve_features.items()
        }

    def _step_fixed(self, X: np.ndarray, y: np.ndarray) -> None:

        for name in FIXED:
            features = self._maps[name](X)
            self._weights[name] = step_weights(features, y, self._weights[name], self._rates[name])

    def _curves(self, at: float, network: Network) -> Frame:
        """Accuracy of each method's own output."""
        outputs = {"network": output(self._curve_inputs, network, device=self._device)}
        outputs |= {name: predict(self._curve_features[name], self._weights[name]) for name in FIXED}
        y = self._curve_labels
        self.trained = {name: float(accuracy(y, g)) for name, g in outputs.items()}
        return scores("training", at, self.trained)

    def _head(self, method: str, network: Network) -> MeasuredHead:
        samples = (self._samples[purpose] for purpose in ("head", "holdout", "test"))
        return measured_head(features_of(method, network, self._device), *samples)

    def _neuron_frame(self, at: float, W: np.ndarray, star: np.ndarray) -> Frame:
        if at <= 2:
            self.layers.append(W)
        self.neurons.append(self._recorder.measure(W, star))
        return Frame("neurons", at, self.neurons[-1].to_arrays())

    def summary(self) -> dict[str, Any]:
        """Plain numbers; `accuracy` is that of the ridge head, `trained_accuracy` of the minibatches."""
        methods = {name: self.heads[name].summary() | {"trained_accuracy": self.trained[name]} for name in COMPARED}
        return methods | {
            "median_abs_cos": [frame.median_abs_cos for frame in self.neurons[:3]],
            "head_accuracy": self.head_accuracy,
            "dead": [frame.dead_count for frame in self.neurons[:3]],
        }

    def divergence(self) -> str:
        """A sentence if the run has lost what it had learned, else ""; after `events`."""
        dead, (after_step, last) = self.neurons[2].dead_count, self.head_accuracy[2:4]
        if dead == self._problem.start.width:
            return "All neurons were zero on every sample after step 2: lower Size of step 1 or Size of step 2"
        if last < after_step - LOST:
            return (
                "The minibatch phase diverged: a head on the network's features had an accuracy of "
                f"{after_step:.2f} after step 2, and of {last:.2f} at the end; lower Rate ρ"
            )
        return ""


def scores(stream: str, at: float, accuracies: Mapping[str, float]) -> Frame:
    """A frame of `training` or `heads`, from method -> accuracy."""
    return Frame(stream, at, flatten({name: Score(value) for name, value in accuracies.items()}))
