"""Emergence: features that appear because the inputs have structure, on a dictionary and on real digits."""

from featdash.ui.lesson_page import parts
from featdash.ui.lessons import PAGES

parts(PAGES["emergence"])
