"""What a method adapts to: the five experiments on kernels together, and the closing table of what they measured.

A grid: the cells are the experiments named in `parts`, with their default recipes but for the seed; of their
frames it has the errors of the sweeps, as "cell/<index>/errors". The summary is the table, a row for each part, with
nothing in it but measurements and verdicts on them, `adapts`, true, false or null: not decided by the repeats (see
`decide`):
    dimension, support, latent      dims [first, last], level, `unadapted`, the d to which theory lets a method go that
                                    does not adapt, up to a constant; for each method its `error` [first, last],
                                    their `ratio` (1: the dimension does not matter), `reach`, the d at which the error
                                    rises through the level (null: not within the dimensions measured), `reaches`, those
                                    of the repeats, and `adapts`: whether they are `MARGIN` times `unadapted` or more
    smoothness                      for each method and target the `error` at the largest n, its `exponent` in n and the
                                    exponent's `standard_error`, and `adapts`: whether it is steeper for the smooth
                                    target; the network's are those of a fixed number of training steps, not of n alone
    solvers                         for each solver the summary of its line, as the experiment itself has it
A part that failed has its sentence under `error` instead.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from featdash.lessons.dimension.recipe import DIMENSION, LATENT, SUPPORT
from featdash.lessons.smoothness import recipe as smoothness_recipe
from featdash.lessons.solvers import recipe as solvers_recipe
from featdash.recipes import settings
from featdash.recipes.events import Result
from featdash.recipes.grid import Cell, CellResults, Grid, Place
from featdash.recipes.spec import Choice, MultipleChoice, Spec, setting
from featdash.theory.predictions import lipschitz_reach

PARTS = {one.name: one for one in (DIMENSION, SUPPORT, smoothness_recipe.EXPERIMENT, LATENT, solvers_recipe.EXPERIMENT)}
MARGIN = 4 / 3  # a reach must pass the unadapted one by so much: theory leaves the constant open, 1 is our choice
ERRORS = 2  # standard errors between a measurement and its mark for a verdict
FEWEST = 3  # repeats for a verdict


@dataclass(frozen=True)
class AdaptivitySpec(Spec):
    """The recipe of the closing table."""

    parts: tuple[str, ...] = setting(
        tuple(PARTS), MultipleChoice(Choice(tuple(PARTS))), "Parts", "Experiments that give the table its rows."
    )
    seed: int = settings.seed("The seed of every part of the table.")


def axes(spec: AdaptivitySpec) -> dict[str, Sequence[Any]]:
    """One run a part."""
    return {"part": spec.parts}


def cell(spec: AdaptivitySpec, place: Place) -> Cell:
    """The default recipe of a part, but for the seed."""
    return place["part"], PARTS[place["part"]].spec(seed=spec.seed)


def summary(spec: AdaptivitySpec, results: CellResults) -> Result:  # noqa: ARG001
    """The closing table."""
    table = {place["part"]: ROWS[place["part"]](one) for place, one in results.cells if one is not None}
    return Result(table | {gap["part"]: {"error": gap["reason"]} for gap in results.gaps})


def decide(excess: float, error: float | None) -> bool | None:
    """Whether `excess` is above 0 (True) or below (False) by two standard errors; None between, or without an error."""
    if error is None or abs(excess) <= ERRORS * error:
        return None
    return excess > 0


def passes(reaches: Sequence[float | None], mark: float, last: float) -> bool | None:
    """Whether the repeats' reaches pass `mark`, by their mean and standard error in log d.

    A reach of None, beyond the last dimension measured, counts as that dimension: no more is known of it.
    """
    if len(reaches) < FEWEST:
        return None
    excess = np.log([last if d is None else d for d in reaches]) - np.log(mark)
    return decide(float(excess.mean()), float(excess.std(ddof=1) / np.sqrt(len(excess))))


def sweep_row(summary: Mapping[str, Any], unadapted: float) -> dict[str, Any]:
    """A row of a sweep over the dimension."""
    dims = [summary["dims"][0], summary["dims"][-1]]
    methods = {
        name: {
            "error": [one["error"][0], one["error"][-1]],
            **{key: one[key] for key in ("ratio", "reach", "reaches")},
            "adapts": passes(one["reaches"], MARGIN * unadapted, dims[1]),
        }
        for name, one in summary["methods"].items()
    }
    return {"n": summary["n"], "dims": dims, "level": summary["level"], "unadapted": unadapted, "methods": methods}


def bare_row(summary: Mapping[str, Any]) -> dict[str, Any]:
    """A sweep whose theory is the rate of a Lipschitz function of d variables."""
    return sweep_row(summary, lipschitz_reach(summary["n"], summary["level"]))


def latent_row(summary: Mapping[str, Any]) -> dict[str, Any]:
    """A kernel must lose the degree p where d^p passes n."""
    return sweep_row(summary, float(summary["n"] ** (1 / summary["target"]["degree"])))


def smoothness_row(summary: Mapping[str, Any]) -> dict[str, Any]:
    """Errors and exponents of the rates, by method and target."""
    rates, methods = summary["rates"], {}
    for name in smoothness_recipe.METHODS:
        ratio_of = {target: rates[target][name] for target in smoothness_recipe.RATED}
        jump, smooth = (ratio_of[target] for target in smoothness_recipe.RATED)
        error = float(np.hypot(jump["standard_error"], smooth["standard_error"])) if jump["standard_error"] else None
        methods[name] = {
            target: {"error": one["error"][-1], "exponent": one["exponent"], "standard_error": one["standard_error"]}
            for target, one in ratio_of.items()
        } | {"adapts": decide(jump["exponent"] - smooth["exponent"], error)}
    return {"n": [rates["n"][0], rates["n"][-1]], "methods": methods}


def solvers_row(summary: Mapping[str, Any]) -> dict[str, Any]:
    """The lines of the times, and where they lead."""
    methods = {
        name: {key: value for key, value in summary[name].items() if key != "seconds"}
        for name in solvers_recipe.SOLVERS
    }
    return {"n": [summary["n"][0], summary["n"][-1]], "iterations": summary["iterations"], "methods": methods}


ROWS = {
    "dimension": bare_row,
    "support": bare_row,
    "smoothness": smoothness_row,
    "latent": latent_row,
    "solvers": solvers_row,
}

EXPERIMENT = Grid(
    name="adaptivity",
    title="Kernels and adaptivity",
    noun="all parts",
    spec=AdaptivitySpec,
    axes=axes,
    cell=cell,
    cell_experiments=tuple(PARTS),
    summary=summary,
    remedy="leave parts out",
    cell_streams=("errors",),
)
