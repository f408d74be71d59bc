"""The Lab: Algorithm 1 races random features and the NTK."""

from featdash.lessons import lessons_of
from featdash.ui.lesson_page import page

page(*lessons_of("lab"))
