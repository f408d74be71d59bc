"""Every picture states its finding, names its axes, carries its numbers, and keeps to the palette."""

import functools
import re
import tomllib
from itertools import pairwise
from pathlib import Path

import numpy as np
import plotly.graph_objects as go
import pytest
from picture_contract import check_picture

from featdash.figures.axes import FINEST, MOST_TICKS, NUMBERS, columns, spread, value_axis, value_range
from featdash.figures.energy import target_energy
from featdash.figures.picture import METHODS, Theme
from featdash.figures.text import number
from featdash.learners.methods import RACING
from featdash.lessons.race.pictures.error_left import error_left
from featdash.lessons.race.pictures.learned import alignment_heatmap, lam_curve, profile
from featdash.lessons.race.pictures.risk import loss_curves
from featdash.lessons.shared.frames import LayerFrame, LossCurve
from featdash.lessons.shared.pictures.alignment_gauge import Alignment
from featdash.lessons.shared.pictures.neurons import neuron_map

ROOT = Path(__file__).resolve().parents[2]
THEMES = (Theme("light"), Theme("dark"))
STEPS = np.unique(np.geomspace(1, 10_000, 400).round())
HEADS = {
    method: LossCurve(STEPS, excess=end / STEPS + floor, train=end / STEPS + 0.1, holdout=end / STEPS + 1.0)
    for method, end, floor in (("algorithm1", 0.9, 0.05), ("random_features", 0.5, 0.51), ("ntk", 0.6, 0.47))
}
LAMS = np.geomspace(1e-6, 10, 50)
GRID = np.linspace(-3, 3, 41)
ENERGY = [0.0, 0.0, 0.5, 0.0, 0.5]


def panel(seed, rank=2):
    rng = np.random.default_rng(seed)
    stars = rng.uniform(-1, 1, (2 * rank, 2))
    points = rng.uniform(-1, 1, (30, 2))
    arrays = {"points": points, "stars": stars, "stress": np.array(0.2), "angles": np.array([10.0, 50.0])[:rank]}
    arrays |= {"points_folded": points, "stars_folded": stars[::2], "stress_folded": np.array(0.3)}
    arrays |= {"share": rng.uniform(0, 1, 30), "sign": rng.choice([-1, 1], 30), "alignment": 0.5}
    return LayerFrame.from_arrays(arrays | {"overlap": rng.uniform(0, 1, (rank, rank + 2))})


LEFT = {method: np.append(np.array(ENERGY) * share, 0.05) for method, share in zip(HEADS, (0.1, 0.5, 0.4), strict=True)}
RIDGES = {method: np.full(len(LAMS), 0.5) + LAMS for method in HEADS}
RISKS = ("excess", "holdout", "train")
PICTURES = {
    "losses": lambda theme: loss_curves(HEADS, theme=theme, noise=1.0, plateau=0.5, at=100.0),
    "all risks": lambda theme: loss_curves(HEADS, theme=theme, risks=RISKS, noise=1.0, log=False),
    "nothing yet": lambda theme: loss_curves({}, theme=theme, plateau=0.5),
    "neurons": lambda theme: neuron_map(panel(0), panel(1), theme=theme, alignment=Alignment(0.1, 0.93, 0.25)),
    "folded": lambda theme: neuron_map(panel(0), panel(1), theme=theme, folded=True),
    "alignment": lambda theme: alignment_heatmap(panel(0), panel(1), theme=theme),
    "error left": lambda theme: error_left(ENERGY, LEFT, theme=theme),
    "target": lambda theme: target_energy(ENERGY, theme=theme),
    "profile": lambda theme: profile(GRID, GRID**2, dict.fromkeys(HEADS, GRID), theme=theme),
    "ridge": lambda theme: lam_curve(LAMS, RIDGES, dict.fromkeys(HEADS, 1e-3), theme=theme),
}


@functools.cache
def drawn(name, theme=THEMES[0]):
    return PICTURES[name](theme)


def axes_of(figure):
    return [figure.layout[name] for name in figure.layout.to_plotly_json() if name.startswith(("xaxis", "yaxis"))]


@pytest.mark.parametrize("theme", THEMES, ids=str)
@pytest.mark.parametrize("name", PICTURES)
def test_every_picture_says_what_it_shows(name, theme):
    check_picture(drawn(name, theme), theme)


def test_table_holds_the_plotted_numbers():
    picture = drawn("losses")
    mine = [
        value for label, value in zip(picture.table["method"], picture.table["value"], strict=True) if label == "NTK"
    ]
    curve = next(trace for trace in picture.figure.data if trace.name == "NTK")
    assert mine == list(curve.y)
    assert mine[-1] == pytest.approx(HEADS["ntk"].excess[-1], rel=1e-5)


@pytest.mark.parametrize("name", ["losses", "profile", "ridge"])
def test_methods_have_their_colour_dash_and_marker(name):
    figure = drawn(name).figure
    for style in (METHODS[name] for name in HEADS):
        line = next(trace for trace in figure.data if trace.name == style.label and trace.line.color)
        assert (line.line.color, line.line.dash) == (style.colour, style.dash)
        symbols = {trace.marker.symbol for trace in figure.data if trace.name == style.label and trace.marker.symbol}
        assert symbols == {style.marker}


def test_every_method_has_a_style_of_its_own():
    for part in ("colour", "dash", "marker", "glyph", "label"):
        assert len({getattr(style, part) for style in METHODS.values()}) == len(METHODS)
    assert len({METHODS[name].hatch for name in RACING}) == len(RACING), "bars of those that race stand side by side"


def test_alignments_keep_a_fixed_scale():
    for name in ("neurons", "alignment"):
        scale = drawn(name).figure.layout.coloraxis
        assert (scale.cmin, scale.cmax) == (0, 1)


def themes_of_config():
    return tomllib.loads(ROOT.joinpath(".streamlit/config.toml").read_text())["theme"]


def test_papers_and_inks_are_those_of_the_themes():
    for theme in THEMES[:2]:
        colours = themes_of_config()[theme.theme]
        assert colours["backgroundColor"].lower() == theme.paper.lower()
        assert colours["textColor"].lower() == theme.ink.lower()


PAGES = {  # a page without Streamlit -> its name for each of the theme's colours, light and then dark
    "featdash/export/html_file.css": ("--paper", "--shade", "--ink", "--accent"),
    "featdash/classroom/phone.css": ("--ground", "--card", "--text", None),  # its buttons are lighter in the dark
}


@pytest.mark.parametrize("page", PAGES)
def test_pages_without_streamlit_have_the_colours_of_the_theme(page):
    text = ROOT.joinpath(page).read_text().lower()
    settings = ("backgroundColor", "secondaryBackgroundColor", "textColor", "primaryColor")
    for ours, theirs in zip(PAGES[page], settings, strict=True):
        found = re.findall(rf"{ours}: (#\w+);", text) if ours else []
        expected = [themes_of_config()[theme][theirs].lower() for theme in ("light", "dark")] if ours else []
        assert found == expected, f"{ours} in {page}, {theirs} in .streamlit/config.toml"


def test_buttons_and_links_have_the_blue_of_algorithm_1():
    assert themes_of_config()["light"]["primaryColor"] == METHODS["algorithm1"].colour
    for page in ("featdash/classroom/phone.css", "featdash/export/html_file.css", "featdash/ui/kit/glossary.css"):
        assert METHODS["algorithm1"].colour.lower() in ROOT.joinpath(page).read_text().lower(), page


def test_limit_is_drawn_past_the_last_step():
    limits = {method: {"excess": 0.03, "holdout": 1.0, "train": 0.5} for method in HEADS}
    picture = loss_curves(HEADS, theme=THEMES[0], limits=limits, at=np.inf)
    assert "converged" in picture.alt
    assert "0.03 for NTK" in picture.alt
    rings = [trace for trace in picture.figure.data if trace.mode == "markers"]
    assert [ring.x[0] > STEPS[-1] for ring in rings] == [True] * len(HEADS)


def test_labels_tell_the_risk_at_the_selected_step():
    limits = {method: {"excess": 0.03, "holdout": 1.0, "train": 0.5} for method in HEADS}
    picture = loss_curves(HEADS, theme=THEMES[0], limits=limits, at=100.0)
    label = next(note.text for note in picture.figure.layout.annotations if "Algorithm 1" in note.text)
    assert label.endswith("Algorithm 1 0.059 at t = 100")  # 0.9/100 + 0.05
    assert "0.059 for Algorithm 1" in picture.alt


def test_the_risk_axis_stands_still_while_the_curves_fall():
    falling = LossCurve(STEPS, np.geomspace(0.97, 0.057, len(STEPS)))
    ranges = {
        loss_curves(heads, theme=THEMES[0], scale=1.0, plateau=0.5, last=1e4).figure.layout.yaxis.range
        for heads in (
            {},
            *({"ntk": falling.first(reached)} for reached in (1, 20, len(STEPS))),
        )
    }
    assert ranges == {(np.log10(0.05), 0.0)}


def test_spread_labels_never_overlap():
    wanted = [0.0, 1.0, 2.0, 50.0, 50.0, 99.0, 100.0]
    placed = spread(wanted, 10.0, 110.0)
    assert np.diff(placed).min() >= 10 - 1e-9
    assert max(placed) <= 110
    assert placed[3] == 50.0


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.5, "0.5"),
        (10_000, "10\u202f000"),
        (1e-4, "10⁻⁴"),
        (2.5e7, "2.5·10⁷"),
        (np.inf, "∞"),
        (0, "0"),
        (0.4771, "0.477"),
    ],
)
def test_numbers_are_lettered(value, text):
    assert number(value) == text


@pytest.mark.parametrize("value", [5e-324, 1e-20, 1e-16, 1e-3, 1.0, 1e12, 1e13, 1e300, 1.7e308])
def test_a_log_axis_holds_any_positive_number(value):
    low, high = value_range([value, None, np.nan, np.inf, 0.0], True)
    assert low < high
    if 1e-290 < value < 1e290:
        assert low < np.log10(value) < high
    assert value_axis("x", (low, high), True)["tickvals"]


@pytest.mark.parametrize("log", [True, False])
def test_an_axis_of_nothing_finite_is_finite(log):
    low, high = value_range([np.nan, np.inf, None], log)
    assert np.isfinite([low, high]).all()
    assert low < high


def test_rounding_errors_do_not_stretch_a_log_axis():
    low, high = value_range([1e-33, 0.03, 1.0], True)
    assert high - low < -np.log10(FINEST) + 1
    assert 4 < len(value_axis("x", (low, high), True)["tickvals"]) <= MOST_TICKS
    picture = loss_curves(
        {"ntk": LossCurve(STEPS, np.geomspace(1, 1e-33, len(STEPS)))},
        theme=THEMES[0],
        limits={"ntk": {"excess": 0.0}},
    )
    label = next(note for note in picture.figure.layout.annotations if "NTK" in note.text)
    bottom, top = picture.figure.layout.yaxis.range
    assert bottom <= label.y <= top


@pytest.mark.parametrize("folded", [False, True])
def test_the_stars_have_room_and_both_layers_are_in_one_map(folded):
    figure = neuron_map(panel(0), panel(1), theme=THEMES[0], folded=folded).figure
    before, now, stars, names = figure.data
    assert figure.layout.xaxis.range == figure.layout.yaxis.range
    furthest = max(np.hypot(trace.x, trace.y).max() for trace in (before, now, stars))
    assert figure.layout.xaxis.range[1] >= furthest
    apart = np.hypot(names.x, names.y) - np.where(np.hypot(stars.x, stars.y) > furthest / 2, furthest, 0)
    assert np.all(apart > 0), "a name stands outside of all points, or beside a star near the middle"
    for trace, layer in ((before, panel(0)), (now, panel(1))):
        np.testing.assert_allclose(np.transpose([trace.x, trace.y]), layer.map(folded).points, atol=1e-6)
    assert before.marker.color == THEMES[0].ghost
    assert ("circle-open" in now.marker.symbol) == ("negative" in figure.layout.annotations[0].text)
    assert len(stars.x) == len(panel(1).map(folded).stars)
    start = neuron_map(panel(0), panel(0), theme=THEMES[0], folded=folded).figure
    assert [trace.name for trace in start.data] == ["now", "stars", "names"], "of one layer there is no ghost"


@pytest.mark.parametrize("now", [0.0, 0.934, 1.0, None])
def test_the_alignment_is_a_number_and_a_bar_with_chance_marked(now):
    picture = neuron_map(panel(0), panel(1), theme=THEMES[0], alignment=Alignment(0.1, now, 0.25))
    notes = {note.text for note in picture.figure.layout.annotations}
    circle, whole, *filled, chance = picture.figure.layout.shapes
    assert (circle.type, circle.x0, circle.x1, circle.y0, circle.y1) == ("circle", -1, 1, -1, 1)
    assert chance.y0 == pytest.approx(0.25 * whole.y1)
    assert "chance<br>0.25" in notes
    if now is None:
        assert not filled
        assert "0.1 " not in picture.alt, "the alignment of a layer in between is not told"
    else:
        assert f"<b>{now:.2f}</b>" in notes
        assert filled[0].y1 == pytest.approx(now * whole.y1)
        assert f"is 0.1 before training and {number(round(now, 2))} now" in picture.alt


@pytest.mark.parametrize("now", [0.934, None])
def test_on_a_narrow_stage_the_alignment_stands_over_the_map_and_takes_none_of_its_width(now):
    layout = neuron_map(panel(0), panel(1), theme=THEMES[0], alignment=Alignment(0.1, now, 0.25)).figure.layout
    narrow = layout.meta["narrow"]
    assert narrow["margin"]["r"] < layout.margin.r
    assert narrow["margin"]["t"] > layout.margin.t
    _, whole, *filled, chance = narrow["shapes"]
    width = whole["x1"] - whole["x0"]
    assert chance["x0"] - whole["x0"] == pytest.approx(0.25 * width)
    assert [bar["x1"] - bar["x0"] for bar in filled] == pytest.approx([] if now is None else [now * width])
    assert all(shape["y0"] >= 0 for shape in narrow["shapes"][1:]), "over the map's edge"
    assert {"alignment", "chance 0.25"} <= {note["text"] for note in narrow["annotations"]}


@pytest.mark.parametrize("theme", THEMES[:2], ids=str)
def test_stars_are_hollow_so_that_they_stand_out_among_neurons(theme):
    star = theme.star()
    assert (star["color"], star["line"]["color"]) == (theme.paper, theme.ink)


def test_there_is_room_for_the_steps_beside_infinity():
    axis = loss_curves(HEADS, theme=THEMES[0], last=1e6).figure.layout.xaxis
    assert list(axis.ticktext) == ["1", "100", "10\u202f000", "∞"]


@pytest.mark.parametrize("shared", [True, False])
@pytest.mark.parametrize("count", [1, 2, 3])
def test_panels_beside_one_another_leave_room_for_names_and_their_titles_go_with_them(count, shared):
    figure = go.Figure()
    columns(figure, count, 50, ["a", "b", "c"][:count], shared_yaxes=shared)
    domains = [axis.domain for axis in figure.select_xaxes()]
    assert len(domains) == count
    spaces = [after[0] - before[1] for before, after in pairwise(domains)]
    assert figure.layout.meta["between"] == {"names": 50, "gap": 50 if shared else 50 + NUMBERS}
    assert spaces == pytest.approx([figure.layout.meta["between"]["gap"] / 680] * (count - 1))
    assert [(note.text, note.x, note.xref) for note in figure.layout.annotations] == (
        [("a", 0.5, "x domain"), ("b", 0.5, "x2 domain"), ("c", 0.5, "x3 domain")][:count]
    )
    assert [axis.showticklabels for axis in figure.select_yaxes()][1:] == [False if shared else None] * (count - 1)
