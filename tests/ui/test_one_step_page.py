"""The page «One step»: four parts with a recorded run each, the stepper over the lines, and the assumption card."""

from dataclasses import replace
from types import SimpleNamespace

import pytest
from app_pages import told_by, words
from picture_contract import check_picture

from featdash.figures.picture import Theme
from featdash.lessons.ablation import lesson as ablation_part
from featdash.lessons.ablation.pictures import VARIANTS
from featdash.lessons.degenerate import lesson as degenerate_part
from featdash.lessons.lemma import lesson as lemma_part
from featdash.lessons.spectrum import lesson as spectrum_part
from featdash.runs.run import Run
from featdash.theory.target import resolve_target
from featdash.ui.kit import shared
from featdash.ui.page import below, target_picker, theorem_card
from featdash.ui.stage import chart
from featdash.ui.stage.panels import View

PAGE = "pages/one_step.py"
pytestmark = pytest.mark.usefixtures("visit")
PARTS = {
    module.LESSON.experiment.name: module.LESSON
    for module in (lemma_part, spectrum_part, ablation_part, degenerate_part)
}


def recorded(name) -> Run:
    experiment, service = PARTS[name].experiment, shared.service()
    return service.get(service.find_recorded(name, experiment.spec()))


@pytest.mark.parametrize("part", PARTS)
def test_every_part_has_the_card(part, visit):
    app = visit(PAGE, part=part)
    app.session_state[f"{part}.below@"] = below.THEORY
    text = words(app.run())
    for title in ("One step, then ridge", "Without the Hessian, finer queries", "Transfer"):
        assert f"**{title}**" in text
    assert any(mark in text for mark in theorem_card.MARKS.values())


def test_two_pictures_of_lemma_1_take_turns_and_what_is_taken_away_has_both(visit, monkeypatch):
    shown = []

    def mount(pictures, key, **_):
        if key == "lemma-pictures":  # not the small one beside the settings
            shown[:] = pictures
        return SimpleNamespace(ended=None)

    monkeypatch.setattr(chart, "mount", mount)
    app = visit(PAGE, part="lemma")
    first = ["lemma-scatter", "lemma-samples", "lemma-dimension"]
    assert shown == [*first, "lemma-parity"]
    app.session_state["lemma.below@"] = below.DATA
    next(group for group in app.button_group if group.label == "Last picture").set_value("terms").run()
    assert not app.exception
    assert shown == [*first, "lemma-terms"]
    assert len(app.dataframe) == 5


def test_a_lesson_shows_at_most_six_pictures_at_once_and_says_so():
    more = {"panels": [replace(lemma_part.LESSON.panels[0], name=f"lemma-{number}") for number in range(7)]}
    with pytest.raises(ValueError, match="at most 6 pictures at once, got 7"):
        replace(lemma_part.LESSON, alternatives={}, **more)
    assert len(replace(lemma_part.LESSON, alternatives={"1": "one", "2": "two"}, **more).panels_with("2")) == 6


@pytest.mark.parametrize("variant", VARIANTS)
def test_each_line_moves_the_picture_that_it_changes(variant):
    view = recorded("ablation")
    drawn = [
        ablation_part.changed_picture(
            View(view, ablation_part.Options(line, variant), Theme())
        ).figure.layout.title.text
        for line in (1, 2, 3, 4, 5)
    ]
    assert [title.partition(":")[0].partition(",")[0] for title in drawn] == [
        "Line 1",
        "Neurons by cosine similarity (MDS)",
        "Line 3",
        "Line 4",
        "Line 5",
    ]
    for panel in ablation_part.LESSON.panels:
        check_picture(panel.draw(View(view, ablation_part.Options(2, variant), Theme())), Theme())


def view_of(app, names):
    """What the controls of the view hold, by their names."""
    groups = {group.key.removeprefix("ablation.view.").split(".")[0]: group.value for group in app.button_group}
    return {name: groups[name] for name in names}


@pytest.mark.parametrize("trial", ablation_part.TEXT.trials, ids=lambda trial: trial.label)
def test_a_trial_sets_the_view_that_it_speaks_of(trial, visit, monkeypatch):
    monkeypatch.setattr(shared.service(), "submit", lambda *_: "0" * 16)  # only the view is looked at
    app = visit(PAGE, part="ablation")
    known = told_by(app)
    next(button for button in app.button if button.label == trial.label).click().run()
    app._run(known)  # by a browser that has not heard of it
    assert not app.exception
    assert view_of(app, trial.switches) == dict(trial.switches)


def test_choosing_a_variant_goes_to_the_line_that_tells_most(visit):
    app, lines = visit(PAGE, part="ablation"), {}
    for variant in VARIANTS:
        off = next(group for group in app.button_group if "off" in group.key)
        off.set_value(variant).run()
        assert not app.exception
        lines[variant] = view_of(app, ["line"])["line"]
    assert lines == {variant: ablation_part.TELLING[variant] for variant in VARIANTS}


def test_marks_stand_only_where_theorem_2_is_stated():
    spec = degenerate_part.LESSON.experiment.spec
    assert degenerate_part.csq_marks(spec(), [40]) == [pytest.approx(40**1.5)]
    for target in ("half-seen", "z1+He3(z2)", "0.8*z1+0.6*He2(z2)/sqrt(2)", "z1", "parity", "pretrain"):
        assert degenerate_part.csq_marks(spec(target=target), [40]) == []


def test_badge_follows_the_biases_of_the_run():
    target = resolve_target("transfer", 20)
    assert target_picker._badge(target, "redrawn") == target_picker.BLIND
    assert target_picker._badge(target, "kept") == target_picker.GAUGE["faint"]
    even = resolve_target("He2(z1)*He2(z2)/2", 20)
    assert target_picker._badge(even, "redrawn") == target_picker.GAUGE["faint"]


def test_scrubber_shows_the_bulk_of_fewer_samples():
    view = recorded("spectrum")
    few, many = (spectrum_part.spectrum(View(view, at, Theme())) for at in (100.0, 100_000.0))
    assert few.figure.layout.title.text.endswith("n = 100")
    assert few.figure.layout.xaxis.range == many.figure.layout.xaxis.range
    assert "3 singular values lie beyond the edge" in many.alt
