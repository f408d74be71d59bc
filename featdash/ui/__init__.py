"""What a visitor sees, in Streamlit. Each folder uses those above it in this list, and nothing below it.

streamlit_internals  every touch of what Streamlit does not promise to keep
kit          what any page is made of: layout, address, controls, keys, words
stage        what a lesson declares, and its pictures: live, moving, large
page         the other parts of a lesson's page: run, target, what is read below, what can be taken away
story        scenes, questions, the course, lectures, Home
classroom    a class that predicts together: host, wall, the way in
lesson_page  the page of a lesson, as a story or in Explore: begin here
frame        the script of every page: menu, title, «My runs»
"""
