"""The learners by name. To add one: a file beside this one, and its line here.

Loaded on first use, because they import torch, which the Streamlit process never does.
"""

from importlib import import_module
from typing import Any

LEARNERS = {
    "algorithm1": ("featdash.learners.algorithm1", "Algorithm1Regressor"),
    "random_features": ("featdash.learners.random_features", "RandomFeaturesRegressor"),
    "ntk": ("featdash.learners.tangent_kernel", "TangentKernelRegressor"),
}


def __getattr__(name: str) -> Any:
    for module, estimator in LEARNERS.values():
        if estimator == name:
            return getattr(import_module(module), estimator)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
