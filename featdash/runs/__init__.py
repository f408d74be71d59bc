"""The queue, the workers and the store, in reading order; a module imports only from those above it:

run          the one record of a run, a frozen snapshot; the arrays that a visitor brings to one
codec        events as bytes, and a finished run as one `.npz` file
history      a row of SQLite a run, shared by the servers of one folder
store        history, archives and the latest snapshots
limits       what one server takes on
composite    the cells of a composite run
execution    carrying out a run, the same for the command line, the server and its workers
engine       where jobs are carried out: the protocol
dask         the engine with worker processes
live_run     a run in progress
queue        who is next
run_table    the runs in progress, their places, their jobs
sessions     who is there, and what they asked for
scheduler    the one lock: who wants which run, when it begins, how it ends
service      submit, get, stop: what pages call
environment  the service that the environment variables ask for
recording    the runs that are shipped with the package
foreground   a run carried out here and now, for notebooks
"""
