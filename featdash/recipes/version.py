"""Which code computes the numbers: part of a run's cache key, of a recorded run, and of what a worker must have.

It is the files that an experiment's recipe and its `run` import, directly or through others, as syntax trees;
a module that is named in a string, as the table of methods names its learners, counts as imported.
Docstrings, comments and layout do not count, nor do pictures and pages, which no recipe imports. The files are read,
not imported.
"""

from __future__ import annotations

import ast
import functools
import hashlib
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from featdash.recipes.composite import Composite
from featdash.recipes.experiment import Entry, Experiment
from featdash.recipes.registry import experiments, find_experiment
from featdash.recipes.spec import Spec

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = __name__.partition(".")[0]
DIGITS = 12
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
NAMED = re.compile(rf"({PACKAGE}(?:\.\w+)+)(?::\w+)?")  # a module in a string, which is imported when it is called
REDUNDANT = ("ctx", "kind", "type_comment", "type_ignores")  # fields that the rest of a tree implies


@functools.cache
def code_version(experiment: str) -> str:
    """Twelve hex digits that change with the code that computes that experiment, or a cell of it."""
    return version_of(computing_modules(find_experiment(experiment)))


@functools.cache
def package_version() -> str:
    """Twelve hex digits that change with the computing code of any experiment of the package."""
    found = {module for one in experiments().values() for module in computing_modules(one)}
    return version_of(module for module in found if module.startswith(f"{PACKAGE}."))


def run_id(experiment: str, spec: Spec) -> str:
    """Sixteen hex digits of the recipe and the code: the cache key of a run, and its name in a URL."""
    text = f"{code_version(experiment)}\0{experiment}\0{spec.canonical_json()}"
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def computing_modules(entry: Entry) -> set[str]:
    """Where the recipe and the run of an experiment are written, and those of a composite's cells."""
    parts: list[Callable] = [entry.spec, entry.cost]
    cells: tuple[str, ...] = ()
    if isinstance(entry, Composite):
        parts, cells = [*parts, entry.cells, entry.gather], entry.cell_experiments
    elif isinstance(entry, Experiment):
        parts.append(entry.run)
    modules = {one.__module__ for one in parts}
    return modules.union(*(computing_modules(find_experiment(cell)) for cell in cells))


def version_of(modules: Iterable[str], root: Path = ROOT) -> str:
    """Twelve hex digits of these modules and of what they import of the package below `root`.

    A package's `__init__` counts where a name is taken from it, not where a module in it is.
    """
    digests: dict[str, bytes] = {}
    waiting = [*modules]
    while waiting:
        module = waiting.pop()
        if module not in digests:
            digests[module], names = _read(_file_of(module, root))
            waiting += [found for base, name in names if (found := _imported(base, name, root))]
    text = b"".join(name.encode() + b"\0" + digests[name] for name in sorted(digests))
    return hashlib.sha256(text).hexdigest()[:DIGITS]


def _imported(base: str, name: str, root: Path) -> str | None:
    """The module of the package that `from base import name` needs."""
    inside = [f"{base}.{name}"] if name else []
    return next((module for module in (*inside, base) if _file_of(module, root).is_file()), None)


@functools.cache
def _file_of(module: str, root: Path) -> Path:
    if module.partition(".")[0] != PACKAGE:
        return Path(str(sys.modules[module].__file__))
    path = root.joinpath(*module.split("."))
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


@functools.cache
def _read(path: Path) -> tuple[bytes, tuple[tuple[str, str], ...]]:
    """The digest of a file's syntax tree, and (module, name) of all that it imports of the package."""
    imports: list[tuple[str, str]] = []
    text = _text(ast.parse(path.read_bytes()), imports)
    return hashlib.sha256(text.encode()).digest(), tuple(imports)


def _text(node: Any, imports: list[tuple[str, str]]) -> str:
    """A syntax tree as the text of nested tuples, without docstrings; fields that are empty are left out, as Python
    versions differ in those that they have."""
    if isinstance(node, list):
        return f"[{', '.join([_text(one, imports) for one in node])}]"
    if not isinstance(node, ast.AST):
        return repr(node)
    if isinstance(node, ast.Import | ast.ImportFrom):
        imports += _package_imports(node)
    elif isinstance(node, ast.Constant) and isinstance(node.value, str) and (named := NAMED.fullmatch(node.value)):
        imports.append((named[1], ""))
    parts = [repr(type(node).__name__)]
    for name in _fields(node._fields):
        value = getattr(node, name)
        if name == "body" and isinstance(node, DOCUMENTED) and ast.get_docstring(node, clean=False) is not None:
            value = value[1:]
        if value is not None and value != []:
            parts.append(f"({name!r}, {_text(value, imports)})")
    return f"({', '.join(parts)})" if len(parts) > 1 else f"({parts[0]},)"


@functools.cache
def _fields(names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(name for name in names if name not in REDUNDANT)


def _package_imports(node: ast.Import | ast.ImportFrom) -> Iterator[tuple[str, str]]:
    for alias in node.names:
        base, name = (node.module or "", alias.name) if isinstance(node, ast.ImportFrom) else (alias.name, "")
        if base.partition(".")[0] == PACKAGE:
            yield base, name
