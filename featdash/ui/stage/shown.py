"""From a picture to what a panel draws: the types of a picture's parameters say what it reads from a run."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from types import NoneType, UnionType
from typing import Annotated, Any, Generic, TypeVar, Union, get_args, get_origin, get_type_hints

from featdash.figures.film import Film
from featdash.figures.picture import Picture, Theme
from featdash.figures.streams import Frames, arrays_of
from featdash.recipes.events import Result
from featdash.recipes.spec import Spec
from featdash.ui.stage.panels import View
from featdash.ui.stage.partial_result import STREAMS, PartialResult, partial_result

Drawn = TypeVar("Drawn", bound=Picture | Film | None)
Reader = Callable[[View], Any]  # returns None if the run has not come so far


def shown(picture: Callable[..., Drawn], /, **constants: Any) -> Shown[Drawn]:
    """What a panel draws: the picture, called with what its parameters ask for by their types, and these constants.

    Or a panel's film: its first parameter, a Picture, is then the one that has been drawn.

    Annotated[RescueTable, "cells"] : the newest frame of the stream `cells`, as these NamedArrays; `Frame` as it is.
    Annotated[Mapping[str, ErrorCurve], "errors"] : the parts of such a frame by their names, as `flatten` wrote them.
    Annotated[Frames[FeatureFrame], "steps"] : all frames of `steps` so far.
    Annotated[LemmaArrays, Result] : the arrays of the result.  Result : the result.
    PartialResult : the result of a run of cells; before its end, what the cells have so far.
    a Spec : the settings.  Theme : the theme.  View : all of them.  `options`, by its name : what the toolbar returned.

    There is no picture while one of these is missing, unless its type allows None. TypeError at once for any other
    parameter without a default.
    """
    return Shown(picture, constants)


class Shown(Generic[Drawn]):
    """A panel's `draw` or `film`, made of a picture.

    streams : those that it reads; reads_end : whether it reads more of the run than these and the settings.
    """

    def __init__(self, picture: Callable[..., Drawn], constants: dict[str, Any]) -> None:
        functools.update_wrapper(self, picture)
        self.picture, self.constants, self.readers = picture, constants, {}
        self.streams: tuple[str, ...] = ()
        self.reads_end = False
        hints = get_type_hints(picture, include_extras=True)
        for name, parameter in inspect.signature(picture).parameters.items():
            reader = None if name in constants else self._reader(name, hints.get(name))
            if reader:
                self.readers[name] = reader
            elif name not in constants and parameter.default is parameter.empty and hints.get(name) is not Picture:
                rule = "needs a type that says what it reads, a default or a value"
                raise TypeError(f"{name} of {picture.__qualname__} {rule}, got {hints.get(name)}; see `shown`")

    def __call__(self, view: View, *pictures: Picture) -> Drawn | None:
        """The picture of a moment or, given the picture, its film; None if there is nothing to show yet."""
        values = {}
        for name, (read, may_miss) in self.readers.items():
            values[name] = read(view)
            if values[name] is None and not may_miss:
                return None
        return self.picture(*pictures, **values, **self.constants)

    def _reader(self, name: str, hint: Any) -> tuple[Reader, bool] | None:
        """How a parameter is read, and whether it may be None."""
        if name == "options":
            return lambda view: view.options, True
        source = None
        if get_origin(hint) is Annotated:
            hint, source = get_args(hint)
        if hint is PartialResult:
            self.streams, self.reads_end = (*self.streams, *STREAMS), True
            return partial_result, False
        may_miss = get_origin(hint) in (Union, UnionType) and NoneType in get_args(hint)
        kind = next(one for one in get_args(hint) if one is not NoneType) if may_miss else hint
        self.reads_end |= source is Result or kind is Result or (get_origin(kind) or kind) is View
        reader = self._read_events(kind, source) if source else _read_view(kind)
        return (reader, may_miss) if reader else None

    def _read_events(self, kind: Any, source: Any) -> Reader:
        """The reader of the result, or of the stream of that name."""
        if source is Result:
            return lambda view: arrays_of(kind, result) if (result := view.result()) else None
        if source not in self.streams:
            self.streams = (*self.streams, source)
        if get_origin(kind) is Frames:
            (one,) = get_args(kind)
            return lambda view: Frames(one, frames, view.moves(source)) if (frames := view.frames(source)) else None
        return lambda view: arrays_of(kind, frame) if (frame := view.last(source)) else None


def _read_view(kind: Any) -> Reader | None:
    """The reader of a type that belongs to the run or its visitor; None for any other type."""
    if kind is Result:
        return lambda view: view.result()
    if kind is Theme:
        return lambda view: view.theme
    if (get_origin(kind) or kind) is View:
        return lambda view: view
    return (lambda view: view.spec) if isinstance(kind, type) and issubclass(kind, Spec) else None
