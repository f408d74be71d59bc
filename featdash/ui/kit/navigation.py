"""The address bar: going to another address of the app, writing one, and what the browser does by itself.

Going to an address is one step of the browser's history, and does not load the app again.

`st.switch_page` with settings takes two steps, the first of which is the old page under the new page's settings, and
that is where Back would lead. Here navigation.js gives the address to the browser itself.
"""

from __future__ import annotations

import math
import time
from collections.abc import Mapping

import streamlit as st

from featdash.ui.streamlit_internals import MENU, NAVIGATION, TEXT, arrived_by_history, without_interruption

WRITTEN, EARLIER = "address@", "address.earlier@"  # session-state keys: the query written last; those before -> when
ASKED = "address.asked@"  # session-state key: the address asked for last, with a mark that tells it from all others
LATE = 5.0  # seconds for which a browser may still send requests with an address that has been replaced

_component = st.components.v2.component("featdash_navigation", js=NAVIGATION, isolate_styles=False)


def go(address: str) -> None:
    """Lead the visitor to an address relative to the page, such as "lab?n=1000"; a button's callback.

    What follows an `if st.button(...)` can get lost: where the browser says in the same moment that the film has ended,
    Streamlit begins the page anew, and forgets both the press and what has been drawn for it. A callback comes before
    the page, and `mount` says the address with each page that is drawn.
    """
    st.session_state[ASKED] = {"address": address, "mark": time.time_ns()}
    st.rerun()  # the whole page, where a fragment has the button


def write_address(query: Mapping[str, str]) -> None:
    """Replace the query of the address; for callbacks too."""
    with without_interruption():
        now, earlier = st.query_params.to_dict(), st.session_state.setdefault(EARLIER, {})
        if query == now:
            return
        earlier[frozenset(now.items())] = time.monotonic()
        earlier.pop(frozenset(query.items()), None)
        st.session_state[WRITTEN] = dict(query)
        st.query_params.from_dict(query)


def keep_address(entered: bool) -> None:
    """Correct the address of a request that was sent before the browser heard of a newer one; first in the frame.

    A visitor far from the server who types a number and at once presses Run sends Run with an address that lacks the
    number, as if they had come to that address: the number would be reset, and Run with it.

    entered : whether the visitor has just come from another page.
    """
    earlier, query = st.session_state.setdefault(EARLIER, {}), st.query_params.to_dict()
    if entered or arrived_by_history():
        earlier.clear()
    elif time.monotonic() - earlier.get(frozenset(query.items()), -math.inf) < LATE:
        st.query_params.from_dict(st.session_state[WRITTEN])


def mount(title: str, section: str) -> None:
    """What the browser does by itself; once in the frame, after the page and before what tells the server something.

    Links of texts to pages of the app are followed in this tab: a click with a key or with another button opens
    another tab, as with any link, and a link button always does. Back and Forward win over what the page before has
    asked for. The menu marks the entry of the page on show, and its group. The browser goes once to each address that
    `go` was asked for.

    section : "" for a page in no group.
    """
    scene = [st.query_params.get(name, "") for name in ("story", "scene")]
    page = {"text": TEXT, "title": title, "section": section, "place": " ".join([title, *scene])}
    _component(key="frame@", data={**MENU, **page, "asked": st.session_state.get(ASKED)})
