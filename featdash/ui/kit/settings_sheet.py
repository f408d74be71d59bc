"""The settings on a narrow window: a bar at its foot, «Settings» and Run, and the sheet that it opens.

The column of a wide window is the sheet: there is one of each control, and the browser alone moves it. The pictures
stay in sight above it. Where a link has a value that was refused, the sheet opens once, for it says so at its top.
"""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

SCRIPT = """
// Classes of the whole page: a rule with :has(…) would look through all pictures at each of their changes.
const OPEN = "featdash-sheet", BAR = "featdash-has-bar";
const ends = new WeakMap(); // parentElement -> how the button there is taken away
export default function ({ data, parentElement }) {
  const isNews = data?.refused && data.refused !== window.featdashRefused;
  window.featdashRefused = data?.refused;
  const button = document.createElement("button");
  const show = (open) => {
    document.documentElement.classList.toggle(OPEN, open);
    button.setAttribute("aria-expanded", String(open));
  };
  const escape = (event) => {
    if (event.key !== "Escape" || event.defaultPrevented || !document.documentElement.classList.contains(OPEN)) return;
    show(false);
    button.focus();
  };
  button.type = "button";
  button.className = "featdash-settings";
  button.textContent = "Settings";
  document.documentElement.classList.add(BAR);
  show(isNews || document.documentElement.classList.contains(OPEN));
  button.addEventListener("click", () => {
    show(button.getAttribute("aria-expanded") !== "true");
    if (button.getAttribute("aria-expanded") === "true") document.querySelector(".featdash-state")?.scrollIntoView();
  });
  document.addEventListener("keydown", escape);
  parentElement.append(button);
  ends.get(parentElement)?.(); // Streamlit calls again where the theme changes, and ends the call before late or never
  const end = () => {
    document.removeEventListener("keydown", escape);
    button.remove();
    if (!document.querySelector(".featdash-settings")) document.documentElement.classList.remove(OPEN, BAR);
  };
  ends.set(parentElement, end);
  return end;
}
"""
# A wide window has no bar. In the bar, a button that cannot be pressed would only take up space.
STYLE = """
.featdash-settings {
  display: none; padding: 0 0.9rem; font: 400 0.875rem var(--st-font); cursor: pointer;
  color: var(--st-text-color); background: var(--st-background-color);
  border: 1px solid var(--st-border-color); border-radius: var(--st-button-radius);
}
.featdash-settings:focus-visible {outline: 2px solid var(--st-primary-color); outline-offset: 2px;}
.featdash-settings[aria-expanded="true"] {border-color: var(--st-primary-color); font-weight: 600;}
@media (max-width: 800px) {
  .featdash-settings {display: block; min-height: 2.4rem;}
  .st-key-room {--featdash-bar: 3.4rem;}
  .featdash-has-bar .st-key-room {padding-bottom: var(--featdash-bar);}
  .featdash-has-bar .st-key-commands {
    position: fixed; inset: auto 0 0 0; z-index: 1000; height: var(--featdash-bar); padding: 0 0.9rem;
    flex-wrap: nowrap; align-items: center; overflow: visible; background: var(--featdash-paper);
    border-top: 1px solid color-mix(in srgb, var(--featdash-ink) 25%, transparent);
  }
  .featdash-has-bar :has(> .st-key-commands) {display: contents;} /* else a gap is left where they stood */
  .featdash-has-bar .featdash-commands {flex-wrap: nowrap; justify-content: flex-end;}
  .featdash-has-bar .featdash-command:has([data-kind="secondary"][aria-disabled="true"]) {
    display: none;
  }
  .featdash-has-bar .featdash-commands:has([data-kind="secondary"][aria-disabled="false"]) .featdash-noun {
    position: absolute; width: 1px; overflow: hidden; clip-path: inset(50%);
  }
  .featdash-has-bar .featdash-command [data-widest]::after {content: none;}
  .featdash-has-bar .st-key-commands [role="tooltip"] {top: auto; bottom: calc(100% + 0.4rem);}
  .st-key-settings {
    position: fixed; inset: auto 0 var(--featdash-bar) 0; z-index: 999; max-height: 48vh; overflow: hidden auto;
    padding: 0.8rem 0.9rem; display: none; background: var(--featdash-paper);
    border-top: 1px solid color-mix(in srgb, var(--featdash-ink) 25%, transparent);
    box-shadow: 0 -6px 18px rgb(0 0 0 / 18%);
  }
  .featdash-sheet .st-key-settings {display: flex;}
  .featdash-sheet .st-key-room {padding-bottom: calc(48vh + var(--featdash-bar));}
  .featdash-state {scroll-margin-top: 2.8rem;}
}
@media print {.featdash-settings {display: none;}}
"""

_component = st.components.v2.component("featdash_settings_sheet", css=STYLE, js=SCRIPT, isolate_styles=False)


def button(refused: Sequence[str]) -> None:
    """The bar's button; draw it once a page among the commands of the run, which then stand in the bar as well.

    refused : a sentence for each value of the address that was refused.
    """
    _component(key="settings-sheet", data={"refused": " ".join(refused)})
