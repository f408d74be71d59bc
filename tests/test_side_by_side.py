"""The comparison of two commits: what is read from what the scripts print, the rounds that fit, and the table."""

from pathlib import Path

import pytest
from benchmarks import side_by_side
from benchmarks.side_by_side import BENCHMARKS, Benchmark, Figure, Measurements, measure, printed, table

PRINTED = {
    "race": """    Run to frame: median   0.04 s, from 0.03 to 0.05
      Run to end: median   3.71 s, from 3.60 to 3.80""",
    "paint": """   an empty app, words: median  1.02 s, from 0.99 to 1.10
            lab, words: median  1.31 s, from 1.29 to 1.40
         first picture: median  1.72 s, from 1.68 to 1.80
        all 6 pictures: median  2.41 s, from 2.33 to 2.50""",
    "story": """Show me to the answer: median 251 ms, slowest 300 ms
Next to the scene: median 180 ms, slowest 220 ms""",
    "live": """100 viewers, 2900 round trips: p50 50 ms, p95 420 ms
100 viewers, 1900 round trips once all have opened the page: p50 21 ms, p95 84 ms
server: 0.56 cores, 301 MB
32 KB a look, 0 in trouble []""",
    "class": """300 phones, 2 questions: 600 answers, 600 acknowledged, 0 of them lost
an answer in a burst of 3 s: p50 12 ms, p95 71 ms, slowest 99 ms
from reveal to phone, 600 heard: p50 90 ms, p95 172 ms, slowest 201 ms
from reveal to the numbers on the wall's axis: p50 900 ms, p95 1201 ms, slowest 1300 ms
the wall counted: 300 answers
server: 0.31 cores while they join, 0.26 cores while they are asked; 231 → 232 MB over 2 questions; workers 500 MB
0 in trouble []""",
    "crowd": """30 visitors, 240 scenes: p50 41 ms, p95 181 ms, slowest 300 ms
server: 0.40 cores, 250 MB; 0 in trouble []""",
}
READ = {
    "race": [0.04, 3.71],
    "paint": [1.72, 2.41],
    "story": [251, 180],
    "live": [84, 0.56, 32],
    "class": [71, 172, 1201, 0.26],
    "crowd": [181],
}
TOY = Benchmark("toy", ("toy.py",), 10, (Figure("seconds of a toy", "s", r"toy: ([\d.]+)"),))
LONG = Benchmark("long", ("long.py",), 100, (Figure("seconds of a long one", "s", r"long: ([\d.]+)"),))


@pytest.mark.parametrize("benchmark", BENCHMARKS, ids=lambda one: one.name)
def test_every_figure_is_read_from_what_its_script_prints(benchmark):
    taken = Measurements()
    taken.take(benchmark, "now", PRINTED[benchmark.name])
    assert [rounds["now"] for rounds in taken.numbers.values()] == [[number] for number in READ[benchmark.name]]
    assert not taken.trouble
    script = Path(side_by_side.__file__).with_name(benchmark.command[0]).read_text(encoding="utf-8")
    assert all(option in script for option in benchmark.command[1::2])


def test_visitors_in_trouble_and_figures_that_are_missing_are_told():
    taken = Measurements()
    taken.take(BENCHMARKS[3], "base", PRINTED["live"].replace("0 in trouble []", "3 in trouble ['TimeoutError()']"))
    taken.take(BENCHMARKS[5], "now", "Traceback (most recent call last)")
    assert taken.trouble == [
        "base, live: 3 in trouble",
        "now, crowd: no «30 story visitors, p95 of a scene» in what it printed",
    ]


def test_trees_take_turns_and_rounds_end_with_the_time():
    now, asked = [0.0], []

    def run(benchmark, tree):
        asked.append((benchmark.name, tree))
        now[0] += benchmark.seconds
        return f"{benchmark.name}: {len(asked)}"

    taken = measure([TOY, LONG], run, most=3, seconds=250, clock=lambda: now[0])
    turns = [("toy", "base"), ("toy", "now"), ("long", "base"), ("long", "now"), ("toy", "now"), ("toy", "base")]
    assert asked == turns, "a third round of the toy would still fit, if its second one had not ended at 240 s"
    toy, long = taken.rows()
    assert toy["rounds"] == {"base": [1, 6], "now": [2, 5]}
    assert (toy["base"], toy["now"], toy["ratio"]) == (3.5, 3.5, 1)
    assert long["ratio"] == pytest.approx(4 / 3)
    assert not taken.trouble
    assert "long: not measured, the time was up" in measure([LONG], run, 1, 150, clock=lambda: now[0]).trouble


def test_a_page_that_the_base_did_not_have_is_a_dash(tmp_path):
    assert printed(TOY, tmp_path) is None
    taken = measure([TOY], lambda _, tree: "toy: 2.5" if tree == "now" else None, 1, 60)
    (row,) = taken.rows()
    assert (row["base"], row["now"], row["ratio"]) == (None, 2.5, None)
    assert table([row]).splitlines()[1].split() == ["seconds", "of", "a", "toy", "–", "2.5", "–", "s:", "–", "|", "2.5"]
    assert not taken.trouble


def test_the_rows_of_the_table_are_the_figures():
    readme = (side_by_side.ROOT / "tests/benchmarks/README.md").read_text(encoding="utf-8")
    rows = readme.partition("What a visitor feels, with its aims:")[2].partition("All of these rows")[0]
    names = [line.split("|")[1].strip() for line in rows.splitlines() if line.startswith("| ")]
    assert names[2:] == [figure.name for benchmark in BENCHMARKS for figure in benchmark.figures]
