"""Kernels: what they can and cannot adapt to, and what they cost."""

from featdash.ui.lesson_page import parts
from featdash.ui.lessons import PAGES

parts(PAGES["kernels"])
