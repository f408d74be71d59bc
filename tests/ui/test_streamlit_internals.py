"""What the fence touches of Streamlit is there still; at an upgrade these tests say in words what has gone.

Its selectors are looked for in tests/browser/test_selectors.py.
"""

import tomllib
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace

import pytest
import streamlit as st
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.testing.v1 import AppTest

from featdash.ui import streamlit_internals
from featdash.ui.streamlit_internals import CHECKED_ON, METRICS, STATIC, UPLOADS, Place

ROOT = Path(__file__).resolve().parents[2]
ROUTES = "streamlit.web.server.starlette.starlette_routes"
FENCE = "see featdash/ui/streamlit_internals.py"


def touched(module, name):
    """The private name, or a failure that names it."""
    try:
        return getattr(import_module(module), name)
    except (ImportError, AttributeError) as error:
        pytest.fail(f"Streamlit {st.__version__} has no {module}.{name} any more ({error}); {FENCE}")


def test_streamlit_is_of_the_release_that_the_fence_was_checked_on():
    assert st.__version__.startswith(f"{CHECKED_ON}."), (
        f"Streamlit is {st.__version__}, its private names were checked on {CHECKED_ON}: read each reason in "
        "featdash/ui/streamlit_internals.py again, run these tests and the browser tests, then set CHECKED_ON"
    )


def test_a_page_that_is_opened_before_the_frame_begins_again_through_it(monkeypatch):
    manager = touched("streamlit.runtime.pages_manager", "PagesManager")
    monkeypatch.setattr(manager, "uses_pages_directory", None)
    manager(str(ROOT / "app.py"))
    assert manager.uses_pages_directory is True, (
        f"Streamlit {st.__version__} leaves the folder pages/ alone: restart_through_app can go; {FENCE}"
    )
    begun = []
    monkeypatch.setattr(st, "rerun", lambda: begun.append(manager.uses_pages_directory))
    streamlit_internals.restart_through_app()
    streamlit_internals.restart_through_app()
    assert begun == [False], f"Streamlit would take pages/ for an app of its own; {FENCE}"


@pytest.mark.parametrize("name", tomllib.loads(ROOT.joinpath(".streamlit/config.toml").read_text())["global"])
def test_the_hidden_options_that_we_set_are_there(name):
    try:
        st.get_option(f"global.{name}")
    except RuntimeError as error:
        pytest.fail(f"Streamlit {st.__version__}: {error}; see .streamlit/config.toml")


def asked():
    import streamlit as st

    from featdash.ui.streamlit_internals import arrived_by_history

    st.text(str(arrived_by_history()))


def test_a_script_knows_whether_its_visitor_came_by_back_or_forward():
    context = touched("streamlit.runtime.scriptrunner_utils.script_run_context", "ScriptRunContext")
    assert "is_history_navigation" in context.__dataclass_fields__, (
        f"Streamlit {st.__version__} does not tell Back and Forward from other ways; {FENCE}"
    )
    assert AppTest.from_function(asked).run().text[0].value == "False"
    with pytest.raises(RuntimeError, match="this thread runs no page"):
        streamlit_internals.arrived_by_history()


@pytest.mark.parametrize(
    ("url", "page", "expected"),
    [
        ("http://host:8501/lab", "lab", True),
        ("https://host/app/lab/", "lab", True),
        ("http://host:8501/lab", "recovery", False),
        ("https://host/app/lab", "app", False),
        ("https://host/app/", "", True),
        ("", "lab", True),
    ],
)
def test_a_script_knows_whether_the_address_is_that_of_the_page_before(monkeypatch, url, page, expected):
    context = touched("streamlit.runtime.scriptrunner_utils.script_run_context", "ScriptRunContext")
    assert "context_info" in context.__dataclass_fields__, (
        f"Streamlit {st.__version__} does not tell a page's path; {FENCE}"
    )
    asked = touched("streamlit.proto.ClientState_pb2", "ContextInfo")(url=url)
    monkeypatch.setattr(streamlit_internals, "get_script_run_ctx", lambda: SimpleNamespace(context_info=asked))
    assert streamlit_internals.arrived_with_address_of(page) is expected


def test_places_are_what_streamlit_returns():
    assert isinstance(st.container(), Place), f"st.container() is no {Place.__name__} any more; {FENCE}"
    public = import_module("streamlit.typing").__all__
    assert Place.__name__ not in public, f"streamlit.typing names {Place.__name__} now: import it from there; {FENCE}"


@pytest.mark.parametrize(("ours", "name"), [(UPLOADS, "BASE_ROUTE_UPLOAD_FILE"), (METRICS, "ROUTE_METRICS")])
def test_the_routes_that_we_close_are_those_of_streamlit(ours, name):
    theirs = touched(ROUTES, name)
    assert theirs == ours, f"Streamlit {st.__version__} has moved {ours} to {theirs}, which is open to all now; {FENCE}"


def test_the_page_and_its_files_are_where_they_were():
    assert (STATIC / "index.html").is_file(), f"Streamlit {st.__version__} keeps its page elsewhere; {FENCE}"
    assert len(list(STATIC.glob("static/js/*.js"))) > 50, f"Streamlit {st.__version__} keeps its scripts elsewhere"


def request_of(timer, **values):
    """A browser's request to draw the page, or a part of it, with one control that holds these values."""
    message = BackMsg()
    message.rerun_script.is_auto_rerun = timer
    message.rerun_script.widget_states.widgets.add(id="number", double_value=44)
    control = message.rerun_script.widget_states.widgets.add(id="button")
    for name, value in values.items():
        setattr(control, name, value)
    return message.SerializeToString()


@pytest.mark.parametrize("timer", [True, False])
@pytest.mark.parametrize("click", [{"trigger_value": True}, {"json_trigger_value": "[1]"}])
def test_a_click_is_found_in_a_request_and_a_timer_told_from_who_clicked(timer, click):
    assert streamlit_internals.request_in(request_of(timer, **click)) == ("", True, timer)
    part = BackMsg.FromString(request_of(timer, **click))
    part.rerun_script.fragment_id = "pictures"
    assert streamlit_internals.request_in(part.SerializeToString()) == ("pictures", True, timer)


@pytest.mark.parametrize("values", [{}, {"trigger_value": False}, {"bool_value": True}])
def test_a_request_tells_of_no_click_where_there_is_none(values):
    assert streamlit_internals.request_in(request_of(True, **values)) == ("", False, True)


@pytest.mark.parametrize("message", [b"", b"no request", BackMsg(clear_cache=True).SerializeToString()])
def test_what_asks_for_no_page_is_no_request(message):
    assert streamlit_internals.request_in(message) is None


def test_the_steps_of_a_drawing_are_told_as_streamlit_makes_them():
    run = touched("streamlit.runtime.scriptrunner_utils.run_descriptor", "RunDescriptor").create(["pictures"])
    begun = ForwardMsg()
    begun.new_session.name = "app"
    touched("streamlit.runtime.app_session", "_set_run_identity")(begun, run)
    assert streamlit_internals.drawing_in(begun.SerializeToString()) == (True, ("pictures",))
    part = ForwardMsg()
    part.delta.new_element.text.body = "x"
    end = ForwardMsg(script_finished=ForwardMsg.FINISHED_SUCCESSFULLY)
    assert [streamlit_internals.drawing_in(one.SerializeToString()) for one in (part, end)] == [(False, ())] * 2
    other = ForwardMsg()
    other.page_info_changed.query_string = "n=20"
    assert streamlit_internals.drawing_in(other.SerializeToString()) is None
    assert streamlit_internals.drawing_in(b"") is None, "as of a message without bytes"


def test_all_kinds_of_clicks_are_known():
    module = "streamlit.runtime.scriptrunner_utils.script_requests"
    assert touched(module, "_TRIGGER_PROTO_FIELDS") == set(streamlit_internals.CLICKS), (
        f"Streamlit {st.__version__} has other kinds of clicks; {FENCE}"
    )
