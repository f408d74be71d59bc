"""One palette: colours stand in one file, each once; who computes has none; a method's look is nobody else's."""

import ast
import itertools
import re
from pathlib import Path

import pytest
from test_colour_blind import linear

import featdash
from featdash.figures import palette
from featdash.figures.palette import ALIGNMENT, CASES, METHODS, POLYNOMIAL_KERNEL
from featdash.learners import methods

PACKAGE = Path(featdash.__file__).parent
PALETTE = PACKAGE / "figures/palette.py"
HEX = re.compile(r"#[0-9A-Fa-f]{6}(?:[0-9A-Fa-f]{2})?")
COLOUR = re.compile(r"#[0-9A-Fa-f]{6,8}|(?:rgb|hsl)a?\((?!0,0,0,0\)).*")  # nothing may be drawn without a colour
SOURCES = [path for path in sorted(PACKAGE.rglob("*.py")) if path != PALETTE]


def strings(path):
    """Every text constant of a file but its docstrings, and the fixed parts of f-strings among them."""
    tree = ast.parse(path.read_text())
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    words = {id(node.body[0].value) for node in ast.walk(tree) if isinstance(node, documented)
             and node.body and isinstance(node.body[0], ast.Expr)}  # fmt: skip
    return [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in words
    ]


def contrast(one, other):
    """That of the Web Content Accessibility Guidelines, 1 to 21."""
    lights = sorted((linear([one, other]) @ [0.2126, 0.7152, 0.0722]).tolist())
    return (lights[1] + 0.05) / (lights[0] + 0.05)


def test_no_other_file_has_a_colour():
    assert len(SOURCES) > 100
    assert [(path, text) for path in SOURCES for text in strings(path) if COLOUR.fullmatch(text)] == []


def test_the_search_sees_a_colour():
    assert any(COLOUR.fullmatch(text) for text in strings(PALETTE))
    assert COLOUR.fullmatch("rgba(0,114,178,0.22)")
    assert not COLOUR.fullmatch("rgba(0,0,0,0)")


def test_every_colour_stands_once_in_the_palette():
    colours = [text.upper() for text in strings(PALETTE) if HEX.fullmatch(text)]
    assert len(colours) > 40
    assert sorted(colours) == sorted(set(colours))


def test_who_computes_knows_nothing_of_looks():
    for folder in ("theory", "tasks", "learners", "geometry", "recipes", "runs"):
        for path in sorted((PACKAGE / folder).rglob("*.py")):
            imports = [node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.ImportFrom)]
            assert not [node for node in imports if (node.module or "").startswith("featdash.figures")], path
    assert not {"style", "colour", "look"} & set(methods.Method.__dataclass_fields__)


def test_every_method_has_a_look():
    assert METHODS.keys() == methods.METHODS.keys()


def test_no_case_looks_like_a_method():
    looks = [*METHODS.values(), POLYNOMIAL_KERNEL, *CASES]
    for one, other in itertools.combinations(looks, 2):
        assert one.colour != other.colour
        assert one.dash != other.dash
    for part in ("marker", "glyph", "hatch"):
        assert len({getattr(look, part) for look in CASES}) == len(CASES), part
    assert ALIGNMENT.colour not in {look.colour for look in looks}


@pytest.mark.parametrize("theme", palette.PAPER)
def test_what_was_before_is_seen_on_a_projector_and_paler_than_any_neuron(theme):
    paper, neuron = palette.PAPER[theme], palette.SEQUENTIAL[theme][0][1]
    assert 2 <= contrast(palette.GHOST[theme], paper) < contrast(neuron, paper)


def test_a_translucent_colour_is_the_same_colour():
    assert palette.translucent("#0072B2", 0.22) == "rgba(0,114,178,0.22)"
