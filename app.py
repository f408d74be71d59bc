"""The app: which script draws its pages, and what the server adds to Streamlit."""

import streamlit as st

from featdash.server.asgi import asgi_options

app = st.App("featdash/ui/frame.py", **asgi_options())
