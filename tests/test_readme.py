"""What README says under «Add a ...» is done on a copy of the tree, with README's own code."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text()
CODE = re.compile(r"```python\n(.*?)```", re.DOTALL)
FILE = re.compile(r"`(featdash/lessons/toy/\w+\.py)`[^\n`]*(?:\n[^\n`]+)*:\n\n```python\n(.*?)```", re.DOTALL)
# Opens the Lab at the new lesson, presses Run, and prints all words of the page and of its pictures.
VISIT = """
from streamlit.testing.v1 import AppTest
app = AppTest.from_file("app.py", default_timeout=60)
app.query_params["part"] = "toy"
app.run()
next(button for button in app.button if button.label == "Run toy").click().run()
assert not app.exception, app.exception
assert not app.error, app.error
print(*(block.value for block in [*app.markdown, *app.caption]))
from featdash.lessons import lessons_of
from featdash.recipes.version import run_id
from featdash.ui import panels, shared, visitor
lesson = lessons_of("lab")[1]
view = shared.service().look(run_id("toy", lesson.experiment.spec()))
print(*(panel.draw(panels.View(view, None, visitor.Theme())).alt for panel in lesson.panels))
"""


def section(title: str) -> str:
    return README.partition(f"\n## {title}\n")[2].partition("\n## ")[0]


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert text.count(old) == 1, f"{path.name} has no single {old!r}"
    path.write_text(text.replace(old, new))


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    """The app without its recorded runs, the target and the lesson of README added."""
    tree = tmp_path_factory.mktemp("tree")
    for name in ("featdash", "pages", ".streamlit"):
        shutil.copytree(ROOT / name, tree / name, ignore=shutil.ignore_patterns("__pycache__", "*.npz"))
    shutil.copy(ROOT / "app.py", tree)
    target = "".join(re.findall(r"^ {4}.*\n", section("Add a target"), re.MULTILINE))
    edit(tree / "featdash/theory/targets.py", "    for target in (\n", f"    for target in (\n{target}")
    for path, code in FILE.findall(section("Add a lesson")):
        (tree / path).parent.mkdir(exist_ok=True)
        (tree / path).write_text(code)
    (tree / "featdash/lessons/toy/__init__.py").touch()
    edit(tree / "featdash/lessons/__init__.py", '"lab": ("race",)', '"lab": ("race", "toy")')
    return tree


def python(tree: Path, *arguments: str) -> str:
    """What a new process prints in the tree."""
    environment = {**os.environ, "PYTHONPATH": str(tree), "FEATDASH_HOME": str(tree / "home")}
    environment |= {"FEATDASH_ENGINE": "inline", "OMP_NUM_THREADS": "1"}
    done = subprocess.run([sys.executable, *arguments], cwd=tree, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


def test_every_code_of_add_a_lesson_is_a_file():
    paths = [path for path, _ in FILE.findall(section("Add a lesson"))]
    assert [Path(path).stem for path in paths] == ["recipe", "run", "pictures", "lesson"]
    assert len(CODE.findall(section("Add a lesson"))) == len(paths)


def test_a_target_is_raced_by_its_name(tree):
    small = [word for name in ("n=200", "width=20", "holdout=300", "test=300", "steps=50") for word in ("--set", name)]
    report = json.loads(python(tree, "-m", "featdash", "run", "race", "--set", "target=valley", *small))
    assert report["spec"]["target"] == "valley"
    assert report["summary"]["target"]["energy_by_degree"] == pytest.approx([0, 0, 1])


def test_a_lesson_has_a_command_line(tree):
    report = json.loads(python(tree, "-m", "featdash", "run", "toy", "--set", "n=100"))
    assert report["spec"] == {"n": 100, "seed": 0}
    assert report["summary"]["mean"] == pytest.approx(1, abs=5 * (2 / 100) ** 0.5)  # five standard errors


def test_a_lesson_has_a_page_on_which_it_runs(tree):
    words = python(tree, "-c", VISIT)
    assert "How soon is a mean near its expectation?" in words
    assert "Finished" in words
    assert re.search(r"The mean of 1.000 squares is [\d.]+; its expectation is 1\.", words)


def test_a_lesson_can_be_recorded(tree):
    python(tree, "-m", "featdash", "record", "toy")
    assert list((tree / "featdash/lessons/toy/recorded").glob("toy-*.npz"))


def test_the_code_of_readme_keeps_the_house_style(tree):
    files = sorted(str(path) for path in (tree / "featdash/lessons/toy").glob("*.py"))
    options = ["--config", str(ROOT / "pyproject.toml"), *files]
    python(tree, "-m", "ruff", "check", *options)
    python(tree, "-m", "ruff", "format", "--check", *options)


def test_the_gate_runs_the_commands_of_readme_which_leave_nothing_out():
    gate = (ROOT / ".ci/run").read_text()
    together, alone = re.findall(r"^ {4}(python -m pytest .+)$", section("Start"), re.MULTILINE)
    assert [line.removeprefix("FEATDASH_BROWSER=required ") for line in gate.splitlines() if "-m pytest" in line] == [
        together,
        alone,
    ]
    assert re.findall(r"--ignore=(\S+)", together) == alone.split()[3:]
