"""The app on a server that writes into its log what is asked of its runs, and in which order."""

import functools
from pathlib import Path

import streamlit as st

from featdash.runs.service import RunService
from featdash.server.asgi import asgi_options


def logged(method):
    @functools.wraps(method)
    def call(*arguments, **options):
        print(f"asked of a run: {method.__name__}", flush=True)
        return method(*arguments, **options)

    return call


for name in ("submit", "stop", "pause", "resume"):
    setattr(RunService, name, logged(getattr(RunService, name)))
app = st.App(Path(__file__).resolve().parents[2] / "featdash/ui/frame.py", **asgi_options())
