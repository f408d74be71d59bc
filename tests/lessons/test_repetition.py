"""«Look twice»: against a plain loop over neurons in d dimensions that shares nothing with it, and its counts."""

import numpy as np
import pytest

from featdash.figures.picture import Theme
from featdash.lessons.repetition.frames import Course, OverlapFrame
from featdash.lessons.repetition.pictures import course_film, overlap_course
from featdash.lessons.repetition.recipe import RepetitionSpec
from featdash.lessons.repetition.run import run
from featdash.recipes.events import Frame

FEW = {"time": 20, "squares": 2, "runs": 5}


def final(**settings):
    *_, result = run(RepetitionSpec(**settings))
    return result.summary


def frames(stream, **settings):
    events = [event for event in run(RepetitionSpec(**settings)) if isinstance(event, Frame)]
    return [event for event in events if event.stream == stream]


def plain_loop(activation, looks, d, samples, runs=400):
    """Median of |w·u| after so many samples: whole neurons, a fresh Gaussian input a step, γ and ρ as on the page."""
    rng = np.random.default_rng(11)
    gamma = 0.1 / d * (np.sqrt(80 / d) if looks == 1 else 1)
    W = rng.standard_normal((runs, d))
    W[:, 0] = 0  # u is the first axis
    W /= np.sqrt((W**2).sum(axis=1, keepdims=True))

    def gradients(V, X, y):
        a = (V * X).sum(axis=1)
        value, slope = (np.maximum(a, 0), a > 0) if activation == "relu" else (np.tanh(a), np.cosh(a) ** -2)
        return ((value - y) * slope)[:, None] * X

    for _ in range(samples):
        X = rng.standard_normal((runs, d))
        y = (X[:, 0] ** 3 - 3 * X[:, 0]) / 6**0.5
        at = W - 0.2 / d * gradients(W, X, y) if looks == 2 else W
        W = W - gamma * gradients(at, X, y)
        W /= np.sqrt((W**2).sum(axis=1, keepdims=True))
    return np.median(np.abs(W[:, 0]))


@pytest.mark.parametrize(
    ("activation", "looks", "name", "samples"),
    [
        ("relu", 1, "once", 16 * 16 * 5),
        ("tanh", 1, "tanh_once", 16 * 16 * 5),
        ("relu", 2, "twice", 16 * 60),
        ("tanh", 2, "tanh_twice", 16 * 60),
    ],
)
def test_the_medians_are_those_of_a_plain_loop(activation, looks, name, samples):
    """d = 16: 5 d² samples of one look, 60 d of two. Over seeds the median of 400 runs spreads by 0.01."""
    side = {"dims": (16,), "runs": 400, "time": 60, "squares": 5, "seed": 4}
    found = final(**side, activations=(activation,), looks=("once" if looks == 1 else "twice",))
    median = found["long_overlap" if looks == 1 else "overlap"][name]["16"]
    assert median == pytest.approx(plain_loop(activation, looks, 16, samples), abs=0.05)


def test_a_look_of_no_length_is_no_look_and_a_dimension_has_samples_of_its_own():
    same = final(dims=(8, 16), rho=0.0, shorter=False, **FEW)
    assert same["overlap"]["once"] == same["overlap"]["twice"]
    assert same["overlap"]["tanh_once"] == same["overlap"]["tanh_twice"]
    alone = final(dims=(16,), rho=0.0, shorter=False, **FEW)
    assert alone["overlap"]["once"]["16"] == same["overlap"]["once"]["16"]
    single = final(dims=(16,), shorter=False, looks=("once",), activations=("relu",), **FEW)
    assert single["overlap"] == {"once": alone["overlap"]["once"]}


def test_one_look_takes_shorter_steps_in_more_dimensions_and_two_looks_do_not():
    spec = RepetitionSpec()
    once, twice = (spec.variants[name] for name in ("tanh_once", "twice"))
    assert spec.rates(once, 80) == pytest.approx((0.1 / 80, 0.0))
    assert spec.rates(once, 320)[0] == pytest.approx(0.1 / 320 / 2)
    assert spec.rates(twice, 320) == pytest.approx((0.1 / 320, 0.2 / 320))
    assert RepetitionSpec(shorter=False).rates(once, 320)[0] == pytest.approx(0.1 / 320)


def test_the_frames_over_d_squared_have_one_look_alone_once_two_looks_have_ended():
    of = {"dims": (8, 32), **FEW}
    first, *_, last = [OverlapFrame.from_arrays(frame.arrays) for frame in frames("squares", **of)]
    assert set(first.overlap) == {"once", "twice", "tanh_once", "tanh_twice"}
    assert set(last.overlap) == {"once", "tanh_once"}
    assert not np.any(first.overlap["once"])
    lone = [OverlapFrame.from_arrays(frame.arrays) for frame in frames("squares", **of, looks=("twice",))]
    assert set(lone[-1].overlap) <= {"twice", "tanh_twice"}


def test_the_neurons_are_the_same_wherever_the_two_counts_meet():
    """d = 8: 2 d² samples are 16 d."""
    of = {"dims": (8,), "looks": ("once",), **FEW}
    linear = {frame.at: frame for frame in frames("overlaps", **of)}
    square = {frame.at: frame for frame in frames("squares", **of)}
    assert np.array_equal(linear[16.0].arrays["overlap/once"], square[2.0].arrays["overlap/once"])


def test_the_film_draws_each_curve_as_far_as_the_samples_go():
    """In units of its own axis: up to 20 d in the first phase, then, with one look alone, up to 2 d²."""
    n = np.arange(0, 3201, 80)
    courses = {name: {40: Course(n, np.zeros(len(n)))} for name in ("once", "twice")}
    figure = overlap_course(courses, 20, 2, theme=Theme()).figure
    film = course_film(figure, [0, 10, 20], [0, 1, 2])
    assert list(film.times) == [0, 0.5, 1, 1, 1.5, 2]
    reach = {
        (trace.name, trace.xaxis): film.changes[("data", index)].places.tolist()
        for index, trace in enumerate(figure.data)
    }
    assert reach["ReLU, one look, d = 40", "x2"] == [0, 0.25, 0.5, 0.5, 1, 2]
    assert reach["ReLU, one look, d = 40", "x"] == [0, 10, 20, 20, 40, 80]
    assert reach["ReLU, two looks, d = 40", "x2"] == [0, 0.25, 0.5, 0.5, 0.5, 0.5]
    assert max(figure.data[0].x) == 20, "the picture itself ends with its axis"


def test_the_first_crossing_of_a_half_lies_on_a_straight_line():
    course = Course(np.array([0, 10, 20, 30]), np.array([0.0, 0.4, 0.6, 0.3]))
    assert course.half == pytest.approx(15)
    assert Course(np.array([0, 10]), np.array([0.0, 0.49])).half is None


def test_the_headline_is_one_line_whoever_reaches_a_half():
    low, high = (Course(np.array([0, 640]), np.array([0.0, end])) for end in (0.4, 0.6))
    names = ("once", "twice", "tanh_once", "tanh_twice")
    for reached, said in (
        (names, "; two looks: ReLU 8 d, tanh 8 d"),
        (names[:1], ", one look: ReLU 0.1 d², tanh not yet; two"),
        ((), ", one look: none yet; two looks: none yet"),
    ):
        courses = {name: {64: high if name in reached else low} for name in names}
        headline = overlap_course(courses, 20, 2, theme=Theme()).headline
        assert said in headline
        assert len(headline) <= 90
