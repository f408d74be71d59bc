"""The large picture as a file, saved by the browser that shows it, as it stands there: zoomed, and at its moment."""

from __future__ import annotations

import streamlit as st

SCRIPT = """
const LEAD = ".featdash-first .featdash-frame";
const FORMATS = ["png", "svg"];
export default function ({ parentElement }) {
  const bar = document.createElement("div");
  bar.className = "featdash-picture-file";
  for (const format of FORMATS) {
    const button = bar.appendChild(document.createElement("button"));
    button.type = "button";
    button.textContent = `Picture (${format.toUpperCase()})`;
    button.addEventListener("click", () => {
      const chart = document.querySelector(LEAD)?.featdash;
      if (chart?.drawn) window.featdash.save(chart, format);
    });
  }
  parentElement.append(bar);
  return () => bar.remove();
}
"""
STYLE = """
.featdash-picture-file {display: flex; gap: 0.5rem;}
.featdash-picture-file button {
  min-height: 2.1rem; padding: 0 0.7rem; font: 400 0.875rem var(--st-font); cursor: pointer; color: #fff;
  background: var(--st-primary-color); border: 1px solid var(--st-primary-color);
  border-radius: var(--st-button-radius);
}
.featdash-picture-file button:hover {background: color-mix(in srgb, var(--st-primary-color) 60%, #000);}
.featdash-picture-file button:focus-visible {outline: 2px solid var(--st-primary-color); outline-offset: 2px;}
"""

_component = st.components.v2.component("featdash_picture_file", css=STYLE, js=SCRIPT, isolate_styles=False)


def mount() -> None:
    """Buttons that save the picture that leads on the stage, as PNG and as SVG; once a page."""
    _component(key="picture-file")
