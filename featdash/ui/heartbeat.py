"""An open tab says once a minute that its visitor is there: what nobody waits for gives up its place in the queue."""

from __future__ import annotations

import streamlit as st

from featdash.ui.shared import service, table_store
from featdash.ui.visitor import session, visitor

BEAT = 60.0  # seconds; a browser slows the timers of a tab in the background to just this


@st.fragment(run_every=BEAT)
def heartbeat() -> None:
    """Draws nothing. Without a service the page says why."""
    table_store().touch(session())
    try:
        service().touch(visitor(), st.context.ip_address or "")
    except ValueError:
        return
