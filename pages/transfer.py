"""Transfer: features learned on one polynomial, a new head for another."""

from featdash.lessons import lessons_of
from featdash.ui.lesson_page import page

page(*lessons_of("transfer"))
