"""Random features: the network of Algorithm 1 with its first layer never trained."""

from __future__ import annotations

from featdash.learners.algorithm1 import Chunks, FirstStep
from featdash.learners.feature_map import Draw, Layer, ReluFeatures, start_layer
from featdash.learners.feature_regressor import FeatureRegressor


class RandomFeaturesRegressor(FeatureRegressor):
    """Ridge on σ(Wx + b), w_j ~ N(0, I/d), b_j ~ N(0, 1), from the symmetric start: m/2 distinct neurons.

    No constant or linear part is removed: that step belongs to Algorithm 1. Parameters as in FeatureRegressor;
    weights_ (m/2,).
    """

    @staticmethod
    def layer(step: FirstStep, chunks: Chunks, d: int, draw: Draw, device: str) -> Layer:
        """The symmetric start; of the recipe of a step the width alone matters."""
        del chunks, device
        return start_layer("random_features", ReluFeatures, step.width, d, draw)
