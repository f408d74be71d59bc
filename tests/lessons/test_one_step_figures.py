"""The pictures of «One step»: each states its finding, carries its numbers, has theory's marks where they belong."""

import functools

import numpy as np
import pytest
from picture_contract import check_picture

from featdash.figures.picture import METHODS, Theme
from featdash.figures.text import number
from featdash.lessons.ablation import pictures as variants
from featdash.lessons.ablation.pictures import DELETED, LINES, VARIANTS, listing
from featdash.lessons.ablation.recipe import LINES as SENTENCES
from featdash.lessons.degenerate.pictures import HEURISTIC, failure_alignment, failure_risks, gradient_against_noise
from featdash.lessons.shared.frames import LossCurve
from featdash.lessons.shared.pictures.gradient_terms import (
    error_against_dimension,
    error_against_samples,
    gradient_film,
    gradient_scatter,
    series_parity,
    term_bars,
)
from featdash.lessons.spectrum.frames import SpectrumFrame
from featdash.lessons.spectrum.pictures import spectrum_course, spike_and_bulk
from featdash.theory.gradient_series import gate_coefficients
from featdash.theory.target import resolve_target
from featdash.theory.theorems import theorem_1, theorem_2
from featdash.ui.page import theorem_card

THEMES = (Theme("light"), Theme("dark"))
N = np.geomspace(100, 100_000, 13)
DIMS, SIZES = [10, 20], [300, 1000, 3000]
RANKED = {
    name: {"excess_risk": 0.1 * k, "standard_error": 0.01, "alignment": 0.9} for k, name in enumerate(VARIANTS, 1)
}


def table(seed=0, filled=True):
    values = np.random.default_rng(seed).uniform(0.2, 1.0, (2, len(DIMS), len(SIZES)))
    if not filled:
        values[1, :, 1:] = np.nan
        values[0, 1, 2] = np.nan
    return values


RNG = np.random.default_rng(0)
GRADIENTS = RNG.normal(size=(3, 120, 3))
OF_AN_ODD_TARGET = np.zeros((40, 1)), np.zeros((40, 1)), RNG.normal(size=(40, 1))
ERRORS, GUIDE = RNG.uniform(0.9, 1.1, (6, 13)) * N**-0.5, N**-0.5
COURSE = np.sort(RNG.uniform(0.1, 3, (13, 20)), axis=1)[:, ::-1]
SPECTRUM = SpectrumFrame(COURSE[-1], RNG.uniform(0, 1, 20), RNG.uniform(0.1, 1, (5, 20)), 1.0, 0.8)
STAR, BIASES, SCALES = RNG.normal(size=10), RNG.normal(size=100), RNG.uniform(0.5, 2, 100)
HEADS = {name: LossCurve(N, N**-0.1) for name in VARIANTS}
Z = np.linspace(-3, 3, 41)
RISKS = {name: table(seed, filled=False) for seed, name in enumerate(("algorithm1", "random_features", "ntk"))}
PARTIAL, MARKS = table(3, filled=False), [31.6, 89.4]
PICTURES = {
    "scatter": lambda theme: gradient_scatter(*GRADIENTS, theme=theme, samples=1000),
    "scatter of an odd target": lambda theme: gradient_scatter(*OF_AN_ODD_TARGET, theme=theme, samples=1000),
    "samples": lambda theme: error_against_samples(
        N, ERRORS, theme=theme, from_leading=ERRORS + 0.3, guide=GUIDE, slope=(-0.48, -0.5)
    ),
    "samples, live": lambda theme: error_against_samples(N[:1], ERRORS[0, :1], theme=theme),
    "dimension": lambda theme: error_against_dimension(
        [10, 100], [0.3, 0.1], theme=theme, guide=[0.3, 0.1], slope=(-0.5, -0.5)
    ),
    "terms": lambda theme: term_bars([0, 0.25, 0.06], [np.inf, 450, 7000], 0.1, 0.05, theme=theme, n=1000),
    "no terms": lambda theme: term_bars([0, 0, 0], [np.inf] * 3, 0.1, 0.05, theme=theme, n=1000),
    "parity": lambda theme: series_parity(gate_coefficients(np.zeros(()), 6), [0, 0, 0.5, 0, 0.5], theme=theme),
    "bulk": lambda theme: spike_and_bulk(SPECTRUM, theme=theme, samples=1000, reach=(0.05, 4)),
    "course": lambda theme: spectrum_course(
        N, COURSE, GUIDE, 0.8 * GUIDE, theme=theme, rank=3, population=[3, 2, 1], at=1000.0, last=1e5
    ),
    "listing": lambda theme: listing(3, "biases_not_drawn", theme=theme),
    "bars": lambda theme: variants.result_bars(RANKED, "no_symmetry", theme=theme),
    "line 1": lambda theme: variants.linear_part(0.1, STAR, 0.05, theme=theme, is_off=True),
    "line 3": lambda theme: variants.hinges(
        (BIASES, SCALES), (np.zeros(100), SCALES), theme=theme, name="biases_not_drawn"
    ),
    "line 4": lambda theme: variants.head_curves(HEADS, "no_symmetry", theme=theme, last=1e5),
    "line 5": lambda theme: variants.predictor_profile(Z, Z**2, {"intact": Z**2, "no_symmetry": Z}, theme=theme),
    "risks": lambda theme: failure_risks(DIMS, SIZES, RISKS, MARKS, theme=theme),
    "risks and rescue": lambda theme: failure_risks(DIMS, SIZES, RISKS, MARKS, PARTIAL, theme=theme),
    "alignment": lambda theme: failure_alignment(DIMS, SIZES, table(), PARTIAL, [0.1, 0.05], theme=theme),
    "alignment and rescue": lambda theme: failure_alignment(
        DIMS, SIZES, table(), PARTIAL, [0.1, 0.05], MARKS, table(4, filled=False), theme=theme
    ),
    "gradient": lambda theme: gradient_against_noise(DIMS, SIZES, table(), [0.05, 0.02], theme=theme),
    "no gradient": lambda theme: gradient_against_noise(DIMS, SIZES, PARTIAL, [0.0, 0.0], theme=theme),
}


@functools.cache
def drawn(name, theme=THEMES[0]):
    return PICTURES[name](theme)


@pytest.mark.parametrize("theme", THEMES, ids=str)
@pytest.mark.parametrize("name", PICTURES)
def test_every_picture_says_what_it_shows(name, theme):
    check_picture(drawn(name, theme), theme)


@pytest.mark.parametrize("name", PICTURES)
def test_every_trace_has_a_name_and_says_it_under_the_pointer(name):
    for trace in drawn(name).figure.data:
        assert trace.name
        assert trace.hoverinfo == "skip" or trace.hovertemplate.endswith("<extra></extra>")
        if trace.hoverinfo != "skip":
            assert any(letter.isalpha() for letter in trace.hovertemplate.split("%{")[0].split("<br>")[0])


def test_mark_is_called_a_heuristic_for_correlational_queries_and_forbids_nothing():
    picture = drawn("risks")
    notes = [note for note in picture.figure.layout.annotations if "p/2" in note.text]
    assert len(notes) == len(DIMS)
    for note in notes:
        assert "heuristic" in note.text
        assert "correlational" in note.text
        assert note.font.color == HEURISTIC
    assert not [shape for shape in picture.figure.layout.shapes if shape.type == "rect"]
    assert "impossible" not in str(picture.figure.to_dict())


def test_rescue_has_a_style_and_a_place_in_the_sentence_of_its_own():
    risks = {"algorithm1": np.full((1, 2, 3), 0.9)}
    picture = failure_risks(DIMS, SIZES, risks, [], np.full((1, 2, 3), 0.03), theme=THEMES[0])
    assert "Algorithm 1 on the rescue 0.03 at d = 10, 0.03 at d = 20" in picture.alt
    styles = {(trace.name, trace.line.dash, trace.marker.symbol) for trace in picture.figure.data}
    assert len(styles) == len({name for name, *_ in styles}) == 2
    assert len({dash for _, dash, _ in styles}) == len({symbol for *_, symbol in styles}) == 2


def test_sentence_of_a_target_without_hessian_expects_no_spike():
    course = np.tile([0.5, 0.4, 0.3], (3, 1))
    alt = spectrum_course([100, 1000, 10_000], course, [1.0] * 3, [0.9] * 3, theme=THEMES[0], rank=0).alt
    assert "no singular values lie beyond the edge" in alt
    assert "none be expected" in alt
    one = spectrum_course([100, 1000, 10_000], course, [1, 1, 0.45], [0.9] * 3, theme=THEMES[0], rank=1).alt
    assert "one singular value lies beyond the edge" in one
    assert f"from n = {number(10_000)} on" in one


def test_every_variant_of_the_experiment_has_a_style_of_its_own_and_a_line_to_delete():
    assert list(VARIANTS) == list(SENTENCES)
    assert set(DELETED) == set(VARIANTS) - {"intact"}
    for part in ("colour", "dash", "marker", "glyph", "label", "hatch"):
        assert len({getattr(style, part) for style in VARIANTS.values()}) == len(VARIANTS)
    assert VARIANTS["intact"].colour == METHODS["algorithm1"].colour


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("line", range(1, 6))
def test_listing_marks_the_line_looked_at_and_replaces_the_deleted_one_only(line, variant):
    picture = listing(line, variant, theme=THEMES[0])
    texts = picture.table["line"]
    original = listing(line, "intact", theme=THEMES[0]).table["line"]
    changed = [row for row, (mine, theirs) in enumerate(zip(texts, original, strict=True)) if mine != theirs]
    assert changed == ([DELETED[variant][0]] if variant in DELETED else [])
    assert len(texts) == len(LINES) + 1
    band = picture.figure.layout.shapes[0]
    assert (band.y0 + band.y1) / 2 == -line
    pointed = [note.text for note in picture.figure.layout.annotations if note.text.startswith("▸")]
    assert len(pointed) == 1
    assert texts[line] in pointed[0]


def test_sentence_on_the_bulk_counts_what_lies_beyond_each_edge():
    values, share = np.array([3.0, 2.0, 0.5, 0.2]), np.array([0.99, 0.98, 0.1, 0.0])
    null = np.array([[0.4, 0.3, 0.2, 0.1]])
    picture = spike_and_bulk(
        SpectrumFrame(values, share, null, 0.6, 0.45), theme=THEMES[0], samples=100, reach=(0.05, 4)
    )
    assert "2 singular values lie beyond the edge" in picture.alt
    assert "at least 0.98" in picture.alt
    assert "3 lie beyond that of shuffled labels" in picture.alt
    dots = [trace for trace in picture.figure.data if trace.type == "scatter"]
    points = {trace.marker.symbol: [value for value in trace.x if value is not None] for trace in dots}
    assert points == {"circle": [3.0, 2.0], "circle-open": [0.5, 0.2]}


@pytest.mark.parametrize(
    ("edge", "shuffled", "place", "side"),
    [(0.2, 0.15, 0.2, "left"), (0.15, 0.2, 0.2, "left"), (8.0, 7.0, 7.0, "right"), (7.0, 8.0, 7.0, "right")],
)
def test_the_names_of_the_edges_stand_where_there_is_room(edge, shuffled, place, side):
    frame = SpectrumFrame(np.array([3.0]), np.array([0.9]), np.array([[0.3, 0.1]]), edge, shuffled)
    picture = spike_and_bulk(frame, theme=THEMES[0], samples=100, reach=(0.08, 10))
    notes = picture.figure.layout.annotations
    assert [note.text.partition(":")[0] for note in notes] == ["solid", "dotted"]
    assert [(10**note.x, note.xanchor) for note in notes] == [(pytest.approx(place), side)] * 2


def test_histogram_of_the_bulk_counts_singular_values_a_copy():
    null = np.random.default_rng(1).uniform(0.2, 1.0, (7, 20))
    values = null[0]
    picture = spike_and_bulk(
        SpectrumFrame(values, values, null, 1.0, 0.9), theme=THEMES[0], samples=100, reach=(0.05, 4)
    )
    bars = next(trace for trace in picture.figure.data if trace.type == "bar")
    assert sum(bars.y) == pytest.approx(20, rel=1e-4)


def test_an_odd_target_meets_only_zeros_and_an_even_one_does_not():
    for degree, vanishes in ((3, True), (4, False), (5, True)):
        energy = [0.0] * degree + [1.0]
        picture = series_parity(gate_coefficients(np.zeros(()), degree + 2), energy, theme=THEMES[0])
        met = [k for k, hit in zip(picture.table["k"], picture.table["met"], strict=True) if hit]
        assert met == [degree, degree + 2]
        assert ("all zero, so" in picture.alt and "not all" not in picture.alt) == vanishes


def test_terms_above_the_noise_are_named_in_words():
    alt = term_bars([0, 0.25, 0.06, 0.02], [np.inf, 1, 1, 1], 0.03, 0.01, theme=THEMES[0], n=1000).alt
    assert "the terms k = 1, 2 of the series are above" in alt
    assert (
        "k = 2 of the series is" in term_bars([0, 0, 0.06], [np.inf, np.inf, 1], 0.03, 0.01, theme=THEMES[0], n=10).alt
    )


def test_marks_of_theorem_2_stand_at_their_n_in_each_panel():
    risks = {"algorithm1": table(np.random.default_rng(0))}
    figure = failure_risks(DIMS, SIZES, risks, [31.6, 89.4], theme=THEMES[0]).figure
    marks = {shape.xref: shape.x0 for shape in figure.layout.shapes if shape.type == "line" and shape.x0 == shape.x1}
    assert marks == {"x": 31.6, "x2": 89.4}


def test_mean_of_a_half_filled_table_uses_what_is_measured():
    values = np.array([[[1.0, 0.5]], [[0.5, np.nan]]])
    picture = failure_risks([10], [100, 1000], {"ntk": values}, [], theme=THEMES[0])
    assert picture.table["excess risk"] == [0.75, 0.5]


def test_bend_of_a_neuron_without_bias_is_at_the_origin():
    picture = variants.hinges(
        (np.array([1.0, -1.0]), np.array([0.5, 0.5])),
        (np.zeros(2), np.ones(2)),
        theme=THEMES[0],
        name="biases_not_drawn",
    )
    position = np.array(picture.table["position"])
    assert abs(position[np.argmax(picture.table["biases stay 0"])]) <= 0.125 + 1e-9
    assert sorted(np.abs(position[np.array(picture.table["intact"]) > 0] * 0.5).round(1)) == [0.9, 1.1]


def test_card_has_every_condition_of_a_theorem_with_its_mark():
    target = resolve_target("transfer", 10)
    first, second = theorem_1(target, 1000, 100, 1.0), theorem_2(target, 1000)
    text = theorem_card.markdown(first)
    for condition in first.assumptions:
        assert f"{theorem_card.MARKS[condition.status]} **{condition.name}**" in text
    assert "not defined" in text
    assert f"**{31.6}**" in theorem_card.markdown(second)


def test_risks_and_alignments_share_their_axes_over_n():
    rng = np.random.default_rng(0)
    marks = [31.6, 89.4]
    risks = failure_risks(DIMS, SIZES, {"ntk": table(rng)}, marks, theme=THEMES[0]).figure
    parts = (table(rng), table(rng, False), [0.1, 0.05], marks)
    alignments = failure_alignment(DIMS, SIZES, *parts, theme=THEMES[0]).figure
    assert risks.layout.xaxis.range == alignments.layout.xaxis.range
    assert risks.layout.xaxis.range[0] < np.log10(min(marks))


def test_in_the_film_the_circles_alone_move_and_the_axes_hold_them_all():
    leading = np.linspace(-1, 1, 5)[:, None]
    moments = [3 * leading, leading]
    figure = gradient_scatter(leading, leading, moments[-1], theme=THEMES[0], samples=100, least=3.0).figure
    changes = gradient_film(figure, moments, [10, 100]).changes
    assert set(changes) == {("layout", "title", "text"), ("data", 1, "y")}
    assert figure.data[1].name == "n samples"
    np.testing.assert_array_equal(changes["data", 1, "y"], np.squeeze(moments))
    assert figure.layout.yaxis.range[1] > 3
