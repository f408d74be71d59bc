"""Kernels that learn features: kernel ridge, its average gradient outer product, and the kernel that it re-weights.

Round 0 is the kernel of M = I, which is fixed. Each round fits it, takes M ← mean ∇f̂ ∇f̂ᵀ over the training sample, to
trace d, and measures distances by r² = (x − z)ᵀM(x − z) from then on. The λ behind M leaves one training sample
out; the one that a round's risk is measured at comes from the holdout, as for the rivals: Algorithm 1 and the NTK on
the same samples. With the default kernel the last of four rounds is the method «RFM» of a race with the same settings.

Streams: `matrices` and `risks`, at = round, see `frames`; `rivals`, at = how many are done, an excess risk () by name.
Summary: `rounds`, and as lists over it `risk` (excess) and `share` (of M on the principal subspace); `fixed` and
`learned`, the first and the last of `risk`; `rivals` {NAME: excess risk}; `alignment`, of Algorithm 1 after its step.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator

import numpy as np

from featdash.geometry.neurons import alignment
from featdash.learners.kernel_features import KernelLayer
from featdash.learners.rfm import rfm_rounds
from featdash.lessons.rfm.frames import MatrixFrame, RiskFrame
from featdash.lessons.rfm.recipe import RIVALS, RfmSpec
from featdash.lessons.shared.gaussian_race import Splits, draw_field, layer_of, tuned_risk
from featdash.lessons.shared.gaussian_recipe import task_of
from featdash.recipes.events import Event, Frame, Progress, Result

LAST_PART = 0.25  # of the progress: the rivals'


def run(spec: RfmSpec, device: str = "cpu") -> Iterator[Event]:
    """The events of a run; see the module's docstring."""
    yield Progress(0.01, "drawing the data")
    task = task_of(spec.target, spec.race, spec.seed)
    field = draw_field(task, spec.n, spec.holdout, spec.test)
    yield matrix_frame(0, np.eye(spec.d), task.target.subspace)
    risk, share = yield from learn(spec, field, task.target.subspace, device)
    rivals, first_layer = yield from compete(spec, field, device)
    yield Result(
        {
            "rounds": list(range(spec.rounds + 1)),
            "risk": risk,
            "share": share,
            "fixed": risk[0],
            "learned": risk[-1],
            "rivals": rivals,
            "alignment": first_layer,
        }
    )


def matrix_frame(at: int, M: np.ndarray, U: np.ndarray) -> Frame:
    """M (d, d) of a round, U (r, d)."""
    unit_trace = M / np.trace(M)
    return Frame("matrices", at, MatrixFrame(unit_trace, share_of(unit_trace, U)).to_arrays())


def share_of(M: np.ndarray, U: np.ndarray) -> float:
    """tr(UMUᵀ)/tr M, in 0..1; r/d for M = I. Of a layer W it is the alignment, with M = WᵀW."""
    return float(np.trace(U @ M @ U.T) / np.trace(M))


def learn(
    spec: RfmSpec, field: Splits, U: np.ndarray, device: str
) -> Generator[Event, None, tuple[list[float], list[float]]]:
    """The frames of all rounds; returns risk and share by round."""
    X, y = field.train.X, field.train.y
    length = spec.length * float(np.sqrt(X.var(axis=0).sum()))
    risk, share = [], []
    for at, machine in enumerate(rfm_rounds(X, y, spec.rounds, bandwidth=length, kind=spec.kernel)):
        if at:
            yield matrix_frame(at, machine.M, U)
        share.append(share_of(machine.M, U))
        risk.append(tuned_risk(KernelLayer.on(machine.kernel, X), field, device))
        yield Frame("risks", at, RiskFrame(risk[-1]).to_arrays())
        yield Progress(0.01 + (0.99 - LAST_PART) * (at + 1) / (spec.rounds + 1), f"round {at} of {spec.rounds}")
    return risk, share


def compete(spec: RfmSpec, field: Splits, device: str) -> Generator[Event, None, tuple[dict[str, float], float]]:
    """The frames of the rivals; returns their risks, and the alignment of Algorithm 1."""
    risks: dict[str, float] = {}
    layers = {name: layer_of(name, spec.race, field.train, device) for name in RIVALS}
    for name, layer in layers.items():
        risks[name] = tuned_risk(layer, field, device)
        yield Frame("rivals", len(risks), {each: np.asarray(value) for each, value in risks.items()})
        yield Progress(1 - LAST_PART * (1 - len(risks) / len(RIVALS)), "the rivals on the same data")
    return risks, alignment(layers[RIVALS[0]].directions, field.target.subspace)
