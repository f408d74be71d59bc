"""The address bar: the settings that differ from the defaults, and the run on show.

    ?run=0123456789abcdef&n=1000&target=product     and part=digits on a page of several lessons
    ?story=race&scene=3                             a scene of a story; present=1 for a wall, text=large

A link reproduces its numbers, since equal settings are one run: one with settings and no run shows the run of these.
Values follow the rules of the Spec, the same names as on the command line; what breaks a rule is left at its default,
and a sentence says so.

Back and Forward show again what was on show at an address, and begin nothing.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Collection, Mapping
from typing import Any
from urllib.parse import urlencode

import streamlit as st

from featdash.recipes.experiment import Entry, find_experiment
from featdash.recipes.spec import Flag, MultipleChoice, Number, Spec, Text, json_value
from featdash.recipes.version import run_id
from featdash.recipes.whole_numbers import WholeNumbers
from featdash.runs.run import Run
from featdash.theory.typed_formula import write_out
from featdash.ui.kit import navigation, toolbar
from featdash.ui.kit.form import Form
from featdash.ui.kit.shared import service
from featdash.ui.streamlit_internals import arrived_by_history, without_interruption

VIEW = "view."  # how the names of the view's controls begin in an address
EXPLORE, STORY = "explore", "story"  # values of mode
DISPLAY = ("text", "present")  # what an address says of how the page is shown
PLACE = ("part", *DISPLAY)  # what it says besides a run and its settings
SHORT = 70  # characters of a summary of a run's settings
ADDRESSES = 200  # remembered for one visitor and experiment


def read(form: Form, arrive: Callable[[Form], None]) -> list[str]:
    """Load the address into the form whenever it is new; returns a sentence for each value that was refused.

    Every drawing of the page returns them again, until a setting changes or another run comes into view.

    arrive : called once for a new address that gives settings, all of them valid, and no run.
    """
    query, previous = _settings_in(st.query_params.to_dict()), st.session_state.get(form.key("link@"))
    by_menu = not query and previous is not None and not arrived_by_history()  # the menu's address is bare
    if query == previous or by_menu:
        state, notes = st.session_state.get(form.key("refused@"), (None, []))
        return notes if state == (form.values(), watched_run(form)) else []
    st.session_state[form.key("link@")] = query
    form.settle()
    toolbar.wish(form.experiment.name, view_in(st.query_params.to_dict()))
    default, runs_of_addresses = form.experiment.spec(), _addresses(form)
    run = service().get(query.get("run", ""))
    run = run if run and run.experiment == form.experiment.name and run.spec else None
    spec, notes = _over_preset(form.experiment, (run and run.spec) or default, query)
    form.load({name: getattr(spec, name) for name in form.fields})
    own = query.get("run") == run_id(form.experiment.name, spec)  # it is not stored, but Run can repeat it
    current = run.id if run else runs_of_addresses.get(_frozen(query))
    watch(form, current, named="run" in query)
    if "run" in query and not run and not own:
        notes.append("The run of this link is no longer kept here; press Run to repeat it.")
    elif _frozen(query) not in runs_of_addresses and not run and not notes and spec != default:
        arrive(form)
        st.session_state[form.key("named@")] = False
    st.session_state[form.key("refused@")] = ((form.values(), watched_run(form)), notes)
    return notes


def write(form: Form, spec: Spec, run: Run | None, place: Mapping[str, str], bare: Mapping[str, str]) -> None:
    """Put the settings and the run on show into the address, besides the place on the page, such as its part.

    bare : what to add if the address would name no run and no setting, so that a page with a story does not open
        with the story.

    A run that came with the settings of a link is not named while these settings stand: the address stays as it came,
    and Back leaves it in one step.
    """
    bases = [form.experiment.spec()]
    query = dict(place)
    named = st.session_state.get(form.key("named@"), True) or (run and run.spec != spec)
    if run and not run.recorded and not run.private and named:
        query["run"] = run.id
        bases += [run.spec] if run.spec else []
    for base in bases:
        query |= {
            name: format_value(value) for name, value in spec.to_mapping().items() if base.to_mapping()[name] != value
        }
    query = dict(bare) | query if set(query) <= {*DISPLAY} else query
    now = st.query_params.to_dict()
    if query != now and _says(form.experiment, now, query, bases[-1], spec):
        query = now
    settings, runs_of_addresses = _settings_in(query), _addresses(form)
    with without_interruption():  # else the address would be new to the next request, and reset what that has moved
        st.session_state[form.key("link@")] = settings
        runs_of_addresses[_frozen(settings)] = watched_run(form)
        navigation.write_address(query)
    if len(runs_of_addresses) > ADDRESSES:
        del runs_of_addresses[next(iter(runs_of_addresses))]


def _says(entry: Entry, now: Mapping[str, str], query: Mapping[str, str], base: Spec, spec: Spec) -> bool:
    """Whether an address says the same as `query` in other words, as one typed by hand may; then it can stay."""
    if "run" in query or "mode" in query or any(now.get(name) != query.get(name) for name in PLACE):
        return False
    now = _settings_in(now)
    names = {field.name for field in dataclasses.fields(spec)} | {*PLACE, "mode"}
    names |= {"preset"} if entry.presets else set()
    return set(now) <= names and _over_preset(entry, base, now) == (spec, [])


def _settings_in(query: Mapping[str, str]) -> dict[str, str]:
    """The address without the parts that say how the page is shown."""
    display = {"mode", "present", "text"}
    return {name: value for name, value in query.items() if name not in display and not name.startswith(VIEW)}


def view_in(query: Mapping[str, str]) -> dict[str, str]:
    """What an address says about the controls of the view: name -> text."""
    return {name.removeprefix(VIEW): value for name, value in query.items() if name.startswith(VIEW)}


def whole(form: Form) -> str:
    """The address with all that is on show: settings, run, and view.

    The address bar does not hold it: there each move of a slider would be a step of the browser's history.
    """
    view = {f"{VIEW}{name}": str(value) for name, value in toolbar.changed_options(form.experiment.name).items()}
    return address(here(), st.query_params.to_dict() | view)


def here() -> str:
    """The whole address of the page on show, without its query."""
    return str(st.context.url).partition("?")[0]


def _addresses(form: Form) -> dict[frozenset, str | None]:
    """The addresses that this visitor has been at, and the run that was on show at each."""
    return st.session_state.setdefault(form.key("addresses@"), {})


def _frozen(query: Mapping[str, str]) -> frozenset:
    return frozenset(query.items())


def query(experiment: Entry, values: Mapping[str, Any], always: Collection[str] = ()) -> dict[str, str]:
    """The settings as an address names them: those that differ from the defaults, and those in `always`."""
    default = experiment.spec().to_mapping()
    plain = {name: list(value) if isinstance(value, tuple) else value for name, value in values.items()}
    return {name: format_value(value) for name, value in plain.items() if name in always or value != default[name]}


def summary(run: Run) -> str:
    """A short line of a run's settings: those that differ from the defaults."""
    if run.spec is None:
        return "settings no longer valid"
    line = ", ".join(f"{name} = {value}" for name, value in settings_query(run).items())
    return (line if len(line) <= SHORT else f"{line[: SHORT - 1]}…") or "default settings"


def address(page: str, query: Mapping[str, str]) -> str:
    """The address of a page with that query, relative to the page on show: the server may have a path of its own."""
    return f"{page}?{urlencode(query)}" if query else page


@dataclasses.dataclass(frozen=True)
class Home:
    """Where Explore shows a lesson: its part of a page, None for the first, and the page, None for the one on show."""

    part: str | None = None
    page: str | None = None


def whole_address(run: Run, home: Home) -> str | None:
    """The address of a run's settings with the server's name, for what leaves the page; None if the name is unknown.

    It names settings and no run, because they outlive the store of this server.
    """
    if not st.context.url:
        return None
    here = st.context.url.partition("?")[0]
    base = f"{here.rpartition('/')[0]}/{home.page}" if home.page else here
    query = ({"part": home.part} if home.part else {}) | settings_query(run)
    return address(base, query or {"mode": EXPLORE})


def settings_query(run: Run, always: Collection[str] = ()) -> dict[str, str]:
    """A run's settings as an address names them: those that differ from the defaults, and those in `always`."""
    return query(find_experiment(run.experiment), run.spec.to_mapping(), always) if run.spec else {}


def watch(form: Form, run_id: str | None, named: bool = True) -> None:
    """Remember which run this visitor looks at; `named` : whether the address names it."""
    st.session_state[form.key("run@")] = run_id
    st.session_state[form.key("named@")] = named


def watched_run(form: Form) -> str | None:
    """The id of the run that this visitor looks at; None for none of their own choice."""
    return st.session_state.get(form.key("run@"))


def _over_preset(entry: Entry, base: Spec, query: Mapping[str, str]) -> tuple[Spec, list[str]]:
    """As `spec_from_query`, over the preset that the address names, if it names one."""
    if not (entry.presets and "preset" in query):
        return spec_from_query(base, query)
    try:
        return spec_from_query(entry.base(query["preset"], base), query)
    except ValueError as error:
        spec, notes = spec_from_query(base, query)
        return spec, [f"{error}. The link's value is ignored.", *notes]


def spec_from_query(base: Spec, query: Mapping[str, str]) -> tuple[Spec, list[str]]:
    """The Spec with the address's values: all together if they are valid together, else one by one as far as valid."""
    names = {field.name: field for field in dataclasses.fields(base) if field.name in query}
    values, notes = {}, []
    for name, field in names.items():
        try:
            value = parse_value(field.metadata["rule"], query[name])
            value = write_out(value, name) if isinstance(field.metadata["rule"], Text) else value
            values[name] = field.metadata["rule"].check(name, value)
        except ValueError as error:
            notes.append(f"{error}. The link's value is ignored.")
    try:
        return dataclasses.replace(base, **values), notes
    except ValueError:
        for name, value in values.items():
            try:
                base = dataclasses.replace(base, **{name: value})
            except ValueError as error:
                notes.append(f"{error}. The link's value is ignored.")
        return base, notes


def parse_value(rule: Any, text: str) -> Any:
    """The value that a text of the address stands for; the text itself if it stands for none."""
    if isinstance(rule, Text):
        return text
    if isinstance(rule, MultipleChoice):
        values = [parse_value(rule.each, part) for part in text.split(",")]
        return text if isinstance(rule, WholeNumbers) and any(isinstance(value, str) for value in values) else values
    if not isinstance(rule, Number | Flag):
        return next((option for option in rule.options if str(option) == text), text)
    try:
        return json_value(text)
    except ValueError:
        return text


def format_value(value: Any) -> str:
    """A value as the address has it."""
    if isinstance(value, list):
        return ",".join(str(one) for one in value)
    return value if isinstance(value, str) else json.dumps(value)
