"""The pictures of `emergence`."""

import math

import numpy as np
from alt_claims import quoted, says, value
from hypothesis import strategies as st
from picture_case import EXTREME, LOOK, case, judge_course, numbers, one_of, positive, signed, sizes, some

from featdash.figures.picture import METHODS
from featdash.lessons.emergence.frames import FixedFeatures, GradientComponents, Neurons
from featdash.lessons.emergence.pictures.accuracy import Course, Curve, accuracy_curves, name_of
from featdash.lessons.emergence.pictures.clusters import cluster_maps, cosine_histogram
from featdash.lessons.emergence.pictures.dictionary import gradient_components, hinge_bound
from featdash.lessons.emergence.pictures.digits import digit_neurons
from featdash.lessons.emergence.pictures.mixture import STYLES as KINDS
from featdash.lessons.emergence.pictures.mixture import accuracies, both_kinds


@case(accuracy_curves)
def _(draw):
    laws = one_of(draw, ("",), ("structured",), ("structured", "unstructured"))
    courses = {}
    for law in laws:
        curves = {}
        for name in some(draw, ("network", "random_features", "ntk", "linear")):
            at = range(draw(st.integers(0, 5)))
            curves[name] = Curve(at, [draw(st.floats(0, 1)) for _ in at])
        courses[law] = Course(curves, Curve())
    picture = accuracy_curves(courses, 202, theme=LOOK)
    begun = 0
    for law, course in courses.items():
        part = picture.alt.split(f"on {law} inputs")[-1].split(";")[0] if law else picture.alt
        for name, curve in course.curves.items():
            if len(curve.at):
                begun += 1
                says(f"# for {name_of(name)}", part, curve.accuracy[-1])
                says(
                    "at step #",
                    part.split(f"for {name_of(name)}")[-1] if part.count("step") > 1 else part,
                    curve.at[-1],
                )
    assert bool(begun) == ("No method" not in picture.alt)
    ends = {law: course.curves.get("network", Curve()) for law, course in courses.items()}
    for law, curve in ends.items():
        if len(curve.at):
            says(f"# {law} (step #)".replace("  ", " "), picture.headline, curve.accuracy[-1], curve.at[-1], decimals=2)
    assert picture.headline.count("step") == sum(len(curve.at) > 0 for curve in ends.values())
    return picture


@case(digit_neurons)
def _(draw):
    count = draw(st.integers(1, 3))
    rows = {name: signed(draw, 64 * count, (0.0, 1.0, 2.0)).reshape(count, 64) for name in ("untrained", "step 2")}
    picture = digit_neurons(rows, one_of(draw, None, np.ones(64)), theme=LOOK)
    for name, images in rows.items():
        if count > 1:
            unit = [image / (np.linalg.norm(image) or 1) for image in images]
            pairs = [abs(a @ b) for i, a in enumerate(unit) for b in unit[:i]]
            says(f"# for «{name}»", picture.alt, np.mean(pairs), decimals=2)
            when = f"at {name}" if name.startswith("step") else name
            says(f"# {when}", picture.headline, np.mean(pairs), decimals=2)
    assert bool(picture.headline) == (count > 1)
    return picture


def components(draw, ratio):
    return GradientComponents(signed(draw, 2), numbers(draw, 2), signed(draw, 4), 0.1, ratio)


@case(gradient_components)
def _(draw):
    laws = {}
    for law in one_of(draw, ("structured",), ("structured", "unstructured")):
        laws[law] = {step: components(draw, positive(draw, 1, EXTREME)[0]) for step in some(draw, (1, 2), most=2)}
    if not any(laws.values()):
        laws["structured"] = {1: components(draw, math.inf)}
    picture = gradient_components(laws, theme=LOOK)
    for law, taken in laws.items():
        for step, frame in taken.items():
            says(f"# on {law} inputs at step {step}", picture.alt, frame.signal_to_noise, decimals=None)
    return picture


@case(hinge_bound)
def _(draw):
    methods = {}
    for name in some(draw, ("random_features", "linear", "ntk")):
        count, size = draw(st.integers(1, 4)), one_of(draw, 1, 100, 600)
        methods[name] = FixedFeatures(numbers(draw, count), numbers(draw, count, EXTREME), size)
    stated = draw(st.booleans())
    picture = hinge_bound(methods, 0.5, 5, theme=LOOK, stated=stated)
    for name, one in methods.items():
        says(f"# for {METHODS[name].label}", picture.alt, min(one.hinge), decimals=2)
        if stated:
            vanishing = 32 / math.sqrt(2 * one.size)
            found = quoted(f"for {METHODS[name].label} (the bound says nothing from B = #", picture.alt)
            assert abs(value(found[0]) / vanishing - 1) < 0.06
    return picture


def clustered(draw, count=5):
    points = signed(draw, 2 * count, (0.0, 0.5, 1.0)).reshape(count, 2)
    stress, sides = positive(draw, 1)[0], np.resize([1, -1, 0], count)
    cosine = draw(st.sampled_from((0.0, 0.2, 0.20001, 1.0)) | st.floats(0, 1))
    dead, histogram = draw(st.integers(0, 2)), np.resize([0, 3], 4)
    stars = np.array([[1.0, 0.0], [-1.0, 0.0]])
    return Neurons(points, stars, stress, points, stars[:1], 0.1, sides, dead, histogram, cosine)


@case(cluster_maps)
def _(draw):
    panels = {name: clustered(draw) for name in ("unstructured, step 2", "structured, step 2")}
    untrained = clustered(draw)
    picture = cluster_maps(panels, "Σ", theme=LOOK, untrained=untrained, folded=draw(st.booleans()))
    for name, panel in {"untrained": untrained, **panels}.items():
        says(f"# for «{name}»", picture.alt, panel.median_abs_cos)
        says(f"# {name}", picture.headline, panel.median_abs_cos, decimals=2)
    return picture


@case(cosine_histogram)
def _(draw):
    panels = {
        name: (clustered(draw), clustered(draw))
        for name in one_of(draw, ("structured",), ("structured", "unstructured"))
    }
    picture = cosine_histogram(panels, "Σ", theme=LOOK)
    for part, (name, ends) in zip(picture.alt.split("» and "), panels.items(), strict=True):
        assert name in part
        judge_course(part, *(end.median_abs_cos for end in ends))
    return picture


@case(accuracies)
def _(draw):
    steps, runs = sizes(draw, start=1), draw(st.integers(1, 3))
    names = some(draw, KINDS, least=1)
    shape = len(steps), runs
    courses = {name: np.minimum(numbers(draw, shape[0] * runs), 1).reshape(shape) for name in names}
    majority = one_of(draw, None, 0.23)
    picture = accuracies(steps, courses, majority, 1000, theme=LOOK)
    says("After step # the", picture.alt, steps[-1])
    ends = {KINDS[name].label: values[-1].mean() for name, values in courses.items()}
    for label, value_at_end in ends.items():
        says(f"# for {label}", picture.alt, value_at_end, decimals=2)
    assert ("commonest" in picture.alt) == (majority is not None)
    assert bool(picture.headline) == ({"digits", "gaussian"} <= set(names))
    if picture.headline:
        both = [ends[KINDS[name].label] for name in ("digits", "gaussian")]
        says("Right classes after step #: # on digits, # on Gaussian", picture.headline, steps[-1], *both, decimals=2)
    return picture


@case(both_kinds)
def _(draw):
    images = {name: signed(draw, 64).reshape(1, 64) for name in ("digits", "Gaussian")}
    picture = both_kinds(images["digits"], images["Gaussian"], numbers(draw, 64), theme=LOOK)
    for name, one in images.items():
        left, right = one.reshape(8, 8)[:, :-1].ravel(), one.reshape(8, 8)[:, 1:].ravel()
        with np.errstate(invalid="ignore", divide="ignore"):
            true = np.corrcoef(left, right)[0, 1]
        says(f"# for {name} inputs", picture.alt, true if np.isfinite(true) else 0.0, decimals=2)
    return picture
