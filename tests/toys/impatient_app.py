"""The app on a server that waits a second for the head of a request, or its body, and bears a third of a flood."""

from pathlib import Path

import streamlit as st

from featdash.server import budget
from featdash.server.asgi import asgi_options

budget.HEAD = budget.REQUEST = 1.0
budget.PATIENCE //= 3
app = st.App(Path(__file__).resolve().parents[2] / "featdash/ui/frame.py", **asgi_options())
