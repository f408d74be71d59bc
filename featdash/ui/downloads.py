"""What a visitor can take away: the run as a notebook, a file and a citation, its link, its numbers and settings."""

from __future__ import annotations

import csv
import importlib
import io
import json
from collections.abc import Callable
from functools import partial

import streamlit as st

from featdash.runs.run import Run
from featdash.ui import chart, link
from featdash.ui.shared import RenderedPicture, service
from featdash.ui.streamlit_internals import Place
from featdash.ui.taken_run import TakenRun, bibtex, notebook_file, page_file

# Streamlit loads it for the first table on a page. Plotly, drawing for somebody else meanwhile, would find it in
# `sys.modules`, half loaded, and break off; so it is there before anything is drawn.
importlib.import_module("pandas")

SHOWN = 200  # rows of a table on the page; the download has them all
NOTEBOOK = (
    "Carries the run out again in Jupyter, with the same code, and draws its pictures. It needs a clone of FeatDash."
)
PAGE = "Pictures, words and numbers in one file that opens without a network; in the Lab with sliders over λ and t."
PRIVATE = (
    "A run on a table of your own is taken away as numbers and pictures alone: a notebook, an HTML file and a link "
    "would have to bring the table along, which this server keeps in memory only."
)
NO_ADDRESS = "The address of this page is not known here; the settings repeat the run."


def download_section(taken: TakenRun) -> None:
    """Closed until asked for, and only then computed. Pictures download from their own toolbar (PNG, SVG)."""
    run = taken.view.run
    title = "Take away: notebook, HTML file, link, citation, data"
    with st.expander(title, on_change="rerun", key=f"takeaway.{run.experiment}") as opened:
        if opened.open:
            rendered = taken.render_all()
            _run_files(taken, run, with_pictures=bool(rendered))
            for name, picture in rendered.items():
                st.markdown(picture.alt)
                st.dataframe({key: list(column)[:SHOWN] for key, column in picture.table.items()}, height=180)
                label = f"Download the data of «{chart.title(picture)}» (CSV)"
                _file(st.container(), label, f"{_stem(run)}-{name}.csv", partial(table_csv, picture))


def _run_files(taken: TakenRun, run: Run, with_pictures: bool) -> None:
    """The files of the whole run, its link, and how to cite it; with_pictures : whether there are any to send."""
    if run.private:
        st.markdown(PRIVATE)
        if run.status == "done":
            _file(st.container(), "Numbers (JSON)", "own-table-result.json", partial(result_json, run))
        return
    address = link.whole_address(run, taken.home)
    document = taken.document(address)
    first, second, third, fourth = st.columns(4)
    _file(first, "Notebook (.ipynb)", f"{document.name}.ipynb", partial(notebook_file, taken, document), NOTEBOOK)
    if with_pictures:
        _file(second, "One HTML file", f"{document.name}.html", partial(page_file, taken, document), PAGE)
    _file(third, "Settings (JSON)", f"{run.id}-spec.json", taken.view.spec.canonical_json)
    if run.status == "done":
        _file(fourth, "Numbers (JSON)", f"{run.id}-result.json", partial(result_json, run))
    st.markdown("**Link** to this run")
    st.code(address or NO_ADDRESS, language=None, wrap_lines=True)
    st.markdown("**Cite**: the papers behind the lesson, and this run")
    entries = bibtex(document)
    st.code(entries.decode(), language="latex", height=240, wrap_lines=True)
    _file(st.container(), "Citation (BibTeX)", f"{document.name}.bib", lambda: entries)


def _stem(run: Run) -> str:
    """How the names of its files begin."""
    return "own-table" if run.private else run.id


def _file(place: Place, label: str, name: str, build: Callable[[], str | bytes], about: str | None = None) -> None:
    place.download_button(label, build, name, on_click="ignore", key=f"file.{name}", help=about)


def table_csv(rendered: RenderedPicture) -> str:
    """The picture's table as comma-separated values."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(rendered.table)
    writer.writerows(zip(*rendered.table.values(), strict=True))
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
