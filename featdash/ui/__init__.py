"""The Streamlit kit. `page` puts form, link, run_panel and panels in the order of every page: begin there."""
