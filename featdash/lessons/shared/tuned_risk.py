"""The excess risk of a head on a first layer, its λ tuned on the holdout."""

from __future__ import annotations

from featdash.learners.head import solve_head
from featdash.learners.layer import Features
from featdash.lessons.shared.competitors import Splits


def tuned_risk(layer: Features, field: Splits, device: str) -> float:
    """The excess risk of a head at the λ that is best on the holdout."""
    featurise, linear = layer.featurise(device), layer.linear
    labels = {"holdout": (field.holdout.X, field.holdout.y), "test": (field.test.X, field.test.clean)}
    evaluations = {name: (featurise(X, keep=False), values - linear(X)) for name, (X, values) in labels.items()}
    head = solve_head(featurise(field.train.X), field.train.y - linear(field.train.X), evaluations)
    return float(head.path.risk("test", head.path.tune("holdout")))
