"""What a visitor can take away: each picture's sentence and table, the numbers of the run, and its recipe."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Mapping
from functools import partial

import streamlit as st

from featdash.runs.run import Run
from featdash.ui import chart
from featdash.ui.shared import RenderedPicture, service
from featdash.ui.streamlit_internals import Place

SHOWN = 200  # rows of a table on the page; the download has them all


def download_section(run: Run, rendered: Mapping[str, Callable[[], RenderedPicture | None]]) -> None:
    """Closed until asked for, and only then computed. Pictures download from their own toolbar (PNG, SVG)."""
    with st.expander("Data, descriptions and downloads", on_change="rerun", key=f"takeaway.{run.experiment}") as opened:
        if not opened.open:
            return
        left, right = st.columns(2)
        if run.spec is not None:
            _file(left, "Download the settings of this run (JSON)", f"{run.id}-spec.json", run.spec.canonical_json)
        if run.status == "done":
            _file(right, "Download its summary in numbers (JSON)", f"{run.id}-result.json", partial(result_json, run))
        for name, finished in rendered.items():
            if picture := finished():
                st.markdown(picture.alt)
                st.dataframe({key: list(column)[:SHOWN] for key, column in picture.table.items()}, height=180)
                label = f"Download the data of «{chart.title(picture)}» (CSV)"
                _file(st.container(), label, f"{run.id}-{name}.csv", partial(table_csv, picture))


def _file(place: Place, label: str, name: str, build: Callable[[], str]) -> None:
    place.download_button(label, build, name, on_click="ignore", key=f"file.{name}")


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
