"""TeX as MathML: every formula of every lesson, well-formed, with nothing of its text lost; words as HTML."""

import re
import xml.etree.ElementTree as tree

import pytest
from taken_runs import LESSONS

from featdash.export.markdown import FORMULA, formula_html, html_of, inline_html_of, mathml

TEXTS = {
    f"{name}.{part}": getattr(lesson.text, part)
    for name, lesson in LESSONS.items()
    for part in ("question", "formula", "reading", "source")
}


def shown(text):
    """The letters that a formula shows."""
    return "".join(tree.fromstring(text).itertext())


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_every_formula_of_a_lesson_is_understood(text):
    for _, tex in FORMULA.findall(text):
        assert shown(mathml(tex))


@pytest.mark.parametrize(
    ("tex", "html"),
    [
        (r"\frac{1}{2} x", "<mfrac><mrow><mn>1</mn></mrow><mrow><mn>2</mn></mrow></mfrac><mi>x</mi>"),
        (r"\sqrt r", "<msqrt><mi>r</mi></msqrt>"),
        (r"c_k^2", "<msubsup><mi>c</mi><mi>k</mi><mn>2</mn></msubsup>"),
        (r"c^2_k", "<msubsup><mi>c</mi><mi>k</mi><mn>2</mn></msubsup>"),
        (r"\mathrm{ReLU}", '<mi mathvariant="normal">ReLU</mi>'),
        (r"\mathbb{E}", "<mi>𝔼</mi>"),
        (r"\lambda", "<mi>λ</mi>"),
        (r"\Delta", "<mi>Δ</mi>"),
        (r"\ne", '<mo stretchy="false">≠</mo>'),
    ],
)
def test_the_parts_of_a_formula(tex, html):
    assert mathml(tex) == f"<math><mrow>{html}</mrow></math>"


def test_an_index_of_min_stands_below_it():
    assert mathml(r"\min_{x} y").startswith("<math><mrow><munder><mi>min</mi>")


def test_signs_of_html_are_escaped():
    assert shown(mathml("a<b")) == "a<b"
    assert "<b" not in mathml("a<b")


@pytest.mark.parametrize("tex", [r"\unknown", "{x", "x}", r"\frac{1}", "x_", r"\mathrm x y"])
def test_what_is_beyond_the_tables_is_refused_in_one_sentence(tex):
    with pytest.raises(ValueError, match=r"^a formula must keep to formula.py's tables, got .*; add it there$"):
        mathml(tex)


def test_words_come_as_html_without_html_pictures_or_scripts_of_their_own():
    text = 'a *b* <script>x</script> ![p](http://a/b.png) [l](javascript:x) `$c$` $d<e$ "f"'
    html = html_of(text)
    assert html.startswith("<p>a <em>b</em> &lt;script&gt;")
    assert not re.search("<script|<img|href=.javascript", html)
    assert "<code>$c$</code>" in html
    assert "&lt;</mo>" in html


def test_a_formula_that_is_not_understood_is_shown_as_written():
    assert inline_html_of(r"so $\unknown<x$") == r"so <code>\unknown&lt;x</code>"


@pytest.mark.parametrize("tex", ["{" * 900 + "}" * 900, "\\hat" * 900 + "x", "\\frac" * 900 + "x", "{" * 900])
def test_a_formula_nested_without_end_is_shown_as_it_is_written(tex):
    assert formula_html(tex) == f"<code>{tex}</code>"
    assert inline_html_of(f"How far? ${tex}$") == f"How far? <code>{tex}</code>"


def test_a_formula_of_ten_brackets_is_a_formula():
    assert formula_html("{" * 10 + "x" + "}" * 10).count("<mrow>") == 11
