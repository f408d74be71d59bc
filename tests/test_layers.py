"""The house: imports point down only, and the server's import set is free of torch and scikit-learn."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
LAYERS = ("theory", "tasks", "learners", "geometry", "experiments", "runs", "figures", "ui")
MAY_IMPORT = {
    "theory": set(),
    "tasks": {"theory"},
    "learners": {"theory", "tasks"},
    "geometry": {"theory", "tasks"},
    "experiments": {"theory", "tasks", "learners", "geometry"},
    "runs": {"theory", "tasks", "learners", "geometry", "experiments"},
    "figures": {"theory", "tasks", "learners", "geometry", "experiments"},
    "ui": set(LAYERS) - {"ui"},
}
SOURCES = sorted((ROOT / "featdash").rglob("*.py"))
LIBRARY_HOMES = {"streamlit": {"ui"}, "plotly": {"figures", "ui"}, "distributed": {"runs"}, "dask": {"runs"}}


def imported_names(path: Path) -> set[str]:
    """Every module that a file names in an import statement, at any depth."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            names.update(f"{node.module}.{alias.name}" for alias in node.names)
    return names


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_imports_point_down(path):
    parts = path.relative_to(ROOT / "featdash").parts
    if len(parts) == 1:
        return
    for name in imported_names(path):
        head, _, rest = name.partition(".")
        layer = rest.split(".")[0]
        if head == "featdash" and layer in LAYERS and layer != parts[0]:
            assert layer in MAY_IMPORT[parts[0]], f"{parts[0]} imports {name}"
        if head in LIBRARY_HOMES:
            assert parts[0] in LIBRARY_HOMES[head], f"{parts[0]} imports {name}"


def test_the_layer_rule_covers_every_package():
    found = {path.name for path in (ROOT / "featdash").iterdir() if (path / "__init__.py").exists()}
    assert found == set(LAYERS)


def import_lines(path: Path) -> list[str]:
    """The import statements of a file, to be run on their own."""
    statements = ast.walk(ast.parse(path.read_text()))
    return [ast.unparse(one) for one in statements if isinstance(one, ast.Import | ast.ImportFrom)]


def test_the_server_never_loads_torch_or_sklearn():
    lines = [line for path in [ROOT / "app.py", *sorted((ROOT / "pages").glob("*.py"))] for line in import_lines(path)]
    program = f"""
import importlib, pkgutil, sys
import featdash.ui, featdash.figures, featdash.experiments, featdash.theory, featdash.runs.service
for package in (featdash.ui, featdash.figures, featdash.experiments, featdash.theory):
    for module in pkgutil.iter_modules(package.__path__, package.__name__ + "."):
        importlib.import_module(module.name)
exec({chr(10).join(lines)!r})
print([name for name in ("torch", "sklearn") if name in sys.modules])
"""
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", program], cwd=ROOT, capture_output=True, text=True)
    assert done.stdout.strip() == "[]", done.stdout + done.stderr


def test_top_level_holds_only_what_was_agreed():
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    tops = {name.split("/")[0] for name in tracked if not name.startswith(".")}
    assert tops <= {"requirements.txt", "README.md", "app.py", "featdash", "pages", "tests", "pyproject.toml"}
