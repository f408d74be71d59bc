"""Recovery: from the teacher's subspace to its directions."""

from featdash.lessons import lessons_of
from featdash.ui.lesson_page import page

page(*lessons_of("recovery"))
