"""The other parts of a lesson's page: its run, its target, the text below the pictures, and the files to take away.

run_panel      Run, Pause and Stop, and how a visitor starts a run
by_itself      a changed setting that runs by itself
commands       their buttons, as one component
my_runs        the visitor's latest runs
target_picker  a target: from the list, or written in a line
preset_picker  a named recipe that fills the form
table_upload   a visitor's own table
theorem_card   the assumptions of theorems 1 to 3, with a visitor's numbers
blocks         texts in the order every page keeps, and suggestions
claims_view    the claims of a lesson, and of all
below          the text below the pictures, in tabs
taken_run      a run that has ended, ready to take away
take_away      picture, file, notebook, numbers, citation, link
"""
