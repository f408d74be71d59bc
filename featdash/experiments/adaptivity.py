"""What a method adapts to: the five experiments on kernels together, and the closing table of what they measured.

A composite: the cells are the experiments named in `parts`, with their default recipes but for the seed, and frames
come as "cell/<index>/<stream>". The summary is the table, a row for each part, with nothing in it but measurements:
    dimension, support, latent      dims [first, last], level, and for each method its `error` [first, last], their
                                    `ratio` (1: the dimension does not matter) and `reach`, the d at which the error
                                    rises through the level (null: not within the dimensions measured)
    smoothness                      for each method and target the `error` at the largest n and its `exponent` in n; the
                                    network's are those of a fixed number of training steps, not of n alone
    solvers                         for each solver the fitted `exponent` of its time in n, the line's `scatter`, and
                                    `at_ten_million`, seconds, which is extrapolated
A part that failed has its sentence under `error` instead.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from featdash.experiments import dimension, latent, smoothness, solvers, support
from featdash.experiments.events import Result
from featdash.experiments.experiment import Experiment
from featdash.experiments.spec import Choice, Cost, Number, Several, Spec, setting

PARTS = {one.EXPERIMENT.name: one.EXPERIMENT for one in (dimension, support, smoothness, latent, solvers)}


@dataclass(frozen=True)
class AdaptivitySpec(Spec):
    """The recipe of the closing table."""

    parts: tuple[str, ...] = setting(
        tuple(PARTS), Several(Choice(tuple(PARTS))), "Parts", "Experiments that give the table its rows."
    )
    seed: int = setting(0, Number(0, 2**31 - 1, whole=True), "Seed", "Of every part.")


def cells(spec: AdaptivitySpec) -> Sequence[tuple[str, Spec]]:
    """One run a part."""
    return [(name, PARTS[name].spec(seed=spec.seed)) for name in spec.parts]


def cost(spec: AdaptivitySpec) -> Cost:
    """One part after the other."""
    costs = [PARTS[name].cost(cell) for name, cell in cells(spec)]
    return Cost(max(one.memory for one in costs), sum(one.seconds for one in costs), "leave parts out")


def gather(spec: AdaptivitySpec, results: Sequence[Result | Exception]) -> Result:
    """The closing table."""
    table = {}
    for name, result in zip(spec.parts, results, strict=True):
        failed = isinstance(result, Exception)
        table[name] = {"error": str(result)} if failed else ROWS.get(name, sweep_row)(result.summary)
    return Result(table)


def sweep_row(summary: Mapping[str, Any]) -> dict[str, Any]:
    """A row of a sweep over the dimension."""
    methods = {
        name: {"error": [one["error"][0], one["error"][-1]], "ratio": one["ratio"], "reach": one["reach"]}
        for name, one in summary["methods"].items()
    }
    dims = [summary["dims"][0], summary["dims"][-1]]
    return {"n": summary["n"], "dims": dims, "level": summary["level"], "methods": methods}


def smoothness_row(summary: Mapping[str, Any]) -> dict[str, Any]:
    """Errors and exponents of the rates, by method and target."""
    rates = summary["rates"]
    methods = {
        name: {
            target: {"error": rates[target][name]["error"][-1], "exponent": rates[target][name]["exponent"]}
            for target in smoothness.RATED
        }
        for name in smoothness.METHODS
    }
    return {"n": [rates["n"][0], rates["n"][-1]], "methods": methods}


def solvers_row(summary: Mapping[str, Any]) -> dict[str, Any]:
    """The exponents of the times, and where they lead."""
    methods = {
        name: {key: summary[name][key] for key in ("exponent", "scatter", "at_ten_million")} for name in solvers.SOLVERS
    }
    return {"n": [summary["n"][0], summary["n"][-1]], "iterations": summary["iterations"], "methods": methods}


ROWS = {"smoothness": smoothness_row, "solvers": solvers_row}

EXPERIMENT = Experiment(
    name="adaptivity",
    title="Kernels and adaptivity",
    noun="all parts",
    spec=AdaptivitySpec,
    cost=cost,
    cells=cells,
    gather=gather,
)
