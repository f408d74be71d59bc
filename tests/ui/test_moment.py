"""What all viewers of a moment see alike is put together once; what only its visitor may see, for each anew."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import plotly.graph_objects as go

from featdash.figures.picture import Picture, Theme, blank
from featdash.figures.prediction import Band, Prediction
from featdash.recipes.spec import Spec
from featdash.runs.run import Run
from featdash.ui.kit import shared
from featdash.ui.stage.moment import moment
from featdash.ui.stage.panels import Panel, View


def curve(view: View) -> Picture:
    """One curve, which depends on what the visitor has chosen."""
    figure = blank(view.theme, 100, "A toy").add_scatter(x=[1, 2, 3], y=[1, 2, view.options], mode="lines", name="toy")
    return Picture(figure, "One curve.", {"n": np.arange(1)})


def field(view: View) -> Picture:
    return Picture(blank(view.theme, 100, "A map").add_trace(go.Heatmap(z=[[1, 2]])), "A map.", {"n": np.arange(1)})


PANEL = Panel("toy-curve", curve)
LESSON = SimpleNamespace(panels=(PANEL, Panel("toy-map", field)), film=(), lines=())
VIEW = View(Run("toy", "toy", Spec(), "done", 1.0, finished=2.0), 3, Theme())


def test_a_moment_is_put_together_once_for_all_who_wish_to_see_the_same(monkeypatch):
    monkeypatch.setattr(shared, "_pictures", shared.PictureCache())
    first = moment(LESSON, VIEW)
    assert moment(LESSON, replace(VIEW)) is first
    assert moment(LESSON, replace(VIEW, options=4)).pictures["toy-curve"] != first.pictures["toy-curve"]
    later = replace(VIEW, run=replace(VIEW.run, finished=3.0))
    assert moment(LESSON, later) is not first


def test_a_private_run_is_drawn_for_its_visitor_alone():
    private = replace(VIEW, run=replace(VIEW.run, private=True))
    assert moment(LESSON, private) is not moment(LESSON, private)


def test_of_the_run_before_stay_its_curves_and_of_a_map_nothing():
    pale = moment(LESSON, VIEW).pale
    assert set(pale) == {"toy-curve"}
    assert len(pale["toy-curve"].data) < len(moment(LESSON, VIEW).pictures["toy-curve"].data) / 3


def test_the_picture_of_a_question_keeps_the_run_before_unless_it_hides_its_own():
    def pale_with(prediction):
        return set(
            moment(SimpleNamespace(**{**vars(LESSON), "panels": (replace(PANEL, prediction=prediction),)}), VIEW).pale
        )

    answered = Prediction(bands=(Band("low", None, 2.0), Band("high", 2.0, None)), choice=0)
    assert pale_with(answered) == {"toy-curve"}
    assert pale_with(replace(answered, hidden=True)) == set()
