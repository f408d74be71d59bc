"""What a lesson declares, and its pictures on the page: live, moving, the first of them large.

lesson          what a lesson gives to its page
panels          a picture: what it reads from a run, and how it is built
shown           a picture as what a panel draws, by the types of its parameters
phases          the phases of a timeline, and their moments
moment          what all viewers of a run see alike at one moment
film            the timeline as the browser plays it
ahead           pictures that go to the browser before the page that they are on
chart           all pictures of a page as one component, with its scripts
live            a run drawn again and again, and the line of its state
partial_result  a composite's result, before its end as well
sliders         sliders of the file that opens offline
stage           the pictures together, live and after the end
"""
