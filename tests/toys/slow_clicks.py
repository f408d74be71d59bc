"""A page whose buttons each take a moment to answer, and that tells what was pressed, on the server of the app."""

import time

import streamlit as st

from featdash.server.asgi import asgi_options


def press(name: str) -> None:
    for _ in range(10):  # Streamlit may break a callback off wherever it asks for the session's state
        time.sleep(0.02)
        _ = st.session_state.get("pressed")
    st.session_state["pressed"] = st.session_state.get("pressed", "") + name


@st.fragment
def part() -> None:
    st.button("three", on_click=press, args=("3",))


if __name__ == "__main__":
    for number, name in enumerate(("one", "two"), 1):
        st.button(name, on_click=press, args=(str(number),))
        time.sleep(0.1)
    part()
    st.text(f"pressed: {st.session_state.get('pressed', '')}.")
else:
    app = st.App(__file__, **asgi_options())
