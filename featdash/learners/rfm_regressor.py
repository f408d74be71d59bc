"""The estimator of the recursive feature machine."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from featdash.learners.algorithm1 import Chunks, FirstStep
from featdash.learners.feature_map import Draw
from featdash.learners.feature_regressor import FeatureRegressor
from featdash.learners.kernel_features import KernelLayer
from featdash.learners.rfm import ROUNDS, rfm_rounds


class RecursiveFeatureRegressor(FeatureRegressor):
    """Ridge with the Laplace kernel of r² = (x − z)ᵀM(x − z), M from four rounds of average gradient outer products.

    It has no neurons: the width says nothing, and time grows like n³, memory like n². The rounds choose their own λ by
    leaving one sample out (`featdash.learners.rfm`); the head's, as for all methods, comes from the holdout. No
    constant or linear part is removed. Parameters as in FeatureRegressor; weights_ has an entry a training sample, or
    fewer.
    """

    @staticmethod
    def layer(step: FirstStep, chunks: Chunks, d: int, draw: Draw, device: str) -> KernelLayer:
        """The kernel after its rounds, factored on the sample; nothing is random."""
        del step, d, draw, device
        parts = [*chunks()]
        X, y = (np.concatenate([part[column] for part in parts]) for column in (0, 1))
        *_, last = rfm_rounds(X, y, ROUNDS - 1)
        return KernelLayer.on(replace(last.kernel, M=last.gradient_outer_product()), X)
