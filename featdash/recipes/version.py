"""Which code computes the numbers: part of a run's cache key, of a recorded run, and of what a worker must have.

It is the files that an experiment's recipe and its `run` import, directly or through others, as syntax trees.
A module that is named in a string counts as imported. Docstrings, comments and layout do not count, nor do pictures and
pages, which no recipe imports. The files are read, not imported.

Of the table of methods the lines count whose names stand in the run's Spec or, as a string, in a file that counts: what
they say of how the method learns, and the modules that they name. Of the table of targets the lines count that such a
file names; a target of the Spec is part of the Spec's identity, by its formula. So a new line in either table leaves
all other runs as they are.

How a setting is declared (default, rule, label, help, group) does not count: its value is in the Spec. So a new setting
leaves the earlier runs as they are, until code that computes reads it.
"""

from __future__ import annotations

import ast
import functools
import hashlib
import re
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from featdash.learners import methods
from featdash.learners.methods import Method
from featdash.recipes import settings
from featdash.recipes.experiment import Entry, Experiment, experiments, find_experiment
from featdash.recipes.grid import Grid
from featdash.recipes.spec import Spec, setting
from featdash.theory import targets
from featdash.theory.targets import TARGETS

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = __name__.partition(".")[0]
DIGITS = 12
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
NAMED = re.compile(rf"({PACKAGE}(?:\.\w+)+)(?::\w+)?")  # a module in a string, which is imported when it is called
WORD = re.compile(r"[\w-]+")  # what a method or a target is called
# Modules that count by the lines of theirs that are named, or, as the shared settings, not at all.
APART = (methods.__name__, targets.__name__, settings.__name__)
DECLARING = (setting.__name__, settings.__name__.rpartition(".")[2])  # a setting is setting(...), or settings.NAME(...)
NOT_COMPUTING = ("label", "seconds", "memory")  # of a method: no number of a run is in it
KEPT_VERSIONS = 1024
REDUNDANT = ("ctx", "kind", "type_comment", "type_ignores")  # fields that the rest of a tree implies

# Python 3.11 fails now and then where two threads build syntax trees at once; and what one has read, all have.
_one_reads = threading.Lock()

Needs = tuple[tuple[str, str], ...]  # (module, name) of each import of the package, ("", word) of each word in quotes


def code_version(experiment: str, spec: Spec) -> str:
    """Twelve hex digits that change with the code that computes that run, or a cell of it."""
    return _code_version(experiment, methods_named(spec))


@functools.lru_cache(KEPT_VERSIONS)
def _code_version(experiment: str, names: frozenset[str]) -> str:
    return version_of(computing_modules(find_experiment(experiment)), names)


@functools.cache
def package_version() -> str:
    """Twelve hex digits that change with the computing code of any experiment of the package, or any method."""
    modules = {module for one in experiments().values() for module in computing_modules(one)}
    return version_of((module for module in modules if module.startswith(f"{PACKAGE}.")), methods.METHODS)


def run_id(experiment: str, spec: Spec) -> str:
    """Sixteen hex digits of the recipe and the code: the cache key of a run, and its name in a URL."""
    text = f"{code_version(experiment, spec)}\0{experiment}\0{spec.identity_json()}"
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def methods_named(spec: Spec) -> frozenset[str]:
    """The methods of the table that are a value of a setting, or in a list that is one."""
    values = vars(spec).values()
    words = {word for value in values for word in (value if isinstance(value, tuple) else (value,))}
    return frozenset(words & methods.METHODS.keys())


def computing_modules(entry: Entry) -> set[str]:
    """Where the recipe and the run of an experiment are written, and those of a grid's cells."""
    parts: list[Callable] = [entry.spec, entry.cost]
    cells: tuple[str, ...] = ()
    if isinstance(entry, Grid):
        parts += [entry.axes, entry.cell, entry.points, entry.gap, entry.summary]
        cells = entry.cell_experiments
    elif isinstance(entry, Experiment):
        parts.append(entry.run)
    modules = {one.__module__ for one in parts}
    return modules.union(*(computing_modules(find_experiment(cell)) for cell in cells))


def version_of(modules: Iterable[str], names: Iterable[str] = (), root: Path = ROOT) -> str:
    """Twelve hex digits of these modules and lines, and of what they import and name of the package below `root`.

    names : of methods or targets, whose lines of the tables count.
    A package's `__init__` counts where a name is taken from it, not where a module in it is.
    """
    digests: dict[str, bytes] = {}
    waiting = [*modules, *names]
    with _one_reads:
        while waiting:
            node = waiting.pop()
            if node not in digests and node not in APART:
                digests[node], needs = _read_line(node) or _read(_file_of(node, root))
                waiting += [other for base, name in needs if (other := _node_of(base, name, root))]
    text = b"".join(node.encode() + b"\0" + digests[node] for node in sorted(digests))
    return hashlib.sha256(text).hexdigest()[:DIGITS]


def _node_of(base: str, name: str, root: Path) -> str | None:
    """The module that `from base import name` needs; without a base, the method or the target of that name."""
    if not base:
        return name if name in methods.METHODS or name in TARGETS else None
    inside = [f"{base}.{name}"] if name else []
    return next((module for module in (*inside, base) if _file_of(module, root).is_file()), None)


def _read_line(name: str) -> tuple[bytes, Needs] | None:
    """The digest of the line of a table that has that name, and the modules in it; None if there is no such line."""
    if name in TARGETS:
        return hashlib.sha256(TARGETS[name].expression.encode()).digest(), ()
    return _read_method(methods.METHODS[name]) if name in methods.METHODS else None


def _read_method(method: Method) -> tuple[bytes, Needs]:
    """The digest of how a method learns, and the modules that its line names."""
    says = {**vars(method), **(vars(method.predictor) if method.predictor else {}), "predictor": None}
    learning = {name: says[name] for name in sorted(says) if name not in NOT_COMPUTING}
    needs = tuple(need for value in learning.values() if isinstance(value, str) for need in _names_in(value))
    return hashlib.sha256(repr(learning).encode()).digest(), needs


def _names_in(text: str) -> Iterator[tuple[str, str]]:
    """What a string may name: a module, a method or a target."""
    if match := NAMED.fullmatch(text):
        yield match[1], ""
    elif WORD.fullmatch(text):
        yield "", text


@functools.cache
def _file_of(module: str, root: Path) -> Path:
    if module.partition(".")[0] != PACKAGE:
        return Path(str(sys.modules[module].__file__))
    path = root.joinpath(*module.split("."))
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


@functools.cache
def _read(path: Path) -> tuple[bytes, Needs]:
    """The digest of a file's syntax tree, and what it may need: see `Needs`."""
    needs: dict[tuple[str, str], None] = {}
    text = _text(ast.parse(path.read_bytes()), needs)
    return hashlib.sha256(text.encode()).digest(), tuple(needs)


def _text(node: Any, needs: dict[tuple[str, str], None]) -> str:
    """A syntax tree as the text of nested tuples, without docstrings; fields that are empty are left out, as Python
    versions differ in those that they have."""
    if isinstance(node, list):
        return f"[{', '.join([_text(one, needs) for one in node])}]"
    if not isinstance(node, ast.AST):
        return repr(node)
    if isinstance(node, ast.Import | ast.ImportFrom):
        needs |= dict.fromkeys(_package_imports(node))
    elif isinstance(node, ast.Constant) and isinstance(node.value, str):
        needs |= dict.fromkeys(_names_in(node.value))
    parts = [repr(type(node).__name__)]
    for name in _fields(node._fields):
        value = getattr(node, name)
        if name == "body" and isinstance(node, DOCUMENTED) and ast.get_docstring(node, clean=False) is not None:
            value = value[1:]
        if name == "body" and isinstance(node, ast.ClassDef):
            value = [one for one in value if not _declares_setting(one)]
        if value is not None and value != []:
            parts.append(f"({name!r}, {_text(value, needs)})")
    return f"({', '.join(parts)})" if len(parts) > 1 else f"({parts[0]},)"


def _declares_setting(node: ast.stmt) -> bool:
    """Whether the statement is a field of a Spec: `n: int = setting(...)`, or one of the shared settings."""
    if not (isinstance(node, ast.AnnAssign) and isinstance(node.value, ast.Call)):
        return False
    function = node.value.func
    owner = function.value if isinstance(function, ast.Attribute) else function
    return isinstance(owner, ast.Name) and owner.id in DECLARING


@functools.cache
def _fields(names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(name for name in names if name not in REDUNDANT)


def _package_imports(node: ast.Import | ast.ImportFrom) -> Iterator[tuple[str, str]]:
    for alias in node.names:
        base, name = (node.module or "", alias.name) if isinstance(node, ast.ImportFrom) else (alias.name, "")
        if base.partition(".")[0] == PACKAGE:
            yield base, name
