"""Runs in worker processes, through Dask: the engine, its connection, and the worker's side."""
