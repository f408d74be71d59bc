"""Recovery: from the teacher's subspace to its directions."""

from featdash.ui.lesson_page import parts
from featdash.ui.lessons import PAGES

parts(PAGES["recovery"])
