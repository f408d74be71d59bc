"""What any page is made of; nothing here knows a lesson.

announcer       the line that a screen reader says about a run's state
control_key     the keys of controls that a visitor does not set alone
form            settings as controls, made from a Spec
glossary        hard words, marked and explained
keys            what the keyboard does, and where the focus goes
layout          where everything stands: the column, the stage, a wall
link            the settings in the address bar
navigation      going to another address of the app
number_scale    steps, stops and lists of a number
plain_text      a visitor's own words, shown letter by letter
settings_sheet  the settings of a narrow window, behind a bar at its foot
shared          the run service, finished pictures, who is there
table_store     visitors' own tables, in memory
toolbar         controls of how a run is shown
"""
