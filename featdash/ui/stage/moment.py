"""What all viewers of a run see alike at one moment: its pictures, and the words of its timeline, put together once."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from cachetools import LRUCache

from featdash.ui.kit.shared import RenderedPicture, service
from featdash.ui.stage import chart, film
from featdash.ui.stage.lesson import Lesson
from featdash.ui.stage.panels import View, mark_of

MOMENTS = 64  # runs and views that are looked at in the same second; the pictures themselves are kept elsewhere


@dataclass(frozen=True)
class Moment:
    """pictures : by their panels' names, of those that have something to show; pale : the curves of these, which stay
    under those of the next run.

    track : what the browser has to know of the timeline, as `film.track` has it; films : where those of the pictures
    begin and end, None while the run is live.
    """

    pictures: Mapping[str, RenderedPicture]
    track: Mapping[str, Any]
    films: Sequence[film.Span] | None
    pale: Mapping[str, RenderedPicture] = field(default_factory=dict)


_moments: LRUCache[Hashable, Moment] = LRUCache(MOMENTS)
_lock = threading.Lock()


def moment(part: Lesson, view: View, tell: Callable[[str, RenderedPicture], None] = lambda *_: None) -> Moment:
    """The run of the view as it is now.

    tell : called with each picture and its name as soon as it is drawn, if that has not been done for others.
    """
    if view.run.private:
        return _moment(part, view, tell)  # what others share keeps nothing of it
    panels = tuple((panel.name, panel.prediction, panel.ending) for panel in part.panels)
    key = (panels, _token(view), view.options, view.theme, part.film, part.lines)
    with _lock:
        current = _moments.get(key)
    if current is None:
        current = _moment(part, view, tell)
        with _lock:
            _moments[key] = current
    return current


def _token(view: View) -> tuple:
    """Changes with whatever a picture of the run may show."""
    run = view.run
    news = mark_of(service().frames(run.id)) if run.active else (run.finished,)
    return (run.id, run.status, run.started, *news)


def _moment(part: Lesson, view: View, tell: Callable[[str, RenderedPicture], None]) -> Moment:
    pictures = {}
    for panel in part.panels:
        if one := panel.render(view):
            pictures[panel.name] = one
            tell(panel.name, one)
    films = None if view.run.active else [one.film for one in pictures.values() if one.film]
    track = film.track(view.run, part.panels, part.film, part.lines, films)
    free = {panel.name for panel in part.panels if not panel.is_hidden}
    is_over = not view.run.active
    pale = {name: curves for name, one in pictures.items() if is_over and name in free and (curves := chart.pale(one))}
    return Moment(pictures, track, films, pale)
