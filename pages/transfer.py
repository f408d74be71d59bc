"""Transfer: features learned on one polynomial, a new head for another."""

from featdash.ui.lesson_page import parts
from featdash.ui.lessons import PAGES

parts(PAGES["transfer"])
