"""How each kind of labels is named and drawn."""

from __future__ import annotations

from featdash.figures.palette import METHODS, MethodStyle

PLAIN = METHODS["algorithm1"]
STYLES = {
    "none": MethodStyle("plain labels", PLAIN.colour, PLAIN.dash, PLAIN.marker, PLAIN.glyph, PLAIN.hatch),
    "sign_threshold": MethodStyle("sign with threshold", "#E69F00", "dash", "diamond", "◆", "/"),
    "conditional_mean": MethodStyle("conditional mean", "#009E73", "dashdot", "square", "■", "x"),
}
SHORT = {"none": "plain", "sign_threshold": "threshold", "conditional_mean": "conditional mean"}
HERMITE = {1: "z", 2: "z² − 1", 3: "He₃(z)", 4: "He₄(z)"}
