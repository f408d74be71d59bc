"""The figures of sweeps, phase maps and transfers: they show what was computed, and hold still while it comes."""

import functools
import json
import math
import re

import numpy as np
import pytest
from picture_contract import check_picture

from featdash.figures.picture import METHODS, Theme
from featdash.figures.seed_band import power_of
from featdash.lessons import EXPERIMENTS
from featdash.lessons.phase_map.pictures.phases import HALF, Place, edges, phase_map
from featdash.lessons.shared.pictures.published import published_figure1, published_figure2
from featdash.lessons.sweep import lesson as sweep_part_lesson
from featdash.lessons.sweep.pictures import risk_against_samples
from featdash.lessons.transfer.pictures import CURVES, bench_curves, transfer_panels
from featdash.recipes.events import Frame, Result
from featdash.runs.composite import CellFailed
from featdash.runs.execution import Flags, perform
from featdash.theory.predictions import Mark, kernel_plateau
from featdash.theory.target import resolve_target

THEMES = (Theme("light"), Theme("dark"))
RACERS = ("algorithm1", "random_features", "ntk")
SIZES, WIDTHS = (1, 10, 100, 1000), (100, 1000)
MARKS = (Mark("d", 10), Mark("d²", 100), Mark("d⁴", 10_000))
STAIRS = [(1, 1.0), (100, 1.0), (100, 0.5), (1000, 0.5)]
PUBLISHED = [point.__dict__ for point in published_figure2()]
DIMENSIONS, COLUMNS = (5, 10, 20), (30, 100, 1000, 10_000)


def rows(methods=RACERS, widths=WIDTHS, sizes=SIZES):
    return [
        {"method": method, "width": width, "n": n, "N": None, "seeds": 3, "mean": 9 / n + 0.1 * k, "std": 20 / n**2}
        for k, method in enumerate(methods)
        for width in widths
        for n in sizes
    ]


def transferred(ns=(1, 10, 100), Ns=SIZES, method="transfer"):
    return [
        {"method": method, "width": 40, "n": n, "N": N, "seeds": 3, "mean": 1 / (1 + n * N / 1000), "std": 0.05}
        for n in ns
        for N in Ns
    ]


def maps(gap=False):
    grid = np.log10(np.array(COLUMNS))[None, :] / np.log10(np.array(DIMENSIONS))[:, None]
    values = {"alignment": np.clip(grid / 6, 0, 1), "algorithm1": 1 / grid, "ntk": np.full_like(grid, 0.5)}
    values["ratio"] = values["algorithm1"] / values["ntk"]
    return {name: np.where(np.arange(3)[:, None] < 2, one, np.nan) for name, one in values.items()} if gap else values


def curves(theme, shown=None, widths=WIDTHS, **options):
    shown = rows(widths=widths) if shown is None else shown
    return risk_against_samples(shown, widths, SIZES, 10, plateaus=STAIRS, marks=MARKS, theme=theme, **options)


def panels(theme, shown, ns=(1, 10, 100), **options):
    return transfer_panels(shown, ns, SIZES, 10, theme=theme, **options)


BENCH = transferred(ns=(10,)) + [{**row, "n": None} for row in transferred((1,), method="algorithm1")]
PICTURES = {
    "curves": curves,
    "log": lambda theme: curves(theme, log=True),
    "published": lambda theme: curves(theme, paper=[point.__dict__ for point in published_figure1()]),
    "one width": lambda theme: curves(theme, widths=(100,)),
    "nothing yet": lambda theme: curves(theme, [], methods=RACERS),
    "alignment": lambda theme: phase_map(DIMENSIONS, COLUMNS, maps(), theme=theme, degree=4, here=Place(10, 1000)),
    "ratio": lambda theme: phase_map(DIMENSIONS, COLUMNS, maps(gap=True), theme=theme, measure="ratio"),
    "one cell": lambda theme: phase_map((10,), (100,), {"alignment": np.array([[0.3]])}, theme=theme),
    "transfer": lambda theme: panels(theme, transferred(), marks=MARKS),
    "transfer, published": lambda theme: panels(theme, transferred(SIZES), SIZES, paper=PUBLISHED),
    "transfer, nothing yet": lambda theme: panels(theme, []),
    "bench": lambda theme: bench_curves(BENCH, SIZES, 10, 10, theme=theme, log=True),
    "bench, nothing yet": lambda theme: bench_curves([], SIZES, 10, 10, theme=theme),
}


@functools.cache
def drawn(name, theme=THEMES[0]):
    return PICTURES[name](theme)


@pytest.mark.parametrize("theme", THEMES, ids=str)
@pytest.mark.parametrize("name", PICTURES)
def test_every_picture_says_what_it_shows(name, theme):
    check_picture(drawn(name, theme), theme)


def test_a_point_stands_at_its_power_of_d_and_its_mean():
    figure = risk_against_samples(rows(), WIDTHS, SIZES, 7, theme=THEMES[0]).figure
    (curve,) = [one for one in figure.data if one.name == "NTK" and one.mode == "lines+markers" and one.xaxis == "x2"]
    assert 7.0 ** np.array(curve.x) == pytest.approx(SIZES, rel=1e-4)
    assert list(curve.y) == pytest.approx([row["mean"] for row in rows(("ntk",), (1000,))] + np.full(4, 0.2))


def test_methods_keep_their_colour_dash_and_marker():
    figure = risk_against_samples(rows(), WIDTHS, SIZES, 10, theme=THEMES[0]).figure
    for method in RACERS:
        style = METHODS[method]
        curves = [one for one in figure.data if one.name == style.label and one.mode == "lines+markers"]
        assert {(one.line.color, one.line.dash, one.marker.symbol) for one in curves} == {
            (style.colour, style.dash, style.marker)
        }


def test_a_band_reaches_one_deviation_to_either_side_and_is_left_out_where_it_would_reach_zero():
    figure = risk_against_samples(rows(("ntk",), (100,)), (100,), SIZES, 10, theme=THEMES[0]).figure
    (band,) = [one for one in figure.data if one.fill == "toself"]
    kept = [row for row in rows(("ntk",), (100,)) if row["std"] < row["mean"]]
    assert len(kept) == 3
    assert max(band.y) == pytest.approx(kept[0]["mean"] + kept[0]["std"])
    assert min(band.x) == pytest.approx(1)


def test_axes_stand_still_while_points_appear():
    some = [row for row in rows() if row["n"] <= 10 and row["width"] == 100]
    few, all_of_them = (risk_against_samples(part, WIDTHS, SIZES, 10, theme=THEMES[0]) for part in (some, rows()))
    for axis in ("xaxis", "xaxis2", "yaxis", "yaxis2"):
        assert few.figure.layout[axis].range == all_of_them.figure.layout[axis].range


def test_what_a_linear_axis_cuts_off_is_told_in_words():
    notes = [note.text for note in drawn("curves").figure.layout.annotations]
    assert sum("↑" in note and "9.2" in note for note in notes) == 2
    assert not any("↑" in note.text for note in drawn("log").figure.layout.annotations)


def test_the_name_of_a_mark_stands_at_the_foot_where_a_curve_comes_down_from_above_the_axis():
    marks = [Mark("d", 10), Mark("d²", 100)]
    row = {"method": "algorithm1", "width": 100, "std": None, "seeds": 1}
    falling = [{**row, "n": n, "mean": mean} for n, mean in ((1, 9.0), (10, 3.0), (100, 0.5))]
    for rows_, anchors in ((falling, ["bottom", "top"]), (falling[2:], ["top", "top"])):
        figure = risk_against_samples(rows_, [100], [1, 10, 100], 10, theme=THEMES[0], marks=marks).figure
        names = [note for note in figure.layout.annotations if note.text.startswith("n = ")]
        assert [note.yanchor for note in names] == anchors
        assert [note.y for note in names] == [float(one == "top") for one in anchors]


def test_published_transfers_are_hollow_in_the_picture_and_told_in_words_and_table():
    picture = drawn("transfer, published")
    theirs = [trace for trace in picture.figure.data if "published" in (trace.name or "")]
    assert len(theirs) == 8  # a curve of each panel has its own
    assert all(trace.marker.color == THEMES[0].paper and len(trace.x) == 4 for trace in theirs)
    told = {point["mean"] for point in PUBLISHED if point["n"] == 1000 and point["N"] in SIZES}
    assert any(set(trace.y) == told for trace in theirs)
    rows = [mean for name, mean in zip(picture.table["method"], picture.table["mean"], strict=True) if "publ" in name]
    assert rows == [point["mean"] for point in PUBLISHED]
    assert "Of 16 published points the farthest" in picture.alt


def test_the_alt_text_of_a_transfer_that_learns_nothing_speaks_of_no_fall():
    flat = [{**row, "mean": 0.99} for row in transferred()]
    alt = transfer_panels(flat, (1, 10, 100), SIZES, 10, theme=THEMES[0]).alt
    assert "fall" not in alt
    assert "it stays at 0.99, at n = 1 as at n = 100" in alt


def test_published_points_are_those_of_the_file():
    table = drawn("published").table
    theirs = [mean for where, mean in zip(table["source"], table["mean"], strict=True) if where == "published"]
    assert theirs == [point.mean for point in published_figure1()]


def test_the_staircase_is_the_predicted_plateau():
    for text, d in (("figure-1", 10), ("rank-3", 7), ("z1 + He3(z1)", 12)):
        target = resolve_target(text, d)
        corners = sweep_part_lesson.staircase(target, 50_000)
        for n in (2, d, d + 1, d**2, d**2 + 1, d**3, 40_000):
            height = next(risk for (low, risk), (high, _) in zip(corners[::2], corners[1::2], strict=True) if n <= high)
            assert height == pytest.approx(kernel_plateau(target.energy_by_degree, d, n))
        assert [n for n, _ in corners] == sorted(n for n, _ in corners)


def test_a_cell_of_the_map_carries_its_d_and_n_for_a_click():
    figure = phase_map(DIMENSIONS, COLUMNS, maps(gap=True), theme=THEMES[0]).figure
    (points,) = [trace for trace in figure.data if trace.customdata is not None]
    assert [tuple(one) for one in points.customdata] == [(d, n) for d in DIMENSIONS[:2] for n in COLUMNS]
    assert 10 ** np.array(points.x) == pytest.approx([n for _, n in points.customdata], rel=1e-4)
    heat = figure.data[0]
    assert [row[0] is None for row in heat.z] == [False, False, True]
    assert len(heat.x) == len(COLUMNS) + 1


def test_edges_lie_between_their_centres():
    centres = [0.0, 1.0, 3.0]
    found = edges(centres)
    assert found[1:-1] == [0.5, 2.0]
    assert all(low < centre < high for low, centre, high in zip(found, centres, found[1:], strict=False))


def test_lines_of_the_map_are_powers_of_d():
    figure = phase_map(DIMENSIONS, COLUMNS, maps(), theme=THEMES[0], degree=3).figure
    for power, name in ((2, "n = d²"), (3, "n = d³")):
        lines = [trace for trace in figure.data if trace.name == name]
        assert lines
        for line in lines:
            assert np.array(line.x) == pytest.approx(power * np.array(line.y))


def test_ratios_below_one_have_the_colours_of_algorithm_1():
    heat = phase_map(DIMENSIONS, COLUMNS, maps(), theme=THEMES[0], measure="ratio").figure.data[0]
    assert (np.array(heat.z, float) > 0).tolist() == (maps()["ratio"] < 1).tolist()


def test_here_is_shown_only_inside_the_map():
    def flags(here):
        notes = phase_map(DIMENSIONS, COLUMNS, maps(), theme=THEMES[0], here=here).figure.layout.annotations
        return [note for note in notes if "here" in note.text]

    (flag,) = flags(Place(10, 300))
    assert (flag.x, flag.y) == (pytest.approx(math.log10(300)), pytest.approx(1))
    assert flags(Place(100, 300)) == flags(None) == []


def test_each_panel_of_a_transfer_holds_the_other_size_fixed():
    figure = transfer_panels(transferred(), (1, 10, 100), SIZES, 10, theme=THEMES[0]).figure
    curves = {(one.xaxis, one.name): one for one in figure.data if one.mode == "lines+markers"}
    assert len(curves) == len(SIZES) + 3
    by_n = curves["x", "N = 1\u202f000"]
    assert list(by_n.y) == pytest.approx([1 / (1 + n) for n in (1, 10, 100)], rel=1e-5)
    by_N = curves["x2", "n = 100"]
    assert list(by_N.x) == pytest.approx([power_of(N, 10) for N in SIZES])
    assert list(by_N.y) == pytest.approx([1 / (1 + N / 10) for N in SIZES], rel=1e-5)


def test_a_transfer_with_many_sizes_keeps_its_largest_and_not_too_many_curves():
    Ns = tuple(range(1, 30))
    figure = transfer_panels(transferred(Ns=Ns), (1, 10, 100), Ns, 10, theme=THEMES[0]).figure
    names = [one.name for one in figure.data if one.mode == "lines+markers" and one.xaxis == "x"]
    assert len(names) <= CURVES
    assert names[-1] == "N = 29"


TINY = {"holdout": 200, "test": 200, "seeds": (0, 1)}
COMPOSITES = {
    "sweep": {"n": (20, 60), "widths": (10, 20), **TINY},
    "phase-map": {"dimensions": (4, 6), "n": (20, 60), "width": 10, **TINY},
    "transfer": {"n": (20, 60), "N": (30, 90), "width": 10, "from_scratch": True, **TINY},
    "transfer-bench": {"n": 50, "N": (30, 90), "width": 10, "holdout": 200, "test": 200},
}


@pytest.mark.parametrize("name", COMPOSITES)
def test_what_frames_show_is_in_the_end_the_result(name):
    experiment, frames = EXPERIMENTS[name], []
    spec = experiment.spec(**COMPOSITES[name])
    outcome = perform(experiment, spec, lambda event: isinstance(event, Frame) and frames.append(event), Flags(), "cpu")
    shown = experiment.so_far(spec, frames)
    whole = outcome.result.summary
    assert shown.summary.keys() == whole.keys()
    assert all(shown.summary[part] == whole[part] for part in whole if part != "points")
    for mine, theirs in zip(shown.summary.get("points", []), whole.get("points", []), strict=True):
        assert mine.items() <= theirs.items()
        assert {"method", "width", "seed", "n", "N", "excess_risk"} <= mine.keys()
    half = experiment.so_far(spec, frames[: len(frames) // 2])
    assert json.dumps(half.summary, allow_nan=False) != json.dumps(shown.summary, allow_nan=False)
    assert experiment.so_far(spec, []).summary["gaps"] == []


def test_a_bench_shares_its_cells_with_the_figure():
    bench, figure = EXPERIMENTS["transfer-bench"], EXPERIMENTS["transfer"]
    mine = bench.cells(bench.spec(n=1000, seed=1))
    assert ("transfer-column", mine[-1][1]) in figure.cells(figure.spec())
    assert [name for name, _ in mine] == ["column", "transfer-column"]
    assert mine[0][1].target == mine[1][1].target != mine[1][1].pretraining


def test_a_failed_cell_leaves_a_gap_and_the_rest_stands():
    experiment = EXPERIMENTS["transfer-bench"]
    spec = experiment.spec(**COMPOSITES["transfer-bench"])
    point = {"method": "transfer", "width": 10, "n": 50, "N": 30, "seed": 0, "excess_risk": 0.5}
    result = experiment.gather(spec, [CellFailed("no luck"), Result({"points": [point]})])
    assert [row["method"] for row in result.summary["statistics"]] == ["transfer"]
    (gap,) = result.summary["gaps"]
    assert (gap["method"], gap["reason"]) == ("algorithm1", "no luck")


def test_every_hover_says_in_words_what_it_tells():
    """Never a bare pair of numbers, nor «trace 0»."""
    for title in PICTURES:
        for trace in drawn(title).figure.data:
            if trace.hoverinfo != "skip":
                assert trace.hovertemplate.endswith("<extra></extra>"), title
                assert any(one.isalpha() for one in re.sub(r"%\{[^}]*\}|<[^>]*>", "", trace.hovertemplate)), title


@pytest.mark.parametrize("degree", [2, 3, 4])
def test_no_line_runs_through_the_number_of_a_cell(degree):
    dimensions = [5, 7, 10, 14, 20, 28, 40]
    sizes = [31, 56, 100, 177, 316, 562, 1000, 1778, 3162, 5623, 10000]
    maps = {name: np.full((len(dimensions), len(sizes)), 0.5) for name in ("alignment", "ratio")}
    figure = phase_map(dimensions, sizes, maps, theme=Theme(), degree=degree).figure
    (printed,) = (trace for trace in figure.data if trace.type == "scatter" and trace.mode == "text")
    wide, high = (np.diff(edges(np.log10(values))).min() for values in (sizes, dimensions))
    assert len(printed.x) == len(dimensions) * len(sizes)
    for x, y in zip(printed.x, printed.y, strict=True):
        for power in {2, degree}:
            along = np.linspace(x - HALF[0] * wide, x + HALF[0] * wide, 50) / power  # log d on the line
            assert np.abs(along - y).min() > HALF[1] * high, f"n = d^{power} crosses the number at {x:.2f}, {y:.2f}"
    cells = [(np.log10(n), np.log10(d)) for d in dimensions for n in sizes]
    for (x, y), across, along in zip(cells, printed.x, printed.y, strict=True):
        assert abs(across - x) + HALF[0] * wide < wide / 2, "it stays in its cell"
        assert abs(along - y) + HALF[1] * high < high / 2
