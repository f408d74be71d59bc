"""A class that predicts together: its host, its wall, and the way in for phones.

host_key   which browser commands a room
join_card  how a phone comes in
room       a room's links, its door, its answers, its end
position   which scene is on show
poll       a question as a class is asked it
stage      the scene's pictures, and what the class has said
controls   the host's buttons for a scene
host       the host's page
wall       the page on the wall
page       the page Class
"""
