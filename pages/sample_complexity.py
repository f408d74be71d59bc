"""Sample complexity: risk against n for three methods, and the map of d against n."""

from featdash.lessons import lessons_of
from featdash.ui.lesson_page import page

page(*lessons_of("sample_complexity"))
