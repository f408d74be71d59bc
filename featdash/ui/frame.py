"""The frame, the script of every page: page settings, navigation and «My runs». A new page is a file in pages/ and a
line here.

It imports the lessons, which stand above this package, and nothing imports it: Streamlit runs it at each drawing.
"""

import streamlit as st

from featdash.lessons import PAGES, lessons_of
from featdash.ui.kit import form, glossary, keys, navigation
from featdash.ui.kit.shared import heartbeat, session, table_store
from featdash.ui.page import my_runs
from featdash.ui.story import course_end, own_lecture, progress
from featdash.ui.streamlit_internals import arrived_with_address_of, draw_from_the_root


def main() -> None:
    draw_from_the_root()
    heartbeat()
    menu = {
        "": [
            st.Page("../../pages/home.py", title="Home", url_path="home", default=True),
            st.Page("../../pages/lab.py", title="Lab", url_path="lab"),
        ],
        "The paper": [
            st.Page("../../pages/sample_complexity.py", title="Sample complexity", url_path="sample_complexity"),
            st.Page("../../pages/transfer.py", title="Transfer", url_path="transfer"),
            st.Page("../../pages/one_step.py", title="One step", url_path="one_step"),
        ],
        "Around it": [
            st.Page("../../pages/emergence.py", title="Emergence", url_path="emergence"),
            st.Page("../../pages/recovery.py", title="Recovery", url_path="recovery"),
            st.Page("../../pages/kernels.py", title="Kernels", url_path="kernels"),
        ],
        "Beyond it": [
            st.Page("../../pages/beyond_one_step.py", title="Beyond one step", url_path="beyond_one_step"),
            st.Page("../../pages/your_own_data.py", title="Your own data", url_path="your_own_data"),
        ],
        "To teach": [
            st.Page("../../pages/for_teachers.py", title="For teachers", url_path="for_teachers"),
            st.Page("../../pages/lecture.py", title="Lecture", url_path="lecture"),
            st.Page("../../pages/class.py", title="Class", url_path="class"),
            st.Page("../../pages/claims.py", title="Claims", url_path="claims"),
        ],
    }
    page = st.navigation(menu, position="top")
    title = "Lab" if page.url_path == "" and st.query_params else page.title  # see pages/home.py
    st.set_page_config(page_title=f"{title} · FeatDash", page_icon="🧭", layout="wide")
    if st.query_params and not arrived_with_address_of(page.url_path):
        st.query_params.clear()  # the settings of the page before
    navigation.keep_address(entered=st.session_state.get(form.PAGE) != page.url_path)
    table_store().touch(session(), on_page=page.url_path == "your_own_data")
    pages = {name: lessons_of(name) for name in PAGES}
    my_runs.popover(pages)
    st.session_state[form.PAGE] = page.url_path
    homes = {part.experiment.name: name for name, parts in pages.items() for part in parts}
    st.session_state[course_end.HOMES] = homes
    page.run()
    section = next(name for name, entries in menu.items() if title in [entry.title for entry in entries])
    navigation.mount(title, section)
    glossary.listen()
    keys.mount()
    progress.sync()
    own_lecture.sync({part.experiment.name: part for parts in pages.values() for part in parts})


if __name__ == "__main__":
    main()
