"""Arrays that a visitor brings to a run: in memory alone, in no history, archive, message or log."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

PREFIX = "private."  # of the ids of such runs, which no name of a file begins with


@dataclass(frozen=True, eq=False, repr=False)
class Inputs:
    """The arrays of one run, and the id that nobody can guess by which it is known.

    Its text form tells nothing of them, for Dask writes the arguments of what fails into its log.
    """

    arrays: Mapping[str, np.ndarray]
    run_id: str = field(default_factory=lambda: f"{PREFIX}{secrets.token_hex(16)}")


def is_private(run_id: str) -> bool:
    """Whether the id is that of a run on inputs."""
    return run_id.startswith(PREFIX)
