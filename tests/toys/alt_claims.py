"""Small independent readers of the sentences under the pictures: numbers, lists, comparisons, directions, grammar."""

import functools
import math
import re

from featdash.figures.palette import DIVERGING, SEQUENTIAL
from featdash.figures.picture import METHODS

RAISED = "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"
NUMBER = rf"(?:[-−]?(?:∞|(?:\d[\d\u202f]*(?:\.\d+)?·)?10[{RAISED}]+|\d[\d\u202f]*(?:\.\d+)?)|unknown)"
DANGLING = r"\b(?:is|are|of|for|at|by|to|from|and|than|in|the|with) ?[.;,]|[:;,] ?[.;,]|\(\)|«»|  | [,.;]"
SCALES = [[tuple(one) for one in scale] for scale in (*SEQUENTIAL.values(), DIVERGING)]
NOUNS = "steps|head steps|samples|pairs|cancelling pairs|neurons|rows|seeds|singular values"


def value(text):
    """What a printed number says."""
    text = text.replace("\u202f", "").replace("−", "-")
    if text == "unknown":
        return math.nan
    if "∞" in text:
        return float(text.replace("∞", "inf"))
    found = re.fullmatch(rf"(-?)(?:([\d.]+)·)?10([{RAISED}]+)", text)
    if found:
        power = int(found[3].translate(str.maketrans(RAISED, "-0123456789")))
        return float(f"{found[1]}{found[2] or 1}e{power}")
    return float(text)


def reads(text, true, decimals=3):
    """Whether a printed number is the true one to three digits (two beside a power of ten) or so many decimals.

    Zero is printed for zero alone, unless its decimals are printed too.
    """
    true, said = float(true), value(text)
    if math.isnan(true) or math.isnan(said):
        return math.isnan(true) and math.isnan(said)
    if math.isinf(true) or text == "0":
        return said == true
    digits = 0.06 if any(letter in RAISED for letter in text) else 0.006
    return abs(said - true) <= max(digits * abs(true), 0.6 * 10.0**-decimals if decimals is not None else 0)


def quoted(form, alt):
    """The numbers of a sentence, which must contain the form; # stands for a number, * for words."""
    pattern = re.escape(form).replace(r"\#", f"({NUMBER})").replace("#", f"({NUMBER})").replace(r"\*", ".*?")
    found = re.search(pattern, alt)
    assert found, f"no «{form}» in «{alt}»"
    return found.groups()


def says(form, alt, *truths, decimals=3):
    """The form stands in the sentence with these numbers."""
    numbers = quoted(form, alt)
    assert len(numbers) == len(truths)
    for text, true in zip(numbers, truths, strict=True):
        assert reads(text, true, decimals), f"{text} is not {true!r} in «{alt}»"


def says_each(alt, values, form="# for {}", decimals=3):
    """Each name with its number, and no other name."""
    for name, true in values.items():
        others = [other for other in values if name in other and other != name]  # a name may be a part of another
        text = functools.reduce(lambda so_far, other: so_far.replace(other, "…"), others, alt)
        says(form.format(name), text, true, decimals=decimals)
    for style in METHODS.values():
        if style.label not in values and not any(style.label in name for name in values):
            assert form.format(style.label).removeprefix("#") not in alt


def names_the_lowest(alt, values):
    """Who is called lowest is so, alone or with those who read the same; nobody is where there is no comparison."""
    values = {name: true for name, true in values.items() if not math.isnan(true)}
    if len(values) < 2:
        assert "lowest" not in alt
        assert "same" not in alt
        return
    least, most = min(values.values()), max(values.values())
    found = re.search(r"the lowest (is that|are those) of (.*?)\.?$", alt)
    if not found:
        assert re.search(r"(all|both) are the same", alt), alt
        assert near(least, most), alt
        return
    rest, called = found[2], set()
    for name in sorted(values, key=len, reverse=True):  # a name may be the beginning of another
        if name in rest:
            rest, called = rest.replace(name, "", 1), {*called, name}
    for name, true in values.items():
        if name in called:
            assert near(least, true), f"{name} is not the lowest in «{alt}»"
        else:
            assert true > least, f"{name} shares the lowest in «{alt}»"
    assert called


def near(a, b):
    """Whether two numbers may read the same."""
    return a == b or abs(a - b) <= max(0.0011, 0.011 * max(abs(a), abs(b)))


def goes(verb, first, last):
    """Whether a direction is that of the numbers."""
    if verb == "stays":
        return near(first, last)
    return last > first if verb == "rises" else last < first


def reads_well(alt):
    """Grammar that no number breaks."""
    assert alt[0].isupper(), alt
    assert alt.endswith("."), alt
    assert 1 <= len(re.split(r"\. (?=[A-Z])", alt)) <= 3, alt
    assert not re.search(r"[{}<>]|\b(?:nan|inf|None|array)\b", alt), alt
    assert not re.search(r"[-−]0(?:\.0+)?(?!\.?\d)|--|\bby [-−]|\+-", alt), alt
    assert not re.search(DANGLING, alt), alt
    assert not re.search(rf"(?<!= )(?<![.\d\u202f])1 (?:{NOUNS})\b", alt), alt
    assert not re.search(r"\be[+-]\d\d", alt), alt


def heads_well(headline):
    """Short, no full stop, and the grammar of a sentence; "" says nothing yet."""
    assert len(headline) <= 90, headline
    if headline:
        assert not headline.endswith("."), headline
        reads_well(f"{headline}.")


def hovers(figure):
    """What can be pointed at has a name and says which quantity each of its numbers is."""
    for trace in figure.data:
        if trace.type == "table" or trace.hoverinfo == "skip":
            continue
        assert trace.hovertemplate, f"{trace.name or trace.type} hovers by default"
        assert trace.hovertemplate.endswith("<extra></extra>")
        assert trace.name or trace.type == "heatmap", trace.hovertemplate
        assert not re.search(r"\btrace \d", trace.hovertemplate)
        for line in trace.hovertemplate.removesuffix("<extra></extra>").split("<br>"):
            words = re.sub(r"%\{(?:customdata[^}]*|text)\}", "text", line)  # texts that name their numbers themselves
            assert re.search(r"[^\W\d_]|∇", re.sub(r"%\{[^}]*\}", "", words)), f"bare numbers in {trace.hovertemplate}"


def told_apart(figure):
    """No two curves of a panel differ in colour alone: dash, marker, hatch, or the place of their bars tells them.

    And colours that stand for numbers are of our scales, which everybody can read, see test_colour_blind.py.
    """
    assert all(scale in SCALES for scale in _scales_of(figure)), "a scale of its own"
    seen = []
    for trace in figure.data:
        colour, kind = _signature(trace)
        if not isinstance(colour, str) or trace.hoverinfo == "skip" or not len(trace.x if trace.x is not None else ()):
            continue
        for other, other_colour, other_kind in seen:
            apart = trace.type == "bar" and not set(trace.x) & set(other.x)
            assert colour == other_colour or kind != other_kind or apart, f"{trace.name} and {other.name}: colour alone"
        seen.append((trace, colour, kind))


def _scales_of(figure):
    """Every colour scale that a figure draws with."""
    parts = [figure.layout[name] for name in figure.layout if str(name).startswith("coloraxis")]
    for trace in figure.data:
        parts += [trace, *([trace.marker] if "marker" in trace else [])]
    for part in parts:
        if "colorscale" in part and part.colorscale is not None:
            yield [tuple(one) for one in part.colorscale]


def _signature(trace):
    """The colour of a trace, and all else that tells it from the others of its panel."""
    place = (trace.type, getattr(trace, "xaxis", None) or getattr(trace, "scene", None))
    if trace.type == "bar":
        return trace.marker.color, (*place, trace.marker.pattern.shape)
    if not trace.type.startswith("scatter"):
        return None, place
    mode = trace.mode or "lines+markers"
    dash = trace.line.dash if "lines" in mode else None
    symbol = trace.marker.symbol if "markers" in mode else None
    colour = trace.line.color if "lines" in mode else trace.marker.color
    return colour, (*place, mode, dash, symbol if isinstance(symbol, str) else None)
