"""Guided lessons in words: the format of a story file, its reader, and what checks it.

story       what a story is: scenes, and what they ask
reader      Markdown and TOML -> Story, or every mistake with its line
answer      a question's answer, read from a run's summary
check       a story against the lesson that it tells of: settings, pictures, controls, answers
lecture     a lecture of one's own, as a story file and as a link
course      the order of the stories, in three parts, and what each needs first
library     the stories that there are: those of the lessons, and a lecturer's own
"""
