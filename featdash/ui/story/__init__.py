"""Stories and what is made of them: scenes, questions, the course, lectures, the sheets for teachers, Home.

storybook     the stories of a page
story_choice  where a visitor is, and the way from scene to scene
scene_panels  the pictures of a scene
scene_block   Explore's settings as a scene
question      a guess, and the answer read from the run
answer_sight  an answer that comes is scrolled into sight, where the column of words is too short for it
choices       the options of a question as buttons over the pictures
player        a story on its page, scene after scene
course_end    the end of a story, and the next one
progress      what a visitor has answered and finished
home          the page Home
own_lecture   the scenes that a visitor keeps
lecture       the page Lecture
sheet         the teacher's printable sheet of a story
known_bounds  a reading group's table of results
for_teachers  the page For teachers
"""
