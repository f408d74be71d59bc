"""Random features: the network of Algorithm 1 with its first layer never trained."""

from __future__ import annotations

from featdash.learners.feature_map import ReluFeatures
from featdash.learners.fixed_features import FixedFeaturesRegressor


class RandomFeaturesRegressor(FixedFeaturesRegressor):
    """Ridge on σ(Wx + b), w_j ~ N(0, I/d), b_j ~ N(0, 1), from the symmetric start: m/2 distinct neurons.

    No constant or linear part is removed: that step belongs to Algorithm 1. Parameters as in FixedFeaturesRegressor;
    weights_ (m/2,).
    """

    features = ReluFeatures
