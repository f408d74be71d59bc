"""What README and those that it names say under «Add a ...» is done on a copy of the tree, with their own code."""

import json
import os
import re
import shutil
import subprocess
import sys
import textwrap
from collections import Counter
from importlib.util import cache_from_source
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text()
ADD_A_METHOD, ADD_A_LESSON, ADD_A_STORY = (
    (ROOT / f"featdash/{folder}/README.md").read_text() for folder in ("learners", "lessons", "stories")
)
CODE = re.compile(r"```python\n(.*?)```", re.DOTALL)
FILE = re.compile(r"`((?:featdash|tests)/[\w/]+/\w+\.py)`[^\n`]*(?:\n[^\n`]+)*:\n\n```python\n(.*?)```", re.DOTALL)
STORY = re.compile(r"`(featdash/\S+/story\.md)`:\n\n````markdown\n(.*?)````", re.DOTALL)
METHOD = "unbiased_features"
RECORDINGS = [
    line.split()[3:] for line in re.findall(r"`(python -m featdash record toy.*?)`", ADD_A_LESSON + ADD_A_STORY)
]
SMALL = {"width": 20, "holdout": 300, "test": 300}
# Opens the Lab at the new lesson, presses Run, and prints all words of the page and of its pictures.
VISIT = """
from app_pages import press, words
from streamlit.testing.v1 import AppTest
app = AppTest.from_file("featdash/ui/frame.py", default_timeout=60)
app.query_params["part"], app.query_params["n"] = "toy", "100"  # no recorded run
app.run()
press(app, "Run toy")
assert not app.exception, app.exception
assert not app.error, app.error
print(words(app))
from featdash.lessons import lessons_of
from featdash.recipes.version import run_id
from featdash.figures.picture import Theme
from featdash.ui.kit import shared
from featdash.ui.stage import panels
lesson = lessons_of("lab")[1]
view = shared.service().get(run_id("toy", lesson.experiment.spec(n=100)))
print(*(panel.draw(panels.View(view, None, Theme())).alt for panel in lesson.panels))
"""
# Opens the story, makes a guess, asks for the answer, and prints all words of the page.
PLAY = """
from streamlit.testing.v1 import AppTest
app = AppTest.from_file("featdash/ui/frame.py", default_timeout=60)
app.query_params["story"] = "toy"
app.run()
next(button for button in app.button if button.label.startswith("Show me")).click().run()
assert not app.exception, app.exception
assert not app.error, app.error
print(*(block.value for block in [*app.markdown, *app.info]))
"""


# Opens the Lab's settings by a link to a small run that is not recorded, and prints the value of the new control.
TURN = """
from streamlit.testing.v1 import AppTest
app = AppTest.from_file("featdash/ui/frame.py", default_timeout=60)
for name, value in {"momentum": 0.5, "n": 100, "width": 20, "holdout": 300, "test": 300, "steps": 10}.items():
    app.query_params[name] = str(value)
app.run()
assert not app.exception, app.exception
assert not app.error, app.error
print(*(one.value for one in [*app.number_input, *app.slider, *app.select_slider] if one.key == "race.momentum"))
"""

# Runs what each line asks for in a child, which has the packages and all lessons from its parent: arguments of Python,
# and the files of what it prints and of what it complains of. Answers with the child's status.
FORKS = """
import json, os, runpy, sys, traceback
import plotly.graph_objects, sklearn.base, streamlit.testing.v1, torch
from featdash.lessons import PAGES, lessons_of
for page in PAGES:
    lessons_of(page)
for line in sys.stdin:
    (option, name, *rest), files = json.loads(line)
    if child := os.fork():
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
        continue
    for number, file in enumerate(files, 1):
        os.dup2(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), number)
    sys.argv, status = [name, *rest], 0
    try:
        exec(name, {"__name__": "__main__"}) if option == "-c" else runpy.run_module(name, None, "__main__", True)
    except SystemExit as end:
        status = end.code or 0
    except BaseException:
        status = traceback.print_exc() or 1
    sys.stdout.flush()
    os._exit(status)
"""


def section(title: str) -> str:
    return README.partition(f"\n## {title}\n")[2].partition("\n## ")[0]


def lines_of(title: str) -> str:
    """The indented code of a section of README."""
    return "".join(re.findall(r"^ {4}.*\n", section(title), re.MULTILINE))


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert text.count(old) == 1, f"{path.name} has no single {old!r}"
    path.write_text(text.replace(old, new))


def bytecode_of(folder: Path) -> Path:
    """Where Python and pytest put what they have compiled of the modules in a folder."""
    return Path(cache_from_source(str(folder / "module.py"))).parent


def copy_bytecode(tree: Path) -> None:
    """What they have compiled of the package and of the tests; a file that is edited afterwards they compile anew."""
    unfinished = shutil.ignore_patterns("*.pyc.*")
    for folder in {file.parent for name in ("featdash", "tests") for file in (ROOT / name).rglob("*.py")}:
        if (compiled := bytecode_of(folder)).is_dir():
            copy = bytecode_of(tree / folder.relative_to(ROOT))
            shutil.copytree(compiled, copy, ignore=unfinished, dirs_exist_ok=True)


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    """The app with its recorded runs and the tests; the target, the method and the lesson of README added."""
    tree = tmp_path_factory.mktemp("tree")
    for name in ("featdash", "pages", ".streamlit", "tests"):
        shutil.copytree(ROOT / name, tree / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("app.py", "pyproject.toml", "README.md"):
        shutil.copy(ROOT / name, tree)
    copy_bytecode(tree)
    target = lines_of("Add a target")
    edit(tree / "featdash/theory/targets.py", "    for target in (\n", f"    for target in (\n{target}")
    steps = "    steps: int = setting(\n"
    edit(tree / "featdash/lessons/race/recipe.py", steps, lines_of("Add a setting") + steps)
    line, look = (textwrap.indent(code, "    ") for code in CODE.findall(ADD_A_METHOD)[-2:])
    edit(tree / "featdash/learners/methods.py", '    "network": Method(', f'{line}    "network": Method(')
    edit(tree / "featdash/figures/palette.py", '    "network": Look(', f'{look}    "network": Look(')
    for path, code in FILE.findall(ADD_A_METHOD + ADD_A_LESSON):
        (tree / path).parent.mkdir(exist_ok=True)
        (tree / path).write_text(code)
    for path, words in STORY.findall(ADD_A_STORY):
        (tree / path).write_text(words)
    race = '            "race": (),\n'
    (line,) = re.findall(r'^ {4}("toy": .*\n)', ADD_A_STORY, re.MULTILINE)
    edit(tree / "featdash/stories/course.py", race, f"{race}            {line}")
    (row,) = re.findall(r"^ {4}(\| .*\{toy\} \|\n)", ADD_A_STORY, re.MULTILINE)
    table = "| Usual chapter | Story |\n| --- | --- |\n"
    edit(tree / "featdash/ui/story/for_teachers.md", table, table + row)
    (tree / "featdash/lessons/toy/__init__.py").touch()
    edit(tree / "featdash/lessons/__init__.py", '"lab": ("race",)', '"lab": ("race", "toy")')
    return tree


@pytest.fixture(scope="module")
def python(source):
    """What Python prints in the tree when it is called with these arguments; `status` is what it ends with."""
    path = os.pathsep.join((str(source), str(ROOT / "tests/toys")))
    environment = {**os.environ, "PYTHONPATH": path, "FEATDASH_HOME": str(source / "home")}
    environment |= {"FEATDASH_ENGINE": "inline", "OMP_NUM_THREADS": "1"}
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    files = [source / "printed", source / "complained"]
    with subprocess.Popen([sys.executable, "-c", FORKS], cwd=source, env=environment, **pipes) as process:

        def ask(*arguments, status=0):
            print(json.dumps([arguments, list(map(str, files))]), file=process.stdin, flush=True)
            ended = int(process.stdout.readline())
            printed, complained = (file.read_text() for file in files)
            assert ended == status, (printed + complained)[-2000:]
            return complained if status else printed

        ask("-c", f"from featdash.__main__ import main\nassert not any(map(main, {RECORDINGS}))")
        yield ask


@pytest.fixture
def tree(source, python):  # noqa: ARG001
    """With the recorded runs of the new lesson, which `python` has made."""
    return source


def test_every_code_of_add_a_lesson_is_a_file():
    paths = [path for path, _ in FILE.findall(ADD_A_LESSON)]
    assert [Path(path).stem for path in paths] == [
        "recipe",
        "frames",
        "run",
        "pictures",
        "lesson",
        "claims",
        "test_trials_toy",
        "toy",
    ]
    assert len(CODE.findall(ADD_A_LESSON)) == len(paths)


def verdicts(python, names: str, *tests: str) -> str:
    """What pytest prints in the tree, a line for each of these tests whose name has one of the names."""
    imported = "ignore:Module already imported:pytest.PytestAssertRewriteWarning"  # by the parent
    options = ("-n", "0", "-vv", "-p", "no:cacheprovider", "-W", imported)
    return python("-m", "pytest", *options, "-k", names, *tests)


def reports_of(python, tree: Path, **runs: dict) -> list[dict]:
    """What the command line reports of these experiments with their settings, one after the other in one process."""
    lines = []
    for name, values in runs.items():
        settings = [word for one, value in values.items() for word in ("--set", f"{one}={json.dumps(value)}")]
        lines.append(["run", name.replace("_", "-"), *settings, "--out", str(tree / f"{name}.json")])
    python("-c", f"from featdash.__main__ import main\nassert not any(map(main, {lines!r}))")
    return [json.loads((tree / f"{name}.json").read_text()) for name in runs]


def test_a_target_is_raced_by_its_name(python, tree):
    (report,) = reports_of(python, tree, race={"target": "valley", "n": 200, **SMALL})
    assert report["spec"]["target"] == "valley"
    assert report["summary"]["target"]["energy_by_degree"] == pytest.approx([0, 0, 1])


def test_a_target_is_taken_by_the_tests_of_all(python):
    """Those that name the targets there are must not mind one more."""
    told = verdicts(python, "valley or named_target or story_says", "tests/theory/test_target.py")
    assert re.search(r"unit_energy_and_a_story\[valley\] PASSED", told)


def test_a_setting_is_on_the_command_line_and_a_bad_value_is_one_sentence(python, tree):
    (report,) = reports_of(python, tree, race={"momentum": 0.5, "n": 200, **SMALL})
    assert report["spec"]["momentum"] == 0.5
    complained = python("-m", "featdash", "run", "race", "--set", "momentum=2", status=2)
    assert re.fullmatch(r"[^\n]*momentum must be [^\n]*, got 2[^\n]*\n", complained)


def test_a_setting_is_on_the_page_and_in_links(python):
    assert python("-c", TURN).split() == ["0.5"]


def test_a_method_is_one_file_and_two_lines():
    paths = [path for path, _ in FILE.findall(ADD_A_METHOD)]
    assert paths == [f"featdash/learners/{METHOD}.py"]
    assert len(CODE.findall(ADD_A_METHOD)) == 3


def test_a_method_races_is_swept_and_is_mapped(python, tree):
    """A cubic it cannot learn: σ(w·x) without a bias is a linear function and an even one."""
    race, sweep, phase_map = reports_of(
        python,
        tree,
        race={"target": "He3(z1)/sqrt(6)", "methods": [METHOD, "random_features"], "n": 2000, **SMALL},
        sweep={"methods": [METHOD], "n": [100, 200], "widths": [20], "seeds": [0], "holdout": 300, "test": 300},
        phase_map={"rival": METHOD, "n": [100], "dimensions": [5], "seeds": [0], **SMALL},
    )
    assert list(race["summary"]["methods"]) == [METHOD, "random_features"]
    assert race["summary"]["methods"][METHOD]["excess_risk"] > 0.95
    assert [(row["method"], row["n"]) for row in sweep["summary"]["statistics"]] == [(METHOD, 100), (METHOD, 200)]
    (cell,) = phase_map["summary"]["cells"]
    assert cell["ratio"] == pytest.approx(cell["algorithm1"] / cell[METHOD])


def test_they_make_no_recorded_run_stale(python):
    assert python("-m", "featdash", "list", "--stale").split() == []


def test_a_method_is_taken_by_the_contract_tests(python):
    """Those of scikit-learn and of the table, and those of the styles in every picture."""
    tests = ("tests/learners/test_estimators.py", "tests/figures/test_figures.py")
    names = "UnbiasedFeatures or unbiased_features or every_method"
    told = verdicts(python, names, *tests)
    for test in ("contract_of_scikit_learn", "lambda_is_the_best", "holdout_of_other_width", "table_tells"):
        assert re.search(rf"{test}\w*\[(Unbiased|unbiased).* PASSED", told), test
    assert "test_every_method_has_a_style_of_its_own PASSED" in told


def test_a_lesson_has_a_command_line(python):
    report = json.loads(python("-m", "featdash", "run", "toy", "--set", "n=100"))
    assert report["spec"] == {"n": 100, "seed": 0}
    assert report["summary"]["mean"] == pytest.approx(1, abs=5 * (2 / 100) ** 0.5)  # five standard errors


def test_a_lesson_has_a_page_on_which_it_runs(python):
    words = python("-c", VISIT)
    assert "How soon is a mean near its expectation?" in words
    assert "Finished" in words
    assert re.search(r"The mean of 100 squares is [\d.]+; its expectation is 1\.", words)


def test_a_lesson_and_its_story_are_taken_by_the_tests_of_all(python):
    """Each of these asks every lesson for something: it must ask this one, and be content with it."""
    asked = {
        "tests/lessons/test_claims.py": (
            "every_lesson_has_claims",
            "figures_of_a_claim",
            "no_number_that_nobody_checks",
        ),
        "tests/lessons/test_contract.py": (),
        "tests/lessons/test_trials.py": ("computes_what_the_trial_promises",),
        "tests/lessons/test_trials_toy.py": (),
        "tests/figures/test_alt_texts.py": ("sentence_is_true",),
        "tests/stories/test_shipped.py": (),
        "tests/stories/test_course.py": (),
        "tests/ui/test_home.py": (),
    }
    names = "toy or mean_curve or ten_squares or adverse or name_their_source or test_course or names_each_story"
    told = verdicts(python, names, *asked)
    for file, tests in asked.items():
        assert f"{file}::" in told, f"{file} asks nothing of a new lesson"
        for test in tests:
            assert re.search(rf"{test}\w*\[(toy|mean_curve).* PASSED", told), test


def test_a_lesson_can_be_recorded_and_its_story_played(python, tree):
    assert len(list((tree / "featdash/lessons/toy/recorded").glob("toy-*.npz"))) == len(RECORDINGS) == 2
    ((path, _),) = STORY.findall(ADD_A_STORY)
    python("-m", "featdash", "story", "check", path)
    words, (report,) = python("-c", PLAY), reports_of(python, tree, toy={})
    assert "How soon does a mean settle?" in words
    assert f"After a thousand squares the mean is {report['summary']['mean']:#.3g}." in words


def test_the_code_of_readme_keeps_the_house_style(python, tree):
    files = sorted(str(path) for path in (tree / "featdash/lessons/toy").glob("*.py"))
    files += [
        str(tree / f"featdash/learners/{METHOD}.py"),
        str(tree / "featdash/learners/methods.py"),
        str(tree / "featdash/figures/palette.py"),
    ]
    files.append(str(tree / "tests/lessons/test_trials_toy.py"))
    options = ["--config", str(ROOT / "pyproject.toml"), *files]
    python("-m", "ruff", "check", *options)
    python("-m", "ruff", "format", "--check", *options)


def test_the_gate_runs_a_command_of_readme_and_leaves_no_test_out():
    commands = re.findall(r"^ {4}.*?(python -m pytest.*)$", section("Install, run, test"), re.MULTILINE)
    run = re.findall(r"python -m pytest.*", (ROOT / ".ci/run").read_text())
    assert len(run) == 1
    assert run[0] in commands
    assert "ignore" not in run[0]
    assert "tests/" not in run[0]


def test_one_process_can_import_all_tests():
    """Most lie in no package: `python -m pytest` finds a file by its bare name, and of several conftest.py one."""
    tests = [path for path in sorted((ROOT / "tests").rglob("*.py")) if not (path.parent / "__init__.py").exists()]
    names = Counter(path.name for path in tests if path.name != "conftest.py")
    assert [name for name, count in names.items() if count > 1] == []
    assert [
        path.name for path in tests if re.search(r"^(from|import) conftest\b", path.read_text(), re.MULTILINE)
    ] == []


def test_the_table_of_changes_names_files_and_commands_that_there_are(python, tree):
    rows = [line.split("|")[1:-1] for line in section("I want to change …").splitlines() if line.startswith("| ")][2:]
    assert len(rows) > 10
    commands = python("-m", "featdash", "--help")
    for change, files, command in rows:
        for path in re.findall(r"`([\w/]+\.\w+)`", files):
            assert (tree / path).exists() or path == "recipe.py", (change, path)
        for path in re.findall(r"tests/[\w/.]+", command):
            assert (tree / path).exists(), (change, path)
        for words in re.findall(r"python -m featdash ([a-z]+)", command):
            assert words in commands, (change, words)


def test_readme_is_short_and_says_first_how_to_run_and_test_it():
    titles = re.findall(r"^## (.*)$", README, re.MULTILINE)
    assert titles[0] == "Install, run, test"
    assert 150 <= README.count("\n") <= 200
