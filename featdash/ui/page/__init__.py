"""The other parts of a lesson's page: its run, its target, what is read below the pictures, what can be taken away.

run_panel      Run, Pause and Stop, and what was asked for
by_itself      a changed setting that runs by itself
commands       their buttons, as one component
my_runs        what this visitor has asked for lately
target_picker  a target: from the list, or a line of one's own
preset_picker  a named recipe that fills the form
table_upload   a visitor's own table
theorem_card   the assumptions of theorems 1 to 3, with a visitor's numbers
blocks         texts in the order every page keeps, and suggestions
claims_view    the claims of a lesson, and of all
below          what is read below the pictures, in tabs
taken_run      a finished run, ready to be taken away
take_away      picture, file, notebook, numbers, citation, link
"""
