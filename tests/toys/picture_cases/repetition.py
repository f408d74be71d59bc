"""The pictures of `repetition`."""

import numpy as np
from alt_claims import says, says_each
from hypothesis import strategies as st
from picture_case import EXTREME, LOOK, case, one_of, signed, some

from featdash.lessons.repetition import pictures as looks
from featdash.lessons.repetition.frames import Course as OverlapCourse
from featdash.lessons.repetition.pictures import STYLES as LOOKS
from featdash.lessons.repetition.pictures import overlap_course, overlap_runs


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
            unit, never = " d" if "two" in looks else " d²", max(of[d[-1]].median) < 0.5
            if len(courses) == 1:
                assert f"{activation} with {looks}" in picture.headline
                assert picture.headline.endswith(" has not yet reached ½" if never else f"{unit} samples")
                continue
            told = picture.headline.partition(f"{looks}: ")[2].partition(";")[0].split(", ")
            if told == ["none yet"]:
                assert never
                continue
            part = next((one for one in told if one.startswith(activation)), "")
            assert part.endswith(" not yet") == never
            assert part.endswith((unit, " not yet"))
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
