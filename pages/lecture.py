"""Lecture: scenes of any page in an order of one's own, for the wall."""

from featdash.lessons import PAGES, lessons_of
from featdash.ui.story.lecture import lecture_page

lecture_page({name: lessons_of(name) for name in PAGES})
