"""A run's key is the code that computes its numbers: what is said about it does not count, nor do other lessons."""

import ast
import functools
import shutil
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from types import SimpleNamespace

import pytest

from featdash.learners import methods
from featdash.learners.methods import LENGTH_KERNEL, METHODS, RACING, TANGENT_KERNEL
from featdash.lessons import EXPERIMENTS
from featdash.lessons.lemma.recipe import LemmaSpec
from featdash.lessons.race.recipe import PAPER_METHODS, RaceSpec
from featdash.lessons.sweep.column_recipe import ColumnSpec
from featdash.recipes import version
from featdash.recipes.grid import Grid
from featdash.recipes.version import (
    ROOT,
    code_version,
    computing_modules,
    methods_named,
    package_version,
    version_of,
)
from featdash.theory.targets import TARGETS

STEP = "featdash/tasks/step.py"  # one of the few files that import nothing of the package
HERE = "featdash/lessons/toy/run.py"
RUN = '''"""What it computes."""

from featdash.tasks import step

RATE = 0.5  # of the step


def run(spec, device):
    """One number."""
    from featdash.theory.polynomial import hermite_values

    return RATE * step.value(spec), hermite_values
'''
SHIPPED = [name for name, one in EXPERIMENTS.items() if one.spec.__module__.startswith("featdash.")]


@pytest.fixture
def version_after(tmp_path):
    """The version of a toy lesson in a fresh copy of a few files, one of them edited: (file, old text, new text)."""

    def measure(file=HERE, old="", new=""):
        root = tmp_path / str(len(list(tmp_path.iterdir())))
        for name in (STEP, "featdash/theory/polynomial.py", "featdash/lessons/solvers/run.py"):
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, root / name)
        (root / HERE).parent.mkdir(parents=True)
        (root / HERE).write_text(RUN)
        text = (root / file).read_text()
        assert old in text
        (root / file).write_text(text.replace(old, new, 1))
        return version_of(["featdash.lessons.toy.run"], root=root)

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
        ("featdash/theory/polynomial.py", "\n\n\n", "\n\n\nLEVEL = 0.1\n\n\n"),
    ],
)
def test_what_may_change_a_number_counts(version_after, file, old, new):
    """In the file itself, in one that it imports, and in one that is imported when it runs."""
    assert version_after(file, old, new) != version_after()


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    """A copy of the package, and one beside it in which things were added that change no number.

    The second has the recorded runs. Added are a method and a target, as README tells it, a setting with a default, and
    other words for a method, a setting and its help.
    """
    root = tmp_path_factory.mktemp("tree")
    for name, left_out in (("old", ("*.npz", "__pycache__")), ("new", ("__pycache__",))):
        shutil.copytree(ROOT / "featdash", root / name / "featdash", ignore=shutil.ignore_patterns(*left_out))
    learners = root / "new/featdash/learners"
    shutil.copy(learners / "random_features.py", learners / "other_features.py")
    table = learners / "methods.py"
    line = """    "other_features": Method(
        "other", "featdash.learners.other_features:RandomFeaturesRegressor"
    ),
    "network": Method("""
    text = table.read_text().replace('    "network": Method(', line, 1).replace('"NTK",', '"Neural tangents",', 1)
    assert "other_features" in text
    assert "Neural tangents" in text
    table.write_text(text)
    palette = root / "new/featdash/figures/palette.py"
    look = '    "other_features": Look("#000000", "4px", "cross", "o", "x"),\n    "network": Look('
    palette.write_text(palette.read_text().replace('    "network": Look(', look, 1))
    for file, old, new in ADDED:
        path = root / "new" / file
        assert path.read_text().count(old) == 1
        path.write_text(path.read_text().replace(old, new))
    return root


ADDED = [
    (
        "featdash/theory/targets.py",
        "    for target in (\n",
        '    for target in (\n        TargetStory("valley", "A valley", "He2(z1)/2 - He2(z2)/2", "Up, and down."),\n',
    ),
    (
        "featdash/lessons/race/recipe.py",
        "    methods: tuple[str, ...] = setting(\n",
        '    momentum: float = setting(0.0, Number(0, 1), "Momentum", group="Training")\n'
        "    methods: tuple[str, ...] = setting(\n",
    ),
    ("featdash/recipes/settings.py", '"Width m"', '"Neurons m"'),
    ("featdash/lessons/shared/gaussian_recipe.py", '"Number of inputs; x ~ N(0, I_d)."', '"Inputs."'),
    ("featdash/lessons/structure/recipe.py", '"Rank of the ratios"', '"Rank r"'),
]


RUNS_OF_ALL = """
import sys
from featdash.lessons import EXPERIMENTS
from featdash.recipes.version import package_version, run_id

print(package_version(), *(run_id(name, one.spec()) for name, one in EXPERIMENTS.items()))
"""


def test_what_is_added_to_a_table_a_recipe_or_a_text_leaves_the_runs_as_they_are(tree):
    """But a worker must have the same table as the server."""
    told = [
        subprocess.run([sys.executable, "-c", RUNS_OF_ALL], cwd=tree / one, capture_output=True, text=True, check=True)
        for one in ("old", "new")
    ]
    (old, *runs), (new, *same) = (one.stdout.split() for one in told)
    assert same == runs
    assert len(runs) == len(SHIPPED)
    assert new != old


def test_what_is_added_leaves_no_recorded_run_stale(tree):
    listed = [sys.executable, "-m", "featdash", "list", "--stale"]
    stale = subprocess.run(listed, cwd=tree / "new", capture_output=True, text=True, check=True).stdout.split()
    assert stale == [], "if they are stale without the addition too, `python -m featdash record --all` comes first"


def test_a_target_that_code_names_counts_by_its_formula(monkeypatch):
    modules = computing_modules(EXPERIMENTS["race"])
    named, other = version_of(modules, ["parity"]), version_of(modules)
    monkeypatch.setitem(TARGETS, "parity", replace(TARGETS["parity"], title="Other words"))
    assert version_of(modules, ["parity"]) == named
    monkeypatch.setitem(TARGETS, "parity", replace(TARGETS["parity"], expression="z1*z2"))
    assert version_of(modules, ["parity"]) != named
    assert version_of(modules) == other


@pytest.fixture
def version_with(tree, monkeypatch):
    """The version of a race of some methods in the old tree with the file of a learner edited, which alone is read."""
    read = version._read

    def measure(learner, *names):
        file = tree / f"old/featdash/learners/{learner}.py"
        before = file.read_text()
        file.write_text(before + "\n\nMORE = 1\n")
        monkeypatch.setattr(version, "_read", lambda path: read.__wrapped__(path) if path == file else read(path))
        try:
            return version_of(computing_modules(EXPERIMENTS["race"]), names, tree / "old")
        finally:
            file.write_text(before)
            monkeypatch.setattr(version, "_read", read)

    return measure


@pytest.mark.parametrize("name", RACING)
def test_the_file_of_a_method_counts_where_the_method_is_named(name, version_with, tree):
    """The table names its learners in strings, for the server loads no torch; the recipe names the paper's three."""
    modules, root = computing_modules(EXPERIMENTS["race"]), tree / "old"
    file = METHODS[name].learner.partition(":")[0].rpartition(".")[2]
    assert version_with(file, name) != version_of(modules, [name], root)
    others = [other for other in RACING if other != name]
    unnamed = version_with(file, *others) == version_of(modules, others, root)
    assert unnamed == (name not in PAPER_METHODS)


def test_a_file_that_all_learners_share_counts(version_with, tree):
    assert version_with("feature_regressor") != version_of(computing_modules(EXPERIMENTS["race"]), root=tree / "old")


@pytest.mark.parametrize(
    ("change", "counts"),
    [
        ({"label": "another"}, False),
        ({"tangent": False}, True),
        ({"learner": METHODS["random_features"].learner}, True),
        ({"predictor": None}, True),
        ({"predictor": replace(TANGENT_KERNEL, seconds=abs, memory=abs)}, False),
        ({"predictor": LENGTH_KERNEL}, True),
    ],
)
def test_what_the_table_says_of_the_computing_counts(change, counts, monkeypatch):
    names = {name: one for name, one in EXPERIMENTS.items() if name in ("race", "dimension")}
    before = [version_of(computing_modules(one), ["ntk"]) for one in names.values()]
    monkeypatch.setitem(METHODS, "ntk", replace(METHODS["ntk"], **change))
    after = [version_of(computing_modules(one), ["ntk"]) for one in names.values()]
    assert [old != new for old, new in zip(before, after, strict=True)] == [counts] * 2


def test_a_spec_names_methods_in_a_setting_or_a_list():
    assert methods_named(RaceSpec(methods=("ntk_after_step",))) == {"ntk_after_step"}
    assert methods_named(ColumnSpec(method="ntk")) == {"ntk"}
    assert methods_named(LemmaSpec()) == frozenset()


@pytest.mark.parametrize("name", SHIPPED)
def test_a_run_takes_methods_from_the_table_by_their_names(name, monkeypatch):
    """A loop over it would compute with lines that neither the Spec nor the code names. A recipe has rules of all."""
    read, files = version._read, []
    monkeypatch.setattr(version, "_read", lambda path: files.append(path) or read(path))
    version_of(computing_modules(EXPERIMENTS[name]), METHODS)
    assert [path for path in files if not path.name.endswith("recipe.py") and not takes_by_name(path)] == []


@functools.cache
def takes_by_name(path):
    """Whether a file has all that it takes from the table of methods by a subscript."""
    nodes = [*ast.walk(ast.parse(path.read_text()))]
    froms = [node for node in nodes if isinstance(node, ast.ImportFrom) and node.module == methods.__name__]
    table = {alias.name for node in froms for alias in node.names}
    used = {id(node) for node in nodes if isinstance(node, ast.Name) and node.id in table}
    return used <= {id(node.value) for node in nodes if isinstance(node, ast.Subscript)}


def test_another_lesson_does_not_count(version_after):
    assert version_after("featdash/lessons/solvers/run.py", "\n\n\n", "\n\n\nLEVEL = 0.1\n\n\n") == version_after()


@pytest.mark.parametrize("name", SHIPPED)
def test_the_code_of_an_experiment_is_its_recipe_and_run_and_no_picture(name, monkeypatch):
    read, files = version._read, []
    monkeypatch.setattr(version, "_read", lambda path: files.append(path.relative_to(ROOT).as_posix()) or read(path))
    version_of(computing_modules(EXPERIMENTS[name]))
    one = EXPERIMENTS[name]
    computed = [EXPERIMENTS[cell] for cell in one.cell_experiments] if isinstance(one, Grid) else [one]
    for module in (one.spec.__module__, *(each.run.__module__ for each in computed)):
        assert f"{module.replace('.', '/')}.py" in files
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
    if isinstance(one, Grid):
        assert {cell for cell, _ in one.cells(one.spec())} <= set(one.cell_experiments)


@pytest.fixture
def parsed(monkeypatch):
    """The texts that are parsed from now on; nothing has been read yet."""
    for cached in (version._read, version._file_of, version._code_version, package_version):
        cached.cache_clear()
    texts = []
    reading = {**vars(ast), "parse": lambda text: texts.append(text) or ast.parse(text)}
    monkeypatch.setattr(version, "ast", SimpleNamespace(**reading))
    return texts


def are_each_read_once(texts):
    written = [text for text in texts if text]  # of a package's `__init__` there may be several without a word
    return len(written) == len(set(written)) > len(SHIPPED)


def test_versions_read_each_file_once(parsed):
    """To parse them all takes 0.2 s; 20 experiments share most of them."""
    recipes = {name: EXPERIMENTS[name].spec() for name in SHIPPED}
    package_version()
    for name, recipe in recipes.items():
        code_version(name, recipe)
    assert are_each_read_once(parsed)


def test_two_visitors_at_once_read_each_file_once(parsed):
    """As when two browsers come to a server that has just started."""
    modules = {module for name in SHIPPED for module in computing_modules(EXPERIMENTS[name])}
    begin, turn = threading.Barrier(2), sys.getswitchinterval()

    def read(_):
        begin.wait()
        return version_of(modules)

    sys.setswitchinterval(1e-5)
    try:
        with ThreadPoolExecutor(2) as visitors:
            one, other = visitors.map(read, range(2))
    finally:
        sys.setswitchinterval(turn)
    assert one == other
    assert are_each_read_once(parsed)
