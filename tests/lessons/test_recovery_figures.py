"""Pictures of a recovery: stages in their places, masses as areas, the teacher's directions as they are."""

import functools
import re
from dataclasses import replace

import numpy as np
import pytest
from picture_contract import check_picture

from featdash.figures.picture import Theme
from featdash.figures.streams import Frames
from featdash.lessons.recovery.frames import Rows, ShownNeurons, Students, TeacherDirections
from featdash.lessons.recovery.lesson import Options, on_show
from featdash.lessons.recovery.pictures.teacher_space import Scene, teacher_space
from featdash.lessons.recovery.pictures.timeline import STAGE_3, WINDOWS, StepAxis, recovery_timeline, stage_places
from featdash.recipes.events import Frame

THEMES = (Theme("light"), Theme("dark"))
STEPS = 20_000


def rows(r=3, count=280):
    step = np.concatenate([[0, 1, 2], 2 + np.geomspace(1, STEPS, count).round()])
    loss = np.geomspace(0.2, 2e-8, len(step))
    lam = np.where(step > 2, 0.01 * 0.3 ** np.floor(5 * step / STEPS), 0)
    cosine = np.linspace(0.3, 1, len(step))
    columns = {"step": step, "stage": np.minimum(step, 3), "lam": lam, "loss": loss, "train": loss}
    columns |= {"nearest": np.tile(cosine[:, None], r), "mass_weighted_cosine": cosine, "mass": cosine}
    columns |= {"alive": np.full(len(step), 100), "cancelling": np.linspace(140, 0, len(step)).round()}
    columns |= {"stop_loss": loss + 0.003, "stop_mass_weighted_cosine": cosine}
    return Rows(**columns, stop_cancelling=np.full(len(step), 144))


def first(count):
    return Rows(**{name: column[:count] for name, column in vars(rows()).items()})


def draw(columns, log=True, window="all", at=None, theme=THEMES[0]):
    return recovery_timeline(columns, StepAxis(STEPS, log, window, at), theme=theme)


def scene(r, m=40):
    rng = np.random.default_rng(r)
    k = min(r, 3)
    stars = np.linalg.qr(rng.standard_normal((max(r, k), max(r, k))))[0][:, :k]
    points = rng.standard_normal((m, k))
    points /= np.linalg.norm(points, axis=1, keepdims=True)
    neurons = ShownNeurons(points, rng.uniform(0, 1, m), rng.choice([-1, 0, 1], m))
    return TeacherDirections(np.resize([1, -1], r), stars), Students(neurons, neurons)


PICTURES = {
    f"{window}, log {log}": lambda theme, window=window, log=log: draw(rows(), log, window, 2, theme)
    for window in WINDOWS
    for log in (True, False)
}
PICTURES |= {f"r = {r}": lambda theme, r=r: teacher_space(Scene(*scene(r), True), theme=theme) for r in (2, 3, 5)}
PICTURES |= {
    "first row": lambda theme: draw(first(1), theme=theme),
    "flat": lambda theme: teacher_space(Scene(*scene(3), False), theme=theme, flat=True),
}


@functools.cache
def drawn(name, theme=THEMES[0]):
    return PICTURES[name](theme)


@pytest.mark.parametrize("theme", THEMES, ids=str)
@pytest.mark.parametrize("name", PICTURES)
def test_every_picture_says_what_it_shows(name, theme):
    check_picture(drawn(name, theme), theme)


@pytest.mark.parametrize("log", [True, False])
def test_every_stage_has_its_own_stretch_of_the_axis(log):
    places = stage_places([0, 1, 2, 3, 100, 2 + STEPS], STEPS, log)
    np.testing.assert_allclose(places[:3], [0, 1, 2])
    assert np.all(np.diff(places) > 0)
    assert places[-1] == pytest.approx(2 + STAGE_3)


def test_linear_places_are_proportional_to_the_steps_of_stage_3():
    half, end = stage_places([2 + STEPS / 2, 2 + STEPS], STEPS, log=False) - 2
    assert half == pytest.approx(end / 2)


def test_the_axis_stands_still_while_the_run_grows_and_only_steps_are_brushed():
    early, late = (draw(part).figure.layout for part in (first(4), rows()))
    assert early.xaxis3.range == late.xaxis3.range
    assert early.xaxis3.tickvals == late.xaxis3.tickvals
    assert late.dragmode == "zoom"
    assert all(axis.fixedrange for axis in (late.yaxis, late.yaxis2, late.yaxis3))


def test_each_drop_of_the_weight_decay_is_marked():
    columns = rows()
    drops = len(set(columns.lam[columns.step > 2])) - 1
    figure = draw(columns, log=False).figure
    dotted = {shape.x0 for shape in figure.layout.shapes if shape.line.dash == "dot"}
    assert len(dotted) == drops > 0


def test_training_loss_is_drawn_only_where_it_is_another():
    same, other = rows(), replace(rows(), train=2 * rows().loss)
    counts = [len(draw(columns).figure.data) for columns in (same, other)]
    assert counts[1] == counts[0] + 1


def test_areas_of_neurons_are_their_masses():
    teacher, neurons = scene(2)
    neurons.go.mass[:] = np.linspace(0.2, 1, len(neurons.go.mass))
    traces = teacher_space(Scene(teacher, neurons, True), theme=THEMES[0]).figure.data
    (going,) = [trace for trace in traces if trace.mode == "markers" and trace.xaxis == "x2"]
    sizes, masses = np.array(going.marker.size), np.array([mass for mass, *_ in going.customdata])
    assert len(sizes) == len(neurons.go.mass)
    np.testing.assert_allclose(sizes**2 / sizes.max() ** 2, masses / masses.max(), rtol=1e-4)


@pytest.mark.parametrize(("r", "flat", "kind"), [(2, False, "scatter"), (3, False, "scatter3d"), (3, True, "scatter")])
def test_two_directions_are_drawn_in_the_plane_and_three_in_space(r, flat, kind):
    figure = teacher_space(Scene(*scene(r), True), theme=THEMES[0], flat=flat).figure
    assert {trace.type for trace in figure.data} == {kind}


@pytest.mark.parametrize(
    ("window", "step", "limit", "place"),
    [
        ("all", None, None, 9),
        ("all", 1.0, None, 1),
        ("stages 1–2", None, None, 2),
        ("stages 1–2", 9.0, None, 2),
        ("stages 1–2", 1.0, None, 1),
        ("stages 1–2", 9.0, 1, 0),
        ("stages 1–2", 1.0, 3, 2),
        ("stages 1–2", None, 0, None),
    ],
)
def test_neurons_stop_at_the_head_where_only_the_first_stages_are_shown(window, step, limit, place):
    frames = tuple(Frame("neurons", at, {}) for at in (0, 1, 2, 9))[:limit]
    now = on_show(Frames(Frame, frames, moves=limit is not None), Options(window, step=step))
    assert (now and now.at) == place


def test_directions_are_lines_only_where_a_neuron_and_its_opposite_are_one():
    teacher, neurons = scene(2)
    for lines, start in ((True, -teacher.stars[0, 0]), (False, 0.0)):
        rays = [t for t in teacher_space(Scene(teacher, neurons, lines), theme=THEMES[0]).figure.data if len(t.x) == 2]
        assert rays[0].x[0] == pytest.approx(start, abs=1e-5)
        assert rays[0].x[1] == pytest.approx(teacher.stars[0, 0], abs=1e-5)


def test_the_bound_on_the_nearest_cosines_is_never_above_the_least_of_them():
    nearest = np.tile(np.linspace(0.3, 0.99996, len(rows().step))[:, None], 3)
    notes = draw(replace(rows(), nearest=nearest)).figure.layout.annotations
    assert [note.text.partition("≥ ")[2] for note in notes if "nearest" in note.text] == ["0.999"]


def test_every_hover_says_in_words_what_it_tells():
    """Never a bare pair of numbers, nor «trace 0»."""
    for title in PICTURES:
        for trace in drawn(title).figure.data:
            if trace.hoverinfo != "skip":
                assert trace.hovertemplate.endswith("<extra></extra>"), title
                assert any(one.isalpha() for one in re.sub(r"%\{[^}]*\}|<[^>]*>", "", trace.hovertemplate)), title
