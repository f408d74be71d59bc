"""«My runs», in the frame of every page: the visitor's latest runs, to go back to or to stop."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from featdash.runs.run import Run
from featdash.ui.kit import link, navigation
from featdash.ui.kit.shared import service, visitor
from featdash.ui.stage.lesson import Lesson
from featdash.ui.stage.live import status_line
from featdash.ui.streamlit_internals import HEADER

KEY = "my-runs@"
LIVELY = 2.0  # seconds between two looks at runs in progress, while the list is open
ABOUT = "The runs that you asked for lately: go back to one, or stop it."
NONE_YET = "Nothing yet: press Run on any page, and find your run here."
# In Streamlit's header, at the end of the navigation: it takes no room from the page.
STYLE = """
:has(> .st-key-my-runs) {
  position: fixed; top: 0.25rem; right: 3.4rem; width: auto; z-index: 1000001;
}
.st-key-my-runs button {min-height: 1.9rem; padding: 0 0.6rem;}
@media (max-width: 800px) {:has(> .st-key-my-runs) {z-index: 999990;}} /* below the menu, which lies over the page */
"""


Address = tuple[str, str | None, str]  # the page, the part of the page, unless it is the first, and its title


def popover(pages: Mapping[str, Sequence[Lesson]]) -> None:
    """The button in the header; the list is built when it is opened. Without a service the page says why."""
    try:
        service()
    except ValueError:
        return
    st.html(f"<style>{HEADER}{STYLE}</style>")
    with st.container(key="my-runs"), st.popover("My runs", key=KEY, on_change="rerun", help=ABOUT) as menu:
        if menu.open:
            _list(_addresses(pages))


def _list(addresses: Mapping[str, Address]) -> None:
    session = visitor()
    active = any(run.active for run in service().recent(session))

    @st.fragment(run_every=LIVELY if active else None)
    def runs() -> None:
        recent = [run for run in service().recent(session) if run.experiment in addresses]
        for run in recent:
            _line(run, session, addresses[run.experiment])
        if not recent:
            st.caption(NONE_YET)

    runs()


def _line(run: Run, session: str, address: Address) -> None:
    page, part, label = address
    about, show, stop = st.columns([3.2, 1.4, 1.4], vertical_alignment="center", gap="small")
    state = f"Failed: {run.error}" if run.status == "failed" else status_line(run)
    about.markdown(f"**{label}** · {link.summary(run)}")
    about.caption(state)
    show.button(
        "Show",
        on_click=navigation.go,
        args=(link.address(page, {"part": part, "run": run.id} if part else {"run": run.id}),),
        key=f"{KEY}show.{run.id}",
        help=f"Go to this run, on {label}.",
        width="stretch",
    )
    mine = run.active and service().owns(run.id, session)
    stop.button(
        "Stop",
        on_click=_stop,
        args=(run.id, session),
        key=f"{KEY}stop.{run.id}",
        disabled=not mine,
        help="End the run; the pictures so far stay. A run that others want as well goes on for them.",
        width="stretch",
    )


def _stop(name: str, session: str) -> None:
    service().stop(name, session)


def _addresses(pages: Mapping[str, Sequence[Lesson]]) -> dict[str, Address]:
    """Experiment -> its page, the part of the page, unless it is the first, and its title."""
    return {
        part.experiment.name: (page, None if part is parts[0] else part.experiment.name, part.label)
        for page, parts in pages.items()
        for part in parts
    }
