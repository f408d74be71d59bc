"""What a lesson gives to its page: texts, an experiment, pictures, and the controls that are its own."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic

from featdash.recipes.experiment import Entry, SpecT
from featdash.runs.run import Run
from featdash.theory.theorem import Theorem
from featdash.ui.kit.form import Form, OwnArrays
from featdash.ui.stage.panels import Panel, View
from featdash.ui.stage.phases import Phase
from featdash.ui.stage.sliders import Sliders


@dataclass(frozen=True)
class Trial:
    """A setting that loads with one click, and what should happen.

    switches : name -> value of switches of the view, as the toolbar names them, so that the picture that `expect`
        speaks of is on show.
    """

    label: str
    values: Mapping[str, Any]
    expect: str
    switches: Mapping[str, Any] = field(default_factory=dict)


MOST_CONTROLS = 6
MOST_PICTURES = 6  # that stand on a page at once


@dataclass(frozen=True)
class Line:
    """A line of an algorithm, highlighted while the timeline is there.

    text : the line; about : what it does; begins : where it begins on the timeline, in phases.
    """

    text: str
    about: str
    begins: float


@dataclass(frozen=True)
class LessonText:
    """The texts of a lesson, and which settings a visitor meets first.

    question, formula : a line each; reading, source : Markdown without headings.
    controls : at most six fields, in their order; sliders : which of them are sliders. The other fields stand behind
        the buttons of their groups.
    sizes : size -> the settings that make a run as large, offered over the controls; none for a lesson of one size.
    words : options as the page calls them; papers : keys of `featdash.export.papers.PAPERS`, for «Cite».
    """

    question: str
    formula: str
    reading: str
    source: str
    trials: tuple[Trial, ...]
    controls: tuple[str, ...]
    words: Mapping[str, str] = field(default_factory=dict)
    sliders: tuple[str, ...] = ("n",)
    sizes: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    papers: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if len(self.controls) > MOST_CONTROLS:
            rule = f"controls must be at most {MOST_CONTROLS}, got {len(self.controls)}"
            raise ValueError(f"{rule}; leave the finer ones to their groups")


@dataclass(frozen=True)
class Lesson(Generic[SpecT]):
    """One lesson of a page, with an experiment of its own.

    toolbar : draws the controls of the view and returns their options; controls : draws the settings in place of the
        usual column; facts : draws what can be said about a recipe before a run; theory : theorems with its numbers;
        remark : a sentence about the run on show;
    alternatives : pictures that Explore shows one at a time, the first at the beginning: name in stories -> what the
        page calls it. A story shows what it names, and what is taken away has all of them;
    film : the phases of its timeline, over which its pictures move;
    lines : the algorithm, if it can be watched line by line;
    own : where a visitor's own arrays come from, for recipes that take them;
    sliders : the sliders of the file that opens offline, over what needs no refit.
    """

    label: str
    experiment: Entry[SpecT]
    text: LessonText
    panels: Sequence[Panel]
    alternatives: Mapping[str, str] = field(default_factory=dict, kw_only=True)
    toolbar: Callable[[Run], Hashable] | None = None
    controls: Callable[[Form], None] | None = None
    facts: Callable[[SpecT], None] | None = None
    theory: Callable[[SpecT], Sequence[Theorem]] | None = None
    remark: Callable[[SpecT], str] | None = None
    film: tuple[Phase, ...] = ()
    lines: tuple[Line, ...] = ()
    own: OwnArrays | None = None
    sliders: Callable[[View], Sliders | None] | None = None

    def __post_init__(self) -> None:
        if (count := len(self.panels_with(next(iter(self.alternatives), "")))) > MOST_PICTURES:
            rule = f"a lesson must show at most {MOST_PICTURES} pictures at once, got {count}"
            raise ValueError(f"{rule}; make some of them alternatives")

    def panels_with(self, alternative: str) -> tuple[Panel, ...]:
        """The panels without the alternatives to the one that is chosen."""
        others = {*self.alternatives} - {alternative}
        return tuple(panel for panel in self.panels if panel.short not in others)
