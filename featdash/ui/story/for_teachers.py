"""The page For teachers: what to show in 10, 20 and 45 minutes, how to run a class, where each story belongs, and the
reading group's table."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import streamlit as st

from featdash.stories.story import Story
from featdash.ui.kit import layout
from featdash.ui.kit.plain_text import plain_text
from featdash.ui.story import course_end, known_bounds, storybook
from featdash.ui.streamlit_internals import COMPACT

WORDS = Path(__file__).with_suffix(".md").read_text(encoding="utf-8")
STYLE = """.st-key-teachers {max-width: 52rem;} .st-key-bounds table {font-size: 0.85rem;}
.st-key-teachers h2, .st-key-bounds h2 {padding: 0.8rem 0 0.2rem; font-size: 1.25rem;}"""
BOUNDS_READING = """From fixed kernels over one step to what no algorithm can do without. Samples are orders in the
dimension $d$. **Enough** is what a paper proves to suffice: fewer may do. **Necessary** holds for the algorithms of its
row alone. The lesson shows a case of finite size, and never proves the row."""
NAMED = re.compile(r"\{(\w+)\}")  # a story by its name, in place of its title and its link


def for_teachers() -> None:
    """Draw the page from for_teachers.md."""
    st.html(f"<style>{COMPACT}{layout.STYLE}{STYLE}</style>")
    layout.heading("For teachers")
    with st.container(key="teachers"):
        st.markdown(with_links(WORDS, storybook.library().stories))
    with st.container(key="bounds"):
        st.markdown("## Which result needs how many samples")
        st.markdown(BOUNDS_READING)
        known_bounds.table()


def with_links(words: str, stories: Mapping[str, Story]) -> str:
    """The words with each {name} replaced by the title of that story, which is a link to its first scene."""

    def link(named: re.Match[str]) -> str:
        name = named[1]
        return f"[{plain_text(stories[name].title)}]({course_end.address_of(name, stories[name])})"

    return NAMED.sub(link, words)
