"""What a visitor can take away: each picture's sentence and table, the numbers of the run, and its recipe."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Mapping
from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from featdash.runs.view import RunView
from featdash.ui import chart
from featdash.ui.shared import Plate, service

SHOWN = 200  # rows of a table on the page; the download has them all


def takeaway(view: RunView, plates: Mapping[str, Callable[[], Plate | None]]) -> None:
    """Closed until asked for, and only then computed. Pictures download from their own toolbar (PNG, SVG)."""
    with st.expander(
        "Data, descriptions and downloads", on_change="rerun", key=f"takeaway.{view.experiment}"
    ) as opened:
        if not opened.open:
            return
        left, right = st.columns(2)
        if view.spec is not None:
            _file(left, "Download the settings of this run (JSON)", f"{view.id}-spec.json", view.spec.canonical_json)
        if view.status == "done":
            _file(right, "Download its summary in numbers (JSON)", f"{view.id}-result.json", partial(result_json, view))
        for name, finished in plates.items():
            if plate := finished():
                st.markdown(plate.alt)
                st.dataframe({key: list(column)[:SHOWN] for key, column in plate.table.items()}, height=180)
                label = f"Download the data of «{chart.title(plate)}» (CSV)"
                _file(st.container(), label, f"{view.id}-{name}.csv", partial(table_csv, plate))


def _file(place: DeltaGenerator, label: str, name: str, build: Callable[[], str]) -> None:
    place.download_button(label, build, name, on_click="ignore", key=f"file.{name}")


def table_csv(plate: Plate) -> str:
    """The picture's table as comma-separated values."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(plate.table)
    writer.writerows(zip(*plate.table.values(), strict=True))
    return text.getvalue()


def result_json(view: RunView) -> str:
    """The same document that the command line writes with --out."""
    result = service().result(view.id)
    document = {
        "experiment": view.experiment,
        "spec": view.spec.to_mapping() if view.spec else None,
        "summary": dict(result.summary) if result else None,
        "seconds": view.seconds,
    }
    return json.dumps(document, indent=2)
