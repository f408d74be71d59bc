"""The learners, by the names of their classes; the table of methods is `learners.methods`.

Loaded on first use, because they import torch, which the Streamlit process never does.
"""

from typing import Any

from featdash.learners.methods import METHODS, RACING


def __getattr__(name: str) -> Any:
    for racing in RACING:
        if METHODS[racing].learner.endswith(f":{name}"):
            return METHODS[racing].load()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
