"""Guided lessons in words: the format of a story file, its reader, and its checks.

story         what a story is: scenes, and what they ask
reader        Markdown and TOML -> Story, or every mistake with its line
reading_time  how many minutes a story takes to read aloud
answer        a question's answer, read from a run's summary
check         whether a story fits its lesson: settings, pictures, controls, answers
lecture       a visitor's own lecture, as a story file and as a link
course        the order of the stories, in three parts, and what each needs first
library       all stories: those of the lessons, and a lecturer's own
"""
