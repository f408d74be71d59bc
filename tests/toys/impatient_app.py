"""The app on a server that waits for the head of a request, and for its body, for three seconds only."""

from pathlib import Path

import streamlit as st

from featdash.server import budget
from featdash.server.asgi import asgi_options

budget.HEAD = budget.REQUEST = 3.0
app = st.App(Path(__file__).resolve().parents[2] / "featdash/ui/frame.py", **asgi_options())
