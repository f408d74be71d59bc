"""The tangent kernel of the network that Algorithm 1's first step has made."""

from __future__ import annotations

from dataclasses import replace

from featdash.learners.algorithm1 import Chunks, FirstStep
from featdash.learners.feature_map import Draw, Layer, TangentFeatures
from featdash.learners.feature_regressor import FeatureRegressor


class TangentAfterStepRegressor(FeatureRegressor):
    """Ridge on ∂f/∂(a, W, b) at W¹ and redrawn b, a still ±1, labels less their linear part: m(d + 2) features.

    Its layer is Algorithm 1's of the same seed, stream for stream: only the features differ. Parameters as in
    FeatureRegressor.
    """

    @staticmethod
    def layer(step: FirstStep, chunks: Chunks, d: int, draw: Draw, device: str) -> Layer:
        """Lines 1 to 3 of Algorithm 1."""
        return replace(step.take(chunks, d, draw, device), features=TangentFeatures)
