"""Beyond one step: what learns a target that a single step cannot see."""

from featdash.lessons import lessons_of
from featdash.ui.page import page

page(*lessons_of("beyond_one_step"))
