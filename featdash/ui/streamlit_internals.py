"""Every touch of what Streamlit does not promise to keep, each with its reason; all checked on Streamlit 1.67.

An upgrade may take any of these away without an error. `tests/ui/test_streamlit_internals.py` and
`tests/browser/test_selectors.py` say which one is gone; no other file may import from Streamlit's inner modules, nor
name its selectors, its routes or its files.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from google.protobuf.message import DecodeError
from streamlit import runtime
from streamlit.delta_generator import DeltaGenerator
from streamlit.delta_generator_singletons import context_dg_stack, get_default_dg_stack_value
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime.app_session import AppSession, AppSessionState
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.scriptrunner_utils.script_requests import RerunData
from streamlit.runtime.scriptrunner_utils.script_run_context import ThreadState
from streamlit.runtime.state.safe_session_state import SafeSessionState
from streamlit.util import calc_hash

CHECKED_ON = "1.67"

# The type of what `st.columns` and `st.container` return; `streamlit.typing` does not name it yet.
Place = DeltaGenerator

# Routes that this app closes: Streamlit has no option that takes them away.
UPLOADS, METRICS = "_stcore/upload_file", "_stcore/metrics"

# Where the browser looks for the server. Left to itself it tries the page's own address first, /lab/_stcore/health, and
# each page begins with two errors in the console. A page stands right below the app's root.
SERVER = "<script>window.__streamlit = {BACKEND_BASE_URL: new URL('.', location).href}</script>"

# What holds a text of the page, and with it the text's links; a link button holds one, and stands in none.
TEXT = '[data-testid="stMarkdownContainer"]'

# Room is short on one screen of 1280 by 720, and the theme has no option for these gaps, sides and heights, nor for
# text in the colour of buttons: white on it, and it on a dark page, cannot both have a contrast of 4.5.
COMPACT = """
[data-testid="stMainBlockContainer"] {padding: 2.6rem 0.9rem 1rem;}
[data-testid="stVerticalBlock"] {gap: 0.45rem;}
[data-testid="stHorizontalBlock"] {gap: 0.7rem;}
[data-testid="stMarkdownContainer"] {margin-bottom: 0;}
[data-testid="stMarkdownContainer"] p {margin-bottom: 0.45rem;}
[data-testid="stMarkdownContainer"] p:last-child {margin-bottom: 0;}
[data-testid="stCheckbox"] {min-height: 1.5rem;}
[data-testid="stSliderTickBar"] {display: none;}
[data-testid^="stBaseButton"] kbd {color: inherit; opacity: 1;}
@media (hover: none) {[data-testid^="stBaseButton"] kbd {display: none;}} /* where there is no keyboard */
[data-testid="stHeaderActionElements"] {display: none;}
@media (hover: hover) {
  [data-testid="stTooltipContent"] {pointer-events: none;} /* it lies on what a visitor may be going to press */
}
[data-testid="stMultiSelectTagsContainer"] {flex-wrap: wrap; height: auto; overflow: visible;}
[data-testid="stMultiSelectTagsContainer"] [data-tag] {height: auto;}
[data-testid="stMultiSelectTagsContainer"] [data-tag] > span {max-width: none; white-space: normal;}
:has(> [data-testid="stMultiSelectTagsContainer"]) {height: auto; max-height: none;}
[data-testid="stSelectbox"] input {text-overflow: ellipsis;}
[data-testid="stSliderThumbValue"], [data-testid="stButtonGroup"] p {
  color: var(--featdash-ink) !important;
}
"""
# The bar of the menu is the same on every page, and says which group the page is in.
HEADER = """
[data-testid="stHeader"] {min-height: 2.5rem; height: 2.5rem;}
[data-testid="stTopNavSection"][aria-current] {
  font-weight: 600; text-decoration: underline 2px; text-underline-offset: 0.35em;
}
"""
# Its menu at the top: where it is, its links, and the buttons of its groups.
MENU = {
    "header": '[data-testid="stHeader"]',
    "link": '[data-testid="stTopNavLink"]',
    "group": '[data-testid="stTopNavSection"]',
    "drawer": '[data-testid="stSidebarCollapseButton"] button',  # which closes it
    "main": '[data-testid="stMain"]',
    "list": '[data-testid="stPopoverBody"]',  # of a popover that is open
}
# Where the page says what its script does, the heading of a page, and the «?» that stands in the label of a switch.
PAGE = {
    "app": '[data-testid="stApp"]',
    "state": "data-test-script-state",
    "rest": "notRunning",
    "heading": '[data-testid="stMain"] h1',
    "help": 'label [data-testid="stTooltipIcon"] button',
}
# How to lead the browser to an address: Streamlit documents no way that is a single step of the history. It learns of
# an address that a script writes as it learns of Back and Forward, by `popstate`; tests/browser/test_history.py walks
# both.
NAVIGATION = Path(__file__).with_name("navigation.js").read_text(encoding="utf-8")
# On paper: the results, in black on white, without the controls and without what is folded away.
PRINTED = """
@media print {
  [data-testid="stHeader"], :has(> .st-key-my-runs), :is(.st-key-room, .st-key-home) button, .featdash-tools,
  .st-key-room :has(> [data-testid="stWidgetLabel"]), .st-key-room [data-testid="stCheckbox"],
  .st-key-settings, .st-key-walk, .st-key-commands, .featdash-timeline, .featdash-lines,
  [role="tab"][aria-selected="false"], :has(> details:not([open])) {
    display: none !important;
  }
  [data-testid="stMain"], [data-testid="stAppViewContainer"], .stApp {
    position: static; overflow: visible; height: auto;
  }
  .st-key-aside {position: static !important; max-height: none !important; overflow: visible !important;}
  .st-key-below {min-height: 0 !important;}
  .stApp, .stApp :not(svg *) {color: #000 !important;}
  html, body, .stApp {background: #fff !important; color-scheme: light !important;}
  :is([data-testid="stAppViewContainer"], [data-testid="stMain"], [data-testid="stExpander"] details) {
    background: none !important;
  }
  .featdash-stage {break-inside: avoid;}
  .featdash-stage .main-svg {background: none !important;}
}
"""
# A picture that was drawn for a dark page is turned round as a whole: light is dark, and a hue stays what it is.
PRINTED_FROM_DARK = """
@media print {.featdash-stage .js-plotly-plot {filter: invert(1) hue-rotate(180deg) brightness(1.07);}}
"""
# If the visitor's system chooses all colours, controls that consist of a background alone would be invisible.
FORCED = """
@media (forced-colors: active) {
  [data-testid="stSlider"] [role="group"] > div > div:first-child,
  [data-testid="stCheckbox"] label > div:first-of-type {
    border: 1px solid CanvasText;
  }
  [data-testid="stSlider"] [role="group"] > div > [data-rac],
  [data-testid="stCheckbox"] label > div:first-of-type > div {
    forced-color-adjust: none; background: CanvasText;
  }
  [data-testid="stSliderThumbValue"] {forced-color-adjust: auto;}
  [data-testid="stCheckbox"] label[data-selected="true"] > div:first-of-type {
    forced-color-adjust: none; background: Highlight;
  }
  [data-testid="stButtonGroup"] [aria-checked="true"] {forced-color-adjust: none; background: Highlight !important;}
  [data-testid="stButtonGroup"] [aria-checked="true"] p {color: HighlightText !important;}
}
"""
# The open list of a select box is as wide as the box and cuts longer texts off: here it grows, and wraps at the edge.
OPEN_LIST = """
[data-testid="stSelectboxVirtualDropdown"] {width: max-content !important; max-width: min(34rem, calc(100vw - 2rem));
  min-width: var(--trigger-width);}
[data-testid="stSelectboxVirtualDropdown"]:has([style*="absolute"] > [role="option"]) {
  min-width: min(34rem, 100vw - 2rem); /* a long list stands in the air, and gives no width */
}
[data-testid="stSelectboxVirtualDropdown"] [role="option"] {height: auto !important; min-height: 2.25rem;}
[data-testid="stSelectboxVirtualDropdown"] [role="option"] > div {white-space: normal; overflow: visible;}
"""
# On paper: no header, and text over the full width.
PRINT = """
@media print {
  [data-testid="stHeader"], :has(> .st-key-my-runs) {display: none;}
  .stApp, .stApp * {color: #000 !important;}
  html, body, .stApp {background: #fff !important; color-scheme: light !important;}
  :is([data-testid="stAppViewContainer"], [data-testid="stMain"]) {background: none !important;}
  [data-testid="stMain"], [data-testid="stAppViewContainer"], .stApp {
    position: static; overflow: visible; height: auto;
  }
  html {font-size: 12px;}
  [data-testid="stVerticalBlock"] {gap: 0.5rem;}
  blockquote {margin: 0 !important;}
  [data-testid="stMarkdownContainer"] h2 {padding: 0.2rem 0;}
}
"""
# A wall shows no header.
WALL = """
[data-testid="stHeader"] {display: none;}
[data-testid="stMainBlockContainer"] {padding-top: 0.4rem;}
"""
# With larger text there is no room for these. The size of a badge does not follow that of its line.
LARGE = """
.stMarkdownBadge {font-size: 18px !important;}
[data-testid="stWidgetLabel"] [data-testid="stTooltipIcon"], [data-testid="stNumberInput"] button {display: none;}
"""


def arrived_by_history() -> bool:
    """Whether the visitor came to this address by Back or Forward, which `st.context` does not say."""
    context = get_script_run_ctx()
    if context is None:
        raise RuntimeError("this thread runs no page; call it from a page's script")
    return context.is_history_navigation


def arrived_with_address_of(page: str) -> bool:
    """Whether the browser showed this page's address when it sent its request; `st.context.url` names the running page.

    After a click on another page, and until that page's first answer, requests still come with the address of the page
    before, whose settings are not meant for the new page. True if the browser sends no address.

    page : path of the page's address; "" for the page at the root, whose path is the app's own.
    """
    context = get_script_run_ctx()
    address = context.context_info.url if context and context.context_info else ""
    return not (page and address) or urlsplit(address).path.rstrip("/").rpartition("/")[2] == page


class DrawingRequest(NamedTuple):
    """A browser's request to draw a page.

    page : Streamlit's name of it; "" if the browser has none yet, and names the frame or leaves it to the address.
    is_part : whether it is for a fragment alone; is_timed : and a timer has asked for it.
    events : widgets that tell of an event, such as a click; values : what each of the others holds. Both are empty for
    a timer's request, which comes several times a second from each viewer.
    """

    page: str
    is_part: bool
    is_timed: bool
    events: frozenset[str]
    values: dict[str, bytes]

    def news(self, before: DrawingRequest | None) -> int:
        """How many widgets tell of something that the request before has not told."""
        known = before.values if before else {}
        return len(self.events) + sum(known.get(name, value) != value for name, value in self.values.items())


_EVENT = "trigger_value"  # how the names of these kinds of values end; chats apart, which there are none of


def drawing_request(message: bytes) -> DrawingRequest | None:
    """The request to draw in a browser's message; None for any other message."""
    try:
        content = BackMsg.FromString(message)
    except DecodeError:
        return None
    if content.WhichOneof("type") != "rerun_script":
        return None
    request = content.rerun_script
    page, widgets = request.page_script_hash, () if request.is_auto_rerun else request.widget_states.widgets
    events = frozenset(one.id for one in widgets if (one.WhichOneof("value") or "").endswith(_EVENT))
    return DrawingRequest(
        page="" if page == _name_of_frame() else page,
        is_part=bool(request.fragment_id),
        is_timed=request.is_auto_rerun,
        events=events,
        values={one.id: one.SerializeToString(deterministic=True) for one in widgets if one.id not in events},
    )


def for_the_whole_page(message: bytes) -> bytes:
    """A browser's request for a fragment, made one for the whole page."""
    content = BackMsg.FromString(message)
    content.rerun_script.ClearField("fragment_id")
    return content.SerializeToString()


# What a script says while it draws. The last word on a drawing is that the script no longer runs.
_DRAWING = {
    "new_session",
    "navigation",
    "page_config_changed",
    "page_info_changed",
    "auto_rerun",
    "delta",
    "ref_hash",
    "script_finished",
}


def is_of_a_drawing(message: bytes) -> bool:
    """Whether the server's message to a browser is one of many that come of a drawing, and not the last of them."""
    try:
        content = ForwardMsg.FromString(message)
    except DecodeError:
        return False
    kind = content.WhichOneof("type")
    return kind in _DRAWING or (kind == "session_status_changed" and content.session_status_changed.script_is_running)


def draw_from_the_root() -> None:
    """Let a whole page be drawn where it belongs; for its beginning.

    The thread that has drawn a fragment also draws what has been asked for by then, and Streamlit leaves it at the
    place of that fragment. The whole page would be drawn within it, and the browser finds no place for what comes next:
    it shows an empty window.
    """
    context_dg_stack.set(get_default_dg_stack_value())


def _name_of_frame() -> str:
    """Streamlit's name of the script that draws every page, which a page has for a moment before its own."""
    return calc_hash(runtime.get_instance()._main_script_path) if runtime.exists() else ""


def set_timer(seconds: float) -> None:
    """Change how often the browser asks for the running fragment, which has a timer: `run_every` is read while a whole
    page is drawn, and to draw it anew takes twenty times as long as a look at the fragment."""
    context = get_script_run_ctx()
    fragment = ThreadState.get().fragment_id if context else None
    if context is None or fragment is None:
        raise RuntimeError("this thread runs no fragment; call it from one")
    message = ForwardMsg()
    message.auto_rerun.interval, message.auto_rerun.fragment_id = seconds, fragment
    context.enqueue(message)


def connection() -> str:
    """The name of this tab's connection to the server; "" if a page is drawn without one.

    A visitor's table must go when its tab is closed, and `st.context` has nothing that ends with the tab.
    """
    context = get_script_run_ctx()
    return context.session_id if context and runtime.exists() else ""


def is_connected(name: str) -> bool:
    """Whether the connection of that name is open; for any thread."""
    return not runtime.exists() or runtime.get_instance().is_active_session(name)


@contextmanager
def without_interruption() -> Iterator[None]:
    """No request of the browser interrupts this block, which should be short; no callback of a control needs it.

    While a request waits, Streamlit ends a script wherever it touches the session's state; a command would then be
    carried out in part. No option prevents that.
    """
    context = get_script_run_ctx()
    if context is None:
        raise RuntimeError("this thread runs no page; call it from a page's script")
    with _uninterrupted(context.session_state):
        yield


@contextmanager
def _uninterrupted(state: SafeSessionState) -> Iterator[None]:
    interrupt = state._yield_callback
    object.__setattr__(state, "_yield_callback", lambda: None)  # the state's own __setattr__ writes into the session
    try:
        yield
    finally:
        object.__setattr__(state, "_yield_callback", interrupt)


def _keep_callbacks_whole() -> None:
    """No request of the browser interrupts the callbacks of controls, nor takes their place before they begin.

    Streamlit ends them too wherever they touch the session's state, and takes that for their own `st.rerun()`: a press
    of a button would be forgotten, or be obeyed in part.
    """
    call_them = SafeSessionState.on_script_will_rerun

    @functools.wraps(call_them)
    def whole(self: SafeSessionState, *states: Any, **more: Any) -> None:
        with _uninterrupted(self):
            call_them(self, *states, **more)

    SafeSessionState.on_script_will_rerun = whole  # type: ignore[method-assign]


def _deliver_to_the_end() -> None:
    """What a drawing says at its end reaches the browser, also where a timer asks for a part in that moment.

    The thread that has drawn the page is over then, and Streamlit makes another one. From that on it ignores what the
    first one has said and has not been delivered yet: its last elements, and its address.
    """
    make = AppSession._create_scriptrunner

    @functools.wraps(make)
    def make_later(self: AppSession, request: RerunData) -> None:
        over = self._scriptrunner
        if over is None:
            make(self, request)
            return

        def draw() -> None:  # called after all that waits to be delivered
            now = self._scriptrunner
            if self._state == AppSessionState.SHUTDOWN_REQUESTED:
                return
            if now is None or now is over:
                make(self, request)
            elif not now.request_rerun(request):  # the thread of another request, which is over as well
                make_later(self, request)

        self._call_soon_on_event_loop(draw)

    AppSession._create_scriptrunner = make_later  # type: ignore[method-assign, assignment]


_keep_callbacks_whole()
_deliver_to_the_end()
