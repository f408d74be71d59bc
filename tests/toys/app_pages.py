"""The pages of the app without a browser: the real scripts, runs computed inline."""

from contextlib import contextmanager
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from featdash.ui import shared

APP = str(Path(__file__).resolve().parents[2] / "app.py")


@contextmanager
def inline_service(home):
    """A run service of its own for all pages that are opened meanwhile."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FEATDASH_ENGINE", "inline")
        patch.setenv("FEATDASH_HOME", str(home))
        shared.reset()
        yield
        shared.reset()


def open_page(path, app=None, **query):
    """The page at that address, in a frame that has been opened before; a story only where the address names one."""
    app = app or AppTest.from_file(APP, default_timeout=60).run()
    app.switch_page(path)
    app.query_params.clear()
    for name, value in (query or {"mode": "explore"}).items():
        app.query_params[name] = value
    return app.run()


def words(app):
    """All sentences of the page."""
    return "\n".join(block.value for block in [*app.markdown, *app.caption, *app.error, *app.info])


def query_of(app):
    """The settings in the page's address."""
    return {name: value if isinstance(value, str) else value[0] for name, value in app.query_params.items()}
