"""A picture that is shown reads what the types of its parameters say, and waits for what has not come."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Annotated

import numpy as np
import pytest

from featdash.figures.film import Film
from featdash.figures.picture import Picture, Theme, blank
from featdash.figures.streams import Frames
from featdash.recipes.events import Frame, NamedArrays, Result, flatten
from featdash.recipes.spec import Number, Spec, setting
from featdash.runs.foreground import ForegroundRun
from featdash.runs.run import Run
from featdash.ui.stage.panels import Panel, View
from featdash.ui.stage.partial_result import STREAMS, PartialResult
from featdash.ui.stage.shown import shown


@dataclass(frozen=True)
class ToySpec(Spec):
    n: int = setting(3, Number(1, 9), "n", "How many.", "Task")


@dataclass(frozen=True, eq=False)
class Mean(NamedArrays):
    value: float


def view(*at: float, status: str = "running", options: float | None = None, limit: int | None = None) -> View:
    """A run whose stream `means` has a frame at each place, its value ten times as large."""
    frames = tuple(Frame("means", one, Mean(10 * one).to_arrays()) for one in at)
    run = Run("toy", "toy", ToySpec(), status, 1.0)
    events = ForegroundRun(run, frames, Result({"sum": 5}, Mean(7.0).to_arrays()))
    return View(run, options, Theme(), (("means", limit),) if limit else (), events)


def told(*parts: object) -> Picture:
    return Picture(blank(Theme(), 100, "A toy"), repr(parts), {"n": np.arange(1)})


@shown
def newest(mean: Annotated[Mean, "means"], spec: ToySpec, theme: Theme, height: int = 4) -> Picture:
    return told(mean.value, spec.n, theme == Theme(), height)


@shown
def course(means: Annotated[Frames[Mean], "means"], options: float | None) -> Picture:
    last = means.last(options)
    return told(means.at, [one.value for one in means], last.at, last.arrays.value, means.choice(options))


@shown
def ending(
    result: Result,
    arrays: Annotated[Mean, Result],
    raw: Annotated[Frame | None, "others"],
    later: Annotated[Frames[Mean] | None, "later"],
) -> Picture:
    return told(result.summary["sum"], arrays.value, raw, later)


def test_it_is_given_the_newest_frame_the_settings_and_the_theme():
    assert newest(view(1, 2)).alt == repr((20.0, 3.0, True, 4))


def test_it_is_given_all_frames_and_the_one_that_the_visitor_has_chosen():
    assert course(view(1, 2, 3, options=2)).alt == repr(([1, 2, 3], [10.0, 20.0, 30.0], 2, 20.0, 2))


def test_of_a_beginning_the_newest_counts_and_nothing_is_chosen():
    assert course(view(1, 2, 3, options=1, limit=2)).alt == repr(([1, 2], [10.0, 20.0], 2, 20.0, None))


def test_at_each_moment_of_a_film_the_newest_frame_counts_and_before_the_first_one_that():
    frames = Frames(Mean, view(2, 5).frames("means"))
    assert [one.value for one in frames.at_moments([0, 2, 4, 5, 9])] == [20.0, 20.0, 20.0, 50.0, 50.0]


def test_it_is_given_the_parts_of_a_frame_by_their_names():
    @shown
    def parts(means: Annotated[Mapping[str, Mean] | None, "parts"]) -> Picture:
        return told(*((name, mean.value) for name, mean in (means or {}).items()))

    whole = Frame("parts", 1, flatten({"first": Mean(1.0), "second": Mean(2.0)}))
    events = ForegroundRun(view(1).run, (whole,), Result({}))
    assert parts(replace(view(1), events=events)).alt == repr((("first", 1.0), ("second", 2.0)))
    assert parts(view(1)).alt == repr(())


def test_there_is_no_picture_while_something_is_missing_that_must_be_there():
    assert newest(view()) is None
    assert course(view()) is None
    assert ending(view(1)) is None
    assert ending(view(1, status="done")).alt == repr((5, 7.0, None, None))


def test_a_film_is_given_the_picture_that_has_been_drawn():
    @shown
    def film(picture: Picture, means: Annotated[Frames[Mean], "means"]) -> Film:
        return Film(means.at, {("layout", "title"): [picture.alt] * len(means)})

    moving = film(view(1, 2), told("drawn"))
    assert (moving.times, moving.changes) == ([1, 2], {("layout", "title"): [repr(("drawn",))] * 2})
    assert film(view(), told("drawn")) is None


def test_a_value_of_the_panel_stands_in_for_a_parameter():
    assert shown(newest.picture, height=9)(view(1)).alt == repr((10.0, 3.0, True, 9))


def test_a_panel_knows_the_streams_of_what_is_shown():
    assert Panel("toy-mean", newest).streams == Panel("toy-course", course).streams == ("means",)
    assert Panel("toy-end", ending).streams == ("others", "later")


def test_the_end_of_a_run_changes_no_picture_that_reads_frames_alone():
    def at_end(of: Panel) -> list[tuple]:
        return [view(1, 2, status=status).token(of.streams, of.reads_end) for status in ("running", "done")]

    moving, last = Panel("toy-course", course), Panel("toy-end", ending)
    assert (moving.reads_end, last.reads_end) == (False, True)
    assert len(set(at_end(moving))) == 1
    assert len(set(at_end(last))) == 2
    assert replace(moving, film=lambda *_: None).reads_end, "of what it reads nothing is known"


def test_a_picture_of_the_settings_alone_stays_while_others_play():
    @shown
    def known(spec: ToySpec, theme: Theme) -> Picture:
        return told(spec.n, theme)

    assert Panel("toy-known", known).stays
    assert Panel("toy-still", newest, still=True).stays
    assert not any(Panel("toy", one).stays for one in (newest, course, ending, lambda _: None))


def test_a_picture_of_a_partial_result_is_drawn_again_with_each_point_of_a_cell():
    def cells(so_far: PartialResult) -> Picture:
        return told(so_far)

    assert Panel("toy-cells", shown(cells)).streams == STREAMS


def test_a_parameter_that_says_nothing_of_where_it_comes_from_is_refused_at_once():
    def picture(mean: Mean) -> Picture:
        return told(mean)

    with pytest.raises(TypeError, match=r"mean of .*picture needs a type that says what it reads"):
        shown(picture)
