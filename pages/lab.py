"""The Lab: Algorithm 1 races random features and the NTK."""

from featdash.ui.lesson_page import parts
from featdash.ui.lessons import PAGES

parts(PAGES["lab"])
