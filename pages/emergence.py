"""Emergence: features that appear because inputs have structure, on a dictionary and on real digits."""

from featdash.lessons import lessons_of
from featdash.ui.lesson_page import page

page(*lessons_of("emergence"))
