"""What a press of a button that leads elsewhere tells the browser, also where the page is drawn anew in that moment."""

import json

import pytest
from app_pages import APP, press
from streamlit.testing.v1 import AppTest

from featdash.stories.course import ORDER
from featdash.ui.story import storybook

LAST = len(storybook.library().stories["lemma"].scenes)
AFTER = ORDER[ORDER.index("lemma") + 1]


def asked_of(app):
    """The address that the browser is asked to go to, with its mark; None for none."""
    (told,) = [one.proto for one in app.get("bidi_component") if one.proto.component_name.endswith("navigation")]
    return json.loads(told.json)["asked"]


def page_whose_film_ends():
    import streamlit as st

    from featdash.ui.kit import navigation

    @st.fragment
    def fragment():
        st.button("From a fragment", on_click=navigation.go, args=("lab?n=1000",))

    fragment()
    st.button("From the page", on_click=navigation.go, args=("lab?n=1000",))
    if st.session_state.pop("film", None):
        st.rerun()
    navigation.mount("Home", "")


@pytest.mark.parametrize("label", ["From the page", "From a fragment"])
def test_a_press_is_kept_where_a_film_ends_in_the_same_moment(label):
    app = AppTest.from_function(page_whose_film_ends).run()
    assert asked_of(app) is None
    app.session_state["film"] = True
    press(app, label)
    first = asked_of(app)
    assert first["address"] == "lab?n=1000"
    assert asked_of(app.run()) == first, "the browser goes there once"
    assert asked_of(press(app, label))["mark"] != first["mark"], "and once more where it is asked once more"


def page_that_is_asked_for_once_more():
    import streamlit as st
    from streamlit.runtime.scriptrunner import get_script_run_ctx
    from streamlit.runtime.scriptrunner_utils.script_requests import RerunData

    from featdash.ui.kit import navigation

    def press_as_the_film_ends(lead, address):
        get_script_run_ctx().script_requests.request_rerun(RerunData())
        lead(address)

    st.button("Go", on_click=press_as_the_film_ends, args=(navigation.go, "lab?n=1000"))
    st.button("Write", on_click=press_as_the_film_ends, args=(navigation.write_address, {"scene": "2"}))
    navigation.keep_address(entered=False)
    navigation.mount("Home", "")


@pytest.mark.parametrize("label", ["Go", "Write"])
def test_a_press_is_kept_where_a_request_that_waits_would_break_its_callback_off(label):
    app = press(AppTest.from_function(page_that_is_asked_for_once_more).run(), label)
    asked, query = asked_of(app), app.query_params.get("scene")
    assert (asked and asked["address"], query) == {"Go": ("lab?n=1000", None), "Write": (None, "2")}[label]


@pytest.mark.parametrize(
    ("page", "query", "label", "address"),
    [
        ("pages/one_step.py", {"story": "lemma", "scene": str(LAST)}, "Next story", f"?story={AFTER}&scene=1"),
        ("pages/sample_complexity.py", {"part": "phase-map"}, "Open cell in the Lab", "lab?"),
        ("pages/kernels.py", {"part": "latent"}, "Lab at d", "lab?"),
    ],
)
def test_buttons_that_lead_to_another_page(visit, page, query, label, address):
    app = visit(page, **query)
    full = next(button.label for button in app.button if button.label.startswith(label))
    assert address in asked_of(press(app, full))["address"]


@pytest.mark.usefixtures("visit")
def test_buttons_of_home():
    app = AppTest.from_file(APP, default_timeout=60).run()
    assert asked_of(press(app, "Start the course"))["address"].endswith(f"?story={ORDER[0]}&scene=1")
    assert asked_of(press(app, "Open the Lab"))["address"] == "lab?mode=explore"
