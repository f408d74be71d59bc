"""A run as a Jupyter notebook that carries it out again, by the code path of the command line, and draws its pictures.

It imports `featdash` from a clone; the pictures are drawn by the same functions as the page's.
"""

from __future__ import annotations

import dataclasses
import math
import pprint
import textwrap
from collections.abc import Mapping
from typing import Any

import nbformat
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from featdash.export.citation import citation
from featdash.export.document import Document

KERNEL = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
START = """
Put this notebook into the folder of your clone of FeatDash, where `app.py` is, or write that folder behind `CLONE`.
It needs the packages of `requirements.txt`, and Jupyter (`pip install jupyterlab`).
"""
CLONE = """
import sys

CLONE = "."  # the folder of your clone of FeatDash
sys.path.insert(0, CLONE)
"""
OTHER_CODE = "The code has changed since: numbers may differ from the page's."
RUN = """
VERSION = {version!r}  # of the code behind the page's numbers
lesson = part_of({experiment!r}, "lesson").LESSON
if code_version(lesson.experiment.name, spec) != VERSION:
    print({warning!r})
run = compute(lesson.experiment, spec)
run.summary
"""
DRAW = """
options = {options}
view = View(run.run, options, Theme({theme!r}), events=run)
drawn = pictures(lesson.panels, view)
"""
PICTURE = """
print(drawn[{name!r}].alt)
drawn[{name!r}].figure
"""


def notebook(
    document: Document,
    options: Any,
    titles: Mapping[str, str],
    summary: Mapping[str, Any] | None,
    today: str,
    theme: str = "light",
) -> str:
    """The file's text, JSON of nbformat 4.

    options : how the visitor wants to see the pictures; titles : panel -> its picture's title.
    summary : the numbers on the page, None for a run that did not finish.
    Errors: ValueError for options that are not plain values.
    """
    source = Source()
    for module, name in (
        ("featdash.lessons", "part_of"),
        ("featdash.figures.picture", "Theme"),
        ("featdash.recipes.version", "code_version"),
        ("featdash.runs.foreground", "compute"),
        ("featdash.ui.stage.panels", "View"),
        ("featdash.ui.stage.panels", "pictures"),
    ):
        source.take(module, name)
    spec, view_options = source.expression(document.spec), source.expression(options)
    cells = [
        *_run_cells(document, spec),
        *([] if summary is None else _comparison_cells(summary, source)),
        new_markdown_cell("## The pictures\n\nAs they stood on the page; change `options` for others."),
        _code(DRAW.format(options=view_options, theme=theme)),
    ]
    for name, title in titles.items():
        cells += [new_markdown_cell(f"### {title}"), _code(PICTURE.format(name=name))]
    cells = [*_head_cells(document, source.imports()), *cells, _last_cell(document, today)]
    return nbformat.writes(_number_cells(new_notebook(cells=cells, metadata=KERNEL)))


def _head_cells(document: Document, imports: str) -> list[NotebookNode]:
    """The question, where the run comes from, and the imports."""
    words = document.words
    origin = [f"Computed by code version `{document.code}`"] if document.code else []
    origin += [f"on {document.date}"] if document.date else []
    origin += [f"[its page]({document.link})"] if document.link else []
    head = f"# {words.question}\n\n{words.formula}\n\n**FeatDash, {document.title}.** {', '.join(origin)}\n\n"
    return [new_markdown_cell(head + START.strip()), _code(CLONE), _code(imports)]


def _run_cells(document: Document, spec: str) -> list[NotebookNode]:
    path = f"As `python -m featdash run {document.experiment}` does it, here in the foreground."
    return [
        new_markdown_cell("## The settings"),
        _code(f"spec = {spec}"),
        new_markdown_cell(f"## The run\n\n{path}"),
        _code(RUN.format(version=document.code, experiment=document.experiment, warning=OTHER_CODE)),
    ]


def _comparison_cells(summary: Mapping[str, Any], source: Source) -> list[NotebookNode]:
    """The page's numbers, and whether the notebook's are the same."""
    source.take("featdash.export.comparison", "comparison")
    summary_text = pprint.pformat(dict(summary), width=100, compact=True, sort_dicts=False)
    return [
        new_markdown_cell("## The same numbers?"),
        _code(f"on_the_page = {summary_text}\nprint(comparison(run.summary, on_the_page))"),
    ]


def _last_cell(document: Document, today: str) -> NotebookNode:
    words = document.words
    cite = f"## Cite\n\n```bibtex\n{citation(document, today)}\n```"
    return new_markdown_cell(f"## How to read this\n{words.reading}\n\n## Source\n{words.source}\n\n{cite}")


def _code(text: str) -> NotebookNode:
    return new_code_cell(text.strip())


def _number_cells(whole: NotebookNode) -> NotebookNode:
    """Number the cells in place of nbformat's random names, so that the same run gives the same file."""
    for index, cell in enumerate(whole.cells):
        cell["id"] = f"cell-{index}"
    return whole


INDENT = "    "


class Source:
    """Writes expressions, and collects the imports that they need."""

    def __init__(self) -> None:
        self._names: dict[str, set[str]] = {}

    def take(self, module: str, name: str) -> str:
        """The name, to be imported from the module."""
        self._names.setdefault(module, set()).add(name)
        return name

    def imports(self) -> str:
        """The import statements, sorted, a line each."""
        return "\n".join(
            f"from {module} import {', '.join(sorted(names))}" for module, names in sorted(self._names.items())
        )

    def expression(self, value: Any) -> str:
        """Python that makes the value: numbers, text, None, tuples, and dataclasses of these, a field a line.

        Errors: ValueError for anything else.
        """
        if dataclasses.is_dataclass(value) and not isinstance(value, type):
            return self._instance(value)
        if isinstance(value, tuple):
            inside = ", ".join(self.expression(one) for one in value)
            return f"({inside},)" if len(value) == 1 else f"({inside})"
        if isinstance(value, float) and not math.isfinite(value):
            return f'float("{value}")'
        if value is None or type(value) in (bool, int, float, str):
            return repr(value)
        raise ValueError(f"a notebook writes plain values only, got a {type(value).__name__}; make it a dataclass")

    def _instance(self, value: Any) -> str:
        name = self.take(type(value).__module__, type(value).__name__)
        parts = [(field.name, getattr(value, field.name)) for field in dataclasses.fields(value)]
        lines = "".join(f"{field}={self.expression(part)},\n" for field, part in parts)
        return f"{name}(\n{textwrap.indent(lines, INDENT)})" if parts else f"{name}()"
