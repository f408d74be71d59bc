"""How the pages call the choices of a run on Gaussian inputs."""

from __future__ import annotations

WORDS = {
    "rms": "rows of W¹ at RMS norm 1",
    "fixed": "fixed",
    "redrawn": "drawn after the step",
    "kept": "drawn before the step",
    "half": "m/2, mirrored",
    "all": "m, as in Algorithm 1",
}
