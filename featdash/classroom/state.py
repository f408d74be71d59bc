"""What a phone is told of its room: nothing of what others answered."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from featdash.classroom.question import Question
from featdash.classroom.room import RoomView
from featdash.export.markdown import inline_html_of


def state(view: RoomView, now: float) -> dict[str, Any]:
    """The body of `GET /room/{code}/state`; left : seconds of the countdown, None without one."""
    left = None if view.ends is None else round(max(0.0, view.ends - now), 1)
    question = {**_described(view.question), "round": view.round} if view.question else None
    counts = {"answered": view.answered, "joined": view.joined}
    return {"version": view.version, "status": view.status, "question": question, **counts, "left": left}


@lru_cache(maxsize=100)
def _described(question: Question) -> dict[str, Any]:
    """The question with its words as HTML beside them; their formulas are MathML."""
    about: dict[str, Any] = {"id": question.id, "kind": question.kind, "prompt": question.prompt}
    about |= {"options": question.options, "low": question.low, "high": question.high}
    about |= {"log": question.log, "unit": question.unit}
    options = [inline_html_of(option) for option in question.options]
    return about | {"prompt_html": inline_html_of(question.prompt), "options_html": options}
