"""The house: imports point down only, also inside a lesson, and the server's import set is free of torch."""

import ast
import functools
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "featdash"
COMPUTING = {"theory", "tasks", "learners", "geometry", "recipes"}
MAY_IMPORT = {
    "theory": set(),
    "tasks": {"theory"},
    "learners": {"theory", "tasks"},
    "geometry": {"theory", "tasks"},
    "recipes": {"theory", "tasks", "learners", "geometry"},
    "stories": {"recipes"},
    "figures": {"theory", "recipes", "learners"},  # of the learners the table of methods alone, see below
    "export": {"recipes", "figures"},
    "runs": COMPUTING,
    "classroom": {"runs", "export"},
    "ui": {*COMPUTING, "figures", "export", "runs", "stories", "classroom"},
    "lessons": {*COMPUTING, "figures", "export", "runs", "ui"},
    "server": {*COMPUTING, "figures", "export", "runs", "ui", "lessons", "classroom"},
}
# What the files of a lesson may use beside the computing layers, by the kind of file.
LESSON_FILES = {
    "recipe": set(),
    "frames": set(),
    "claims": set(),
    "run": set(),
    "pictures": {"figures"},
    "lesson": {"figures", "export", "runs", "ui"},
}
# The folders of `ui`, each of which may use those above it; a file that stands alone in `ui` may use all of them.
UI_FOLDERS = ("kit", "stage", "page", "story", "classroom")
KINDS_BELOW = {
    "recipe": {"recipe"},
    "frames": {"recipe", "frames"},
    "claims": {"recipe", "claims"},
    "run": {"recipe", "frames", "run"},
    "pictures": {"recipe", "frames", "pictures"},
    "lesson": {"recipe", "frames", "pictures", "lesson"},
}
ON_A_PAGE = {
    "lesson",
    "panels",
    "toolbar",
    "numbers",
    "sliders",
}  # the Streamlit part of a lesson, in one file or in several
SOURCES = sorted(PACKAGE.rglob("*.py"))
FRAME = PACKAGE / "ui/frame.py"  # the script that Streamlit runs: it knows the lessons, and no module knows it
LIBRARY_HOMES = {
    "streamlit": {"ui", "server", "lesson"},
    "plotly": {"figures", "pictures", "ui"},
    "distributed": {"runs"},
    "dask": {"runs"},
    "nbformat": {"export"},
    "torch": {"learners", "run"},
    "sklearn": {"learners", "tasks", "run"},
}


def kind_of(module: str) -> str:
    """recipe, frames, claims, run, pictures or lesson: what a module inside featdash.lessons is."""
    parts = module.split(".")[2:]
    if "pictures" in parts:
        return "pictures"
    leaf = parts[-1].rpartition("_")[2]  # `support_lesson` is a lesson
    if leaf in ("recipe", "frames", "claims"):
        return leaf
    return "lesson" if leaf in ON_A_PAGE else "run"


def module_of(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


@functools.cache
def import_statements(path: Path) -> list[ast.Import | ast.ImportFrom]:
    """Those of a file, at any depth."""
    return [node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Import | ast.ImportFrom)]


@functools.cache
def imported_names(path: Path) -> frozenset[str]:
    """Every module that a file names in an import statement, at any depth."""
    names: set[str] = set()
    for node in import_statements(path):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        else:
            assert node.level == 0, f"{path}: relative import"
            names.update(f"{node.module}.{alias.name}" for alias in node.names)
    return frozenset(names)


def test_imports_point_down():
    assert SOURCES
    assert [wrong for path in SOURCES if path.parent != PACKAGE for wrong in wrong_imports(path)] == []


def wrong_imports(path: Path) -> list[str]:
    """What a file imports from a layer above its own, or from a library that has no home in its layer."""
    layer, mine, wrong = path.relative_to(PACKAGE).parts[0], module_of(path), []
    kind = kind_of(mine) if layer == "lessons" and mine != "featdash.lessons" else layer
    for name in imported_names(path):
        head, _, rest = name.partition(".")
        other = rest.split(".")[0]
        if name == module_of(FRAME):
            wrong.append(f"{mine}: nothing imports the frame")
        if head == "featdash" and other in MAY_IMPORT and other != layer:
            allowed = MAY_IMPORT[layer] | ({"lessons"} if path == FRAME else set())
            if other not in allowed:
                wrong.append(f"{mine}: {layer} imports {name}")
            if layer == "lessons" and kind != layer and other not in COMPUTING | LESSON_FILES[kind]:
                wrong.append(f"{mine}: a {kind} imports {name}")
        if head in LIBRARY_HOMES and kind not in LIBRARY_HOMES[head]:
            wrong.append(f"{mine}: a {kind} imports {name}")
    return wrong


def test_of_the_learners_a_figure_knows_the_table_of_methods_alone():
    names = {name for path in (PACKAGE / "figures").glob("*.py") for name in imported_names(path)}
    assert {name for name in names if name.startswith("featdash.learners")} == {"featdash.learners.methods"}


FENCE = PACKAGE / "ui/streamlit_internals.py"
PUBLIC_STREAMLIT = {"streamlit", "streamlit.typing"}
# Of Streamlit's page, its routes, its cookies and its files.
PRIVATE_WORDS = re.compile(
    r"data-testid|data-baseweb|block-container|\.st[A-Z]\w+|/static/js|_stcore|_streamlit_|st\.__?\w"
)
WITH_STREAMLIT = [
    *SOURCES,
    *PACKAGE.rglob("*.css"),
    *PACKAGE.rglob("*.js"),
    ROOT / "app.py",
    *(ROOT / "pages").glob("*"),
]


def test_what_streamlit_may_change_is_touched_behind_the_fence_alone():
    """Streamlit may change it; use or extend featdash/ui/streamlit_internals.py."""
    files = [path for path in WITH_STREAMLIT if path.is_file() and path != FENCE]
    touched = {path.relative_to(ROOT).as_posix(): internals_in(path) for path in files}
    assert {name: found for name, found in touched.items() if found} == {}


def internals_in(path: Path) -> set[str]:
    """What a file names of Streamlit's insides."""
    found = set(PRIVATE_WORDS.findall(path.read_text()))
    if path.suffix == ".py":
        modules = {name for node in import_statements(path) for name in modules_of(node)}
        found |= {name for name in modules if name.split(".")[0] == "streamlit"} - PUBLIC_STREAMLIT
    return found


def modules_of(node: ast.Import | ast.ImportFrom) -> list[str]:
    """The modules that an import statement names."""
    return [alias.name for alias in node.names] if isinstance(node, ast.Import) else [node.module or ""]


def test_a_folder_of_the_ui_uses_only_those_above_it():
    used = {
        (path.parent.name, name)
        for path in (PACKAGE / "ui").glob("*/*.py")
        for name in imported_names(path)
        if name.startswith("featdash.ui.")
    }
    assert used
    for folder, name in used:
        above = UI_FOLDERS[: UI_FOLDERS.index(folder) + 1]
        assert name.split(".")[2] in (*above, FENCE.stem), f"{folder} imports {name}"


MODULES = {module_of(path) for path in SOURCES}


def test_imports_point_down_inside_a_lesson():
    pairs = [(module_of(path), name) for path in SOURCES if "lessons" in path.parts for name in imported_names(path)]
    inside = [(mine, name, name if name in MODULES else name.rpartition(".")[0]) for mine, name in pairs]
    inside = [one for one in inside if one[0].count(".") > 2 and one[2] in MODULES and one[2].count(".") > 2]
    inside = [one for one in inside if one[2].startswith("featdash.lessons.")]
    assert inside
    for mine, name, theirs in inside:
        assert kind_of(theirs) in KINDS_BELOW[kind_of(mine)], f"{mine}, a {kind_of(mine)}, imports {name}"
        room, other = mine.split(".")[2], theirs.split(".")[2]
        shared = other in (room, "shared") or kind_of(theirs) == "recipe"  # a composite is made of others' recipes
        assert shared, f"{mine} imports {name}; what two lessons need goes to lessons/shared"


def test_no_module_imports_itself_through_others():
    """No circle, at any depth of the import statements."""
    graph = {}
    for path in SOURCES:
        names = imported_names(path)
        graph[module_of(path)] = {n if n in MODULES else n.rpartition(".")[0] for n in names} & MODULES - {
            module_of(path)
        }
    done: set[str] = set()

    def visit(module: str, above: tuple[str, ...]) -> None:
        assert module not in above, " -> ".join([*above[above.index(module) :], module])
        if module in done:
            return
        for other in graph[module]:
            visit(other, (*above, module))
        done.add(module)

    for module in graph:
        visit(module, ())


def test_the_layer_rule_covers_every_package():
    found = {path.name for path in PACKAGE.iterdir() if (path / "__init__.py").exists()}
    assert found == set(MAY_IMPORT)


def import_lines(path: Path) -> list[str]:
    """The import statements of a file, to be run on their own."""
    return [ast.unparse(one) for one in import_statements(path)]


def test_the_server_never_loads_torch_or_sklearn():
    lines = [line for path in [ROOT / "app.py", *sorted((ROOT / "pages").glob("*.py"))] for line in import_lines(path)]
    inside = [m for m in sorted(MODULES) if m.startswith(("featdash.lessons.", "featdash.ui.", "featdash.figures."))]
    safe = [m for m in inside if not m.startswith("featdash.lessons") or m.count(".") == 2 or kind_of(m) != "run"]
    program = f"""
import importlib, sys
import featdash.runs.service
for name in {safe!r}:
    importlib.import_module(name)
exec({chr(10).join(lines)!r})
print([name for name in ("torch", "sklearn") if name in sys.modules])
"""
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", program], cwd=ROOT, capture_output=True, text=True)
    assert done.stdout.strip() == "[]", done.stdout + done.stderr


def test_no_module_gives_two_things_one_name():
    """The second would take the place of the first; no linter says so of constants."""
    for path in PACKAGE.rglob("*.py"):
        body = ast.parse(path.read_text(encoding="utf-8")).body
        targets = [target for one in body if isinstance(one, ast.Assign) for target in one.targets]
        names = [target.id for target in targets if isinstance(target, ast.Name)]
        assert len(names) == len(set(names)), f"{path}: {[one for one in names if names.count(one) > 1]}"


def test_top_level_holds_only_what_was_agreed():
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    tops = {name.split("/")[0] for name in tracked if not name.startswith(".")}
    assert tops <= {"requirements.txt", "README.md", "app.py", "featdash", "pages", "tests", "pyproject.toml"}
