"""One step: why one gradient step finds the subspace, which line of Algorithm 1 does what, and when it must fail."""

from featdash.ui.lesson_page import parts
from featdash.ui.lessons import PAGES

parts(PAGES["one_step"])
