"""λ and t of a race in a file that opens offline: every stop is there from the spectral paths, without a refit."""

from __future__ import annotations

import math
from dataclasses import replace

from featdash.export.slider import Slider, Stops
from featdash.figures.text import number
from featdash.lessons.race.numbers import Setting
from featdash.lessons.race.panels import RaceView
from featdash.lessons.race.toolbar import Options
from featdash.ui.sliders import Sliders

PANELS = ("race-risk", "race-energy", "race-profile", "race-lambda")
# Every stop is drawn before the file is sent: the fewer, the sooner. Of each method's own tuned λ, and of one for all.
FACTORS = tuple(10.0**power for power in range(-4, 3))
STRENGTHS = tuple(10.0**power for power in range(-5, 3))


def sliders(view: RaceView) -> Sliders[Options] | None:
    """A slider over λ and one over t, beginning where the page's stand; None of a race that did not finish."""
    if view.result() is None:
        return None
    now, most = view.options.setting, view.spec.steps
    shared = now.shared is not None
    lam = now.shared if now.shared is not None else now.factor
    lams = sorted({*(STRENGTHS if shared else FACTORS), lam})
    steps = (10.0**power for power in range(0, math.ceil(math.log10(most)), 2))
    times = sorted({*steps, float(most), now.t, math.inf})
    word = "λ = {}" if shared else "{} × tuned λ"
    controls = (
        Slider("Ridge strength λ", tuple(word.format(number(one)) for one in lams), lams.index(lam)),
        Slider("Head steps t", tuple(f"t = {number(one)}" for one in times), times.index(now.t)),
    )

    def options(stops: Stops) -> Options:
        lam, t = lams[stops[0]], times[stops[1]]
        return replace(view.options, setting=Setting(1.0, lam, t) if shared else Setting(lam, None, t))

    return Sliders(controls, PANELS, options)
