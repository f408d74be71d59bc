"""For each picture: numbers that no template expects, and what its sentence may then say. A module a lesson."""

import importlib
import pkgutil

for one in pkgutil.iter_modules(__path__):
    importlib.import_module(f"{__name__}.{one.name}")
