"""Every question of every story: it can be answered by its control, and nothing that is seen before answers it."""

import json
import re

import pytest
from streamlit.testing.v1 import AppTest

from featdash.lessons import PAGES, lessons_of
from featdash.stories.answer import ANSWER, PLACE, number_at, parts_of
from featdash.ui.stage import chart
from featdash.ui.story.question import stops_of, write_number
from featdash.ui.story.storybook import stories_of

pytestmark = pytest.mark.usefixtures("visit")
PARTS = {part.experiment.name: part for page in PAGES for part in lessons_of(page)}
STORIES = stories_of(PARTS)
NUMBER = r"(?<![\d.,\u202f]){}(?![\d\u202f]|\.\d)"


def scene_page():
    """One scene before its answer, without the rest of its page: control, pictures, and what they were drawn from."""
    import streamlit as st
    from test_every_question import PARTS, STORIES

    from featdash.figures.picture import Theme
    from featdash.recipes.version import run_id
    from featdash.ui.kit import toolbar
    from featdash.ui.kit.shared import service
    from featdash.ui.stage.panels import View
    from featdash.ui.story.question import Attempt
    from featdash.ui.story.scene_panels import panels_of

    name, number = st.session_state["place"]
    scene = STORIES[name].scenes[number]
    attempt = Attempt(scene.question, f"{name}.{number}")
    attempt.draw_guess()
    st.session_state["guess"] = attempt.guess
    if st.session_state["is_control_alone"]:
        return
    part = PARTS[scene.lesson]
    spec = part.experiment.recipe(scene.settings)
    run = service().get(service().find_stored(scene.lesson, spec) or run_id(scene.lesson, spec))
    result = service().result(run.id)
    if st.session_state.get("asked_of") != (name, number):
        st.session_state["asked_of"] = (name, number)
        toolbar.preset(scene.lesson, scene.view)
    options = part.toolbar(run) if part.toolbar else None
    panels = panels_of(part, scene, lambda panel: attempt.prediction(panel, result))
    view = View(run, options, Theme())
    st.session_state["seen"] = {panel.short: panel.render(view) for panel in panels}
    st.session_state["summary"] = result.summary


def questions(name):
    return [(number, scene) for number, scene in enumerate(STORIES[name].scenes) if scene.question]


def at_scene(name, number, app=None):
    app = app or AppTest.from_function(scene_page, default_timeout=60)
    app.session_state["place"], app.session_state["is_control_alone"] = (name, number), False
    app.run()
    assert not app.exception
    return app


def read_aloud(rendered):
    """All words and numbers of a picture that a visitor can see, hover over or hear, one text."""
    told = json.loads(rendered.data)
    words = [told["title"], told["headline"], told["alt"], json.dumps(rendered.table, default=str, ensure_ascii=False)]
    layout = told["figure"]["layout"]
    words += [note.get("text", "") for note in layout.get("annotations", []) if note.get("name") != "guess"]
    words += [axis.get("title", {}).get("text", "") for name, axis in layout.items() if name[1:5] == "axis"]
    for trace in told["figure"]["data"]:
        if trace.get("visible", True) is not True or trace.get("opacity", 1) == 0:
            continue
        shown = {key: trace[key] for key in ("name", "text", "hovertext", "hovertemplate") if key in trace}
        words.append(json.dumps(shown, ensure_ascii=False))
    return " ".join(words)


def answer_numbers(question, summary):
    """The answer as its sentences write it; a count below ten is everywhere, and tells nothing."""
    way, names = parts_of(question.answer)
    if way:
        return set()
    value = number_at(summary, names, question.answer)
    figures = set()
    for sentence in question.says:
        for place in PLACE.finditer(sentence):
            path, colon, digits = (place[1] or "").partition(":")
            if path in (ANSWER, question.answer):
                figures.add(int(digits) if colon else None)
    written = {write_number(value, one) for one in figures}
    return {one for one in written if len(re.sub(r"^[0.−]*|\D", "", one)) > 1}


def given_away(scene, app):
    """(where, what) of the answer stands in what is seen before it."""
    words = {"words": scene.words, "wall": scene.wall, "title": scene.title, "prompt": scene.question.prompt}
    pictures = {panel: one for panel, one in app.session_state["seen"].items() if one}
    words |= {panel: read_aloud(one) for panel, one in pictures.items()}
    for written in answer_numbers(scene.question, app.session_state["summary"]):
        told = re.compile(NUMBER.format(re.escape(written)))
        yield from ((where, written) for where, text in words.items() if told.search(text))
    hidden = [panel for panel in pictures if scene.question.hides(panel)]
    yield from ((panel, "headline") for panel in hidden if chart.headline(pictures[panel]))


def check_ranges(question, app):
    """Of a guess, as they stand in the question's picture."""
    figure = json.loads(app.session_state["seen"][question.on].data)["figure"]
    asks = figure["layout"]["meta"]["guess"]
    notes = [note["text"] for note in figure["layout"]["annotations"] if note.get("name") == "guess"]
    texts = list(dict.fromkeys(notes))  # each panel has them
    if question.kind == "choice":
        told = [text.partition("</b>  ")[2].replace("<br>", " ") for text in texts]
        assert told == [one.text for one in question.options]
        assert asks["bands"] == [option.below for option in question.options[:-1]]
    else:
        assert asks["bands"] is None


def check_answers(question, app, key):
    """Each guess can be made with the control; the pictures are drawn again with the last of them."""
    app.session_state["is_control_alone"] = True
    if question.kind == "number":
        app.session_state["is_control_alone"] = False
        app.select_slider(key=key).set_value(stops_of(question)[0]).run()
        assert isinstance(app.session_state["guess"], float)
    texts = [option.text for option in question.options]
    for index, text in enumerate(texts, 1):
        app.session_state["is_control_alone"] = index < len(texts)
        app.button(key=f"{key}.{index}").click().run()
        assert app.session_state["guess"] == (text if question.kind == "choice" else None) or index == len(texts)
    if question.kind != "number":
        assert app.session_state["guess"] == (tuple(texts) if question.kind == "order" else texts[-1])
    assert not app.exception


@pytest.mark.parametrize("name", STORIES)
def test_nothing_seen_before_it_answers_a_question_and_each_can_be_answered_in_the_ranges_of_its_picture(name):
    app, told = None, []
    for number, scene in questions(name):
        app = at_scene(name, number, app)
        assert app.session_state["guess"] is None
        told += [(number + 1, *one) for one in given_away(scene, app)]
        if scene.question.on:
            check_ranges(scene.question, app)
        check_answers(scene.question, app, f"{name}.{number}.guess")
    assert told == []
