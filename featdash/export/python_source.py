"""Values as Python source: what a notebook writes so that it can be read, changed and run again."""

from __future__ import annotations

import dataclasses
import math
import textwrap
from typing import Any

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
