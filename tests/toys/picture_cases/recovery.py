"""The pictures of `recovery`."""

import re

import numpy as np
from alt_claims import NUMBER, quoted, says, value
from hypothesis import strategies as st
from picture_case import LOOK, case, numbers, one_of, positive, signed

from featdash.lessons.recovery.frames import Rows, ShownNeurons, Students, TeacherDirections
from featdash.lessons.recovery.pictures.teacher_space import Scene, teacher_space
from featdash.lessons.recovery.pictures.timeline import ALL, COSINE, COUNT, LOSS, StepAxis, recovery_timeline


@case(recovery_timeline)
def _(draw):
    step = [0, 1, 2, 12, 102][: draw(st.integers(1, 5))]
    names = ("loss", "train", "stop_loss", "mass_weighted_cosine", "stop_mass_weighted_cosine", "lam")
    rows = {"step": np.array(step), "stage": np.minimum(step, 3)} | {name: positive(draw, len(step)) for name in names}
    rows |= {name: np.clip(rows[name], 0, 1) for name in names if "cosine" in name}
    rows |= {"nearest": np.full((len(step), 2), 0.5)}
    rows |= {
        name: np.resize([0, 1, 7], len(step) + one_of(draw, 0, 1, 2))[-len(step) :] for name in ("alive", "cancelling")
    }
    rows |= {"stop_cancelling": rows["alive"], "mass": rows["loss"]}
    curves, axis = one_of(draw, ALL, LOSS, COSINE, COUNT), StepAxis(100, draw(st.booleans()))
    picture = recovery_timeline(Rows(**rows), axis, curves=curves, theme=LOOK)
    pairs = int(rows["cancelling"][-1])
    counted = {0: "no cancelling pairs", 1: "one cancelling pair"}.get(pairs, f"{pairs} cancelling pairs")
    losses = [rows["loss"][-1], rows["stop_loss"][-1]] if step[-1] > 2 else [rows["loss"][-1]]
    told = {ALL: {LOSS, "pair"}, COUNT: {"pair"}}.get(curves, {curves})
    assert {word for word in (LOSS, COSINE, "pair") if word in picture.headline} == told, "what is shown, and no more"
    assert (counted in picture.headline) == ("pair" in told)
    if LOSS in told:
        for text, loss in zip(re.findall(rf"loss ({NUMBER})", picture.headline), losses, strict=True):
            assert abs(value(text) / loss - 1) < 0.06
    if curves != ALL:
        assert picture.alt.startswith(picture.headline)
        return picture
    says(
        "At step # the loss is # going on and # stopping",
        picture.alt,
        step[-1],
        *(rows[name][-1] for name in ("loss", "stop_loss")),
        decimals=1,
    )
    goings = quoted("loss is # going on and # stopping", picture.alt)
    for text, name in zip(goings, ("loss", "stop_loss"), strict=True):
        assert abs(value(text) / rows[name][-1] - 1) < 0.06
    says("directions is #", picture.alt, rows["mass_weighted_cosine"][-1])
    assert counted in picture.alt
    return picture


@case(teacher_space)
def _(draw):
    r, count, lines = one_of(draw, 2, 3), draw(st.integers(1, 5)), draw(st.booleans())
    students, cosines = {}, {}
    for name in ("go", "stop"):
        points = signed(draw, count * r, (0.1, 0.5, 1.0)).reshape(count, r)
        points /= np.linalg.norm(points, axis=1, keepdims=True)
        mass = numbers(draw, count, (0.0, 1.0, 5.0)) * one_of(draw, 0, 1, 1)
        students[name] = ShownNeurons(points, mass, np.resize([1, -1, 0], count))
        best = (abs(points) if lines else points).max(axis=1)
        cosines[name] = sum(mass * best) / sum(mass) if mass.any() else None
    scene = Scene(TeacherDirections(np.ones(r), np.eye(r)), Students(**students), lines)
    picture = teacher_space(scene, theme=LOOK)
    for name, where in (("stop", "where the student stops"), ("go", "where it goes on")):
        short = {"stop": "stopping", "go": "going on"}[name]
        if cosines[name] is None:
            assert f"not defined {where}" in picture.alt
            assert short not in picture.headline
        else:
            says(f"# {where}", picture.alt, cosines[name])
            says(f"# {short}", picture.headline, cosines[name], decimals=2)
    return picture
