"""The Lab: Algorithm 1 races random features and the NTK."""

from featdash.lessons import lessons_of
from featdash.ui.page import page

page(*lessons_of("lab"))
