"""Which browser commands a room: the room's secret, in the session, in a cookie that no script can read, or in a link.

Streamlit's own script cannot set a cookie. So the page asks the browser to send the secret to a route of the server
once, which checks it and answers with the cookie (`featdash.server.cookies`); the next page load brings it back.
In a link the secret stands behind #: the browser keeps that part of an address to itself, so no server can log it.
"""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from featdash import classroom
from featdash.classroom.registry import Commands

COOKIE, ROUTE = "featdash_host", "class-key"
KEY = "class.key@"  # session-state key: code and secret of the room that this browser commands
REFUSED = "class.refused@"  # session-state key: the code and secret that command no room
LENGTH = 300  # characters of a cookie that are read

SCRIPT = """
export default function ({ data }) {
  if (!data || window.featdashKey === data.key) return;
  window.featdashKey = data.key;
  const address = new URL(data.route, document.location.href);
  fetch(address, { method: "POST", body: data.key, credentials: "same-origin" }).catch(() => {
    window.featdashKey = undefined; // the next drawing tries again
  });
}
"""

LINK = """
export default function ({ data, setTriggerValue }) {
  if (!data) return;
  const refuse = () => setTriggerValue("refused", Date.now());
  const take = async () => {
    const { hash, pathname, search } = document.location;
    if (!hash.startsWith("#key=")) return;
    // a screen that others see shows no secret, nor does the browser's history
    window.history.replaceState(window.history.state, "", pathname + search);
    const address = new URL(data.route, document.location.href);
    const body = decodeURIComponent(hash.slice(5));
    const answer = await fetch(address, { method: "POST", body, credentials: "same-origin" }).catch(() => null);
    answer?.ok ? document.location.reload() : refuse();
  };
  window.removeEventListener("hashchange", window.featdashLink);
  window.featdashLink = take; // for a link that is put into the address of this very page
  window.addEventListener("hashchange", take);
  take();
}
"""

_link = st.components.v2.component("featdash_host_link", js=LINK, isolate_styles=False)
_component = st.components.v2.component("featdash_host_key", js=SCRIPT, isolate_styles=False)


def parse(key: str) -> tuple[str, str]:
    """Code and secret of a key, as a cookie or a link holds it; both empty if it is no key."""
    code, _, secret = key[:LENGTH].partition(".")
    return code.upper(), secret


def commands() -> tuple[str, Commands] | None:
    """The code and the commands of this browser's room; None if it commands none, or if the room has ended."""
    code, secret = st.session_state.get(KEY) or parse(st.context.cookies.to_dict().get(COOKIE, ""))
    if not (code and secret) or st.session_state.get(REFUSED) == (code, secret) or not classroom.rooms().view(code):
        return None
    room_commands = classroom.rooms().commands(code, secret)
    if room_commands is None:
        st.session_state[REFUSED] = (code, secret)  # each wrong secret costs time
        st.session_state.pop(KEY, None)
        return None
    st.session_state[KEY] = (code, secret)
    return code, room_commands


def take_link(on_refusal: Callable[[], None]) -> None:
    """Have the browser take the key in its address, if there is one, and load the page again; call it once a page.

    on_refusal : called where the key opens no room.
    """
    _link(key="host-link", data={"route": ROUTE}, on_refused_change=on_refusal)


def link(page: str) -> str:
    """The address by which another browser commands this session's room; page : the address of the page Class."""
    return f"{page}#key={key()}"


def key() -> str:
    """The key of the room that this session commands."""
    return ".".join(st.session_state[KEY])


def keep() -> None:
    """Have the browser keep the key for the next load of the page; call it once a page."""
    if st.context.cookies.to_dict().get(COOKIE) != key():
        _component(key="host-key", data={"key": key(), "route": ROUTE})
