"""The queue, the workers and the store, in reading order; a module imports only from those above it:

codec        events as bytes, and a finished run as one `.npz` file
limits       what one server takes on
composite    the cells of a composite run
execution    carrying out a run, the same for the command line, the server and its workers; the protocol of an engine
dask         the engine with worker processes
run          the one record of a run, a frozen snapshot; and the run in progress
history      a row of SQLite a run, shared by the servers of one folder
store        history, archives and the latest snapshots
queue        who is next, who is there, and what they asked for
run_table    the runs in progress, their places, their jobs
scheduler    the one lock: who wants which run, when it begins, how it ends
service      submit, get, stop: what pages call; the service that the environment variables ask for
recording    the runs that are shipped with the package
foreground   a run carried out here and now, for notebooks
"""
