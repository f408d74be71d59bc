"""For each picture: numbers that no template expects, and what its sentence may then say. One function a picture."""

import itertools
import math
import re
from dataclasses import replace

import numpy as np
import pytest
from alt_claims import NUMBER, goes, names_the_lowest, near, quoted, reads, says, says_each, value
from hypothesis import strategies as st

from featdash.figures import energy as hermite_energy
from featdash.figures.guessed_number import guessed_number
from featdash.figures.guesses import Guesses
from featdash.figures.picture import METHODS, Theme
from featdash.figures.text import number, with_decimals
from featdash.figures.votes import Votes, votes_picture
from featdash.learners.methods import RACING
from featdash.lessons.ablation import pictures as ablation
from featdash.lessons.ablation.pictures import DELETED, VARIANTS, listing
from featdash.lessons.adaptivity.pictures import Row, adaptivity_table
from featdash.lessons.degenerate import pictures as degenerate
from featdash.lessons.dimension.pictures import Demand, dimension_reach, error_growth, samples_asked
from featdash.lessons.emergence.frames import FixedFeatures, GradientComponents, Neurons
from featdash.lessons.emergence.pictures.accuracy import Course, Curve, accuracy_curves, name_of
from featdash.lessons.emergence.pictures.clusters import cluster_maps, cosine_histogram
from featdash.lessons.emergence.pictures.dictionary import gradient_components, hinge_bound
from featdash.lessons.emergence.pictures.digits import digit_neurons
from featdash.lessons.emergence.pictures.mixture import STYLES as KINDS
from featdash.lessons.emergence.pictures.mixture import accuracies, both_kinds
from featdash.lessons.hessian import pictures as hessian
from featdash.lessons.hessian.frames import NetworkLook, TrainingFrame
from featdash.lessons.more_steps.frames import LayerFrame as SteppedFrame
from featdash.lessons.more_steps.pictures import NAMES as STEP_LOSSES
from featdash.lessons.more_steps.pictures import STEPS as STEP_COUNTS
from featdash.lessons.more_steps.pictures import alignment_course, neuron_dial
from featdash.lessons.more_steps.pictures import needed_samples as steps_and_samples
from featdash.lessons.more_steps.pictures import risk_course as risk_by_steps
from featdash.lessons.own_data.pictures import looks as own_looks
from featdash.lessons.own_data.pictures import risks as own_risks
from featdash.lessons.own_data.pictures.risks import SHORT as OWN_SHORT
from featdash.lessons.phase_map.pictures.phases import phase_map
from featdash.lessons.phase_map.pictures.sample_growth import SHARES, needed_samples
from featdash.lessons.race.pictures import error_left as pieces
from featdash.lessons.race.pictures.learned import alignment_heatmap, lam_curve, profile
from featdash.lessons.race.pictures.risk import loss_curves
from featdash.lessons.recovery.frames import Rows, ShownNeurons, Students, TeacherDirections
from featdash.lessons.recovery.pictures.teacher_space import Scene, teacher_space
from featdash.lessons.recovery.pictures.timeline import StepAxis, recovery_timeline
from featdash.lessons.repetition import pictures as looks
from featdash.lessons.repetition.frames import Course as OverlapCourse
from featdash.lessons.repetition.pictures import STYLES as LOOKS
from featdash.lessons.repetition.pictures import overlap_course, overlap_runs
from featdash.lessons.rescue import pictures as rescue
from featdash.lessons.rescue.pictures import HERMITE, SHORT, average_cosines, transformed_labels
from featdash.lessons.rescue.pictures import STYLES as LABELS_OF_STEP
from featdash.lessons.rfm.frames import MatrixFrame
from featdash.lessons.rfm.pictures import matrix_map, risk_by_round, share_by_round
from featdash.lessons.scaling_laws.pictures import loss as scaling
from featdash.lessons.scaling_laws.pictures.loss import STYLES as SCALING
from featdash.lessons.scaling_laws.pictures.tasks import learned_tasks, task_courses
from featdash.lessons.shared.frames import ErrorCurve, LayerFrame, LossCurve, NeuronFrame
from featdash.lessons.shared.pictures import gradient_terms
from featdash.lessons.shared.pictures.errors import FLOOR, error_curves, short
from featdash.lessons.shared.pictures.neurons import BEFORE_AND_NOW, neuron_map
from featdash.lessons.smoothness import pictures as jump
from featdash.lessons.smoothness.frames import FixedCurves
from featdash.lessons.solvers import pictures as solver_cost
from featdash.lessons.spectrum.frames import SpectrumFrame
from featdash.lessons.spectrum.pictures import spectrum_course, spike_and_bulk
from featdash.lessons.spikes.frames import DirectionFrame, FeatureFrame
from featdash.lessons.spikes.pictures import correlations, feature_spectrum, second_direction, spike_course
from featdash.lessons.staircase.pictures.coefficients import Learned, coefficients
from featdash.lessons.staircase.pictures.counts import step_counts
from featdash.lessons.staircase.pictures.loss import loss_courses
from featdash.lessons.staircase.pictures.style import TARGETS as STAIRS
from featdash.lessons.structure.frames import growth_of
from featdash.lessons.structure.pictures import STYLES as SWEEPS
from featdash.lessons.structure.pictures import samples_of_structure, share_courses
from featdash.lessons.structure.recipe import Case
from featdash.lessons.sweep.pictures import risk_against_samples
from featdash.lessons.transfer.pictures import bench_curves, transfer_panels
from featdash.lessons.width.pictures import risk_against_weights, risk_against_width
from featdash.theory.exponents import LEVELS, growths

LOOK = Theme()
RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻˙", "0123456789−.")
CASES = {}
MODEST = (0.0, 1e-12, 1e-5, 0.0004, 0.00051, 0.05, 0.0512, 0.5, 0.99951, 1.0, 1.0, 2.5, 999.7, 12345.6, 1e7)
EXTREME = (*MODEST, 1e-300, 1e300)


def case(function):
    """Registers how a picture is drawn and judged."""

    def register(judge):
        CASES[function] = judge
        return judge

    return register


def numbers(draw, count, pool=MODEST):
    """Curves of all shapes: constant, rising, falling, with ties, of any magnitude."""
    drawn = draw(st.lists(st.sampled_from(pool) | st.floats(1e-6, 10), min_size=count, max_size=count))
    shape = draw(st.sampled_from(("any", "any", "constant", "rising", "falling")))
    if shape == "constant":
        return np.full(count, drawn[0] if count else 0.0)
    ordered = {"any": drawn, "rising": sorted(drawn), "falling": sorted(drawn, reverse=True)}[shape]
    return np.array(ordered, float)


def positive(draw, count, pool=MODEST):
    return np.maximum(numbers(draw, count, pool), 1e-12)


def signed(draw, count, pool=MODEST):
    return (
        numbers(draw, count, pool)
        * draw(st.sampled_from((1, -1)))
        * np.resize([1, draw(st.sampled_from((1, -1)))], count)
    )


def some(draw, names, least=0, most=4):
    return draw(st.lists(st.sampled_from(list(names)), unique=True, min_size=least, max_size=most))


def one_of(draw, *values):
    return draw(st.sampled_from(values))


def sizes(draw, least=1, most=4, start=10):
    count = draw(st.integers(least, most))
    return [start * 10**power for power in range(count)]


@case(ablation.result_bars)
def _(draw):
    names = ["intact", *some(draw, [name for name in VARIANTS if name != "intact"], most=6)]
    columns = (
        numbers(draw, len(names), EXTREME[:-1]),
        numbers(draw, len(names)),
        [draw(st.floats(0, 1)) for _ in names],
    )
    variants = {
        name: dict(zip(("excess_risk", "standard_error", "alignment"), row, strict=True))
        for name, row in zip(names, zip(*columns, strict=True), strict=True)
    }
    chosen = draw(st.sampled_from(list(VARIANTS)))
    picture = ablation.result_bars(variants, chosen, theme=LOOK)
    risks = {name: row["excess_risk"] for name, row in variants.items()}
    says("Algorithm 1 intact ends at an excess risk of #", picture.alt, risks["intact"])
    if chosen != "intact" and chosen in variants:
        says(f"with «{VARIANTS[chosen].label}» it is #", picture.alt, risks[chosen])
        says("alignment of #", picture.alt, variants[chosen]["alignment"], decimals=2)
    elif len(names) > 1:
        says("the highest is #", picture.alt, max(risks.values()))
        called = re.findall("«(.*?)»", picture.alt)
        assert called
        assert all(near(max(risks.values()), risks[name]) for name in names if VARIANTS[name].label in called)
        assert all(max(risks.values()) > risks[name] for name in names if VARIANTS[name].label not in called)
    return picture


@case(ablation.linear_part)
def _(draw):
    beta = signed(draw, draw(st.integers(1, 5)), EXTREME)
    alpha, is_off, band = signed(draw, 1, EXTREME)[0], draw(st.booleans()), positive(draw, 1)[0]
    picture = ablation.linear_part(alpha, beta, band, theme=LOOK, is_off=is_off)
    estimates = dict(zip(picture.table["coefficient"], [alpha, *beta], strict=True))
    name = re.search(r"in size is (\S+) =", picture.alt)[1]
    assert abs(estimates[name]) == max(map(abs, estimates.values()))
    says(f"{name} = #, with a standard error of #", picture.alt, estimates[name], band)
    assert ("stays in the labels" in picture.alt) == is_off
    return picture


@case(ablation.hinges)
def _(draw):
    count = draw(st.integers(1, 6))
    layers = [(signed(draw, count), numbers(draw, count)) for _ in range(2)]
    name = one_of(draw, "intact", "biases_not_drawn")
    picture = ablation.hinges(layers[0], one_of(draw, None, layers[1]), theme=LOOK, name=name)
    for label, (b, norms) in zip(("intact", VARIANTS["biases_not_drawn"].label), layers, strict=True):
        if label in picture.table:
            far = np.mean([x != 0 and (norm == 0 or abs(x) > 0.125 * norm) for x, norm in zip(b, norms, strict=True)])
            says(f"# % ({label})", picture.alt, 100 * far, decimals=1)
    return picture


@case(ablation.head_curves)
def _(draw):
    chosen = draw(st.sampled_from(list(VARIANTS)))
    heads = {
        name: LossCurve(t := np.array(sizes(draw)), positive(draw, len(t), EXTREME)) for name in some(draw, VARIANTS)
    }
    picture = ablation.head_curves(heads, chosen, theme=LOOK, last=1e5)
    told = [name for name in heads if chosen == "intact" or name in ("intact", chosen)]
    for name in told:
        says(f"# ({VARIANTS[name].label})", picture.alt, heads[name].excess[-1], decimals=None)
    assert bool(told) == ("No head" not in picture.alt)
    return picture


@case(ablation.predictor_profile)
def _(draw):
    z, truth = np.linspace(-3, 3, 13), signed(draw, 13)
    learned = {name: signed(draw, 13) for name in some(draw, VARIANTS, most=2)}
    picture = ablation.predictor_profile(z, truth, learned, theme=LOOK)
    for name, values in learned.items():
        gap = math.sqrt(np.mean((values - truth)[2:11] ** 2))
        says(f"# ({VARIANTS[name].label})", picture.alt, gap)
    return picture


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


@case(adaptivity_table)
def _(draw):
    methods, rows = some(draw, METHODS, least=1), []
    for index in range(draw(st.integers(0, 3))):
        adapts = {name: one_of(draw, True, False, None) for name in some(draw, METHODS)}
        rows.append(Row(f"question {index}", "error", dict.fromkeys(adapts, "0.1"), adapts))
    picture = adaptivity_table(rows, methods, theme=LOOK)
    for row in rows:
        shown = {name: row.adapts[name] for name in methods if name in row.adapts}
        found = re.search(rf"for {row.question}: (.*?)(?: \(undecided: (.*?)\))?[;.]", picture.alt)
        assert bool(found) == bool(shown)
        for group, verdict in ((1, True), (2, None)) if found else ():
            named = [short(name) for name, one in shown.items() if one is verdict]
            assert (found[group] or "") == (", ".join(named) or ("no method" if verdict else ""))
    split = [row for row in rows if {True, False} <= {row.adapts[name] for name in methods if name in row.adapts}]
    if not split:
        assert not picture.headline
    elif picture.headline:  # too many names are left out
        who, not_who = (
            {short(name) for name in methods if split[-1].adapts.get(name) is wanted} for wanted in (True, False)
        )
        question, does, does_not = re.fullmatch(r"(.*): (.*) adapts?, (.*) do(?:es)? not", picture.headline).groups()
        assert question == split[-1].question
        assert set(re.split(", | and ", does)) == who
        assert set(re.split(", | and ", does_not)) == not_who
    return picture


@case(listing)
def _(draw):
    line, variant = draw(st.integers(1, 5)), draw(st.sampled_from(list(VARIANTS)))
    picture = listing(line, variant, theme=LOOK)
    says("shown is line #", picture.alt, line)
    assert ("unchanged" in picture.alt) == (variant not in DELETED)
    if variant in DELETED:
        row, words = DELETED[variant]
        assert f"its {f'line {row}' if row else 'start'} changed: " in picture.alt
        assert words.split()[-1] in picture.alt
    return picture


def layer(draw, rank=2, count=5):
    points = signed(draw, 2 * count, (0.0, 0.5, 1.0)).reshape(count, 2)
    stars = np.eye(2)[:rank]
    panel = {"points": points, "stars": np.vstack([stars, -stars]), "stress": positive(draw, 1)[0]}
    panel |= {"points_folded": points, "stars_folded": stars, "stress_folded": 0.1}
    panel |= {"share": np.array([draw(st.floats(0, 1)) for _ in range(count)]), "sign": np.resize([1, -1], count)}
    cosine = draw(st.sampled_from((0.0, 0.2, 0.20001, 1.0)) | st.floats(0, 1))
    edges = np.linspace(-1, 1, 5)
    panel |= {"histogram": np.resize([0, 3], 4), "edges": edges, "median_abs_cos": cosine}
    panel |= {"star": np.resize([1, -1, 0], count), "dead_count": draw(st.integers(0, 2))}
    angles = sorted(
        draw(st.lists(st.sampled_from((0.0, 1e-6, 89.99, 90.0)) | st.floats(0, 90), min_size=rank, max_size=rank))
    )
    panel["alignment"] = draw(st.floats(0, 1))
    return panel | {"overlap": np.full((rank, rank + 1), 0.3), "angles": np.array(angles)}


@case(alignment_heatmap)
def _(draw):
    before, now = (LayerFrame.from_arrays(layer(draw)) for _ in range(2))
    picture = alignment_heatmap(before, now, theme=LOOK)
    says("is #° before training and #° now.", picture.alt, before.angles[-1], now.angles[-1], decimals=1)
    return picture


def tables(draw, d, n):
    values = numbers(draw, 2 * len(d) * len(n)).reshape(2, len(d), len(n))
    kept = draw(st.integers(0, len(n)))
    values[:, one_of(draw, 0, -1), kept:] = np.nan
    if draw(st.booleans()):
        values[1] = np.nan
    return values


def ends_of(table):
    """Mean of the repeats at the last n with any, in each dimension; None without."""
    for column in range(table.shape[1]):
        known = [row[np.isfinite(row)].mean() for row in table[:, column].T if np.isfinite(row).any()]
        yield known[-1] if known else None


def says_ends(alt, d, named):
    """Each curve's part of the sentence has its numbers; curves without any are not named."""
    for name, table in named.items():
        ends = list(ends_of(table))
        longer = [re.escape(other.removeprefix(name)) for other in named if other.startswith(f"{name} ")]
        other = f"(?!{'|'.join(longer)})" if longer else ""
        part = re.search(rf"(?:: |; ){re.escape(name)}{other} ([^;]*?)(?:;|\.$)", alt)
        assert bool(part) == any(end is not None for end in ends), (name, alt)
        for size, end in zip(d, ends, strict=True) if part else ():
            if end is None:
                assert f"d = {size}" not in part[1]
            else:
                says(f"# at d = {size}", part[1], end)


@case(degenerate.failure_risks)
def _(draw):
    d, n = [10, 20], [300, 1000]
    risks = {name: tables(draw, d, n) for name in some(draw, METHODS)}
    rescue = one_of(draw, None, tables(draw, d, n))
    picture = degenerate.failure_risks(d, n, risks, one_of(draw, [], [31.6, 89.4]), rescue, theme=LOOK)
    named = {METHODS[name].label: table for name, table in risks.items()}
    says_ends(picture.alt, d, named | ({} if rescue is None else {"Algorithm 1 on the rescue": rescue}))
    ends = {label: list(ends_of(table)) for label, table in named.items()}
    begun = [index for index in range(len(d)) if any(values[index] is not None for values in ends.values())]
    assert bool(picture.headline) == bool(begun)
    if begun:
        known = {label: values[begun[-1]] for label, values in ends.items() if values[begun[-1]] is not None}
        says("At d = #: lowest risk #", picture.headline, d[begun[-1]], min(known.values()), decimals=2)
        assert known[re.search(r"\((.*?)\)", picture.headline)[1]] == min(known.values())
        saved = None if rescue is None else list(ends_of(rescue))[begun[-1]]
        assert ("rescue" in picture.headline) == (saved is not None)
        if saved is not None:
            says("on the rescue #", picture.headline, saved, decimals=2)
    return picture


@case(degenerate.failure_alignment)
def _(draw):
    d, n = [10, 20], [300, 1000]
    ours, noise = tables(draw, d, n), tables(draw, d, n)
    picture = degenerate.failure_alignment(d, n, ours, noise, [0.1, 0.05], theme=LOOK)
    says_ends(picture.alt, d, {"Algorithm 1": ours, "random signs: noise alone": noise})
    return picture


@case(degenerate.gradient_against_noise)
def _(draw):
    d, n, noise = [10, 20], [300, 1000], tables(draw, [10, 20], [300, 1000])
    population = numbers(draw, 2)
    picture = degenerate.gradient_against_noise(d, n, noise, population, theme=LOOK)
    first, second = picture.alt.split("; ")
    assert ("exactly zero" in first) == (not population.any())
    for size, level, end in zip(d, population, ends_of(noise), strict=True):
        if population.any():
            says(f"# at d = {size}", first, level)
        if end is not None:
            says(f"# at d = {size}", second, end)
        assert (end is not None) == (f"d = {size}" in second)
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


def errors_by_dimension(draw, dims, least=1):
    curves = {}
    for name in some(draw, METHODS):
        count = draw(st.integers(least, len(dims)))
        error = numbers(draw, count, EXTREME)
        curves[name] = ErrorCurve(np.array(dims[:count]), error, error / 2, error)
    return curves


@case(error_curves)
def _(draw):
    dims = [4, 10, 30, 100][: draw(st.integers(1, 4))]
    curves = errors_by_dimension(draw, dims)
    picture = error_curves(curves, dims, theme=LOOK, title="Error")
    for name, curve in curves.items():
        found = re.search(rf"of {re.escape(short(name))} (stays flat|rises|falls) (.*?)(?:;|\.$)", picture.alt)
        assert bool(found) == (len(curve.d) > 1)
        if not found:
            continue
        first, last = (max(curve.error[index], FLOOR) for index in (0, -1))
        factor = last / first
        assert found[1] == ("stays flat" if 1 / 1.4 < factor < 1.4 else "rises" if factor > 1 else "falls")
        ends = re.match(rf"from (below )?({NUMBER}) at d = 4 to (below )?({NUMBER}) at d = ({NUMBER})", found[2])
        assert reads(ends[2], first, 4)
        assert reads(ends[4], last, 4)
        assert [bool(ends[1]), bool(ends[3])] == [first <= FLOOR, last <= FLOOR]
        assert value(ends[5]) == curve.d[-1]
        if "factor" in found[2]:
            says("by a factor of #", found[2], max(factor, 1 / factor), decimals=2)
    return picture


@case(error_growth)
def _(draw):
    dims = [4, 10, 100]
    curves = errors_by_dimension(draw, dims, least=3)
    picture = error_growth(curves, dims, theme=LOOK)
    for name, curve in curves.items():
        first, last = (max(curve.error[index], FLOOR) for index in (0, -1))
        says(f"# for {short(name)}", picture.alt, last / first, decimals=2)
    if curves:
        says("The error at d = # over that at d = #", picture.alt, 100, 4)
    return picture


def reaches(draw, dims):
    return {name: draw(st.none() | st.floats(min(dims), max(dims))) for name in some(draw, METHODS)}


def says_reaches(alt, reached, last):
    for name, d in reached.items():
        if d is not None:
            says(f"# for {short(name)}", alt, d, decimals=1)
        else:
            assert short(name) in alt.split(f"up to d = {last} for ")[1]
    assert ("below" in alt) == (None in reached.values())
    assert ("passes" in alt) == any(d is not None for d in reached.values())


@case(dimension_reach)
def _(draw):
    dims = [4, 10, 100][: draw(st.integers(1, 3))]
    reached = reaches(draw, dims)
    picture = dimension_reach(reached, dims, 0.25, theme=LOOK, lines=[(35.0, "d² = n")])
    says_reaches(picture.alt, reached, max(dims))
    return picture


@case(samples_asked)
def _(draw):
    dims = [1, 2, 20]
    asked, reached = sorted(np.maximum(numbers(draw, 3, EXTREME), 1.0)), reaches(draw, dims)
    picture = samples_asked(Demand(dims, asked), 500, 0.25, reached, theme=LOOK)
    says("asks for # sample", picture.alt, asked[-1], decimals=None)
    assert ("The run goes on" in picture.alt) == (not reached)
    if reached:
        says_reaches(picture.alt.split("With n")[1], reached, 20)
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


@case(gradient_terms.gradient_scatter)
def _(draw):
    shape = (draw(st.integers(1, 6)), draw(st.integers(1, 2)))
    x, exact, seen = (signed(draw, shape[0] * shape[1]).reshape(shape) for _ in range(3))
    picture = gradient_terms.gradient_scatter(x, exact, seen, theme=LOOK, samples=1000)
    assert ("exactly zero" in picture.alt) == (not exact.any())
    assert ("noise alone" in picture.alt) == (not exact.any() and bool(seen.any()))
    if exact.any():
        assert ("no leading term" in picture.alt) == (not x.any())
    if "correlate" in picture.alt:
        a, b = (values.ravel() - values.mean() for values in (exact, seen))
        said = value(quoted("at #, and", picture.alt)[0])
        assert abs(said - a @ b / math.sqrt((a @ a) * (b @ b))) < 0.0006
    assert ("exact gradient is zero" in picture.headline) == (not exact.any() and bool(seen.any()))
    if exact.any():
        scale = np.abs(exact).max()
        miss = np.linalg.norm((seen - exact) / scale) / np.linalg.norm(exact / scale)
        assert ("noise as large" in picture.headline) == (miss >= 1)
        if miss < 1:
            says("circles #\N{NO-BREAK SPACE}% off", picture.headline, 100 * miss, decimals=0)
    return picture


@case(gradient_terms.error_against_samples)
def _(draw):
    n = sizes(draw)
    errors = numbers(draw, 2 * len(n)).reshape(2, len(n))
    slope = draw(st.none() | st.tuples(st.floats(-1, 1) | st.just(-0.001), st.just(-0.5)))
    absolute = draw(st.booleans())
    picture = gradient_terms.error_against_samples(n, errors, theme=LOOK, slope=slope, absolute=absolute)
    says("At n = # the", picture.alt, n[-1])
    says("population's is #", picture.alt, math.sqrt(np.mean(errors[:, -1] ** 2)), decimals=None)
    assert ("relative" in picture.alt) == (not absolute)
    if slope:
        says("slope in n is #, predicted #", picture.alt, *slope, decimals=2)
    return picture


@case(gradient_terms.error_against_dimension)
def _(draw):
    d = [10, 30, 100][: draw(st.integers(1, 3))]
    errors = numbers(draw, len(d), EXTREME)
    picture = gradient_terms.error_against_dimension(d, errors, theme=LOOK, absolute=draw(st.booleans()))
    if len(d) == 1:
        says("At d = 10 the * is #", picture.alt, errors[0])
    else:
        says("From d = # to # the", picture.alt, d[0], d[-1])
        judge_course(picture.alt, errors[0], errors[-1])
    return picture


def judge_course(text, first, last):
    """«rises from a to b», «falls from a to b» or «stays at a» is what two numbers do."""
    verb = re.search(r"\b(rises|falls|stays)\b", text)[1]
    assert goes(verb, first, last), text
    found = re.search(rf"{verb} (?:from|at) ({NUMBER})(?:(?! from ).*? to ({NUMBER}))?", text)
    assert verb == "stays" or found[2], text
    assert reads(found[1], first)
    if verb != "stays":
        assert reads(found[2], last)


@case(gradient_terms.term_bars)
def _(draw):
    norm = numbers(draw, draw(st.integers(1, 5)))
    noise = positive(draw, 1)[0]
    picture = gradient_terms.term_bars(norm, np.full(len(norm), 100.0), noise, noise / 2, theme=LOOK, n=1000)
    above = [k for k, size in enumerate(norm) if size > noise]
    found = re.search(r"the (terms?) k = ([\d, ]+) of the series (is|are)", picture.alt)
    assert [int(k) for k in found[2].split(",")] == above if found else not above
    assert not found or (found[1] == "terms") == (found[3] == "are") == (len(above) > 1)
    says("noise of the gradient, #", picture.alt, noise, decimals=None)
    return picture


@case(gradient_terms.series_parity)
def _(draw):
    degree = draw(st.integers(0, 5))
    energy = numbers(draw, degree + 1, (0.0, 0.0, 0.5, 1.0))
    coefficients = signed(draw, degree + 3, (0.0, 0.0, 0.4, -0.1))
    picture = gradient_terms.series_parity(coefficients, energy, theme=LOOK)
    met = sorted({j for k in range(2, degree + 1) if energy[k] > 1e-12 for j in (k, k + 2)})
    digits = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")
    assert [int(one.translate(digits)) for one in re.findall("c([₀-₉]+)", picture.alt)] == met
    assert ("vanishes" in picture.alt) == all(coefficients[k] == 0 for k in met)
    return picture


@case(pieces.error_left)
def _(draw):
    count = draw(st.integers(1, 5))
    energy = numbers(draw, count, MODEST)
    left = {name: numbers(draw, count + 1, MODEST) for name in some(draw, RACING)}
    picture = pieces.error_left(energy, left, theme=LOOK)
    if not left:
        says("excess risk is #", picture.alt, energy.sum())
        assert picture.headline == ""
        return picture
    names = [*(f"of degree {k}" for k in range(count)), "beside the target"]
    for name, parts in left.items():
        says(f"# for {METHODS[name].label},", picture.alt, parts.sum())
        largest = re.search(rf"for {re.escape(METHODS[name].label)}, the largest part of it (.*?)[;.]", picture.alt)[1]
        assert near(parts[names.index(largest)], parts.max())
        lacks = [k for k in range(count) if energy[k] > 0 and parts[k] > energy[k] / 2]
        if "smallest" in picture.headline:
            continue
        said = next(one for one in picture.headline.split("; ") if METHODS[name].label.lower() in one.lower())
        assert [int(k) for k in re.findall(r"\d+", said.split("lack")[1])] == lacks
    if "smallest" in picture.headline:
        best = next(name for name in left if METHODS[name].label.lower() in picture.headline.split(" has")[0].lower())
        assert near(left[best].sum(), min(parts.sum() for parts in left.values()))
    return picture


@case(hermite_energy.target_energy)
def _(draw):
    energy = numbers(draw, draw(st.integers(1, 5)), EXTREME)
    picture = hermite_energy.target_energy(energy, theme=LOOK)
    if not energy.any():
        assert "no energy" in picture.alt
        return picture
    says("energy, #", picture.alt, energy.max())
    named = [int(k) for k in re.findall(r"\d+", picture.alt.split("degree")[1])]
    assert all(near(energy[k], energy.max()) for k in named)
    assert all(energy[k] < energy.max() for k in range(len(energy)) if k not in named)
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


@case(jump.jump_fit)
def _(draw):
    x, flat = np.linspace(-1, 1, 9), draw(st.booleans())
    functions = {name: np.full(9, 0.5) if flat else signed(draw, 9) for name in ("truth", "kernel", "network")}
    truth, network = functions["truth"], functions["network"]
    fixed = FixedCurves(x, truth, x[::2], truth[::2], functions["kernel"])
    picture = jump.jump_fit(jump.Fits(fixed, network, "rbf"), theme=LOOK, window=one_of(draw, 1.0, 0.25))
    for name, label in (("kernel", "Gaussian kernel"), ("network", "network")):
        says(f"# for {label}", picture.alt, np.mean((functions[name] - truth) ** 2), decimals=4)
        (text,) = quoted(f"{label} #", picture.headline)
        assert abs(value(text) - np.mean((functions[name] - truth) ** 2)) <= 0.06 * abs(value(text))
    return picture


@case(jump.near_and_elsewhere)
def _(draw):
    fits = {}
    for name in some(draw, jump.STYLES):
        near_it, elsewhere = numbers(draw, 2)
        rise = draw(st.none() | st.sampled_from(MODEST))
        fits[name] = {"near": near_it, "elsewhere": elsewhere, "overshoot": signed(draw, 1)[0], "rise": rise}
    picture = jump.near_and_elsewhere(fits, 0.1, theme=LOOK)
    for part, (name, fit) in zip(picture.alt.split("; the "), fits.items(), strict=False):
        assert jump.short(name) in part
        if fit["overshoot"] > 0:
            says("overshoots by #", part, fit["overshoot"])
        elif fit["overshoot"] < 0:
            says("stays # below", part, -fit["overshoot"])
        assert ("just the height" in part) == (fit["overshoot"] == 0)
        assert ("rises" in part) == (fit["rise"] is not None)
        if fit["rise"] is not None:
            says("rises over a width of #", part, fit["rise"], decimals=4)
    return picture


@case(jump.error_rates)
def _(draw):
    targets, n = {"heaviside": jump.Target("jump", -0.5), "smooth": jump.Target("smooth")}, sizes(draw)
    rates = {
        target: jump.RateCurves(n, {name: positive(draw, len(n)) for name in some(draw, jump.STYLES, least=1, most=3)})
        for target in some(draw, targets, most=2)
    }
    slopes = st.floats(-2, 1) | st.sampled_from((0.0, -0.001))
    known = draw(st.booleans())
    exponents = (
        {target: {name: draw(slopes) for name in found.errors} for target, found in rates.items()} if known else None
    )
    picture = jump.error_rates(rates, n, exponents, theme=LOOK, targets=targets)
    for target, found in (exponents or {}).items():
        for name, slope in found.items():
            says(f"# for {jump.short(name)} on the {targets[target].word} target", picture.alt, slope, decimals=2)
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


@case(neuron_map)
def _(draw):
    before, now = (NeuronFrame.from_arrays(layer(draw)) for _ in range(2))
    names = one_of(draw, BEFORE_AND_NOW, ("intact", "deleted"))
    picture = neuron_map(before, now, theme=LOOK, names=names)
    start, end = (float(np.mean(panel.share)) for panel in (before, now))
    told = re.findall(rf"({NUMBER})(?: of its squared norm|» and|» and| now| in the map «deleted)", picture.alt)
    assert reads(told[0], start)
    assert reads(told[-1], end)
    if names == BEFORE_AND_NOW:
        assert ("hardly" in picture.alt) == (abs(end - start) <= 0.2)
        assert ("towards" in picture.alt) == (end - start > 0.2)
        assert ("away from" in picture.alt) == (end - start < -0.2)
    return picture


def judge_map_headline(headline, d, n, values, measure):
    """Every row that is named turns there for good; of none that turns, all or none of the cells are over."""
    hits = values > 0.5 if measure == "alignment" else values < 1
    known = ~np.isnan(values)
    named = re.findall(rf"n = ({NUMBER}) at d = ({NUMBER})", headline)
    for size, dimension in named:
        row, column = d.index(value(dimension)), n.index(value(size))
        assert hits[row, column:][known[row, column:]].all()
        assert hits[row, column]
        assert not hits[row, :column][known[row, :column]][-1:].any()
    assert [value(dimension) for _, dimension in named] == sorted(value(dimension) for _, dimension in named)
    if "every cell" in headline:
        assert hits[known].all()
    elif "no cell" in headline:
        assert not hits[known].any()
    else:
        assert named or not headline


@case(phase_map)
def _(draw):
    d, n, measure = [5, 10, 20], [10, 100, 1000], one_of(draw, "alignment", "ratio")
    values = numbers(
        draw, 9, (0.0, 0.2, 0.5, 0.8, 1.0, math.nan) if measure == "alignment" else (0.1, 1.0, 3.0, math.nan)
    )
    values = np.minimum(values, 1).reshape(3, 3) if measure == "alignment" else np.maximum(values, 0.01).reshape(3, 3)
    picture = phase_map(d, n, {"alignment": values, "ratio": values}, theme=LOOK, measure=measure)
    turns = []
    for size, row in zip(d, values, strict=True):
        known = [
            (m, one > 0.5 if measure == "alignment" else one < 1) for m, one in zip(n, row, strict=True) if one == one
        ]
        starts = [i for i in range(1, len(known)) if all(hit for _, hit in known[i:]) and not known[i - 1][1]]
        turns += [math.log(known[i][0]) / math.log(size) for i in starts]
    if turns:
        says("In # of # rows", picture.alt, len(turns), 3)
        says("near n = d#", picture.alt.translate(RAISED), np.mean(turns), decimals=1)
    else:
        assert "no row" in picture.alt or np.isnan(values).all()
    assert ("on average" in picture.alt) == (len(turns) > 1)
    judge_map_headline(picture.headline, d, n, values, measure)
    return picture


@case(needed_samples)
def _(draw):
    d, n, level = [5, 10, 20, 40], [10, 100, 1000], one_of(draw, *LEVELS)
    maps = {name: numbers(draw, 12, (0.0, 0.2, 0.6, 0.9, math.nan)).reshape(4, 3) for name in ("alignment", "ntk")}
    found = {name: by["half" if name == "alignment" else level] for name, by in growths(d, n, maps, 1.0).items()}
    picture = needed_samples(found, level, n, d, theme=LOOK, degree=4)
    for name, what in (("alignment", "alignment ½"), ("ntk", f"{SHARES[level]} of the zero risk for NTK")):
        one = found[name]
        known = {size: need for size, need in one.needed.items() if need is not None}
        if len(known) > 2:
            slope = np.polyfit(np.log(list(known)), np.log(list(known.values())), 1)[0]
            told = rf"{what} like d([−⁻⁰-⁹¹²³˙]+) ± [0-9.]+ over {len(known)} dim"
            (text,) = re.findall(told, picture.alt)
            assert abs(value(text.translate(RAISED)) - slope) < 0.006
        else:
            assert f"{what} {'nowhere' if one.beyond and not known else 'at too few'}" in picture.alt
    assert bool(picture.headline) == (found["ntk"].slope is not None)
    headline = picture.headline.translate(RAISED)
    assert not headline or f"like d{with_decimals(found['ntk'].slope, 2)} ±" in headline
    return picture


@case(profile)
def _(draw):
    z, truth = np.linspace(-3, 3, 7), signed(draw, 7)
    learned = {name: signed(draw, 7) for name in some(draw, METHODS)}
    picture = profile(z, truth, learned, theme=LOOK)
    gaps = {METHODS[name].label: math.sqrt(np.mean((f - truth)[1:6] ** 2)) for name, f in learned.items()}
    says_each(picture.alt, gaps, decimals=None)
    return picture


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
    picture = recovery_timeline(Rows(**rows), StepAxis(100, draw(st.booleans())), theme=LOOK)
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
    pairs = int(rows["cancelling"][-1])
    counted = {0: "no cancelling pairs", 1: "one cancelling pair"}.get(pairs, f"{pairs} cancelling pairs")
    assert counted in picture.alt
    assert counted in picture.headline
    losses = [rows["loss"][-1], rows["stop_loss"][-1]] if step[-1] > 2 else [rows["loss"][-1]]
    for text, loss in zip(re.findall(rf"loss (?:is )?({NUMBER})", picture.headline), losses, strict=True):
        assert abs(value(text) / loss - 1) < 0.06
    return picture


@case(lam_curve)
def _(draw):
    lams = np.geomspace(1e-6, 10, 5)
    risks = {name: positive(draw, 5, EXTREME) for name in some(draw, METHODS)}
    tuned = {name: draw(st.sampled_from(list(lams))) for name in risks}
    picture = lam_curve(lams, risks, tuned, theme=LOOK)
    says_each(picture.alt, {METHODS[name].label: lam for name, lam in tuned.items()}, decimals=None)
    return picture


@case(loss_curves)
def _(draw):
    heads = {}
    same = draw(st.integers(1, 4))
    for name in some(draw, METHODS):
        t = [1.0, 10.0, 100.0, 1000.0][: one_of(draw, same, same, 2)]
        curve = positive(draw, len(t), EXTREME)
        settled = np.resize([True, draw(st.booleans())], len(t))
        heads[name] = LossCurve(np.array(t), excess=curve, train=curve, holdout=curve, settled=settled)
    limits = {name: {"excess": positive(draw, 1, EXTREME)[0]} for name in heads} if draw(st.booleans()) else None
    at = one_of(draw, None, 1.0, math.inf)
    picture = loss_curves(heads, theme=LOOK, limits=limits, at=at, last=1e4)
    values = {}
    for name, curve in heads.items():
        view = limits[name]["excess"] if limits else curve.excess[-1]
        values[METHODS[name].label] = curve.excess[0] if at == 1.0 else view
    says_each(picture.alt, values, decimals=None)
    names_the_lowest(picture.alt, values)
    if heads:
        reached = {curve.t[-1] for curve in heads.values()}
        if at == 1.0:
            assert picture.alt.startswith("After 1 head step the")
        elif limits:
            assert "converged" in picture.alt
        elif len(reached) == 1:
            says("After # head step", picture.alt, *reached)
        else:
            assert "last step so far of each" in picture.alt
    return picture


def seeded(draw, names):
    rows = []
    for name in names:
        for n in sizes(draw):
            spread = one_of(draw, None, 0.01)
            rows.append(
                {
                    "method": name,
                    "n": n,
                    "mean": positive(draw, 1, EXTREME)[0],
                    "std": spread,
                    "seeds": 1 if spread is None else 3,
                }
            )
    return rows


def judge_halvings(headline, curves, zero=1.0):
    """Who is said to halve the error by some size is below the half from there on, and not just before."""
    told = 0
    for name, points in curves.items():
        found = re.search(rf"({NUMBER}) \({re.escape(name)}\)", headline)
        last = points[-1][1] < zero / 2
        if found:
            told += 1
            size = value(found[1])
            assert size in [n for n, _ in points]
            assert all(risk < zero / 2 for n, risk in points if n >= size)
            before = [risk for n, risk in points if n < size]
            assert not before or not before[-1] < zero / 2
        assert not last or found or len(headline) > 50
        assert f"not yet ({name})" not in headline or not last
    assert told or not curves or "not halved yet" in headline
    assert "not halved yet" not in headline or not any(points[-1][1] < zero / 2 for points in curves.values())


@case(risk_against_samples)
def _(draw):
    rows = [row | {"width": width} for width in (10, 100) for row in seeded(draw, some(draw, METHODS))]
    log = draw(st.booleans())
    picture = risk_against_samples(rows, (10, 100), (10, 100, 1000, 10_000), 10, theme=LOOK, log=log)
    if not rows:
        assert "No point" in picture.alt
        assert picture.headline == ""
        return picture
    width = max(row["width"] for row in rows)
    most = max(row["n"] for row in rows if row["width"] == width)
    values = {METHODS[row["method"]].label: row["mean"] for row in rows if (row["width"], row["n"]) == (width, most)}
    curves = {}
    for row in (row for row in rows if row["width"] == width):
        curves.setdefault(METHODS[row["method"]].label, []).append((row["n"], row["mean"]))
    says("Width #: ", picture.headline, width)
    judge_halvings(picture.headline, curves)
    says("At width # and n = # the", picture.alt, width, most)
    says_each(picture.alt, values)
    names_the_lowest(picture.alt, values)
    return picture


def widened(draw, names):
    rows = []
    for name in names:
        for width in sizes(draw, start=4):
            std = one_of(draw, None, 0.01)
            row = {"method": name, "width": width, "weights": width // 2, "std": std, "seeds": 1 if std is None else 3}
            rows.append(row | {"mean": positive(draw, 1, EXTREME)[0]})
    return rows


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
        says("Right after step #: # on digits, # on Gaussian", picture.headline, steps[-1], *both, decimals=2)
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


@case(risk_against_width)
def _(draw):
    rows = widened(draw, some(draw, METHODS))
    corners = {"ntk": [(4, 1.0), (40, 1.0), (40, 0.5), (4000, 0.5)]}
    stairs = one_of(draw, None, corners)
    picture = risk_against_width(rows, (4, 40, 400, 4000), theme=LOOK, stairs=stairs, log=draw(st.booleans()))
    if not rows:
        assert "No width" in picture.alt
        assert picture.headline == ""
        return picture
    widest = max(row["width"] for row in rows)
    values = {METHODS[row["method"]].label: row["mean"] for row in rows if row["width"] == widest}
    first = picture.alt.partition(". Algorithm 1 ")[0].removesuffix(".") + "."
    says("At width # the", first, widest)
    says_each(first, values)
    names_the_lowest(first, values)
    judge_overtaking(picture.headline, rows)
    assert picture.headline in picture.alt
    return picture


def judge_overtaking(headline, rows):
    """Who is named is the best at the widest of each other method, and from that width on all bands are apart."""
    ours = {row["width"]: row["mean"] + (row["std"] or 0) for row in rows if row["method"] == "algorithm1"}
    ends = {}
    for row in rows:
        if row["method"] != "algorithm1" and row["width"] >= ends.get(row["method"], row)["width"]:
            ends[row["method"]] = row
    assert bool(headline) == bool(ours and ends)
    if not headline:
        return
    label, width = re.search(rf"below the (.*) with ({NUMBER}) neurons", headline).groups()
    (rival,) = (row for row in ends.values() if METHODS[row["method"]].label == label)
    assert rival["mean"] == min(row["mean"] for row in ends.values())
    assert value(width) == rival["width"]
    limit = rival["mean"] - (rival["std"] or 0)
    below = [m for m in ours if all(high < limit for other, high in ours.items() if other >= m)]
    assert ("not clearly" in headline) == (not below)
    if below:
        says("With # neurons or more", headline, min(below))


@case(risk_against_weights)
def _(draw):
    rows = widened(draw, some(draw, METHODS))
    picture = risk_against_weights(rows, (2, 20, 2000), theme=LOOK, log=draw(st.booleans()))
    assert ("No width" in picture.alt) == (not rows)
    for name in {row["method"] for row in rows}:
        mine = [row for row in rows if row["method"] == name]
        least = min(row["mean"] for row in mine)
        label = METHODS[name].label
        texts = re.findall(rf"(?:there: |, )({NUMBER}) for {label} with ({NUMBER})(?=[,.])", picture.alt)
        assert len(texts) == 1
        assert reads(texts[0][0], least, 3)
        assert value(texts[0][1]) in [row["weights"] for row in mine if row["mean"] == least]
    return picture


@case(solver_cost.solver_times)
def _(draw):
    n = sizes(draw, start=700)
    seconds = {name: positive(draw, len(n)) for name in some(draw, solver_cost.SOLVERS, most=2)}
    busy = draw(st.booleans())
    slopes = {"direct": 3, "richardson": 2}
    picture = solver_cost.solver_times(solver_cost.Timings(n, seconds), slopes, theme=LOOK, last=10**6, busy=busy)
    for name, times in seconds.items():
        (text,) = quoted(f"# s for {solver_cost.SOLVERS[name].label}", picture.alt)
        assert abs(value(text) / times[-1] - 1) < 0.06
        (text,) = quoted({"direct": "direct # s", "richardson": "Richardson step # s"}[name], picture.headline)
        assert abs(value(text) / times[-1] - 1) < 0.06
    assert ("disturbed" in picture.headline) == (busy and bool(seconds))
    assert bool(picture.headline) == bool(seconds)
    assert ("disturbed" in picture.alt) == (busy and bool(seconds))
    return picture


@case(solver_cost.solver_reach)
def _(draw):
    n = sizes(draw, start=700)
    seconds = {name: positive(draw, len(n)) for name in some(draw, solver_cost.SOLVERS, most=2)}
    lines = {}
    for name in seconds if draw(st.booleans()) else ():
        low, high = sorted(positive(draw, 2, (1e-6, 0.5, 59.0, 61.0, 1e5, 3e7, 1e12)))
        lines[name] = solver_cost.Line(3, high, low, high)
    picture = solver_cost.solver_reach(solver_cost.Timings(n, seconds), lines, theme=LOOK)
    assert ("disturbed" in picture.alt) == (not lines)
    units = {"s": 1, "minutes": 60, "hours": 3600, "days": 86_400, "years": 31_557_600}
    for name, line in lines.items():
        label = re.escape(solver_cost.SOLVERS[name].label)
        low, high, unit = re.search(rf"(?:is|and) ({NUMBER})(?:–({NUMBER}))? (\w+) for {label}", picture.alt).groups()
        for text, true in ((low, line.low), (high or low, line.high)):
            assert abs(value(text) * units[unit] / true - 1) < 0.51  # one digit: 1.5 reads 1 or 2
    return picture


@case(solver_cost.residual_curve)
def _(draw):
    count = draw(st.integers(1, 5))
    residual = positive(draw, count)
    picture = solver_cost.residual_curve(range(1, count + 1), residual, 700, theme=LOOK)
    says("After # step", picture.alt, count)
    says("relative residual is #", picture.alt, residual[-1], decimals=4)
    return picture


@case(spike_and_bulk)
def _(draw):
    values = np.sort(positive(draw, 5))[::-1]
    share = np.array([draw(st.sampled_from((0.0, 0.9999, 1.0)) | st.floats(0, 1)) for _ in values])
    edge, shuffled = positive(draw, 2)
    null = positive(draw, 10).reshape(2, 5)
    picture = spike_and_bulk(
        SpectrumFrame(values, share, null, edge, shuffled), theme=LOOK, samples=100, reach=(1e-3, 1e3)
    )
    out, beyond = (int(np.sum(values > limit)) for limit in (edge, shuffled))
    counts = {0: "no singular values lie", 1: "one singular value lies"}
    assert counts.get(out, f"{out} singular values lie") in picture.alt
    assert {0: "none lies", 1: "one lies"}.get(beyond, f"{beyond} lie") + " beyond that of shuffled" in picture.alt
    says("edge of the bulk, #", picture.alt, edge, decimals=None)
    says("shuffled labels, #", picture.alt, shuffled, decimals=None)
    assert f"{ {0: 'no directions stand', 1: 'one direction stands'}.get(out, f'{out} directions stand') } out" in (
        picture.headline
    )
    if out:
        least = value(quoted("at least #", picture.alt)[0])
        assert 0 <= share[values > edge].min() - least < 0.00101
    return picture


@case(spectrum_course)
def _(draw):
    n, rank = sizes(draw), draw(st.integers(0, 3))
    values = np.sort(positive(draw, 5 * len(n)).reshape(len(n), 5), axis=1)[:, ::-1]
    edge = positive(draw, len(n))
    picture = spectrum_course(n, values, edge, edge / 2, theme=LOOK, rank=rank)
    out = np.sum(values > edge[:, None], axis=1)
    first, second = picture.alt.split("; ")
    counts = {0: "no singular values lie", 1: "one singular value lies"}
    assert counts.get(out[-1], f"{out[-1]} singular values lie") in first
    if not rank:
        assert "none" in second
    elif out[-1] >= rank:
        (since,) = quoted("out from n = # on", second)
        row = n.index(value(since))
        assert (out[row:] >= rank).all()
        assert row == 0 or out[row - 1] < rank
    else:
        assert "not out at the largest n" in second
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


def begun_curves(draw, count, pool):
    """Curves of some kinds of labels, each measured up to some place."""
    curves = {name: positive(draw, count, pool) for name in some(draw, LABELS_OF_STEP, least=1, most=3)}
    for curve in curves.values():
        curve[draw(st.integers(0, count)) :] = math.nan
    return curves


def last_of_each(curves, names):
    """Label -> the last number measured of a curve."""
    known = {name: [one for one in curve if math.isfinite(one)] for name, curve in curves.items()}
    return {names[name].label: values[-1] for name, values in known.items() if values}


@case(rescue.rescue_risks)
def _(draw):
    n = sizes(draw)
    risks = begun_curves(draw, len(n), EXTREME)
    picture = rescue.rescue_risks(n, risks, theme=LOOK)
    ends = last_of_each(risks, LABELS_OF_STEP)
    if ends:
        says_each(picture.alt, ends)
    everyone = [i for i in range(len(n)) if all(math.isfinite(risk[i]) for risk in risks.values())]
    assert bool(picture.headline) == bool(everyone)
    if everyone:
        says("at n = #", picture.headline, n[everyone[-1]])
        for name, risk in risks.items():
            says(f"{SHORT[name]} #", picture.headline, risk[everyone[-1]], decimals=2)
    return picture


@case(rescue.rescue_alignments)
def _(draw):
    n, chance = sizes(draw), draw(st.floats(0.005, 0.5))
    curves = begun_curves(draw, len(n), (0.0, 1e-5, 0.05, 0.5, 1.0))
    picture = rescue.rescue_alignments(n, curves, chance, theme=LOOK)
    ends = last_of_each(curves, LABELS_OF_STEP)
    if ends:
        says_each(picture.alt, ends)
    assert ("No alignment" in picture.alt) == (not ends)
    says("chance is #", picture.alt, chance)
    return picture


@case(transformed_labels)
def _(draw):
    names = some(draw, LABELS_OF_STEP, least=1, most=3)
    z, exponent = np.linspace(-3, 3, 9), draw(st.integers(1, 4))
    transformed = {name: signed(draw, 9, EXTREME[:-1]) for name in names}
    correlation = {name: draw(st.sampled_from((0.0, -1e-4, 1.0, -0.506)) | st.floats(-1, 1)) for name in names}
    picture = transformed_labels(z, transformed, correlation, exponent, theme=LOOK)
    assert f"with {HERMITE[exponent]} is" in picture.alt
    rounded = {name: 0.0 if abs(one) < 0.005 else one for name, one in correlation.items()}
    says_each(picture.alt, {LABELS_OF_STEP[name].label: one for name, one in rounded.items()}, decimals=2)
    return picture


@case(average_cosines)
def _(draw):
    d, ratio = one_of(draw, [100], [100, 400], [20, 50, 500]), [1, 3, 10, 30]
    repeats = draw(st.integers(1, 4))
    cosine = {}
    for name in some(draw, LABELS_OF_STEP, least=1, most=3):
        cosine[name] = np.array(draw(st.lists(st.floats(0, 1), min_size=4, max_size=4)))[None, None] * np.linspace(
            0.2, 1, repeats * len(d)
        ).reshape(repeats, len(d), 1)
        cosine[name][draw(st.integers(0, repeats)) :] = math.nan
    picture = average_cosines(d, ratio, cosine, theme=LOOK)
    measured = {name: table for name, table in cosine.items() if np.isfinite(table).any()}
    assert ("No average" in picture.alt) == (not measured)
    for name, table in measured.items():
        means = np.nanmean(table[np.isfinite(table).all(axis=(1, 2))], axis=0)[:, -1]
        part = picture.alt.partition(f"{LABELS_OF_STEP[name].label} ")[2].partition(";")[0]
        for size, mean in zip(d, means, strict=True):
            says(f"# at d = {size}", part, mean, decimals=2)
    return picture


@case(overlap_course)
def _(draw):
    d, count = one_of(draw, [64], [64, 256], [4, 64, 1024]), draw(st.integers(1, 5))
    n = np.arange(count) * draw(st.sampled_from((50, 6400)))
    courses = {
        name: {size: OverlapCourse(n, np.array([0.0, *(draw(st.floats(0, 1)) for _ in n[1:])])) for size in d}
        for name in some(draw, LOOKS, least=1)
    }
    picture = overlap_course(courses, 300, 7, theme=LOOK)
    for name, of in courses.items():
        part = picture.alt.partition(f"{LOOKS[name].label} ")[2].partition(";")[0]
        for size, one in of.items():
            says(f"# at d = {size}", part.replace("1\u202f024", "1024"), one.median[-1], decimals=2)
    assert bool(picture.headline) == (count > 1)
    if picture.headline:
        for name, of in courses.items():
            activation, looks = LOOKS[name].label.split(", ")
            told = picture.headline.partition(f"{looks} ")[2].partition(";")[0].split(", ")
            part = next((one for one in told if one.startswith(activation)), "")
            assert part.endswith(" not yet") == (max(of[d[-1]].median) < 0.5)
            assert part.endswith((" d" if "two" in looks else " d²", " not yet"))
    assert len(picture.table["samples"]) == count * len(d) * len(courses)
    return picture


@case(overlap_runs)
def _(draw):
    d, runs = one_of(draw, [64], [64, 128, 256]), draw(st.integers(2, 6))
    overlap = {
        name: np.array([draw(st.lists(st.floats(-1, 1), min_size=runs, max_size=runs)) for _ in d]) for name in LOOKS
    }
    picture = overlap_runs(d, overlap, theme=LOOK)
    for name, table in overlap.items():
        found = np.abs(table)
        says(f"{LOOKS[name].label} lie from # to #", picture.alt, found.min(), found.max(), decimals=2)
    return picture


@case(looks.effective_labels)
def _(draw):
    y = np.linspace(-4, 4, 7)
    effective = {name: signed(draw, 7, EXTREME[:-1]) for name in LOOKS}
    drift = {name: draw(st.sampled_from((0.0, 1e-16, -1e-16, -0.0425, 1e6)) | st.floats(-2, 2)) for name in LOOKS}
    picture = looks.effective_labels(y, effective, drift, theme=LOOK)
    told = {LOOKS[name].label: 0.0 if abs(one) < 5e-5 else one for name, one in drift.items()}
    says_each(picture.alt, told)
    return picture


@case(transfer_panels)
def _(draw):
    ns, Ns = sizes(draw), sizes(draw)
    grid = [(n, N) for n in ns for N in Ns]
    means = positive(draw, len(grid), EXTREME)
    rows = [
        {"method": "transfer", "n": n, "N": N, "mean": mean, "std": None, "seeds": 1}
        for (n, N), mean in zip(grid, means, strict=True)
    ][: draw(st.integers(0, len(grid)))]
    picture = transfer_panels(rows, ns, Ns, 10, theme=LOOK, log=draw(st.booleans()))
    if not rows:
        return picture
    text, n, N = quoted("new target is #, at n = # and N = #", picture.alt)
    best = min(row["mean"] for row in rows)
    assert reads(text, best)
    assert any(near(row["mean"], best) for row in rows if (row["n"], row["N"]) == (value(n), value(N)))
    for along, other in (("n", "N"), ("N", "n")):
        most = max(row[other] for row in rows)
        line = sorted((row for row in rows if row[other] == most), key=lambda row: row[along])
        part = re.search(rf"with {other} = {NUMBER} it (.*?)(?:;|\.$)", picture.alt)
        assert bool(part) == (len(line) > 1)
        if part:
            judge_course(part[1], line[0]["mean"], line[-1]["mean"])
        if along == "n":
            assert bool(picture.headline) == (len(line) > 1)
            if picture.headline:
                says("With N = # the error", picture.headline, most)
                judge_course(picture.headline.partition("the error ")[2], line[0]["mean"], line[-1]["mean"])
    return picture


@case(bench_curves)
def _(draw):
    rows = [row | {"N": row["n"], "n": 100} for row in seeded(draw, some(draw, ("transfer", "algorithm1"), most=2))]
    picture = bench_curves(rows, (10, 100, 1000, 10_000), 100, 10, theme=LOOK, log=draw(st.booleans()))
    names = {"transfer": "frozen layer from n = 100, new head", "algorithm1": "Algorithm 1 from scratch"}
    shared = set.intersection(*({row["N"] for row in rows if row["method"] == name} for name in names))
    if shared:
        values = {names[row["method"]]: row["mean"] for row in rows if row["N"] == max(shared)}
        says_each(picture.alt, values)
        names_the_lowest(picture.alt, values)
    assert ("no point in common" in picture.alt) == (not shared)
    short = {"transfer": "frozen layer", "algorithm1": "from scratch"}
    curves = {
        label: [(row["N"], row["mean"]) for row in rows if row["method"] == name] for name, label in short.items()
    }
    judge_halvings(picture.headline, {name: points for name, points in curves.items() if points})
    return picture


def class_rounds(draw, values):
    """Answers of one round or two, and how many were not sure in each."""
    rounds = draw(st.lists(st.lists(values, max_size=30).map(tuple), min_size=1, max_size=2))
    return tuple(rounds), tuple(draw(st.integers(0, 3)) for _ in rounds)


@case(guessed_number)
def guessed_number_case(draw):
    log = draw(st.booleans())
    rounds, unsure = class_rounds(draw, st.sampled_from((*MODEST, -2.0, 1e-9)) | st.floats(-10, 10))
    truth = draw(st.none() | st.sampled_from(MODEST))
    picture = guessed_number(Guesses(rounds, unsure, 0.03, 1.0, log), truth, "The class", LOOK)
    count = len(rounds[-1])
    told = f"{count} guesses" if count > 1 else "one guess" if count else "no guesses"
    assert picture.alt.startswith(f"The class made {told}")
    if count > 1:
        says("half of them up to #", picture.alt, float(np.median(rounds[-1])))
    if truth is not None:
        says("Measured: #", picture.alt, truth)
    return picture


@case(votes_picture)
def votes_case(draw):
    options = ("A", "B", "C")
    rounds, unsure = class_rounds(draw, st.sampled_from(options))
    counts = tuple(tuple(chosen.count(one) for one in options) for chosen in rounds)
    picture = votes_picture(Votes(options, counts, unsure, draw(st.sampled_from(("", "B")))), "The class", LOOK)
    answers = len(rounds[-1]) + unsure[-1]
    told = f"{answers} answers" if answers > 1 else "one answer" if answers else "no answers"
    assert f"The class gave {told}" in picture.alt
    return picture


def spoken_step(at):
    """How a sentence names a step, or none."""
    return "no step" if at is None else f"step {number(at)}"


def for_good(steps, values):
    """The first step from which on all values are above ½, by a walk from the end."""
    found = None
    for step, one in zip(reversed(steps), reversed(list(values)), strict=True):
        if not one > 0.5:
            break
        found = step
    return found


@case(coefficients)
def _(draw):
    names = draw(st.lists(st.sampled_from(list(STAIRS)), unique=True, min_size=1, max_size=4))
    steps = [0, 10, 20, 500, 2000][: draw(st.integers(1, 5))]
    learned, told = {}, []
    for name in names:
        own = {one: np.array([draw(st.floats(-0.5, 1.5)) for _ in steps]) for one in name.split("+")}
        if draw(st.booleans()):
            own = {one: np.where(np.arange(len(steps)) > 2, np.nan, values) for one, values in own.items()}
        learned[name] = Learned(own, numbers(draw, 2 * len(steps), (0.0, -0.3, 0.2)).reshape(2, -1))
        told += [for_good(steps, values) for values in own.values()]
    picture = coefficients(steps, learned, 80, theme=LOOK, log=draw(st.booleans()))
    assert re.findall(r"no step|step [\d\u202f]+", picture.alt) == [spoken_step(at) for at in told]
    first = [for_good(steps, values) for values in learned[names[0]].own.values()]
    came = sorted(at for at in first if at is not None)[:3]
    assert [value(one) for one in re.findall(rf"at step ({NUMBER})", picture.headline)] == came
    assert came or not steps[-1] or "no monomial is half learned" in picture.headline
    return picture


@case(loss_courses)
def _(draw):
    names = draw(st.lists(st.sampled_from(list(STAIRS)), unique=True, min_size=1, max_size=4))
    steps = [0, 10, 20, 500, 2000][: draw(st.integers(1, 5))]
    losses = {name: positive(draw, len(steps)) for name in names}
    if draw(st.booleans()):
        losses[names[0]] = np.where(np.arange(len(steps)) > 1, np.nan, losses[names[0]])
    picture = loss_courses(steps, losses, 0.3, 80, theme=LOOK, log=draw(st.booleans()))
    below = [next((at for at, one in zip(steps, losses[name], strict=True) if one < 0.3), None) for name in names]
    told = re.findall(r"no step|step [\d\u202f]+", picture.alt.partition(" is below ")[2])
    assert told == [spoken_step(at) for at in below]
    done = sorted(at for at in below if at is not None)
    spoken = [value(one) for one in re.findall(rf"at step ({NUMBER})", picture.headline)]
    if not done:
        assert not steps[-1] or "nothing is learned yet" in picture.headline
    elif len(done) < len(names):
        assert spoken == done[:1]
        missing = len(names) - len(done)
        assert f"{'one is' if missing == 1 else f'{missing} are'} not learned" in picture.headline
    else:
        assert spoken == [done[0], done[-1]][: len(names)]
    return picture


@case(step_counts)
def _(draw):
    dims = [20, 40, 80][: draw(st.integers(1, 3))]
    names = draw(st.lists(st.sampled_from(list(STAIRS)), unique=True, min_size=1, max_size=4))
    pool = st.sampled_from((10.0, 340.0, 345.0, 6000.0, math.inf))
    counts = {name: [np.sort(draw(st.lists(pool, max_size=3 if d == dims[-1] else 2))) for d in dims] for name in names}
    picture = step_counts(dims, counts, 6000, theme=LOOK)
    medians = {name: {d: float(np.median(row)) for d, row in zip(dims, rows, strict=True) if len(row)}
               for name, rows in counts.items()}  # fmt: skip
    shown = {name: row for name, row in medians.items() if row}
    for name, row in shown.items():
        last = row[max(row)]
        when = f"takes {number(last)} steps" if last < math.inf else f"is not learned in {number(6000)} steps"
        assert f"{STAIRS[name].label} {when} at d = {max(row)}" in picture.alt
    assert bool(shown) == ("No network" not in picture.alt)
    seen = sorted({d for row in shown.values() for d in row})
    grown = [
        row[seen[-1]] / row[seen[0]]
        for row in shown.values()
        if len(seen) > 1 and max(row.get(seen[0], math.inf), row.get(seen[-1], math.inf)) < math.inf
    ]
    assert bool(grown) == bool(picture.headline)
    spoken = [value(one) for one in re.findall(rf"by ({NUMBER}) on", picture.headline)]
    if grown:
        assert abs(spoken[-1] / max(grown) - 1) < 0.06
        assert len(spoken) == 1 or abs(spoken[0] / min(grown) - 1) < 0.06
    return picture


def times_from_zero(draw):
    return np.array([0.0, 0.5, 1.0, 4.0, 30.0, 239.4, 600.0][: draw(st.integers(1, 7))])


def half_time(t, share):
    """When a share first reaches one half, by a walk along its polygon; NaN for never."""
    if share[0] >= 0.5:
        return t[0]
    for k in range(1, len(t)):
        if share[k] >= 0.5:
            return t[k - 1] + (t[k] - t[k - 1]) * (0.5 - share[k - 1]) / (share[k] - share[k - 1])
    return math.nan


def shares(draw, count, columns):
    return np.stack([numbers(draw, count, (0.0, 0.49, 0.5, 0.51, 1.0, 1.2)) for _ in range(columns)], axis=1)


@case(scaling.scaling_law)
def _(draw):
    t = times_from_zero(draw)
    names = draw(st.lists(st.sampled_from(["alone", "many"]), unique=True))
    curves = {name: scaling.Curve(t, numbers(draw, len(t), EXTREME)) for name in ["network", *names]}
    slope = st.none() | st.sampled_from((-1.0, -1.333333, -0.571, 0.0, -12.25))
    slopes = {name: draw(slope) for name in ("predicted", "network", "alone", "many")}
    picture = scaling.scaling_law(curves, slopes, theme=LOOK)
    says("At t = # the network's loss is #", picture.alt, t[-1], curves["network"].loss[-1])
    for name, style in SCALING.items():
        if slopes[name] is None:
            assert f"for {style.label}" not in picture.alt
        else:
            says(f"# for {style.label}", picture.alt, slopes[name], decimals=2)
    assert ("theory has" in picture.alt) == (slopes["predicted"] is not None)
    known = slopes["predicted"] is not None and slopes["many"] is not None
    assert bool(picture.headline) == known
    if known:
        said = [value(one) for one in re.findall(rf"(?:Slope|tasks|theory) ({NUMBER})", picture.headline)]
        expected = [slopes[name] for name in ("network", "many", "predicted") if slopes[name] is not None]
        assert said == pytest.approx(expected, abs=0.006)
    return picture


@case(task_courses)
def _(draw):
    t, named = times_from_zero(draw), [1, 2, 4, 8, 16, 32, 64][: draw(st.integers(1, 7))]
    share = shares(draw, len(t), len(named))
    alone = (t, shares(draw, len(t), len(named))) if draw(st.booleans()) else (np.zeros(0), np.zeros((0, len(named))))
    picture = task_courses(t, share, alone, named, theme=LOOK)
    halves = {task: half_time(t, share[:, index]) for index, task in enumerate(named)}
    for task, at in halves.items():
        if math.isnan(at):
            assert f"task {task} at no time" in picture.alt
        else:
            says(f"task {task} at t = #", picture.alt, at, decimals=1)
    known = sorted((at, task) for task, at in halves.items() if not math.isnan(at))
    if known:
        ends = list(dict.fromkeys([known[0], known[-1]]))
        assert [int(one) for one in re.findall(r"task (\d+) at", picture.headline)] == [task for _, task in ends]
    else:
        assert bool(picture.headline) == bool(t[-1])
    return picture


@case(learned_tasks)
def _(draw):
    t, count = times_from_zero(draw), draw(st.sampled_from((1, 2, 3, 64)))
    share = shares(draw, len(t), min(count, 3))[:, np.arange(count) % min(count, 3)]
    predicted = positive(draw, count) if draw(st.booleans()) else []
    picture = learned_tasks(t, share, predicted, theme=LOOK)
    done = int(sum(share[-1] >= 0.5))
    says(f"At t = #, {done or 'none'} of {count} task", picture.alt, t[-1])
    assert bool(picture.headline) == bool(t[-1])
    assert not picture.headline or f": {done} of {count} task" in picture.headline
    return picture


def feature_frame(draw):
    """Values, an edge and correlations of any kind."""
    values = np.sort(positive(draw, 8))[::-1]
    return FeatureFrame(
        values, float(positive(draw, 1)[0]), np.array([[draw(st.floats(0, 1)) for _ in range(4)] for _ in range(3)])
    )


@case(feature_spectrum)
def _(draw):
    frame, alpha = feature_frame(draw), one_of(draw, 0.0, 0.05, 0.5)
    larger = replace(frame, values=frame.values * one_of(draw, 1, 3))
    picture = feature_spectrum(frame, alpha, [frame, larger], theme=LOOK)
    out = sum(one > 1.05 * frame.edge for one in frame.values)
    lie = {0: "no singular values lie", 1: "one singular value lies"}.get(out, f"{out} singular values lie")
    assert lie in picture.alt
    says("edge of the bulk, #", picture.alt, frame.edge, decimals=None)
    says("a correlation of # with", picture.alt, frame.correlation[0, 0], decimals=2)
    limit, bars = 1.05 * frame.edge, picture.figure.data[0]
    if limit > bars.width:
        assert sum(many for place, many in zip(bars.x, bars.y, strict=True) if place > limit) == out
    leave = {0: "no spikes leave", 1: "one spike leaves"}.get(out, f"{out} spikes leave")
    assert picture.headline == f"With α = {number(alpha)}, {leave} the bulk"
    return picture


@case(spike_course)
def _(draw):
    alphas = [0.0, 0.05, 0.3, 0.5][: draw(st.integers(1, 4))]
    frames = [feature_frame(draw) for _ in alphas]
    picture = spike_course(alphas, frames, theme=LOOK, at=one_of(draw, None, 0.0))
    counts = [sum(one > 1.05 * frame.edge for one in frame.values) for frame in frames]

    def start(least):
        good = [alpha for index, alpha in enumerate(alphas) if min(counts[index:]) >= least]
        return good[0] if good else None

    assert {0: "are no spikes", 1: "is one spike"}.get(counts[-1], f"are {counts[-1]} spikes") in picture.alt
    for least, word in ((1, "one spike"), (2, "two")):
        if start(least) is None:
            assert f"not yet {word} for good" in picture.alt
        else:
            says(f"{word} from α = # on", picture.alt, start(least))
    spoken = [value(one) for one in re.findall(rf"from (?:α = )?({NUMBER}) on", picture.headline)]
    assert spoken == [one for one in (start(1), start(2)) if one is not None]
    assert spoken or "No spike" in picture.headline
    return picture


@case(correlations)
def _(draw):
    frame = feature_frame(draw)
    picture = correlations(frame, 0.35, theme=LOOK)
    for row, told in zip(frame.correlation, picture.alt.split(", vector"), strict=True):
        degree, size = re.search(rf"nearest to He(.)\(z\), with ({NUMBER})", told).groups()
        assert near(row["₁₂₃₄".index(degree)], row.max())
        assert reads(size, row.max(), 2)
    return picture


@case(second_direction)
def _(draw):
    sizes = [100, 178, 10_000, 31_623][: draw(st.integers(1, 4))]
    rows = [DirectionFrame(*(draw(st.floats(0, 1)) for _ in range(2)), 1.0) for _ in sizes]
    picture = second_direction(sizes, rows, 100, theme=LOOK)
    last = rows[-1].together, rows[-1].single
    says("With n = # the cosine", picture.alt, sizes[-1])
    says("# for all neurons together and # for one", picture.alt, *last, decimals=2)
    says("all neurons #, one neuron #", picture.headline, *last, decimals=2)
    return picture


def stepped_frame(draw):
    m = draw(st.integers(1, 5))
    share, aligned = [draw(st.floats(0, 1)) for _ in range(m)], {name: draw(st.floats(0, 1)) for name in STEP_LOSSES}
    return SteppedFrame(
        np.array(share), np.linspace(0, 3, m), np.resize([1, -1], m), aligned, dict.fromkeys(aligned, 0.0)
    )


@case(neuron_dial)
def _(draw):
    frame, steps = stepped_frame(draw), draw(st.integers(0, 8))
    picture = neuron_dial(frame, steps, theme=LOOK)
    says(
        "alignment of the layer with the hidden direction is #", picture.alt, frame.alignment["correlation"], decimals=2
    )
    assert f"After {steps} step{'' if steps == 1 else 's'} " in picture.alt
    return picture


@case(alignment_course)
def _(draw):
    frames = [stepped_frame(draw) for _ in range(draw(st.integers(1, 4)))]
    losses = one_of(draw, ("correlation",), tuple(STEP_LOSSES))
    picture = alignment_course(range(len(frames)), frames, losses, 8, theme=LOOK)
    last = frames[-1].alignment
    if len(losses) == 1:
        says("the alignment is #", picture.alt, last["correlation"], decimals=2)
    for name in losses:
        if len(losses) > 1:
            says(f"# for {STEP_LOSSES[name]}", picture.alt, last[name], decimals=2)
        says(f"{STEP_LOSSES[name]} #", picture.headline, last[name], decimals=2)
    return picture


@case(steps_and_samples)
def _(draw):
    d = one_of(draw, [25, 50], [25, 50, 100, 200])
    shape = (len(STEP_COUNTS), len(d), 2)
    samples = np.array([draw(st.sampled_from((math.nan, 25.0, 600.0, 40_000.0))) for _ in range(math.prod(shape))])
    known = draw(st.booleans())
    slopes = {steps: (draw(st.sampled_from((math.nan, 0.97, 1.5, 2.06))), 0.05) for steps in STEP_COUNTS if known}
    picture = steps_and_samples(d, samples.reshape(shape), slopes, theme=LOOK)
    found = {steps: slope for steps, (slope, _) in slopes.items() if slope > 0}
    for steps, slope in found.items():
        says(f"# for {steps} step", picture.alt, slope, decimals=2)
    assert bool(found) == bool(picture.headline)
    if not found and np.isfinite(samples).any():
        says("lie from # to #", picture.alt, np.nanmin(samples), np.nanmax(samples))
    return picture


@case(risk_by_steps)
def _(draw):
    known, steps = draw(st.integers(0, 3)), (1, 2, 8)
    risk = np.full((2, 3, 2), math.nan)
    risk[:, :known] = positive(draw, 4 * known).reshape(2, known, 2)
    picture = risk_by_steps(steps, risk, {10: 1000, 50: 3000}, theme=LOOK)
    assert bool(known) == bool(picture.headline)
    for row, d in enumerate((10, 50)):
        if known:
            means = risk[row].mean(axis=1)
            says(f"at d = {d} it is # after", picture.alt, means[0], decimals=2)
            says(f"d = {d}: # → #", picture.headline, means[0], means[known - 1], decimals=2)
    return picture


BOTH = {"few": 1.5, "many": 12.0}


def network_look(draw):
    shares = [np.array([draw(st.floats(0, 0.5)) for _ in range(2)]) for _ in range(3)]
    values = np.sort([draw(st.sampled_from((-1.4, -0.05, 0.0, 0.3))) for _ in range(3)])
    loss, risk = positive(draw, 2)
    return NetworkLook(float(loss), float(risk), np.sqrt(shares[0])[None], shares[1], values, shares[2])


def training_frame(draw):
    return TrainingFrame({name: network_look(draw) for name in BOTH})


@case(hessian.feature_plane)
def _(draw):
    frame = training_frame(draw)
    picture = hessian.feature_plane(frame, 20, BOTH, theme=LOOK)
    for name, ratio in BOTH.items():
        one = frame.networks[name]
        part = picture.alt.partition(f"n/d = {number(ratio)}")[2]
        says("a share of # along u₂", part, one.share[1], decimals=2)
        says("lowest vector of the Hessian one of #", part, one.vector[1], decimals=2)
    many = frame.networks["many"]
    says("vector #, neurons #", picture.headline, many.vector[1], many.share[1], decimals=2)
    return picture


@case(hessian.share_course)
def _(draw):
    looks = [network_look(draw) for _ in range(draw(st.integers(1, 4)))]
    steps = [10 * index for index in range(len(looks))]
    picture = hessian.share_course(steps, looks, 12.0, 200, theme=LOOK)
    for word, shares in (("vector", [one.vector[1] for one in looks]), ("neurons", [one.share[1] for one in looks])):
        reached = [step for step, one in zip(steps, shares, strict=True) if one >= 0.5]
        assert (f"the {word} at step {reached[0]}" if reached else f"the {word} not yet") in picture.alt
    return picture


@case(hessian.lowest_eigenvalues)
def _(draw):
    frame = training_frame(draw)
    picture = hessian.lowest_eigenvalues(frame, 20, BOTH, -1.5, theme=LOOK)
    for name, ratio in BOTH.items():
        for text in (picture.alt, picture.headline):
            says(f"# for n/d = {number(ratio)}", text, frame.networks[name].eigenvalues[0], decimals=2)
    return picture


@case(hessian.error_course)
def _(draw):
    frames = [training_frame(draw) for _ in range(draw(st.integers(1, 3)))]
    picture = hessian.error_course(range(len(frames)), frames, BOTH, 200, theme=LOOK)
    for name, ratio in BOTH.items():
        one = frames[-1].networks[name]
        for word, wanted in (("training", one.loss), ("new", one.risk)):
            says(f"# for {word}, n/d = {number(ratio)}", picture.alt, wanted, decimals=2)
    few = frames[-1].networks["few"]
    says("# on its samples, # on new ones", picture.headline, few.loss, few.risk, decimals=2)
    return picture


@case(hessian.threshold_course)
def _(draw):
    ratios, known = (1.0, 1.5, 12.0), draw(st.integers(0, 3))
    vector, neurons = np.full((2, 3, 2), math.nan)
    for table in (vector, neurons):
        table[:known] = np.reshape([draw(st.floats(0, 1)) for _ in range(2 * known)], (known, 2))
    picture = hessian.threshold_course(ratios, vector, neurons, theme=LOOK)
    assert bool(known) == bool(picture.headline)
    for word, table in (("vector, first phase", vector), ("neurons, end", neurons)):
        if known:
            middle = np.median(table[known - 1])
            says(f"that of the {word} # at n/d = #", picture.alt, middle, ratios[known - 1], decimals=2)
    return picture


@case(risk_by_round)
def _(draw):
    risks = list(positive(draw, draw(st.integers(0, 4))))
    rivals = {name: float(positive(draw, 1)[0]) for name in some(draw, ("algorithm1", "ntk"))}
    picture = risk_by_round(risks, rivals, 6, theme=LOOK)
    if not risks:
        assert picture.alt == "No round is measured yet."
        assert not picture.headline
        return picture
    for name, value_ in rivals.items():
        says(f"{METHODS[name].label} has #", picture.alt, value_)
    if len(risks) > 1:
        says("risk # → #", picture.headline, risks[0], risks[-1], decimals=2)
        assert f"Re-weighted {len(risks) - 1}×" in picture.headline
    spoken = re.findall(NUMBER, picture.alt)
    assert reads(spoken[0], risks[0], 3)
    return picture


@case(share_by_round)
def _(draw):
    shares = [draw(st.floats(0, 1)) for _ in range(draw(st.integers(1, 4)))]
    alignment = one_of(draw, None, 0.25)
    picture = share_by_round(shares, 5, (1, 10), theme=LOOK, alignment=alignment)
    says("chance is #", picture.alt, 0.1)
    assert reads(re.findall(NUMBER, picture.alt)[0], shares[0], 3)
    assert ("Algorithm 1's first layer has 0.25." in picture.alt) == (alignment is not None)
    return picture


@case(matrix_map)
def _(draw):
    d, at = draw(st.integers(2, 18)), draw(st.integers(0, 3))
    roots = np.array([[draw(st.floats(-1, 1)) for _ in range(d)] for _ in range(2)])
    M = roots.T @ roots + np.eye(d) * one_of(draw, 0.01, 1.0)
    M = np.eye(d) / d if one_of(draw, True, False) else M / np.trace(M)
    share = float(M[0, 0])
    picture = matrix_map(MatrixFrame(M, share), np.eye(d)[:1], at, theme=LOOK)
    says("have a share of # of M", picture.alt, share)
    assert picture.alt.startswith(f"In round {at} ")
    if "weigh alike" in picture.alt:
        assert np.ptp(np.diag(M)) < 1e-5
    else:
        says("the largest diagonal entry is that of x", picture.alt)
        says(", #; the hidden", picture.alt, np.diag(M).max())
    return picture


def fold_table(draw):
    """Risks of some methods on five folds, of which some are not yet measured."""
    names = some(draw, OWN_SHORT, least=1, most=5)
    risk = {name: numbers(draw, 5) for name in names}
    for values in risk.values():
        if draw(st.booleans()):
            values[draw(st.integers(0, 4)) :] = np.nan
    return risk, one_of(draw, 0.25, 1 / 3, 1.0)


def written_out(values, ratio):
    """Mean and standard error over five folds, by the formula."""
    mean = math.fsum(values) / 5
    return mean, ((1 / 5 + ratio) * math.fsum((value - mean) ** 2 for value in values) / 4) ** 0.5


@case(own_risks.fold_risks)
def _(draw):
    risk, ratio = fold_table(draw)
    picture = own_risks.fold_risks(risk, ratio, theme=LOOK)
    whole = {name: values for name, values in risk.items() if np.isfinite(values).all()}
    if not whole:
        assert "No method" in picture.alt
    for name, values in whole.items():
        says(f"{OWN_SHORT[name]} # ± ", picture.alt, written_out(values, ratio)[0])
    if picture.headline.startswith("Lowest, and clearly"):
        best = next(name for name in risk if picture.headline.endswith(OWN_SHORT[name]))
        for name in set(risk) - {best}:
            mean, error = written_out(risk[name] - risk[best], ratio)
            assert mean > 2.7 * error
    if picture.headline.startswith("No difference shown"):
        for first, second in itertools.combinations(risk, 2):
            mean, error = written_out(risk[first] - risk[second], ratio)
            assert abs(mean) <= 2.8 * error
    if len(whole) < len(risk) or len(risk) < 2:
        assert picture.headline == ""
    return picture


@case(own_risks.pair_table)
def _(draw):
    risk, ratio = fold_table(draw)
    picture = own_risks.pair_table(risk, ratio, theme=LOOK)
    called = {label: name for name, label in OWN_SHORT.items()}
    for better, worse in re.findall(r"(?:: |; )([\w ]+?) below ([\w ]+?) by", picture.alt):
        mean, error = written_out(risk[called[worse]] - risk[called[better]], ratio)
        assert mean > 2.7 * error
    clear = picture.table["verdict"].count("clear")
    assert picture.alt.count(" below ") == clear
    whole = sum(np.isfinite(values).all() for values in risk.values())
    assert len(picture.table["verdict"]) == whole * (whole - 1) // 2
    return picture


@case(own_looks.column_map)
def _(draw):
    d = one_of(draw, 2, 5, 30, 70)
    columns = [f"c{index}" for index in range(d)]
    planted = some(draw, columns, most=2)
    look = {name: positive(draw, d) for name in some(draw, OWN_SHORT, most=5)}
    look = {name: values / values.sum() for name, values in look.items()}
    picture = own_looks.column_map(look, columns, planted, theme=LOOK)
    for name, values in look.items():
        first = re.search(rf"{OWN_SHORT[name]} (c\d+) \(", picture.alt)[1]
        assert values[columns.index(first)] == values.max()
        says(f"{OWN_SHORT[name]} {first} (#)", picture.alt, values.max(), decimals=2)
    if not look:
        assert "No layer" in picture.alt
    elif planted and "none so far" not in picture.headline:
        for name, values in look.items():
            leaders = {columns[index] for index in np.argsort(-values, kind="stable")[: len(planted)]}
            assert (OWN_SHORT[name] in picture.headline) == (leaders == set(planted))
    assert len(picture.table["column"]) == d
    return picture


@case(share_courses)
def _(draw):
    letter, ratios = one_of(draw, "r", "λ₁/λᵣ"), np.array([0.0625, 1.0, 32.0])
    places = sorted(some(draw, (1.0, 2.0, 3.5, 8.0)))
    curves = {place: shares(draw, draw(st.integers(1, 3)), 3) for place in places}
    picture = share_courses(curves, ratios, letter, theme=LOOK)
    assert bool(curves) == ("No target" not in picture.alt)
    for place, values in curves.items():
        found = re.search(rf"(\d\.\d\d) at {letter} = {re.escape(f'{place:g}')}\b(?!\.\d)", picture.alt)
        assert abs(float(found[1]) - values[:, -1].mean()) < 0.0051
    return picture


@case(samples_of_structure)
def _(draw):
    sizes, found = [10, 100, 1000], {}
    sweeps = {"rank": [Case(r, 1.0) for r in (1, 2, 4, 8)], "condition": [Case(2, ratio) for ratio in (1.0, 2.0, 4.0)]}
    for name, cases in sweeps.items():
        if draw(st.booleans()):
            found[name] = growth_of(cases, dict(zip(cases, shares(draw, len(cases), 3), strict=True)), sizes)
    picture = samples_of_structure(found, one_of(draw, None, 1.57), (10, 1000), (0.5, 8.5), 10, theme=LOOK)
    assert bool(found) == ("No target" not in picture.alt)
    for name, one in found.items():
        known = {x: n for x, n in one.needed.items() if n is not None}
        if len(known) > 2:
            slope = np.polyfit(np.log(list(known)), np.log(list(known.values())), 1)[0]
            told = rf"([⁻⁰-⁹¹²³˙]+) ± [0-9.]+ for {SWEEPS[name].label} over {len(known)}"
            (text,) = re.findall(told, picture.alt)
            assert abs(value(text.translate(RAISED)) - slope) < 0.006
        else:
            assert f"too few targets for a slope for {SWEEPS[name].label}" in picture.alt
    both = len(found) == 2 and all(one.slope is not None for one in found.values())
    assert bool(picture.headline) == both
    for one in found.values() if both else ():
        assert f"{abs(one.slope):.2f} ± {one.error:.2f}" in picture.headline.translate(RAISED)
    return picture
