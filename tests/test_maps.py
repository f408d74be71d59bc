"""The map and the glossary of the package say what is there, in an order in which it can be read."""

import ast
import re

import pytest
from test_layers import MAY_IMPORT, PACKAGE, ROOT, SOURCES, UI_FOLDERS, module_of

import featdash

LINE = re.compile(r"^ *(\w+) {2,}\S", re.MULTILINE)
MAP, GLOSSARY = (LINE.findall(part) for part in featdash.__doc__.split("Words of our own:"))
# The files that the docstring of a folder lists. Most folders list none: each file says in its first line what it is.
FOLDER_MAPS = {
    path.parent: names
    for path in SOURCES
    if path.name == "__init__.py" and path.parent != PACKAGE
    if (names := LINE.findall(ast.get_docstring(ast.parse(path.read_text())) or ""))
}


def test_every_package_has_its_line_and_stands_below_what_it_imports():
    assert sorted(MAP) == sorted(MAY_IMPORT)
    for place, name in enumerate(MAP):
        assert MAY_IMPORT[name] <= set(MAP[:place]), name


def test_the_readme_has_the_same_folders():
    rows = re.findall(r"^\| `featdash/(\w+)/`", (ROOT / "README.md").read_text(), re.MULTILINE)
    assert rows == MAP


def test_the_glossary_has_at_most_25_words_all_of_them_in_use():
    code = "\n".join(path.read_text() for path in SOURCES if path.parent != PACKAGE)
    assert len(set(GLOSSARY)) == len(GLOSSARY) <= 25
    for word in GLOSSARY:
        assert re.search(rf"\b_?{word}s?\b", code), word


def test_the_ui_and_its_folders_have_maps_in_an_order_in_which_they_can_be_read():
    folders = [name for name in FOLDER_MAPS[PACKAGE / "ui"] if (PACKAGE / "ui" / name).is_dir()]
    assert tuple(folders) == UI_FOLDERS
    assert {PACKAGE / "ui" / name for name in folders} <= set(FOLDER_MAPS)


@pytest.mark.parametrize("folder", FOLDER_MAPS, ids=module_of)
def test_a_map_in_a_folder_names_every_module_of_it(folder):
    modules = [one for one in folder.iterdir() if one.suffix == ".py" or (one / "__init__.py").exists()]
    assert sorted(FOLDER_MAPS[folder]) == sorted(one.stem for one in modules if not one.name.startswith("_"))


def test_every_file_says_in_its_first_line_what_it_is():
    files = [path for path in SOURCES if path.name != "__init__.py"]
    assert [module_of(path) for path in files if not re.match(r'"""[^\n]{10,}', path.read_text())] == []
