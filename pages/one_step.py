"""One step: why one gradient step finds the subspace, which line of Algorithm 1 does what, when it must fail."""

from featdash.lessons import lessons_of
from featdash.ui.lesson_page import page

page(*lessons_of("one_step"))
