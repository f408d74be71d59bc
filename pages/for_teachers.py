"""For teachers: what to show in how many minutes, how to run a class, and which story is which part of what is read."""

from featdash.ui.story.for_teachers import for_teachers

for_teachers()
