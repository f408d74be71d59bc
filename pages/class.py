"""Class: a room that predicts together, led from here and shown on a wall."""

from featdash.lessons import PAGES, lessons_of
from featdash.ui.classroom.page import class_page

class_page({name: lessons_of(name) for name in PAGES})
