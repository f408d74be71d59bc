"""A run's key is the code that computes its numbers: what is said about it does not count, nor do other lessons."""

import ast
import shutil

import pytest

from featdash.lessons import EXPERIMENTS
from featdash.recipes import version
from featdash.recipes.composite import cells_of
from featdash.recipes.experiment import Experiment
from featdash.recipes.version import ROOT, code_version, computing_modules, package_version, version_of

STEP = "featdash/tasks/step.py"  # one of the few files that import nothing of the package
HERE = "featdash/lessons/toy/run.py"
RUN = '''"""What it computes."""

from featdash.tasks import step

RATE = 0.5  # of the step


def run(spec, device):
    """One number."""
    from featdash.theory.hermite import hermite_values

    return RATE * step.value(spec), hermite_values
'''
SHIPPED = [name for name, one in EXPERIMENTS.items() if one.spec.__module__.startswith("featdash.")]


@pytest.fixture
def version_after(tmp_path):
    """The version of a toy lesson in a fresh copy of a few files, one of them edited: (file, old text, new text)."""

    def measure(file=HERE, old="", new=""):
        root = tmp_path / str(len(list(tmp_path.iterdir())))
        for name in (STEP, "featdash/theory/hermite.py", "featdash/lessons/support/run.py"):
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, root / name)
        (root / HERE).parent.mkdir(parents=True)
        (root / HERE).write_text(RUN)
        text = (root / file).read_text()
        assert old in text
        (root / file).write_text(text.replace(old, new, 1))
        return version_of(["featdash.lessons.toy.run"], root)

    return measure


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        (HERE, "What it computes", "What it computes, at length"),
        (HERE, "One number", "A number"),
        (HERE, "  # of the step", ""),
        (HERE, "RATE = 0.5", "# a half\n\n\nRATE = (\n    0.5\n)"),
        (STEP, '"""', '"""Anew: '),
    ],
)
def test_what_is_said_about_the_code_does_not_count(version_after, file, old, new):
    assert version_after(file, old, new) == version_after()


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        (HERE, "0.5", "0.25"),
        (HERE, "0.5", "True"),
        (HERE, "RATE *", "RATE +"),
        (HERE, "hermite_values\n\n", "hermite_values as other\n\n"),
        (STEP, "\n\n\n", "\n\n\nLEVEL = 0.1\n\n\n"),
        ("featdash/theory/hermite.py", "\n\n\n", "\n\n\nLEVEL = 0.1\n\n\n"),
    ],
)
def test_what_may_change_a_number_counts(version_after, file, old, new):
    """In the file itself, in one that it imports, and in one that is imported when it runs."""
    assert version_after(file, old, new) != version_after()


@pytest.mark.parametrize("learner", ["random_features", "tangent_kernel", "tangent_after_step", "feature_regressor"])
def test_a_learner_that_is_named_in_the_table_counts(learner, tmp_path):
    """The table of methods names its learners in strings, for the server loads no torch."""
    root = tmp_path / "tree"
    shutil.copytree(ROOT / "featdash", root / "featdash", ignore=shutil.ignore_patterns("recorded", "__pycache__"))
    modules = computing_modules(EXPERIMENTS["race"])
    before = version_of(modules, root)
    file = root / f"featdash/learners/{learner}.py"
    file.write_text(file.read_text() + "\n\nMORE = 1\n")
    version._read.cache_clear()
    assert version_of(modules, root) != before


def test_another_lesson_does_not_count(version_after):
    assert version_after("featdash/lessons/support/run.py", "\n\n\n", "\n\n\nLEVEL = 0.1\n\n\n") == version_after()


@pytest.mark.parametrize("name", SHIPPED)
def test_the_code_of_an_experiment_is_its_recipe_and_run_and_no_picture(name, monkeypatch):
    read, files = version._read, []
    monkeypatch.setattr(version, "_read", lambda path: files.append(path.relative_to(ROOT).as_posix()) or read(path))
    version_of(computing_modules(EXPERIMENTS[name]))
    folder = EXPERIMENTS[name].spec.__module__.split(".")[2]
    assert f"featdash/lessons/{folder}/recipe.py" in files
    assert (f"featdash/lessons/{folder}/run.py" in files) == isinstance(EXPERIMENTS[name], Experiment)
    layers = {path.split("/")[1] for path in files}
    assert layers <= {"theory", "tasks", "learners", "geometry", "recipes", "lessons"}
    assert not [path for path in files if "pictures" in path or path.endswith(("lesson.py", "panels.py"))]


def test_a_composite_is_the_code_of_its_cells():
    cells = computing_modules(EXPERIMENTS["column"]) | computing_modules(EXPERIMENTS["transfer-column"])
    assert cells < computing_modules(EXPERIMENTS["transfer"])
    assert "featdash.lessons.race.run" not in computing_modules(EXPERIMENTS["sweep"])


@pytest.mark.parametrize("name", SHIPPED)
def test_a_composite_names_the_experiments_of_its_cells(name):
    one = EXPERIMENTS[name]
    cells = cells_of(one, one.spec())
    assert {cell for cell, _ in cells or ()} <= set(getattr(one, "cell_experiments", ()))


def test_versions_read_each_file_once(monkeypatch):
    """To parse them all takes 0.2 s; 20 experiments share most of them."""
    for cached in (version._read, version._file_of, code_version, package_version):
        cached.cache_clear()
    parse, parsed = ast.parse, []
    monkeypatch.setattr(ast, "parse", lambda text: parsed.append(text) or parse(text))
    package_version()
    versions = {code_version(name) for name in SHIPPED}
    assert len(versions) == len(SHIPPED)
    written = [text for text in parsed if text]  # of a package's `__init__` there may be several without a word
    assert len(written) == len(set(written)) > len(SHIPPED)
