"""Home: what this is, the race, and the course. An address at the root that names a run or a story is the Lab's."""

import streamlit as st

from featdash.lessons import PAGES, lessons_of
from featdash.ui.lesson_page import page
from featdash.ui.story.home import home

if st.query_params:
    page(*lessons_of("lab"))
else:
    home({name: lessons_of(name) for name in PAGES})
