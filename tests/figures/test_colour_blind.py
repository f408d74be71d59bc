"""Colour scales as three kinds of colour blindness see them.

No picture has another, and curves differ in more than colour, see `told_apart`.
"""

import itertools

import numpy as np
import pytest

from featdash.figures.palette import DIVERGING, SEQUENTIAL

# Machado, Oliveira & Fernandes 2009, severity 1, on linear RGB.
BLINDNESS = {
    "protanopia": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "deuteranopia": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    "tritanopia": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
    "none": np.eye(3).tolist(),
}
XYZ = np.array(
    [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]]
)
NOTICED = 15.0  # of ΔE*ab: far beyond what two neighbouring patches need
JUST_NOTICED = 2.3
STEPS = np.linspace(0, 1, 21)


def linear(hexes):
    """Linear RGB of colours such as #0072B2."""
    values = np.array([[int(one[place : place + 2], 16) / 255 for place in (1, 3, 5)] for one in hexes])
    return np.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4)


def lab(rgb, blindness):
    """CIE L*a*b* of linear RGB as those see it."""
    seen = np.clip(rgb @ np.array(BLINDNESS[blindness]).T, 0, 1)
    ratio = seen @ XYZ.T / XYZ.sum(1)
    root = np.where(ratio > (6 / 29) ** 3, np.cbrt(ratio), ratio / (3 * (6 / 29) ** 2) + 4 / 29)
    x, y, z = root.T
    return np.stack([116 * y - 16, 500 * (x - y), 200 * (y - z)], 1)


def along(scale, blindness):
    """The scale at STEPS, interpolated in sRGB as plotly does."""
    places = [place for place, _ in scale]
    rgb = np.array([[int(one[at : at + 2], 16) for at in (1, 3, 5)] for _, one in scale])
    mixed = np.stack([np.interp(STEPS, places, channel) for channel in rgb.T], 1).round().astype(int)
    return lab(linear([f"#{r:02x}{g:02x}{b:02x}" for r, g, b in mixed]), blindness)


@pytest.mark.parametrize("blindness", BLINDNESS)
@pytest.mark.parametrize("theme", SEQUENTIAL)
def test_a_larger_share_is_farther_from_the_paper_for_everybody(theme, blindness):
    lightness = along(SEQUENTIAL[theme], blindness)[:, 0]
    away = lightness if theme == "dark" else -lightness
    assert np.all(np.diff(away) > 0)
    assert np.ptp(lightness) > 50


@pytest.mark.parametrize("blindness", BLINDNESS)
def test_both_signs_and_none_are_told_apart_by_everybody(blindness):
    seen = along(DIVERGING, blindness)
    for one, other in itertools.combinations(seen[::5], 2):
        assert np.linalg.norm(one - other) > NOTICED
    for one, other in itertools.combinations(seen, 2):
        assert np.linalg.norm(one - other) > JUST_NOTICED, "no two cosines a tenth apart look the same"
