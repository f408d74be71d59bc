"""The race's film as arrays: neurons that turn without a jump, an alignment that rises, an end that is measured."""

import itertools
import re
from dataclasses import replace

import numpy as np
import pytest
from app_pages import inline_service
from taken_runs import LESSONS, taken

from featdash.figures.film import place_of
from featdash.lessons.race.panels import THE_STEP
from featdash.lessons.shared.pictures.alignment_gauge import ALIGNMENT
from featdash.lessons.shared.pictures.neurons import NOW

RATE = 25  # positions a second that a browser shows at the least
MAP = 2.0  # across, the circle in which a neuron is shown as it is


@pytest.fixture(scope="module", autouse=True)
def _private_service(tmp_path_factory):
    with inline_service(tmp_path_factory.mktemp("home")):
        yield


@pytest.fixture(scope="module", params=[False, True], ids=["unfolded", "folded"])
def step(request):
    """(figure, film) of the map of neurons, where w and −w are two neurons, or one."""
    view = taken("race").view
    view = replace(view, options=replace(view.options, folded=request.param))
    panel = next(one for one in LESSONS["race"].panels if one.short == "neurons")
    picture = panel.draw(view)
    return picture.figure, panel.film(view, picture)


def positions(step, rate=RATE):
    """(frames, neurons, 2) as a browser draws them that shows so many positions a second."""
    figure, film = step
    trace = place_of(figure.data, NOW)
    times = np.linspace(film.times[0], film.times[-1], round(rate * THE_STEP.seconds) + 1)
    ways = np.stack([film.changes[("data", trace, axis)] for axis in "xy"], axis=-1)
    shown = [[np.interp(times, film.times, way) for way in neuron.T] for neuron in ways.transpose(1, 0, 2)]
    return np.array(shown).transpose(2, 0, 1)


def test_no_neuron_moves_more_than_a_third_of_the_map_between_two_frames(step):
    ways = np.linalg.norm(np.diff(positions(step), axis=0), axis=-1)
    assert ways.max() < MAP / 3
    figure, film = step
    moments = np.stack([film.changes[("data", place_of(figure.data, NOW), axis)] for axis in "xy"], axis=-1)
    assert np.linalg.norm(np.diff(moments, axis=0), axis=-1).max() < MAP / 3, "nor from one moment to the next"


def test_each_frame_has_a_position_of_its_own(step):
    """So that a browser which draws 25 frames a second shows 25 positions a second, of every neuron."""
    for neuron in positions(step).transpose(1, 0, 2):
        assert len(np.unique(neuron.round(9), axis=0)) == len(neuron)


def test_from_the_untrained_layer_to_the_step_the_alignment_only_rises(step):
    figure, film = step
    note = place_of(figure.layout.annotations, ALIGNMENT)
    told = [float(re.sub("<[^>]*>", "", text)) for text in film.changes[("layout", "annotations", note, "text")]]
    bar = film.changes[("layout", "shapes", place_of(figure.layout.shapes, ALIGNMENT), "y1")]
    assert all(before <= now for before, now in itertools.pairwise(told))
    assert (np.diff(bar) > 0).all()
    assert told[0] < 0.2 < 0.9 < told[-1]
