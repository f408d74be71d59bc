"""The measured claims at any other seed: which of their figures lie outside the range that the sentence states."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from featdash.lessons import EXPERIMENTS, PAGES, lessons_of
from featdash.recipes.claim import Claim, Figure, claims_of, value_at
from featdash.recipes.events import Result
from featdash.recipes.experiment import Entry, find_experiment
from featdash.recipes.grid import Grid
from featdash.recipes.spec import Choice, Number, Spec
from featdash.recipes.version import run_id
from featdash.runs.codec import roundtrip
from featdash.runs.composite import Cells
from featdash.runs.execution import Flags, perform

SEED = Number(0, 10**8, whole=True)  # with room for what a list of seeds is moved by


@dataclass(frozen=True)
class Measurement:
    """One figure of a measured claim, and the run that it is read from."""

    experiment: str
    claim: Claim
    figure: Figure
    spec: Spec


@dataclass(frozen=True)
class Outlier:
    """A measurement outside its stated range: the number that was found, or why there is none."""

    measurement: Measurement
    value: float | str

    def __str__(self) -> str:
        of = self.measurement
        finding = self.value if isinstance(self.value, str) else f"found {self.value:.6g}"
        return f"{of.experiment}: {of.figure.path}: stated {of.figure.text}, {finding}: «{of.claim.text}»"


def measurements(seed: int, lesson: str | None = None) -> list[Measurement]:
    """Every figure of every measured claim, with its run at that seed; of one lesson alone if it is named.

    Errors: ValueError for a seed outside SEED, and for a lesson that there is none of.
    """
    seed = int(SEED.check("--seed", seed))
    names = [part.experiment.name for page in PAGES for part in lessons_of(page)]
    if lesson is not None:
        names = [Choice(tuple(names)).check("--lesson", lesson)]
    return [
        Measurement(name, claim, figure, at_seed(claim.recipe(EXPERIMENTS[name], figure), seed))
        for name in names
        for claim in claims_of(name)
        if claim.kind == "measured"
        for figure in claim.figures
    ]


def at_seed(spec: Spec, seed: int) -> Spec:
    """The recipe with that seed.

    Of a list of seeds each s becomes s + seed (1 + the largest): at 0 it is the list of the claim, and the lists of two
    seeds have no seed in common. So (0, 1, 2) at 4 is (12, 13, 14).
    """
    values = spec.to_mapping()
    if "seeds" in values:
        step = 1 + max(values["seeds"])
        return spec.from_mapping({**values, "seeds": [one + seed * step for one in values["seeds"]]})
    return spec.from_mapping({**values, "seed": seed})


def outliers(of: Sequence[Measurement], tell: Callable[[str], None]) -> Iterator[Outlier]:
    """Those outside their range, each as soon as its run has ended; a run is carried out once. `tell` : of each run."""
    runs, count = Runs(), len({run_id(one.experiment, one.spec) for one in of})
    run_ids: set[str] = set()
    for one in of:
        key = run_id(one.experiment, one.spec)
        if key not in run_ids:
            run_ids.add(key)
            tell(f"run {len(run_ids)} of {count}: {one.experiment}")
        try:
            value = value_at(runs.result(one.experiment, one.spec).summary, one.figure.path)
        except ValueError as error:
            yield Outlier(one, str(error))
            continue
        if not one.figure.holds(value):
            yield Outlier(one, value)


class Runs:
    """Results by their runs, each carried out once in this process, be it asked for or a cell of a composite."""

    def __init__(self) -> None:
        self._ends: dict[str, Result | ValueError] = {}

    def result(self, experiment: str, spec: Spec) -> Result:
        """ValueError, with the sentence of the run, if it fails."""
        key = run_id(experiment, spec)
        if key not in self._ends:
            try:
                self._ends[key] = self._carry_out(find_experiment(experiment), spec)
            except ValueError as error:
                self._ends[key] = error
        end = self._ends[key]
        if isinstance(end, ValueError):
            raise end
        return end

    def _carry_out(self, entry: Entry, spec: Spec) -> Result:
        if isinstance(entry, Grid):
            cells = Cells(entry, spec)
            for cell_id, (name, recipe) in zip(cells.ids, cells.recipes, strict=True):
                cells.finish(cell_id, self.result(name, recipe))
            return roundtrip(cells.gather())
        outcome = perform(entry, spec, lambda _: None, Flags(), "cpu")
        if outcome.result is None:
            raise ValueError(outcome.error)
        return roundtrip(outcome.result)
