"""What a visitor can take away: the picture, the run as a file, a notebook and a citation, its numbers, its link."""

from __future__ import annotations

import csv
import importlib
import io
import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from featdash.export.document import Words
from featdash.runs.run import Run
from featdash.ui.kit import layout, link
from featdash.ui.kit.link import Home
from featdash.ui.kit.shared import RenderedPicture, service
from featdash.ui.page.taken_run import TakenRun, bibtex, notebook_file, page_file
from featdash.ui.stage import chart
from featdash.ui.stage.lesson import Lesson
from featdash.ui.stage.panels import Panel, View
from featdash.ui.stage.stage import options_key

# Streamlit imports it for the first table on a page. Plotly, drawing for somebody else at that moment, would find it
# half imported in `sys.modules`, and fail; so it is imported before anything is drawn.
importlib.import_module("pandas")

BUTTON, TAB = "takeaway", "data"  # the two places that offer files: how the keys of their buttons begin
ROWS = 200  # rows of a table on the page; the download has them all
NOTEBOOK = "Repeats the run in Jupyter, with the same code, and draws its pictures. It needs a clone of FeatDash."
PAGE = (
    "Pictures, words and numbers in one file that opens without a network. Films play there, and the Lab has a slider "
    "over λ."
)
PRIVATE = (
    "A run on a table of your own is taken away as numbers and pictures alone: a notebook, an HTML file and a link "
    "would have to bring the table along, which this server keeps in memory only."
)
NOT_ENDED = "The other files come once the run has ended."
UNANSWERED = "The files come once you have seen the answer: they would give it away."
NO_ADDRESS = "The address of this page is not known here; the settings repeat the run."
# The large picture as a file, saved by the browser that shows it, as it stands there: zoomed, and at its moment.
SAVE_SCRIPT = """
const LEAD = ".featdash-first .featdash-frame";
const FORMATS = ["png", "svg"];
export default function ({ parentElement }) {
  if (parentElement.querySelector(".featdash-picture-file")) return; // Streamlit calls again where the theme changes
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
}
"""
SAVE_STYLE = """
.featdash-picture-file {display: flex; gap: 0.5rem;}
.featdash-picture-file button {
  min-height: 2.1rem; padding: 0 0.7rem; font: 400 0.875rem var(--st-font); cursor: pointer; color: #fff;
  background: var(--st-primary-color); border: 1px solid var(--st-primary-color);
  border-radius: var(--st-button-radius);
}
.featdash-picture-file button:hover {background: color-mix(in srgb, var(--st-primary-color) 60%, #000);}
.featdash-picture-file button:focus-visible {outline: 2px solid var(--st-primary-color); outline-offset: 2px;}
"""

_save_buttons = st.components.v2.component(
    "featdash_picture_file", css=SAVE_STYLE, js=SAVE_SCRIPT, isolate_styles=False
)


def taken_run(run: Run | None, part: Lesson, home: Home) -> TakenRun | None:
    """The run on show with its lesson's words; None for a run that goes on, or whose settings are no longer valid."""
    if run is None or run.spec is None or run.active:
        return None
    text = part.text
    at_rest: View[Any, Any] = View(run, st.session_state.get(options_key(run)), layout.browser_theme())
    words = Words(text.question, text.formula, text.reading, text.source, text.papers)
    return TakenRun(at_rest, part, words, home)


def picture_buttons() -> None:
    """Buttons that save the picture that leads on the stage, as PNG and as SVG; once a page."""
    _save_buttons(key="picture-file")


def button(takeaway: TakenRun | None, panels: Sequence[Panel], address: str, asks: bool = False) -> None:
    """«Take away», near the stage: its list is built when it is opened, and a file when the visitor asks for it.

    takeaway : None while the run goes on; panels : the pictures on the stage; address : the link to all of this.
    asks : whether a question is open, which the files of the run would answer.
    """
    with st.popover("Take away", on_change="rerun", key="takeaway@") as menu:
        if not menu.open:
            return
        picture_buttons()
        if asks:
            st.markdown(UNANSWERED)
        elif takeaway is None:
            st.markdown(NOT_ENDED)
        else:
            _run_files(takeaway, BUTTON)
            _tables(replace(takeaway, lesson=replace(takeaway.lesson, panels=panels)))
        if takeaway is None or not takeaway.view.run.private:
            st.markdown("**Link** to what you see")
            st.code(address, language=None, wrap_lines=True)


def data(takeaway: TakenRun) -> None:
    """The numbers of each picture as a table, the files of the run, and how to cite it."""
    run = takeaway.view.run
    _run_files(takeaway, TAB)
    for name, picture in takeaway.render_all().items():
        st.markdown(f"## {chart.title(picture)}\n{picture.alt}")
        st.dataframe({key: list(column)[:ROWS] for key, column in picture.table.items()}, height=180)
        label = f"Download the data of «{chart.title(picture)}» (CSV)"
        _file(TAB, label, f"{_stem(run)}-{name}.csv", partial(table_csv, picture))
    if run.private:
        return
    address = link.whole_address(run, takeaway.home)
    st.markdown("## Cite\nThe papers behind the lesson, and this run:")
    st.code(bibtex(takeaway.document(address)).decode(), language="latex", wrap_lines=True)
    st.markdown("A **link** to these settings:")
    st.code(address or NO_ADDRESS, language=None, wrap_lines=True)


def _run_files(takeaway: TakenRun, place: str) -> None:
    """The files of the whole run; place : BUTTON or TAB."""
    run = takeaway.view.run
    if run.private:
        st.markdown(PRIVATE)
        if run.status == "done":
            _file(place, "Numbers (JSON)", "own-table-result.json", partial(result_json, run))
        return
    document = takeaway.document(link.whole_address(run, takeaway.home))
    with st.container(horizontal=True, gap="xsmall"):
        _file(place, "One HTML file", f"{document.name}.html", partial(page_file, takeaway, document), PAGE)
        notebook = partial(notebook_file, takeaway, document)
        _file(place, "Notebook (.ipynb)", f"{document.name}.ipynb", notebook, NOTEBOOK)
        if run.status == "done":
            _file(place, "Numbers (JSON)", f"{run.id}-result.json", partial(result_json, run))
        _file(place, "Settings (JSON)", f"{run.id}-spec.json", takeaway.view.spec.canonical_json)
        _file(place, "Citation (BibTeX)", f"{document.name}.bib", partial(bibtex, document))


def _tables(takeaway: TakenRun) -> None:
    """A file of numbers for each picture."""
    pictures = takeaway.render_all()
    if pictures:
        st.markdown("**Data** of a picture, as CSV")
    with st.container(horizontal=True, gap="xsmall"):
        for name, picture in pictures.items():
            _file(BUTTON, chart.title(picture), f"{_stem(takeaway.view.run)}-{name}.csv", partial(table_csv, picture))


def _stem(run: Run) -> str:
    """How the names of a run's files begin."""
    return "own-table" if run.private else run.id


def _file(place: str, label: str, name: str, build: Callable[[], str | bytes], about: str | None = None) -> None:
    st.download_button(label, build, name, on_click="ignore", key=f"{place}.{name}", help=about)


def table_csv(picture: RenderedPicture) -> str:
    """The picture's table as comma-separated values."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(picture.table)
    writer.writerows(zip(*picture.table.values(), strict=True))
    return text.getvalue()


def result_json(run: Run) -> str:
    """The same document that the command line writes with --out."""
    result = service().result(run.id)
    document = {
        "experiment": run.experiment,
        "spec": run.spec.to_mapping() if run.spec else None,
        "summary": dict(result.summary) if result else None,
        "seconds": run.seconds,
    }
    return json.dumps(document, indent=2)
