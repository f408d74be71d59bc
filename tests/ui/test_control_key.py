"""What the listener of a control makes of what Streamlit tells it."""

from app_pages import control, told_by
from streamlit.testing.v1 import AppTest


def page_of_a_control():
    import streamlit as st

    from featdash.ui.kit import control_key

    told, place = st.session_state.setdefault("told", []), st.session_state.get("place", "here")
    if place != "nowhere":
        key = control_key.showing("choice", control_key.held("choice", "a"))
        draw = {"here": st.selectbox, "elsewhere": st.radio}[place]
        draw("Choice", ["a", "b"], key=key, on_change=control_key.listener("choice", told.append))


def go(app, place):
    app.session_state["place"] = place
    return app.run()


def test_a_control_tells_what_was_chosen_and_nothing_once_its_value_has_gone():
    app = AppTest.from_function(page_of_a_control).run()
    control(app.selectbox, "choice").select("b").run()
    assert app.session_state["told"] == ["b"]
    before = told_by(app)
    go(go(app, "elsewhere"), "nowhere")  # on another page a control of that key has come and gone
    app._run(before)  # of a browser that has not heard of it yet
    assert not app.exception
    assert app.session_state["told"] == ["b"]
