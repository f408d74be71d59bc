"""Pictures of emergence: each states its finding, names its axes, carries its numbers, and draws what it was given."""

import functools
import re
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from picture_contract import check_picture

from featdash.figures.picture import Theme
from featdash.lessons.emergence.digits_lesson import DIGIT_PANELS
from featdash.lessons.emergence.frames import FixedFeatures, GradientComponents, Neurons
from featdash.lessons.emergence.lesson import jump, law_constants
from featdash.lessons.emergence.pictures.accuracy import (
    NO_COURSE,
    Course,
    Curve,
    accuracy_curves,
    step_axis,
    step_places,
)
from featdash.lessons.emergence.pictures.clusters import SIDES, cluster_film, cluster_maps, cosine_histogram
from featdash.lessons.emergence.pictures.dictionary import gradient_components, gradient_film, hinge_bound
from featdash.lessons.emergence.pictures.digits import digit_neurons, images_film
from featdash.tasks.dictionary import PatternLaw
from featdash.theory.fixed_features import bound_is_stated

THEMES = (Theme("light"), Theme("dark"))
METHODS = ("network", "random_features", "ntk", "linear")
STEPS = np.array([0, 1, 2, 3, 10, 202])


def course(level):
    values = np.linspace(0.5, level, len(STEPS))
    return Course({method: Curve(STEPS, values) for method in METHODS}, Curve([0, 1, 2], [0.5, 0.84, level]))


def layer(seed, dead=0):
    rng = np.random.default_rng(seed)
    points, sides = rng.uniform(-1, 1, (30, 2)), rng.choice([-1, 1], 30)
    sides[:dead] = 0
    histogram = np.histogram(rng.uniform(-1, 1, 200), 40, (-1, 1))[0]
    stars = np.array([[1.0, 0], [-1, 0]])
    return Neurons(points, stars, 0.2, points, stars[:1], 0.3, sides, dead, histogram, 0.5)


def step_frame(noise, k=5, others=95):
    rng = np.random.default_rng(3)
    on, off = np.full(k, 0.025), noise * rng.standard_normal(others)
    return GradientComponents(on, np.full(k, 0.01), off, predicted=0.025, signal_to_noise=50.3)


def fixed_features():
    norms = np.geomspace(20, 1e-3, 11)
    return {
        name: FixedFeatures(norms, 1 - 0.4 * norms / 20, size)
        for name, size in (("random_features", 600), ("linear", 100))
    }


LAWS = {"structured": {1: step_frame(1e-4), 2: step_frame(1e-5)}, "unstructured": {1: step_frame(0.1)}}
IMAGES = dict(zip(("untrained", "step 2"), np.random.default_rng(0).standard_normal((2, 12, 64)), strict=True))
STAR = np.random.default_rng(1).standard_normal(64)
PANELS = {"untrained": layer(0), "structured, step 2": layer(1), "unstructured, step 2": layer(2, dead=3)}
BOTH = {"structured": course(1.0), "unstructured": course(0.5)}
PICTURES = {
    "accuracy": lambda theme: accuracy_curves(BOTH, 202, theme=theme, at=2),
    "one course": lambda theme: accuracy_curves({"": course(1.0)}, 202, theme=theme),
    "nothing yet": lambda theme: accuracy_curves({"": NO_COURSE}, 202, theme=theme),
    "maps": lambda theme: cluster_maps(PANELS, "Σ", theme=theme),
    "folded": lambda theme: cluster_maps(PANELS, "Σ", theme=theme, folded=True),
    "over the untrained layer": lambda theme: cluster_maps(PANELS, "Σ", theme=theme, untrained=layer(0)),
    "cosines": lambda theme: cosine_histogram({"structured": (layer(0), layer(1))}, "Σ", theme=theme),
    "gradient": lambda theme: gradient_components(LAWS, theme=theme),
    "bound": lambda theme: hinge_bound(fixed_features(), 0.5, 5, theme=theme),
    "images": lambda theme: digit_neurons(IMAGES, STAR, theme=theme),
    "images without a star": lambda theme: digit_neurons(IMAGES, None, theme=theme),
}


@functools.cache
def drawn(name, theme=THEMES[0]):
    return PICTURES[name](theme)


@pytest.mark.parametrize("theme", THEMES, ids=str)
@pytest.mark.parametrize("name", PICTURES)
def test_every_picture_says_what_it_shows(name, theme):
    check_picture(drawn(name, theme), theme)


@pytest.mark.parametrize("last", [3, 22, 202, 2002])
@pytest.mark.parametrize("apart", [0.08, 0.16])
def test_step_ticks_are_apart_and_begin_at_the_untrained_layer(last, apart):
    axis = step_axis("step", last, apart)
    assert axis["tickvals"][0] == 0
    assert axis["ticktext"][0] == "0"
    assert axis["range"][0] < 0 < axis["tickvals"][-1] <= np.log10(1 + last) <= axis["range"][1]
    assert min(b - a for a, b in pairwise(axis["tickvals"])) >= apart * np.log10(1 + last)


def test_curves_stand_at_their_steps_and_heads_are_hollow():
    figure = accuracy_curves({"": course(0.9)}, 202, theme=THEMES[0]).figure
    network, *_, heads = figure.data
    np.testing.assert_allclose(10 ** np.array(network.x) - 1, STEPS, rtol=1e-4, atol=1e-9)
    assert list(network.customdata) == STEPS.tolist()
    assert heads.marker.color == THEMES[0].paper
    assert list(heads.y) == [0.5, 0.84, 0.9]
    assert np.all(np.diff(step_places(STEPS)) > 0)


def test_neurons_have_the_colour_and_the_shape_of_their_star():
    panel = layer(0, dead=4)
    dots = cluster_maps({"now": panel}, "Σ", theme=THEMES[0]).figure.data[0]
    for side, colour, symbol in zip(panel.star, dots.marker.color, dots.marker.symbol, strict=True):
        assert (colour, symbol) == SIDES[int(side)][1:]
    shapes = [symbol for *_, symbol in SIDES.values()]
    assert len(set(shapes)) == len(shapes)


def test_the_untrained_layer_is_pale_under_each_layer_that_differs_from_it():
    start, end = layer(0), layer(1)
    traces = cluster_maps({"step 0": start, "step 2": end}, "Σ", theme=THEMES[0], untrained=start).figure.data
    (ghost,) = [trace for trace in traces if trace.name == "untrained"]
    assert (ghost.xaxis, ghost.marker.color) == ("x2", THEMES[0].ghost)
    np.testing.assert_allclose(np.transpose([ghost.x, ghost.y]), start.points, atol=1e-6)


def test_histogram_shares_sum_to_one():
    table = cosine_histogram({"now": (layer(0), layer(1))}, "Σ", theme=THEMES[0]).table
    assert sum(table["share now"]) == pytest.approx(1, abs=1e-5)
    assert sum(table["share untrained"]) == pytest.approx(1, abs=1e-5)


def test_relevant_components_are_drawn_before_the_others_without_overlap():
    on, off, _ = gradient_components({"structured": {1: step_frame(1e-4)}}, theme=THEMES[0]).figure.data
    assert (len(on.x), len(off.x)) == (5, 95)
    assert max(on.x) + on.width / 2 < min(off.x) - off.width / 2
    assert list(on.error_y.array) == pytest.approx([0.01] * 5)


def test_the_bound_is_drawn_where_it_says_something_and_never_above_p0():
    figure = hinge_bound(fixed_features(), 0.5, 5, theme=THEMES[0]).figure
    norms, heights = (np.array(values) for values in (figure.data[1].x, figure.data[1].y))
    np.testing.assert_allclose(heights, 0.5 * (1 - np.sqrt(1200) * norms / 32), atol=1e-5)
    assert heights.min() > 0
    assert norms.max() < 32 / np.sqrt(1200)


def test_no_bound_is_drawn_where_the_theorem_states_none():
    assert bound_is_stated(5, 100, "parity")
    for k, patterns, labels in ((5, 100, "counts"), (3, 100, "parity"), (6, 100, "parity"), (7, 100, "parity")):
        assert not bound_is_stated(k, patterns, labels)
    picture = hinge_bound(fixed_features(), 0.5, 7, theme=THEMES[0], stated=False)
    assert len(picture.figure.data) == len(fixed_features())
    assert set(picture.table["bound"]) == {None}
    assert "states no bound" in picture.alt
    assert "B = " not in picture.alt


def test_images_are_rows_of_pixels_scaled_by_their_largest_weight():
    weights = np.zeros((2, 64))
    weights[0, 8:16] = 4.0  # the second row of the first image; the other neuron is dead
    figure = digit_neurons({"now": weights}, None, theme=THEMES[0]).figure
    mosaic = np.array(figure.data[0].z, dtype=float)
    assert mosaic.shape == (10, 18)
    np.testing.assert_array_equal(mosaic[1, :8], 1)
    assert np.nansum(np.abs(mosaic)) == 8


def test_the_head_after_both_steps_stands_beside_the_linear_model_and_the_paper():
    head = Curve([0, 1, 2, 202], [0.5, 0.84, 1.0, 1.0])
    told = jump(head, 0.839)
    assert "0.84 after step 1, 1.00 after step 2; on the inputs themselves 0.84." in told
    assert told.endswith("The paper's: 0.52, then 1.00.")
    assert jump(Curve([0, 1], [0.5, 0.84]), 0.839) == ""
    assert jump(head, None) == ""


def test_the_linear_model_is_a_line_across_the_accuracy_and_a_word_in_its_alt_text():
    picture = accuracy_curves({"": replace(course(0.9), linear=0.839)}, 202, theme=THEMES[0])
    line = next(trace for trace in picture.figure.data if "linear model" in trace.name)
    assert list(line.y) == [0.839, 0.839]
    np.testing.assert_allclose(10 ** np.array(line.x) - 1, [0, 202], rtol=1e-4, atol=1e-9)
    assert "0.839 on the inputs" in picture.alt


def test_the_digits_open_with_the_weight_images():
    first = DIGIT_PANELS[0]
    assert first.name == "digits-images"


def test_the_law_is_told_as_the_source_has_it():
    """At full strength γ = ¼ and σ̃ = 5 for k = 5, D = 100, p₀ = ½; without structure γ = 0."""
    law = PatternLaw(100, (0, 1, 2, 3, 4), (1, 3, 5))
    assert law_constants(law) == "$\\gamma = 0.25$, $\\tilde\\sigma = 5$"
    assert law_constants(law.at(0.0)) == "$\\gamma = 0$, $\\tilde\\sigma = 5$"


def test_every_hover_says_in_words_what_it_tells():
    """Never a bare pair of numbers, nor «trace 0»."""
    for title in PICTURES:
        for trace in drawn(title).figure.data:
            if trace.hoverinfo != "skip":
                assert trace.hovertemplate.endswith("<extra></extra>"), title
                assert any(one.isalpha() for one in re.sub(r"%\{[^}]*\}|<[^>]*>", "", trace.hovertemplate)), title


def test_in_the_film_neurons_change_their_colour_with_their_star_and_their_title_with_the_step():
    start, end = layer(0), layer(1)
    figure = cluster_maps({"step 2": end}, "Σ", theme=THEMES[0], untrained=start).figure
    changes = cluster_film(figure, [{"step 0": start}, {"step 2": end}], folded=False).changes
    np.testing.assert_array_equal(changes["data", 1, "x"], [start.points[:, 0], end.points[:, 0]])
    assert changes["data", 1, "marker", "color"][0] == [SIDES[int(side)][1] for side in start.star]
    assert [text.partition("<br>")[0] for text in changes["layout", "annotations", 0, "text"]] == ["step 0", "step 2"]


def test_in_the_film_the_bars_of_a_gradient_grow_during_its_step():
    laws = {"structured": {1: step_frame(1e-4), 2: step_frame(1e-5)}}
    film = gradient_film(laws, [0, 1, 2, 9, 202])
    assert film.times == [0, 0.25, 0.5], "nothing moves after the second step"
    for place, step in ((0, 1), (3, 2)):
        heights = film.changes["data", place, "y"]
        assert [row.any() for row in heights] == [at >= step for at in (0, 1, 2)]
        assert film.changes["data", place, "error_y", "visible"] == [at >= step for at in (0, 1, 2)]
    assert gradient_film({"structured": {1: step_frame(1e-4)}, "unstructured": {}}, [0, 1]) is None
    assert gradient_film(laws, [0, 1]) is None, "a run that goes on is not as far on the timeline"
    assert gradient_film(laws, []) is None


@pytest.mark.parametrize("star", [None, np.ones(64)])
def test_in_the_film_a_row_of_images_appears_at_its_step_and_the_last_one_goes_on(star):
    moments = {step: np.full((2, 64), 1.0 + step) * np.linspace(-1, 1, 64) ** (step + 1) for step in (0, 1, 2, 3, 9)}
    changes = images_film([0, 1, 2, 9], moments, star).changes
    assert changes["data", 1, "visible"] == [False, True, True, True, True]
    assert changes["data", 3, "visible"] == [False, False, False, True, True]
    assert [names[-1] for names in changes["layout", "yaxis", "ticktext"]] == ["", "", "", "step 3", "step 9"]
    drawn = digit_neurons({"now": moments[3]}, star, theme=THEMES[0]).figure.data[0]
    np.testing.assert_allclose(changes["data", 3, "z"][3], np.array(drawn.z, dtype=float), rtol=1e-5)
    assert images_film([0], moments, star) is None
