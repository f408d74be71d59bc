"""Sample complexity: risk against n for three methods, and the map of d against n."""

from featdash.ui.lesson_page import parts
from featdash.ui.lessons import PAGES

parts(PAGES["sample_complexity"])
