"""The address bar: going to another address of the app, writing one, and what the browser shows while it has not come.

Going is one step of the browser's history, without loading the app anew.

`st.switch_page` with settings takes two steps, the first of which is the old page under the new page's settings, and
that is where Back would lead. Here the browser itself is told the address, and Streamlit hears of it as it hears of
Back and Forward: by `popstate`, the browser's own word for a change of address (checked on Streamlit 1.67.0).
"""

from __future__ import annotations

import math
import time
from collections.abc import Mapping

import streamlit as st

from featdash.ui.streamlit_internals import MENU, TEXT, arrived_by_history

WRITTEN, EARLIER = "address@", "address.earlier@"  # session-state keys: the query written last; those before -> when
LATE = 5.0  # seconds in which a browser may still ask with an address that has been written over
SCRIPT = """
export default function ({ data }) {
  if (!data || window.featdashWent === data.mark) return; // drawn once more, it goes nowhere
  window.featdashWent = data.mark;
  window.history.pushState({}, "", new URL(data.address, document.location.href));
  window.dispatchEvent(new PopStateEvent("popstate"));
}
"""

# Links of a text to pages of the app, such as `[The Lab](lab?n=1000)`: Streamlit gives each of them a target, another
# tab. A link that stands elsewhere, such as a link button, has the target that was meant for it.
LINKS = """
export default function ({ data }) {
  if (window.featdashLinks || !data) return;
  window.featdashLinks = true;
  const PAGE = /^\\w+(\\?|$)/;
  const go = (event) => {
    const link = event.target.closest?.("a[href]");
    const plain = event.button === 0 && !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey);
    if (!link || !plain || (link.target && !link.closest(data.text)) || !PAGE.test(link.getAttribute("href"))) return;
    event.preventDefault();
    event.stopPropagation();
    window.history.pushState({}, "", new URL(link.getAttribute("href"), document.location.href));
    window.dispatchEvent(new PopStateEvent("popstate"));
    window.scrollTo(0, 0);
  };
  document.addEventListener("click", go, true);
}
"""

# A page's answer may arrive, or take the place of what the visitor has asked for, when Back has left that page already.
# Streamlit then writes that page's address, which takes Forward away. What is written after Back or Forward without an
# action of the visitor is prevented, and the page gone to is asked for again, at most twice: then it is meant.
#
# A page that is clicked on is written without its settings first, or with them but under the page before, and then
# rightly. An action of the visitor is one step of the history: what is written after it once more takes its place.
HISTORY = """
export default function () {
  if (!window.navigation || window.featdashHistory) return; // a browser that does not tell of its navigation
  window.featdashHistory = true;
  let asks = 0, timer = null, written = true;
  const act = () => {
    asks = 0;
    written = false;
  };
  for (const kind of ["pointerdown", "keydown", "click"]) window.addEventListener(kind, act, true);
  const ask = () => {
    asks -= 1;
    timer = null;
    window.dispatchEvent(new PopStateEvent("popstate"));
  };
  window.navigation.addEventListener("navigate", (event) => {
    const { sameDocument, url } = event.destination;
    if (event.navigationType === "traverse") asks = 2;
    else if (!sameDocument || event.hashChange || url === document.location.href) return;
    else if (asks) {
      event.preventDefault();
      timer ??= setTimeout(ask, 100);
    } else if (event.navigationType === "push") {
      if (written) {
        event.preventDefault();
        window.history.replaceState({}, "", url);
      }
      written = true;
    }
  });
}
"""

# The menu's entry of the page on show: Streamlit marks a link by itself, but not the group that it is in, nor the link
# of the page that is shown at the root.
HERE = """
export default function ({ data: { header, link, group, title, section } }) {
  const set = (node, value) => value ? node.setAttribute("aria-current", value) : node.removeAttribute("aria-current");
  const mark = () => {
    for (const one of document.querySelectorAll(link)) set(one, one.textContent.trim() === title && "page");
    for (const one of document.querySelectorAll(group))
      set(one, section && one.textContent.trim().startsWith(section) && "true");
  };
  window.featdashHere?.disconnect();
  window.featdashHere = new MutationObserver(mark);
  const added = { childList: true, subtree: true };
  for (const one of document.querySelectorAll(header)) window.featdashHere.observe(one, added);
  mark();
}
"""

_here = st.components.v2.component("featdash_here", js=HERE, isolate_styles=False)
_history = st.components.v2.component("featdash_history", js=HISTORY, isolate_styles=False)
_links = st.components.v2.component("featdash_links", js=LINKS, isolate_styles=False)
_component = st.components.v2.component("featdash_navigation", js=SCRIPT, isolate_styles=False)


def go(address: str) -> None:
    """Lead the visitor to an address relative to the page, such as "lab?n=1000"; not for a callback."""
    _component(key="navigation", data={"address": address, "mark": time.time_ns()})


def write_address(query: Mapping[str, str]) -> None:
    """Put a query in place of that of the address; for callbacks too."""
    now, earlier = st.query_params.to_dict(), st.session_state.setdefault(EARLIER, {})
    if query == now:
        return
    earlier[frozenset(now.items())] = time.monotonic()
    earlier.pop(frozenset(query.items()), None)
    st.session_state[WRITTEN] = dict(query)
    st.query_params.from_dict(query)


def keep_address(entered: bool) -> None:
    """Put the address right that a browser asks with before it has heard of a newer one; at the start of the frame.

    Who types a number and presses Run at once, far from the server, presses it under the address without the number,
    which would be taken for a visit of that address: the number would go back, and Run with it.

    entered : whether the page before was another one.
    """
    earlier, query = st.session_state.setdefault(EARLIER, {}), st.query_params.to_dict()
    if entered or arrived_by_history():
        earlier.clear()
    elif time.monotonic() - earlier.get(frozenset(query.items()), -math.inf) < LATE:
        st.query_params.from_dict(st.session_state[WRITTEN])


def mark_here(title: str, section: str) -> None:
    """Mark the menu's entry of the page on show, and its group; section : "" for a page in no group."""
    _here(key="here@", data={**MENU, "title": title, "section": section})


def keep_history() -> None:
    """Let Back and Forward hold against what the page before has asked for, a step an action; once in the frame."""
    _history(key="history@")


def stay_in_app() -> None:
    """Links of texts to pages of the app are followed in this tab; once in the frame.

    A click with a key or with another button opens another tab, as with any link; a link button always does.
    """
    _links(key="links@", data={"text": TEXT})
