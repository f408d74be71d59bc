"""The films that lessons declare, against the pictures that they end in: what moves comes to what has been drawn."""

from dataclasses import replace

import numpy as np
import pytest
from app_pages import inline_service
from taken_runs import LESSONS, drawn, taken

from featdash.figures.film import Until, whole

FILMS = [(name, panel.name) for name, lesson in LESSONS.items() if lesson.film for panel in lesson.panels if panel.film]


@pytest.fixture(scope="module", autouse=True)
def _private_service(tmp_path_factory):
    with inline_service(tmp_path_factory.mktemp("home")):
        yield


def leaf(figure, path):
    """What stands there in a figure; None where nothing does."""
    place = figure
    for name in path:
        place = place.get(name) if isinstance(place, dict) else place[name]
        if place is None:
            return None
    return place


def as_numbers(values):
    """None, in a list of lists, as nan."""
    return np.array(values, dtype=object if values is None else None).astype(float)


def assert_ends_in(film, figure):
    drawn = whole(figure)
    for path, values in film.changes.items():
        if isinstance(values, Until):
            known = [x for x in leaf(drawn, path)["x"] if x is not None]
            assert values.places[-1] >= max(known) * (1 - 1e-6), path
        elif path[-1] == "visible":
            assert values[-1] is (leaf(drawn, path) is not False), path
        elif isinstance(values, np.ndarray):
            end = 0 if leaf(drawn, path) is None else leaf(drawn, path)  # a note without a shift stands where it is
            np.testing.assert_allclose(values[-1], as_numbers(end), rtol=1e-5, atol=1e-8, err_msg=str(path))
        else:
            end = leaf(drawn, path)
            assert values[-1] == (list(end) if isinstance(end, tuple) else end), path


def panel_of(name, panel):
    return next(one for one in LESSONS[name].panels if one.name == panel)


def film_and_figure(name, panel, view):
    one = panel_of(name, panel)
    picture = one.draw(view)
    return one.film(view, picture), picture.figure


@pytest.mark.parametrize(("name", "panel"), [one for one in FILMS if one[0] != "ablation"])
def test_a_film_ends_in_the_picture_that_was_drawn(name, panel):
    picture = drawn(name)[panel]
    film, figure = panel_of(name, panel).film(taken(name).view, picture), picture.figure
    assert list(film.times) == sorted(film.times)
    assert film.changes
    assert_ends_in(film, figure)


@pytest.mark.parametrize(
    ("name", "panel", "options"),
    [
        ("emergence", "emergence-neurons", {"folded": True}),
        ("recovery", "recovery-neurons", {"flat": True}),
        ("recovery", "recovery-neurons", {"window": "stages 1–2"}),
    ],
)
def test_so_it_does_in_the_other_views_of_the_picture(name, panel, options):
    view = taken(name).view
    assert_ends_in(*film_and_figure(name, panel, replace(view, options=replace(view.options, **options))))


@pytest.mark.parametrize("variant", ["intact", "small_start", "biases_not_drawn"])
def test_of_the_lines_of_the_algorithm_those_move_that_take_steps(variant):
    view = taken("ablation").view
    moving = {}
    for line in range(1, 6):
        film, figure = film_and_figure(
            "ablation", "ablation-line", replace(view, options=replace(view.options, line=line, variant=variant))
        )
        if film:
            assert_ends_in(film, figure)
            moving[line] = (film.times[0], film.times[-1])
    assert moving == {2: (0, 1), 4: (1, 2)}
