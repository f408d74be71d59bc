"""Where everything stands on a page: a narrow column at the left, and beside it the stage of the pictures."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

import streamlit as st

from featdash.figures.picture import Theme
from featdash.ui import streamlit_internals
from featdash.ui.kit import navigation
from featdash.ui.kit.plain_text import plain_text
from featdash.ui.kit.shared import service
from featdash.ui.streamlit_internals import Place

ASIDE, ASIDE_STORY = 300, 340  # pixels: a scene's words end with its button on the first screen of 1280 by 720
WALL_OF = "wall"  # in an address: the class whose wall this is
LARGE = "large@"  # session-state key: larger text
BANDLESS = "bandless@"  # session-state key: a wall without words
PURPOSE = "how networks learn features"
# The scale of type has five sizes: 13, 14, 16, 20 and 24 pixels. On a phone the columns stand under one another.
STYLE = """
.st-key-room {flex-wrap: nowrap; align-items: flex-start;}
.st-key-room > :has(> .st-key-aside) {align-self: stretch;} /* the column sticks inside it: as high as the page */
.st-key-aside {flex: 0 0 auto; position: sticky; top: 2.6rem; max-height: calc(100vh - 3.4rem); overflow: hidden auto;
  padding: 0 0.5rem 0.5rem 0.1rem; scrollbar-width: thin;}
.st-key-name p {font-size: 0.8125rem; line-height: 1.1rem;}
.st-key-unseen {display: none;}
@media (max-width: 800px) {.st-key-end [role="radiogroup"] button {min-height: 44px;}}
.st-key-scene h2 {padding: 0; font-size: 1.25rem; line-height: 1.2;}
.st-key-walk {flex-wrap: nowrap;}
.st-key-walk button {min-height: 2rem; padding: 0 0.7rem;}
.st-key-pictures {min-height: calc(100vh - 6.1rem);}
.st-key-scene p {line-height: 1.4;}
.st-key-stage {flex: 1 1 0; min-width: 0; gap: 0.2rem;}
.st-key-title {flex: none; height: 2.4rem; flex-wrap: nowrap;}
.st-key-question h1 {padding: 0; font-size: 1rem; line-height: 1.15rem; font-weight: 600;}
.st-key-commands {flex-shrink: 0;}
:is(.st-key-commands, .st-key-take-away) button {min-height: 2.1rem; padding: 0 0.7rem;}
.st-key-take-away {flex-shrink: 0;}
.st-key-room label p {font-size: 0.875rem; white-space: nowrap;}
.st-key-room [class*="st-key-fine-"] p {font-size: 0.8125rem; line-height: 1.35;}
.st-key-below code {font-size: 0.875rem;}
.st-key-below button :is(div, p) {white-space: normal; overflow: visible;}
.st-key-below {margin-top: 0.6rem; gap: 0.9rem;}
.st-key-below:has([role="tablist"]) {min-height: calc(100vh - 4rem);} /* a shorter tab leaves the page where it is */
.st-key-below [role="tablist"] {flex-wrap: wrap; height: auto;}
@media screen {.st-key-below [role="tab"][aria-selected="true"] p {color: var(--featdash-ink) !important;}}
.st-key-below h2 {padding: 0.4rem 0 0; font-size: 1rem;}
@media (max-width: 1100px) {
  .st-key-title {height: auto; flex-wrap: wrap; gap: 0.3rem;}
  :has(> .st-key-question) {flex: 1 0 100%;}
}
@media (max-width: 800px) {
  .st-key-room {flex-direction: column; gap: 0.5rem;}
  :is(.st-key-aside, .st-key-scene, .st-key-stage), :has(> :is(.st-key-aside, .st-key-scene, .st-key-stage)) {
    display: contents;
  }
  .st-key-stage > * {order: 1; width: 100%;}
  .st-key-scene > * {order: 2;}
  .st-key-scene > :has(> .st-key-words) {order: 0;}
  .st-key-stage > :has(> .st-key-below) {order: 4;}
  .st-key-pictures .featdash-state {height: auto; min-height: 1.2rem; flex-wrap: wrap; row-gap: 0; white-space: normal;}
  .st-key-pictures {min-height: 20rem;}
  .st-key-below :is(table, tbody, tr, td) {display: block; border: 0; padding: 0.1rem 0;}
  .st-key-below thead {display: none;}
  .st-key-below tr {margin-bottom: 0.6rem;}
}
"""
# For screen readers alone, where there is no room for a page's name: on a phone a scene shows its own.
UNSEEN = "position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%);"
# Of a page with a scene.
STORY = f"""
@media (max-width: 800px) {{.st-key-stage > :has(> .st-key-title) {{order: 3;}}}}
@media screen and (max-width: 800px) {{.st-key-question {{{UNSEEN}}}}}
@media print {{.st-key-stage > :has(> .st-key-title) {{order: -1;}}}}
"""
UNSEEN_ON_WALLS = f".st-key-title {{{UNSEEN}}}"
# Words of at least 18 pixels, for a projector. Spaces, which follow the root's size, grow less.
LARGE_TEXT = """
html {font-size: 18px;}
.st-key-room :not(.katex, .katex *, .featdash-chart *) {font-size: 18px !important;}
.st-key-room :is(p, li) {line-height: 1.3 !important;}
.st-key-room label p {white-space: normal;}
.st-key-aside {width: 360px !important;}
"""


# A large wall, in pixels of its window, and how many times larger its words are: its pictures grow as well.
LARGE_WALL, LARGER = (1600, 850), 1.4
WALL_SIZE = f"""
:root {{--featdash-wall: 1;}}
@media (min-width: {LARGE_WALL[0]}px) and (min-height: {LARGE_WALL[1]}px) {{:root {{--featdash-wall: {LARGER};}}}}
"""
# A wall: pictures alone, and under them a band that is read from the back row.
WALL = """
:is(.st-key-commands, .st-key-take-away, .st-key-below), .st-key-pictures .featdash-state {display: none;}
:has(> :is(.st-key-aside, .st-key-my-runs)) {display: none;}
:root {--featdash-below-px: 122;}
.st-key-band {position: fixed; inset: auto 0 0 0; height: calc(116px * var(--featdash-wall));
  padding: 0.3rem 1.5rem; gap: 0.1rem; z-index: 9;}
.st-key-band p {font-size: calc(24px * var(--featdash-wall)); line-height: 1.25;}
.st-key-band strong {font-size: calc(28px * var(--featdash-wall));}
.st-key-band .katex {font-size: 1em;}
.featdash-frame .featdash-headline {font-size: calc(22px * var(--featdash-wall));
  line-height: calc(28px * var(--featdash-wall));}
.featdash-timeline {font-size: calc(16px * var(--featdash-wall));}
.featdash-lines {font-size: calc(14px * var(--featdash-wall));}
.featdash-track {height: calc(2.6rem * var(--featdash-wall));}
.featdash-phases {font-size: calc(14px * var(--featdash-wall));}
"""
# A wall in a small window, or in one that is magnified: the words stand over the pictures, and the page is scrolled.
SMALL_WALL = """
@media (max-width: 800px), (max-height: 500px) {
  :root {--featdash-below-px: 1 !important;}
  .st-key-band {position: static; height: auto !important; padding: 0;}
  .st-key-band::after {position: static !important;}
  :is(.st-key-band, .st-key-choices button, .featdash-choices) :is(p, p *, li) {font-size: 18px !important;}
}
"""
# A wall has no buttons: for its first seconds it says by which keys it is led.
KEYS = """
.st-key-band::after {position: absolute; right: 1.5rem; bottom: 0; padding-left: 1rem;
  font-size: calc(14px * var(--featdash-wall));
  background: var(--featdash-paper); color: var(--featdash-ink); animation: featdash-fade 1s 8s forwards;}
@keyframes featdash-fade {to {opacity: 0;}}
"""
SCENE_KEYS = "← → scenes · space answer and film · f enlarge · h hide the words · Esc end"
PICTURE_KEYS = "space film · f enlarge · h hide the words · Esc end"
# Pixels of the band for so many lines below its title, where words have their usual size; 6 more are left free.
BANDS = {2: 116, 3: 146, 4: 172}
# Pixels of a window, each for itself and wider ones, with those that its words have, as large as they are there.
BAND_WIDTHS = {1024: 1024, 1280: 1280, LARGE_WALL[0]: LARGE_WALL[0] / LARGER, round(1280 * LARGER): 1280}
BAND_LETTER = 13.4  # pixels of a letter in the band, with what its line loses at its end
BAND_MARGINS = 48
FINDING_BELOW = ".featdash-wall .featdash-headline {display: none;}"  # for a band that says it
NO_BAND = ":root {--featdash-below-px: 0;} .st-key-band {display: none;}"


@dataclass(frozen=True)
class Regions:
    """The regions of a page, which a drawing fills.

    head, settings : the column, whose head comes first on a phone as well; question, commands, take_away : the title,
    the run's buttons and the menu of files, side by side over the pictures; stage : the pictures, and all that stands
    below them; band : on a wall, the words under the pictures.
    """

    head: Place
    settings: Place
    question: Place
    commands: Place
    take_away: Place
    stage: Place
    band: Place


def regions(story: bool, wall: bool) -> Regions:
    """The empty page: the column, the line of title and commands, and the stage.

    story : whether the column holds a scene, whose words come before the pictures on a phone, while settings come after
    them; wall : whether the page shows nothing but pictures and a band.
    """
    look = browser_theme()
    style = f":root {{--featdash-ink: {look.ink}; --featdash-paper: {look.paper};}}{streamlit_internals.COMPACT}{STYLE}"
    style += (STORY if story else "") + streamlit_internals.OPEN_LIST + paper_style() + streamlit_internals.FORCED
    if large():
        style += streamlit_internals.LARGE + LARGE_TEXT
    if wall:
        style += streamlit_internals.WALL + WALL_SIZE + WALL + SMALL_WALL + UNSEEN_ON_WALLS
        style += NO_BAND if st.session_state.get(BANDLESS) else ""
    if is_presented():
        style += f'{KEYS}.st-key-band::after {{content: "{SCENE_KEYS if story else PICTURE_KEYS}";}}'
    st.html(f"<style>{style}</style>")
    whole = st.container(key="room", horizontal=True, gap="xsmall")
    aside = whole.container(key="aside", width=ASIDE_STORY if story else ASIDE, gap="small")
    head = aside.container(key="head", gap="small")
    settings = aside.container(key="scene" if story else "settings", gap="small")
    stage = whole.container(key="stage", gap="xsmall")
    line = stage.container(key="title", horizontal=True, vertical_alignment="center", gap="small")
    question = line.container(key="question")
    commands = line.container(key="commands", horizontal=True, gap="xsmall", width="content")
    take_away = line.container(key="take-away", width="content")
    band = stage.container(key="band", gap="xsmall") if wall else stage
    return Regions(head, settings, question, commands, take_away, stage, band)


def paper_style() -> str:
    """How a page with pictures is printed."""
    dark = streamlit_internals.PRINTED_FROM_DARK if browser_theme().theme == "dark" else ""
    return f"{streamlit_internals.PRINTED}{dark}"


def size_band(letters: int) -> None:
    """Room below the pictures of a wall for a text of so many letters, in a window of any width.

    None where the words are hidden.
    """
    if not st.session_state.get(BANDLESS):
        st.html(f"<style>{band_style(letters)}</style>")


def band_style(letters: int) -> str:
    """The height of the band, and what the pictures leave free for it."""
    rules = []
    for window, width in BAND_WIDTHS.items():
        lines = math.ceil(letters * BAND_LETTER / (width - BAND_MARGINS))
        height = BANDS[min(max(lines, min(BANDS)), max(BANDS))]
        band = f".st-key-band {{height: calc({height}px * var(--featdash-wall));}}"
        rule = f":root {{--featdash-below-px: {height + 6};}} {band}"
        rules.append(rule if window == min(BAND_WIDTHS) else f"@media (min-width: {window}px) {{{rule}}}")
    return " ".join(rules)


def page_title(path: str) -> str:
    """A page's name in the menu: «Sample complexity» of sample_complexity."""
    return path.replace("_", " ").capitalize()


def heading(text: str) -> None:
    """The name of a page without a stage."""
    st.html("<style>.st-key-heading h1 {padding: 0; font-size: 1.5rem;}</style>")
    st.container(key="heading").markdown(f"# {text}")


def unseen_heading(text: str) -> None:
    """The name of a page that has no room for it, for screen readers; call it last, because of the gap above it."""
    st.html(f"<style>.st-key-heard {{{UNSEEN}}}</style>")
    st.container(key="heard").markdown(f"# {text}")


def name() -> None:
    """The name of the product, and its purpose."""
    st.container(key="name").markdown(f"**FeatDash** · {PURPOSE}")


def present(wall: bool) -> None:
    """The buttons that begin and end a wall and hide its words; keys p, Esc and h."""
    about = "Pictures on the whole wall, with one sentence below: p begins, Esc ends, h hides the sentence."
    if wall:
        st.button("End presenting", on_click=_present, args=(False,), shortcut="Esc")
        hidden = bool(st.session_state.get(BANDLESS))
        word = "Show" if hidden else "Hide"
        st.button(f"{word} the words", on_click=_hide_band, args=(not hidden,), shortcut="H")
    else:
        st.button("Present", on_click=_present, args=(True,), shortcut="P", help=about)


def _present(wall: bool) -> None:
    rest = {name: value for name, value in st.query_params.to_dict().items() if name not in ("present", WALL_OF)}
    navigation.write_address(rest | ({"present": "1"} if wall else {}))
    if not wall:
        st.session_state[BANDLESS] = False


def _hide_band(hidden: bool) -> None:
    """Hide or show as the button says, rather than toggle: a timer of the page may send the same click twice."""
    st.session_state[BANDLESS] = hidden


def is_presented() -> bool:
    """Whether the address asks for the visitor's own wall."""
    return st.query_params.get("present") == "1"


def on_wall() -> bool:
    """Whether the address asks for a wall, the visitor's own or that of a class."""
    return is_presented() or WALL_OF in st.query_params


def browser_theme() -> Theme:
    """Light or dark, as the visitor's browser has it."""
    return Theme(st.context.theme.type or "light")


def take_size(query: Mapping[str, str]) -> None:
    """Take the size of text that the address of a new tab asks for."""
    st.session_state.setdefault(LARGE, query.get("text") == "large")


def large() -> bool:
    """Whether the visitor wants larger text and pictures."""
    return bool(st.session_state.get(LARGE, False))


def theme() -> Theme:
    """The look of the pictures on this page: they are magnified on a wall, and for visitors who want larger text."""
    return replace(browser_theme(), large=large() or on_wall())


def in_service() -> bool:
    """Whether the server can run anything; if an environment variable makes no sense, the page says which and why."""
    try:
        service()
    except ValueError as error:
        st.error(plain_text(f"{error}."))
        return False
    return True
