"""The app on a server that waits for the first byte of a connection for three seconds only."""

from pathlib import Path

import streamlit as st

from featdash.server.asgi import asgi_options

app = st.App(Path(__file__).resolve().parents[2] / "app.py", **asgi_options(silence=3.0))
