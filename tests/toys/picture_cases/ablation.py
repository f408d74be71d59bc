"""The pictures of `ablation`."""

import math
import re

import numpy as np
from alt_claims import near, says
from hypothesis import strategies as st
from picture_case import EXTREME, LOOK, case, numbers, one_of, positive, signed, sizes, some

from featdash.lessons.ablation import pictures as ablation
from featdash.lessons.ablation.pictures import DELETED, VARIANTS, listing
from featdash.lessons.shared.frames import LossCurve


@case(ablation.result_bars)
def _(draw):
    names = ["intact", *some(draw, [name for name in VARIANTS if name != "intact"], most=6)]
    columns = (
        numbers(draw, len(names), EXTREME[:-1]),
        numbers(draw, len(names)),
        [draw(st.floats(0, 1)) for _ in names],
    )
    variants = {
        name: dict(zip(("excess_risk", "standard_error", "alignment"), row, strict=True))
        for name, row in zip(names, zip(*columns, strict=True), strict=True)
    }
    chosen = draw(st.sampled_from(list(VARIANTS)))
    picture = ablation.result_bars(variants, chosen, theme=LOOK)
    risks = {name: row["excess_risk"] for name, row in variants.items()}
    says("Algorithm 1 intact ends at an excess risk of #", picture.alt, risks["intact"])
    if chosen != "intact" and chosen in variants:
        says(f"with «{VARIANTS[chosen].label}» it is #", picture.alt, risks[chosen])
        says("alignment of #", picture.alt, variants[chosen]["alignment"], decimals=2)
    elif len(names) > 1:
        says("the highest is #", picture.alt, max(risks.values()))
        called = re.findall("«(.*?)»", picture.alt)
        assert called
        assert all(near(max(risks.values()), risks[name]) for name in names if VARIANTS[name].label in called)
        assert all(max(risks.values()) > risks[name] for name in names if VARIANTS[name].label not in called)
    return picture


@case(ablation.linear_part)
def _(draw):
    beta = signed(draw, draw(st.integers(1, 5)), EXTREME)
    alpha, is_off, band = signed(draw, 1, EXTREME)[0], draw(st.booleans()), positive(draw, 1)[0]
    picture = ablation.linear_part(alpha, beta, band, theme=LOOK, is_off=is_off)
    estimates = dict(zip(picture.table["coefficient"], [alpha, *beta], strict=True))
    name = re.search(r"in size is (\S+) =", picture.alt)[1]
    assert abs(estimates[name]) == max(map(abs, estimates.values()))
    says(f"{name} = #, with a standard error of #", picture.alt, estimates[name], band)
    assert ("stays in the labels" in picture.alt) == is_off
    return picture


@case(ablation.hinges)
def _(draw):
    count = draw(st.integers(1, 6))
    layers = [(signed(draw, count), numbers(draw, count)) for _ in range(2)]
    name = one_of(draw, "intact", "biases_not_drawn")
    picture = ablation.hinges(layers[0], one_of(draw, None, layers[1]), theme=LOOK, name=name)
    for label, (b, norms) in zip(("intact", VARIANTS["biases_not_drawn"].label), layers, strict=True):
        if label in picture.table:
            far = np.mean([x != 0 and (norm == 0 or abs(x) > 0.125 * norm) for x, norm in zip(b, norms, strict=True)])
            says(f"# % ({label})", picture.alt, 100 * far, decimals=1)
    return picture


@case(ablation.head_curves)
def _(draw):
    chosen = draw(st.sampled_from(list(VARIANTS)))
    heads = {
        name: LossCurve(t := np.array(sizes(draw)), positive(draw, len(t), EXTREME)) for name in some(draw, VARIANTS)
    }
    picture = ablation.head_curves(heads, chosen, theme=LOOK, last=1e5)
    told = [name for name in heads if chosen == "intact" or name in ("intact", chosen)]
    for name in told:
        says(f"# ({VARIANTS[name].label})", picture.alt, heads[name].excess[-1], decimals=None)
    assert bool(told) == ("No head" not in picture.alt)
    return picture


@case(ablation.predictor_profile)
def _(draw):
    z, truth = np.linspace(-3, 3, 13), signed(draw, 13)
    learned = {name: signed(draw, 13) for name in some(draw, VARIANTS, most=2)}
    picture = ablation.predictor_profile(z, truth, learned, theme=LOOK)
    for name, values in learned.items():
        gap = math.sqrt(np.mean((values - truth)[2:11] ** 2))
        says(f"# ({VARIANTS[name].label})", picture.alt, gap)
    return picture


@case(listing)
def _(draw):
    line, variant = draw(st.integers(1, 5)), draw(st.sampled_from(list(VARIANTS)))
    picture = listing(line, variant, theme=LOOK)
    says("shown is line #", picture.alt, line)
    assert ("unchanged" in picture.alt) == (variant not in DELETED)
    if variant in DELETED:
        row, words = DELETED[variant]
        assert f"its {f'line {row}' if row else 'start'} changed: " in picture.alt
        assert words.split()[-1] in picture.alt
    return picture
