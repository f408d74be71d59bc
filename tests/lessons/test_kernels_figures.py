"""The pictures on kernels state their findings in the numbers given, with theory where its formulas put it."""

import functools
import math
import re
from dataclasses import replace

import numpy as np
import pytest
from picture_contract import check_picture

from featdash.figures.picture import METHODS, Theme
from featdash.figures.text import duration
from featdash.lessons.adaptivity.pictures import Row, adaptivity_table
from featdash.lessons.dimension.pictures import (
    Demand,
    dimension_reach,
    error_growth,
    growth_film,
    reach_film,
    samples_asked,
)
from featdash.lessons.shared.frames import ErrorCurve
from featdash.lessons.shared.pictures.errors import Prediction, Theory, error_curves
from featdash.lessons.smoothness.frames import FixedCurves
from featdash.lessons.smoothness.pictures import (
    STYLES,
    Fits,
    RateCurves,
    Target,
    error_rates,
    jump_fit,
    near_and_elsewhere,
    training_film,
)
from featdash.lessons.solvers.pictures import (
    FAR,
    Line,
    Timings,
    residual_curve,
    solver_reach,
    solver_times,
)
from featdash.theory.predictions import lipschitz_error, lipschitz_reach, lipschitz_samples

THEMES = (Theme("light"), Theme("dark"))
DIMS = (4, 10, 30, 100)
CURVES = {
    "rbf": ErrorCurve(np.array(DIMS), np.array([0.01, 0.011, 0.012, 0.013]), np.full(4, 0.009), np.full(4, 0.02)),
    "network": ErrorCurve(np.array(DIMS), np.array([0.01, 0.1, 0.5, 0.9]), np.full(4, 0.009), np.full(4, 1.0)),
}
X = np.linspace(-1, 1, 801)
FIXED = FixedCurves(X, np.sign(X), X[::2], X[::2], kernel=np.sign(X) + 0.5)
FITS = Fits(FIXED, np.tanh(9 * X), "polynomial")
WHERE = {
    "polynomial": {"near": 0.35, "elsewhere": 0.01, "overshoot": 0.4, "rise": 0.1},
    "network": {"near": 0.3, "elsewhere": 0.002, "overshoot": 0.1, "rise": None},
}
RATES = {
    target: RateCurves([25, 100, 400], {name: [scale, scale / 3, scale / 9] for name in ("laplace", "network")})
    for target, scale in (("heaviside", 0.1), ("smooth", 0.03))
}
EXPONENTS = {"heaviside": {"laplace": -0.5, "network": -0.4}, "smooth": {"laplace": -1.19, "network": -1.0}}
SIZES = [700, 1400, 2800, 5600]
LINES = {"direct": Line(3, 1e10, 0.9e10, 1.2e10), "richardson": Line(2, 1e5, 1e5, 1e5)}
SLOPES = {"direct": 3, "richardson": 2}
TIMINGS = Timings(SIZES, {name: [line.at(n) for n in SIZES] for name, line in LINES.items()})
ROWS = (
    Row(
        "Support",
        "error<br>d = 4 → 100",
        {"rbf": "0.01 → 0.02", "network": "0.1 → 0.9", "ntk": "0.1 → 0.3"},
        {"rbf": True, "network": False, "ntk": None},
    ),
    Row("Cost", "seconds", {"rbf": "n<sup>3</sup>"}, {}, {"network": "no matrix"}),
)


D = np.geomspace(4, 100, 400)
RATE = Prediction("rate", D, lipschitz_error(500, D), "dash")
THEORY = Theory([RATE], [(20.0, "d² = n")])
CROSSING = [(35.0, "d² = n")]
TARGETS = {"heaviside": Target("jump", -0.5), "smooth": Target("smooth", -1.0)}
ASKED = Demand([1, 2, 20], lipschitz_samples(0.25, [1, 2, 20]))
PICTURES = {
    "errors": lambda theme: error_curves(CURVES, DIMS, theme=theme, title="Error", theory=THEORY),
    "no errors yet": lambda theme: error_curves({}, DIMS, theme=theme, title="Error"),
    "growth": lambda theme: error_growth(CURVES, DIMS, theme=theme, lines=[(1.0, "flat")]),
    "reach": lambda theme: dimension_reach({"rbf": 9.3, "network": None}, DIMS, 0.25, theme=theme, lines=CROSSING),
    "samples": lambda theme: samples_asked(ASKED, 500, 0.25, {"rbf": 6.4}, theme=theme),
    "no reach yet": lambda theme: samples_asked(Demand([1, 20], [8, 4e6]), 500, 0.25, {"rbf": None}, theme=theme),
    "fits": lambda theme: jump_fit(FITS, theme=theme),
    "fits near": lambda theme: jump_fit(replace(FITS, kernel="rbf", step=100.0), theme=theme, window=0.25),
    "where": lambda theme: near_and_elsewhere(WHERE, 0.1, theme=theme),
    "rates": lambda theme: error_rates(RATES, SIZES, EXPONENTS, theme=theme, targets=TARGETS),
    "rates so far": lambda theme: error_rates({}, SIZES, None, theme=theme, targets=TARGETS),
    "seconds": lambda theme: solver_times(TIMINGS, SLOPES, theme=theme, last=5600),
    "first second": lambda theme: solver_times(
        Timings([700], {"direct": [0.01], "richardson": [1e-4]}), SLOPES, theme=theme, last=5600, busy=True
    ),
    "extrapolated": lambda theme: solver_reach(TIMINGS, LINES, theme=theme),
    "disturbed": lambda theme: solver_reach(TIMINGS, {}, theme=theme),
    "residual": lambda theme: residual_curve(range(1001), np.geomspace(1, 1e-17, 1001), 5600, theme=theme),
    "table": lambda theme: adaptivity_table(ROWS, ("rbf", "network", "ntk"), theme=theme),
}


@functools.cache
def drawn(name, theme=THEMES[0]):
    return PICTURES[name](theme)


def trace_of(name, label):
    return next(trace for trace in drawn(name).figure.data if trace.name == label)


@pytest.mark.parametrize("theme", THEMES, ids=str)
@pytest.mark.parametrize("name", PICTURES)
def test_every_picture_says_what_it_shows(name, theme):
    check_picture(drawn(name, theme), theme)


def test_least_error_and_samples_are_inverse_to_each_other():
    for d in (1, 2, 7, 20):
        assert lipschitz_samples(float(lipschitz_error(500, d)), d) == pytest.approx(500)
    assert lipschitz_reach(500, float(lipschitz_error(500, 7))) == pytest.approx(7)
    assert lipschitz_samples(0.25, 8) == pytest.approx(1024)  # 4^5


def test_growth_and_finding_are_the_ratio_of_the_ends():
    picture = drawn("growth")
    assert picture.table["factor"] == pytest.approx([1.3, 90.0])
    assert "1.3 for Gaussian kernel, 90 for network" in picture.alt
    finding = drawn("errors").alt
    assert "Gaussian kernel stays flat" in finding
    assert "network rises from 0.01 at d = 4 to 0.9 at d = 100" in finding


def test_reach_beyond_the_last_dimension_is_said_to_be_so():
    assert drawn("reach").table["reach"] == ["9.3", "beyond 100"]


def test_extrapolation_is_dashed_and_begins_where_the_measurements_end():
    for name, trace in ((name, trace_of("extrapolated", f"{label}, extrapolated")) for name, label in LABELS.items()):
        assert trace.line.dash == "dash"
        assert list(trace.x) == [SIZES[-1], FAR]
        slope = math.log(trace.y[1] / trace.y[0]) / math.log(trace.x[1] / trace.x[0])
        assert slope == pytest.approx(LINES[name].exponent, abs=1e-4)
    picture = drawn("extrapolated")
    assert any(note.text == "extrapolated" for note in picture.figure.layout.annotations)
    assert picture.table["extrapolated"].count(True) == len(LINES)
    assert "nobody measured" in picture.alt


LABELS = {"direct": "direct solve", "richardson": "one Richardson step"}


def test_lines_of_known_slope_have_it():
    for slope in (2, 3):
        trace = trace_of("seconds", f"{LABELS['direct' if slope == 3 else 'richardson']}, slope {slope}")
        assert trace.y[1] == pytest.approx(TIMINGS.seconds["direct" if slope == 3 else "richardson"][-1], rel=1e-4)
        assert math.log(trace.y[1] / trace.y[0]) / math.log(trace.x[1] / trace.x[0]) == pytest.approx(slope, abs=1e-4)
    trace = trace_of("rates", "slope −0.5")
    assert math.log(trace.y[1] / trace.y[0]) / math.log(trace.x[1] / trace.x[0]) == pytest.approx(-0.5, abs=1e-4)


@pytest.mark.parametrize(
    ("low", "high", "text"),
    [
        (1.0, 1.0, "1 s"),
        (61, 89, "60–90 s"),
        (6.9e9, 8.0e9, "200–300 years"),
        (32_776, 37_996, "9–10 hours"),
        (37_000, 37_100, "10 hours"),
        (3e7, 8e7, "1–3 years"),
    ],
)
def test_a_range_has_one_digit_in_a_persons_units(low, high, text):
    assert duration(low, high) == text


def test_disturbed_times_are_said_to_be_and_give_no_years():
    picture = drawn("disturbed")
    for words in (picture.alt, picture.figure.layout.title.text):
        assert "disturbed" in words
    assert not any(picture.table["extrapolated"])
    assert "years" not in str(picture.figure)
    assert "disturbed" in drawn("first second").alt


@pytest.mark.parametrize("name", [name for name in PICTURES if name != "table"])
def test_what_a_pointer_meets_has_a_name_and_its_quantities(name):
    for trace in drawn(name).figure.data:
        assert trace.name
        if trace.hoverinfo != "skip":
            assert trace.name.split(",")[0] in trace.hovertemplate
            assert "<extra></extra>" in trace.hovertemplate
            assert not re.search(r"<br>%\{|: %\{", trace.hovertemplate.replace("<br>%{customdata}", ""))


def test_words_follow_the_numbers():
    over = {"rbf": {"near": 0.1, "elsewhere": 0.1, "overshoot": -0.029, "rise": None}}
    assert "stays 0.029 below" in near_and_elsewhere(over, 0.1, theme=THEMES[0]).alt
    reach = drawn("reach").alt
    assert (
        reach == "The error passes 0.25 at d = 9.3 for Gaussian kernel; it stays below 0.25 up to d = 100 for network."
    )
    ended = drawn("no reach yet").alt
    assert "The error stays below 0.25 up to d = 20 for Gaussian kernel." in ended
    waiting = samples_asked(Demand([1, 20], [8, 4e6]), 500, 0.25, {}, theme=THEMES[0]).alt
    assert "The run goes on." in waiting
    error = np.array([0.05, 0.08])
    curve = ErrorCurve(np.array([4, 100]), error, error, error)
    told = error_curves({"network": curve}, (4, 100), theme=THEMES[0], title="Error").alt
    assert "rises from 0.05 at d = 4 to 0.08 at d = 100, by a factor of 1.6" in told


def test_notes_on_log_axes_stand_at_their_values():
    figure = drawn("errors").figure
    note = next(note for note in figure.layout.annotations if note.text == "d² = n")
    assert 10**note.x == pytest.approx(20.0)
    figure = drawn("samples").figure
    note = next(note for note in figure.layout.annotations if note.text == "n = 500 here")
    assert 10**note.y == pytest.approx(500)


def test_fit_errors_are_told_as_measured():
    assert "0.25 for polynomial kernel" in drawn("fits").alt  # everywhere half off


def test_polynomial_kernel_is_told_apart_from_all_methods():
    for part in ("colour", "dash", "marker", "glyph", "label"):
        assert getattr(STYLES["polynomial"], part) not in {getattr(style, part) for style in METHODS.values()}


def test_marks_and_shades_follow_the_verdicts():
    picture = drawn("table")
    fills = picture.figure.data[0].cells.fill.color
    yes, no, undecided, blank = fills[2][0], fills[3][0], fills[4][0], fills[2][1]
    assert len({yes, no, undecided, blank}) == 4
    assert blank == THEMES[0].paper
    assert "for Support: Gaussian kernel (undecided: NTK)" in picture.alt
    assert picture.table["Gaussian kernel"] == ["✓ 0.01 → 0.02", "n^3"]
    assert picture.table["network, all layers trained"] == ["✗ 0.1 → 0.9", "not measured: no matrix"]
    assert picture.table["NTK"] == ["~ 0.1 → 0.3", "not measured"]


def test_in_the_film_an_error_has_grown_as_far_as_the_dimension_has_come():
    figure = error_growth(CURVES, DIMS, theme=THEMES[0]).figure
    changes = growth_film(figure, CURVES, DIMS).changes
    np.testing.assert_allclose(changes["data", 1, "x"], [[1, 1], [1, 10], [1, 50], [1, 90]])
    assert changes["data", 1, "text"][2] == ["", "× 50"]
    assert changes["layout", "title", "text"][1] == "Error at d = 10 over that at d = 4"
    assert growth_film(figure, CURVES, (4,)) is None


def test_in_the_film_a_bar_stops_where_its_error_passes_the_level_and_then_has_its_number():
    reached = {"rbf": 9.3, "network": None}
    changes = reach_film(dimension_reach(reached, DIMS, 0.25, theme=THEMES[0]).figure, reached, DIMS).changes
    np.testing.assert_allclose(changes["data", 0, "x"][:, 1], [4, 9.3, 9.3, 9.3])
    np.testing.assert_allclose(changes["data", 1, "x"][:, 1], DIMS)
    assert [text for _, text in changes["data", 0, "text"]] == ["", "9.3", "9.3", "9.3"]
    assert [text for _, text in changes["data", 1, "text"]] == ["", "", "", "beyond 100"]


def test_in_the_film_of_the_fits_the_network_bends_on_axes_that_hold_all_of_it():
    training = [3 * FITS.network, FITS.network]
    figure = jump_fit(replace(FITS, training=training), theme=THEMES[0]).figure
    changes = training_film(figure, FITS.fixed.x, training, [0, None], 1.0).changes
    assert figure.layout.yaxis.range[1] > np.max(training)
    network = [index for index, trace in enumerate(figure.data) if trace.name.startswith("network")]
    (curve,), (name,) = (
        network,
        [index for index, note in enumerate(figure.layout.annotations) if "network" in note.text],
    )
    np.testing.assert_allclose(changes["data", curve, "y"][:, -1], changes["layout", "annotations", name, "y"])
    assert changes["layout", "title", "text"] == ["The fits, network at step 0", "The fits"]
