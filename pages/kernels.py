"""Kernels: what they can and cannot adapt to, and what they cost."""

from featdash.lessons import lessons_of
from featdash.ui.lesson_page import page

page(*lessons_of("kernels"))
