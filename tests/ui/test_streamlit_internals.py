"""What the fence touches of Streamlit is there still; at an upgrade these tests say in words what has gone.

Its selectors are looked for in tests/browser/test_selectors.py.
"""

import tomllib
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import Mock

import pytest
import streamlit as st
from app_pages import open_page
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.scriptrunner.script_cache import ScriptCache
from streamlit.testing.v1 import AppTest

from featdash.ui import streamlit_internals
from featdash.ui.streamlit_internals import CHECKED_ON, METRICS, UPLOADS, Place

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


def test_the_frame_has_no_folder_of_pages_beside_it(monkeypatch):
    """Else Streamlit shows /lab without the frame to the first visitor of a server."""
    manager = touched("streamlit.runtime.pages_manager", "PagesManager")
    monkeypatch.setattr(manager, "uses_pages_directory", None)
    manager(str(ROOT / "featdash/ui/frame.py"))
    assert manager.uses_pages_directory is False, f"Streamlit {st.__version__} takes pages/ for an app; {FENCE}"


def test_the_browser_can_be_told_where_the_server_is():
    scripts = Path(st.__file__).parent.glob("static/static/js/index.*.js")
    read = any("window.__streamlit" in (text := one.read_text()) and "BACKEND_BASE_URL" in text for one in scripts)
    assert read, f"Streamlit {st.__version__} reads no BACKEND_BASE_URL any more: /lab begins with two errors; {FENCE}"


@pytest.mark.parametrize("name", tomllib.loads(ROOT.joinpath(".streamlit/config.toml").read_text())["global"])
def test_the_hidden_options_that_we_set_are_there(name):
    try:
        st.get_option(f"global.{name}")
    except RuntimeError as error:
        pytest.fail(f"Streamlit {st.__version__}: {error}; see .streamlit/config.toml")


def test_the_script_of_a_page_is_compiled_without_a_syntax_tree(monkeypatch):
    """Python 3.11 fails now and then where two threads build one at once; see .streamlit/config.toml."""
    monkeypatch.setattr(touched("streamlit.runtime.scriptrunner.script_cache", "magic"), "add_magic", None)
    assert ScriptCache().get_bytecode(str(ROOT / "featdash/ui/frame.py"))


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


def test_the_messages_of_a_drawing_have_their_names():
    """That the script no longer runs is the last of them; without it each page would come a third of a second late."""
    known = touched("streamlit.proto.ForwardMsg_pb2", "ForwardMsg").DESCRIPTOR.fields_by_name
    missing = (streamlit_internals._DRAWING | {"session_status_changed"}) - set(known)
    assert not missing, f"Streamlit {st.__version__} no longer sends {missing}; {FENCE}"
    assert "script_is_running" in known["session_status_changed"].message_type.fields_by_name, FENCE


def timed():
    import streamlit as st

    from featdash.ui.streamlit_internals import set_timer

    @st.fragment(run_every=1.0)
    def look():
        set_timer(1.25)

    look()


def test_a_fragment_changes_its_timer(monkeypatch):
    """By the message with which Streamlit itself sets one; see `streamlit.runtime.fragment`."""
    touched("streamlit.runtime.scriptrunner_utils.script_run_context", "ThreadState")
    with pytest.raises(RuntimeError, match="this thread runs no fragment"):
        streamlit_internals.set_timer(1.0)
    context = touched("streamlit.runtime.scriptrunner_utils.script_run_context", "ScriptRunContext")
    sent, enqueue = [], context.enqueue
    monkeypatch.setattr(context, "enqueue", lambda self, message: (sent.append(message), enqueue(self, message)))
    assert not AppTest.from_function(timed).run().exception
    timers = [message.auto_rerun for message in sent if message.WhichOneof("type") == "auto_rerun"]
    assert [timer.interval for timer in timers] == [1.0, 1.25], (
        f"Streamlit {st.__version__} sets timers otherwise; {FENCE}"
    )
    assert timers[0].fragment_id == timers[1].fragment_id != ""


def test_places_are_what_streamlit_returns():
    assert isinstance(st.container(), Place), f"st.container() is no {Place.__name__} any more; {FENCE}"
    public = import_module("streamlit.typing").__all__
    assert Place.__name__ not in public, f"streamlit.typing names {Place.__name__} now: import it from there; {FENCE}"


@pytest.mark.parametrize(("ours", "name"), [(UPLOADS, "BASE_ROUTE_UPLOAD_FILE"), (METRICS, "ROUTE_METRICS")])
def test_the_routes_that_we_close_are_those_of_streamlit(ours, name):
    theirs = touched(ROUTES, name)
    assert theirs == ours, f"Streamlit {st.__version__} has moved {ours} to {theirs}, which is open to all now; {FENCE}"


def broken_off():
    import streamlit as st
    from streamlit.runtime.scriptrunner import RerunException, get_script_run_ctx
    from streamlit.runtime.scriptrunner_utils.script_requests import RerunData

    from featdash.ui.streamlit_internals import without_interruption

    if "begun" in st.session_state:
        return
    get_script_run_ctx().script_requests.request_rerun(RerunData())
    with without_interruption():
        st.session_state["begun"] = st.session_state["ended"] = True
    try:
        st.session_state["after"] = True
    except RerunException:
        st.session_state["broken"] = True
        raise


def test_a_script_is_broken_off_wherever_it_touches_the_sessions_state_but_not_where_we_say_so():
    app = AppTest.from_function(broken_off).run()
    assert not app.exception
    state = {name: name in app.session_state for name in ("begun", "ended", "broken", "after")}
    assert state == {"begun": True, "ended": True, "broken": True, "after": False}, (
        f"Streamlit {st.__version__} breaks scripts off in another way: without_interruption needs a look; {FENCE}"
    )
    with pytest.raises(RuntimeError, match="this thread runs no page"), streamlit_internals.without_interruption():
        pass


def with_a_button():
    import streamlit as st
    from streamlit.runtime.scriptrunner import get_script_run_ctx
    from streamlit.runtime.scriptrunner_utils.script_requests import RerunData

    def carry_out():
        get_script_run_ctx().script_requests.request_rerun(RerunData())
        st.session_state["begun"] = True
        st.session_state["ended"] = True

    st.button("press", on_click=carry_out)


@pytest.mark.parametrize("another", ["during the callback", "before it, too"])
def test_a_callback_is_carried_out_whole_though_another_request_waits(monkeypatch, another):
    requests = touched("streamlit.runtime.scriptrunner_utils.script_requests", "ScriptRequests")
    data = touched("streamlit.runtime.scriptrunner_utils.script_requests", "RerunData")
    ready = requests.on_scriptrunner_ready

    def and_one_waits(self):
        request = ready(self)
        self.request_rerun(data())
        return request

    app = AppTest.from_function(with_a_button).run()
    with monkeypatch.context() as patch:
        if another == "before it, too":
            patch.setattr(requests, "on_scriptrunner_ready", and_one_waits)
        app.button[0].click().run()
    assert not app.exception
    assert ("begun" in app.session_state, "ended" in app.session_state) == (True, True), (
        f"Streamlit {st.__version__} lets a request break a callback off; {FENCE}"
    )


def test_a_tabs_connection_has_a_name_and_is_known_to_be_there(monkeypatch):
    assert callable(touched("streamlit.runtime", "Runtime").is_active_session)
    server = SimpleNamespace(is_active_session={"here"}.__contains__)
    running = SimpleNamespace(exists=lambda: True, get_instance=lambda: server)
    monkeypatch.setattr(streamlit_internals, "runtime", running)
    monkeypatch.setattr(streamlit_internals, "get_script_run_ctx", lambda: SimpleNamespace(session_id="here"))
    assert streamlit_internals.connection() == "here"
    assert streamlit_internals.is_connected("here")
    assert not streamlit_internals.is_connected("gone")
    running.exists = lambda: False
    assert streamlit_internals.connection() == "", "where no server runs there is none"
    assert streamlit_internals.is_connected("gone"), "and none to miss"


@pytest.mark.usefixtures("visit")
def test_a_page_that_is_drawn_right_after_a_part_is_not_drawn_within_it(monkeypatch):
    """By the thread of that part, as when somebody clicks just before it has ended; after each part of the Lab."""
    requests = touched("streamlit.runtime.scriptrunner_utils.script_requests", "ScriptRequests")
    ready, whole, turns = requests.on_scriptrunner_ready, [], []

    def next_request(self):
        if not whole:
            whole.append(ready(self))
            return whole[0]
        if len(whole) == 1:
            whole.append("drawn")
            parts = get_script_run_ctx().fragment_storage._fragments
            turns.extend(queue for part in parts for queue in ([part], []))
        if not turns:
            return ready(self)
        return replace(whole[0], _rerun_data=replace(whole[0].rerun_data, fragment_id_queue=turns.pop(0)))

    once = open_page("pages/lab.py")
    with monkeypatch.context() as patch:
        patch.setattr(requests, "on_scriptrunner_ready", next_request)
        again = open_page("pages/lab.py")
    assert whole[1:] == ["drawn"]
    assert turns == []
    assert not again.exception
    assert list(again.main.children) == list(once.main.children)
    assert len(again.button) == len(once.button)


@pytest.fixture
def over(monkeypatch):
    """A session whose thread is over: (session, what waits to be delivered, the requests that threads are made for)."""
    requests, waiting = [], []
    touched("streamlit.runtime.app_session", "ScriptRunner")

    def make(**settings):
        requests.append(settings["initial_rerun_data"])
        return Mock()

    monkeypatch.setattr("streamlit.runtime.app_session.ScriptRunner", make)
    session = Mock(_call_soon_on_event_loop=waiting.append)
    session._script_event_loop.is_closed.return_value = False
    return session, waiting, requests


def make_thread(session, request):
    touched("streamlit.runtime.app_session", "AppSession")._create_scriptrunner(session, request)


def test_what_a_drawing_has_said_is_delivered_before_another_thread_takes_its_place(over):
    """Streamlit ignores from then on what it has said: the page's last elements, and its address."""
    session, waiting, requests = over
    said_it = session._scriptrunner
    make_thread(session, "a part")
    assert (session._scriptrunner, requests) == (said_it, [])
    waiting.pop()()
    assert requests == ["a part"]
    assert session._scriptrunner is not said_it
    session._scriptrunner = None  # it has said that it is over
    make_thread(session, "the next part")
    assert (waiting, requests) == ([], ["a part", "the next part"])


def test_a_part_is_drawn_by_the_thread_of_the_page_that_was_asked_for_meanwhile_or_after_it(over):
    session, waiting, requests = over
    for still_draws in (True, False):
        make_thread(session, "a part")
        session._scriptrunner = page = Mock()
        page.request_rerun.return_value = still_draws
        waiting.pop()()
        page.request_rerun.assert_called_once_with("a part")
        assert (requests, len(waiting)) == ([], not still_draws)
    waiting.pop()()
    assert requests == ["a part"]


def test_no_part_is_drawn_for_a_visitor_who_has_left_meanwhile(over):
    session, waiting, requests = over
    make_thread(session, "a part")
    session._state = touched("streamlit.runtime.app_session", "AppSessionState").SHUTDOWN_REQUESTED
    waiting.pop()()
    assert (waiting, requests) == ([], [])
