"""Beyond one step: targets that one gradient step cannot see, and what learns them all the same."""

from featdash.lessons import lessons_of
from featdash.ui.lesson_page import page

page(*lessons_of("beyond_one_step"))
