"""The address bar: the settings that differ from the defaults, and the run on show.

    ?run=0123456789abcdef&n=1000&target=product     and part=digits on a page of several lessons

A link reproduces its numbers, since equal settings are one run. Values follow the rules of the Spec, the same
names as on the command line; what breaks a rule is left at its default, and a sentence says so.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from typing import Any

import streamlit as st

from featdash.experiments.grid import Grid
from featdash.experiments.spec import Flag, Number, Several, Spec, Text, json_value
from featdash.runs.view import RunView
from featdash.ui.form import Form
from featdash.ui.workshop import service


def read(form: Form) -> list[str]:
    """Load the address into the form whenever it is new; returns a sentence for each value that was refused."""
    query, seen = st.query_params.to_dict(), st.session_state.get(form.key("link@"))
    if query == seen or (not query and seen is not None):  # coming back by the navigation, the address is bare
        return []
    st.session_state[form.key("link@")] = query
    known = service().look(query.get("run", ""))
    known = known if known and known.experiment == form.experiment.name and known.spec else None
    spec, notes = settled(known.spec if known else form.experiment.spec(), query)
    form.load({name: getattr(spec, name) for name in form.fields})
    watch(form, known.id if known else None)
    if "run" in query and not known:
        notes.append("The run of this link is no longer kept here; press Run to repeat it.")
    return notes


def write(form: Form, spec: Spec, view: RunView | None, part: str | None = None) -> None:
    """Put the settings and the run on show into the address, and the part of the page that they belong to."""
    bases = [form.experiment.spec().to_mapping()]
    query = {"part": part} if part else {}
    if view and not view.recorded:
        query["run"] = view.id
        bases += [view.spec.to_mapping()] if view.spec else []
    for name, value in spec.to_mapping().items():
        if any(base[name] != value for base in bases):
            query[name] = worded(value)
    if st.query_params.to_dict() != query:
        st.query_params.from_dict(query)
    st.session_state[form.key("link@")] = query


def watch(form: Form, run_id: str | None) -> None:
    """Remember which run this visitor looks at."""
    st.session_state[form.key("run@")] = run_id


def watched(form: Form) -> str | None:
    return st.session_state.get(form.key("run@"))


def settled(base: Spec, query: Mapping[str, str]) -> tuple[Spec, list[str]]:
    """The Spec with the address's values, all together if they agree, else one by one as far as valid."""
    names = {field.name: field for field in dataclasses.fields(base) if field.name in query}
    wanted, notes = {}, []
    for name, field in names.items():
        try:
            wanted[name] = field.metadata["rule"].check(name, understood(field.metadata["rule"], query[name]))
        except ValueError as error:
            notes.append(f"{error}. The link's value is ignored.")
    try:
        return dataclasses.replace(base, **wanted), notes
    except ValueError:
        for name, value in wanted.items():
            try:
                base = dataclasses.replace(base, **{name: value})
            except ValueError as error:
                notes.append(f"{error}. The link's value is ignored.")
        return base, notes


def understood(rule: Any, text: str) -> Any:
    """The value that a text of the address stands for; the text itself where it stands for none."""
    if isinstance(rule, Text):
        return text
    if isinstance(rule, Several):
        values = [understood(rule.each, part) for part in text.split(",")]
        return text if isinstance(rule, Grid) and any(isinstance(value, str) for value in values) else values
    if not isinstance(rule, Number | Flag):
        return next((option for option in rule.options if str(option) == text), text)
    try:
        return json_value(text)
    except ValueError:
        return text


def worded(value: Any) -> str:
    """A value as the address has it."""
    if isinstance(value, list):
        return ",".join(str(one) for one in value)
    return value if isinstance(value, str) else json.dumps(value)
