"""Your own data: a visitor's table, or one that comes along, and what five methods make of it."""

from featdash.lessons import lessons_of
from featdash.ui.lesson_page import page

page(*lessons_of("your_own_data"))
