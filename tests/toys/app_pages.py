"""The pages of the app without a browser: the real scripts, runs computed inline."""

import functools
import json
import re
from contextlib import contextmanager
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from featdash.runs import codec, store
from featdash.ui.kit import shared

PICTURES = shared.PictureCache()  # a picture is known by its run and its view, whatever service has the run
APP = str(Path(__file__).resolve().parents[2] / "featdash/ui/frame.py")


def once(read):
    """A reader of runs that reads each recorded one a single time; what it returns is not to be changed."""
    recorded = functools.cache(functools.partial(read, shipped=True))
    return lambda path, shipped: recorded(path) if shipped else read(path, shipped=False)


READERS = {"read_archive": once(codec.read_archive), "read_about": once(codec.read_about)}


@contextmanager
def inline_service(home):
    """A run service of its own for all pages that are opened meanwhile; it computes each run as it is submitted.

    Pictures are drawn once for all these services, and recorded runs are read once: a fifth of a page's time.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FEATDASH_ENGINE", "inline")
        patch.setenv("FEATDASH_HOME", str(home))
        shared.reset()
        patch.setattr(shared, "_pictures", PICTURES)
        for name, read in READERS.items():
            patch.setattr(store, name, read)
        yield
        shared.reset()


def open_page(path, app=None, **query):
    """The page at that address, for a new visitor or in `app`; a story only where the address names one."""
    app = app or AppTest.from_file(APP, default_timeout=60)
    app.switch_page(f"../../{path}")  # from the frame
    app.query_params.clear()
    for name, value in (query or {"mode": "explore"}).items():
        app.query_params[name] = value
    return app.run()


def commands_of(app):
    """(the component of Run, Pause and Stop, what it shows)."""
    parts = [one.proto for one in app.get("bidi_component") if one.proto.component_name.endswith("featdash_commands")]
    return next((part, json.loads(part.json)) for part in parts)


def command(app, *names):
    """Press these in the component of Run, Pause and Stop, all before the server hears of the first."""
    states = app._tree.get_widget_states()
    _add_commands(states, app, names)
    return app._run(states)


def run_before_hearing(app):
    """Let the server answer what was just set or clicked, and press Run in a browser that has not heard the answer."""
    states = told_by(app)
    _add_commands(states, app, ["run"])
    app.run()
    return app._run(states)


def told_by(app):
    """What a browser tells of the controls on its page with each request, where nothing was clicked."""
    states = app._tree.get_widget_states()
    for clicked in [one for one in states.widgets if one.WhichOneof("value") == "trigger_value"]:
        states.widgets.remove(clicked)
    return states


def _add_commands(states, app, names):
    part, shown = commands_of(app)
    pressed = [[shown["done"] + number, name] for number, name in enumerate(names, 1)]
    state = {"commands": {"session": shown["session"], "list": pressed}}
    states.widgets.add(id=part.id, json_value=json.dumps(state))


def come_to_rest(app, experiment):
    """As when the browser has played the films of that experiment to their end."""
    run, count, _ = app.session_state[f"{experiment}.play@"]
    app.session_state[f"{experiment}.played@"] = f"{run}.{count}"
    return app.run()


def press(app, label):
    """Press a button of that label, of Streamlit's or of the component."""
    if label.split()[0] in ("Run", "Pause", "Resume", "Stop") and "it" not in label.split():
        return command(app, label.split()[0].lower())
    next(button for button in app.button if button.label == label).click()
    return app.run()


def stages_of(app):
    """What the component of each stage of the page is told."""
    return [json.loads(part.bytes) for part in _stage_parts(app)]


def _stage_parts(app):
    return [one.proto for one in app.get("bidi_component") if one.proto.component_name.endswith("featdash_chart")]


def clear_comparison(app):
    """Press «Clear the comparison», which the component of the stage draws."""
    (part,) = [one for one in _stage_parts(app) if json.loads(one.bytes)["state"]]
    states = app._tree.get_widget_states()
    pressed = json.dumps([{"event": "clear", "value": True}])
    states.widgets.add(id=f"$$STREAMLIT_INTERNAL_KEY_{part.id}__events", json_trigger_value=pressed)
    return app._run(states)


def settings_of(app, experiment):
    """The settings that the visitor's form of that experiment holds: name -> value."""
    return app.session_state[f"{experiment}.settings@"]


def control(controls, key):
    """The one that has this key, or one of the keys that it gets when the server changes it."""
    (one,) = [one for one in controls if re.fullmatch(rf"{re.escape(key)}(\.\d+)?", one.key or "")]
    return one


def words(app):
    """All sentences of the page, with those over the pictures."""
    states = [told["state"] or {} for told in stages_of(app)]
    said = [words for state in states for words in state.values() if isinstance(words, str)]
    return "\n".join([*(block.value for block in [*app.markdown, *app.caption, *app.error, *app.info]), *said])


def query_of(app):
    """The settings in the page's address."""
    return {name: value if isinstance(value, str) else value[0] for name, value in app.query_params.items()}
