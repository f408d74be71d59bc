"""The settings of an experiment as controls, made from its Spec: label, rule, default and help come from each field.

A sentence says what is wrong with them, and names them as the page does.
"""

from __future__ import annotations

import dataclasses
import re
import secrets
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

import streamlit as st

from featdash.figures.picture import METHODS
from featdash.figures.text import number
from featdash.recipes.experiment import Entry, Inputs
from featdash.recipes.spec import GROUPS, Choice, Flag, MultipleChoice, Number, Spec, Text, quote_value
from featdash.recipes.whole_numbers import RANGE, WholeNumbers
from featdash.theory.typed_formula import write_out
from featdash.ui.kit import control_key
from featdash.ui.kit.number_scale import is_wide, round_stops, scale_of, step_of, text_of, values_of
from featdash.ui.kit.plain_text import plain_text

PAGE = "page@"  # session-state key: the page on show, by its path; the frame sets it
ENTRY = 16  # characters of a number in a list, with what separates it from the next
SEEDS = 100_000  # a new seed stays short enough to be read aloud
BEFORE = "lower |raise |change |below |above |than |at most |at least "  # a setting's name stands after these words


@dataclasses.dataclass(frozen=True)
class OwnArrays:
    """Where a visitor's own arrays come from.

    inputs : returns the arrays of a run, or raises ValueError in one sentence; began : called with the id of that run.
    """

    inputs: Callable[[], Inputs]
    began: Callable[[str], None]


class Form:
    """One experiment's settings in this visitor's session; they stay when the visitor goes to another page and back.

    words : what the page calls the options; prefix : of its keys, if the page has another form of the experiment.
    own : where a visitor's own arrays come from, for recipes that take them.
    """

    def __init__(
        self,
        experiment: Entry,
        words: Mapping[str, str] | None = None,
        prefix: str = "",
        own: OwnArrays | None = None,
    ) -> None:
        self.experiment, self.words, self.prefix, self.own = experiment, words or {}, prefix, own
        self._alerts: set[str] = set()  # sentences under the controls that they speak of
        self.fields = {field.name: field for field in dataclasses.fields(experiment.spec)}
        # Streamlit forgets the value of a control that is not drawn, also when another page only begins to be.
        st.session_state[self.key("settings@")] = self.values()

    def key(self, name: str) -> str:
        """The session-state key of what belongs to this form; a name that ends with @ is no setting."""
        return f"{self.prefix}{self.experiment.name}.{name}"

    def get(self, name: str) -> Any:
        """What the setting's control holds; without one, what was put there last."""
        stored = st.session_state.get(self.key("settings@"), {})
        last = stored.get(name, self.fields[name].default)
        value = control_key.held(self.key(name), last)
        return tuple(value) if isinstance(value, list) else value

    def put(self, name: str, value: Any) -> None:
        control_key.showing(self.key(name), list(value) if isinstance(value, tuple) else value)
        st.session_state.setdefault(self.key("settings@"), {})[name] = value

    def load(self, values: Mapping[str, Any]) -> None:
        """Set controls; for use before they are drawn, or in a callback."""
        for name, value in values.items():
            self.put(name, value)

    def values(self) -> dict[str, Any]:
        return {name: self.get(name) for name in self.fields}

    def has_changed(self, spec: Spec) -> bool:
        """Whether the visitor has changed a setting since the last call; what an address brings is no change."""
        before, st.session_state[self.key("settled@")] = st.session_state.get(self.key("settled@")), spec
        return before is not None and before != spec

    def settle(self) -> None:
        """Take the settings as they are for no change of the visitor's, and compare them with no run before."""
        for name in ("settled@", "compared@"):
            st.session_state.pop(self.key(name), None)

    def spec(self) -> Spec:
        """The recipe as it is set; ValueError with one sentence if it is not one."""
        return self.experiment.spec(**written_out(self.experiment.spec, self.values()))

    def validate(self) -> tuple[Spec | None, str | None]:
        """The recipe and no complaint, or no recipe and a sentence that names the settings as the page does."""
        wrong = complaint(self.experiment.spec, self.values(), self._labels())
        return (None, wrong) if wrong else (self.spec(), None)

    def _labels(self) -> dict[str, str]:
        """What the page calls each setting."""
        labels = {name: field.metadata["label"] for name, field in self.fields.items()}
        if control_key.current(self.key("target.choice")) in st.session_state:
            labels["target"] = "Your polynomial"  # a target of the list breaks no rule
        return labels

    def alert(self, name: str) -> None:
        """Say under a setting's control what is wrong with it."""
        wrong = self.validate()[1]
        if wrong and wrong.startswith(f"{self._labels()[name]} must"):
            st.error(plain_text(wrong))
            self._alerts.add(wrong)

    def notice(self, wrong: str | None) -> str | None:
        """A sentence of `validate` for the page's notices; None if it already stands under its control."""
        return None if wrong in self._alerts else wrong

    def reset(self) -> None:
        """Every setting back to its default, except the seed; for a callback."""
        self.load({name: field.default for name, field in self.fields.items() if name != "seed"})

    def new_seed(self) -> None:
        """Another seed; for a callback."""
        self.put("seed", secrets.randbelow(SEEDS))

    def column(
        self,
        names: Sequence[str],
        *,
        without: Collection[str] = (),
        sliders: Sequence[str] = ("n",),
        draws: Mapping[str, Callable[[], None]] | None = None,
    ) -> None:
        """Controls one under another, number boxes two in a line; then the other fields behind their groups' buttons.

        without : fields that get no control; sliders : which of `names` are sliders; draws : name -> the function that
        draws its control in place of `control`.
        """
        draws = draws or {}
        finer = [field for name, field in self.fields.items() if name not in {*names, *without}]
        for pair in self._lines(names, {*sliders, *draws}):
            with st.container(horizontal=True, gap="small", vertical_alignment="bottom"):
                for name in pair:
                    draws.get(name, lambda name=name: (self.slider if name in sliders else self.control)(name))()
        with st.container(horizontal=True, gap="xsmall"):
            for title, fields in groups_of(finer).items():
                with st.popover(title, help="Finer settings.", key=self.key(f"{title}@")):
                    for name in fields:
                        draws.get(name, lambda name=name: self.control(name))()
            if "seed" in self.fields:
                help = "New seed: draw everything that is random anew."
                st.button("↻ seed", on_click=self.new_seed, help=help, key=self.key("reseed@"))
            about = "Back to the defaults; the seed stays." if "seed" in self.fields else "Back to the defaults."
            st.button("Reset", on_click=self.reset, help=about, key=self.key("reset@"))

    def _lines(self, names: Sequence[str], whole: Collection[str]) -> list[list[str]]:
        """The names in lines: two number boxes or switches share a line, and all else stands alone."""
        lines: list[list[str]] = []
        open_line = False
        for name in names:
            small = name not in whole and isinstance(self.fields[name].metadata["rule"], Number | Flag)
            if small and lines and len(lines[-1]) == 1 and open_line:
                lines[-1].append(name)
            else:
                lines.append([name])
            open_line = small
        return lines

    def control(self, name: str) -> None:
        """The control that fits the field's rule: a number box, a switch, a choice, a list or a line of text.

        It is given its value as its default, and never by the session's state: a slow browser takes the second drawing
        of a page in place of the first, which alone would say what the state has set.
        """
        rule, settings, now = self.fields[name].metadata["rule"], self._settings(name), self.get(name)
        if isinstance(rule, Number):
            kind, default = scale_of(rule), getattr(self.experiment.spec, name)
            step, shape = kind(step_of(rule, default)), "%d" if rule.whole else "%.4g"
            # Without limits: the browser would silently drop a number beyond them, and Run would take the old one.
            st.number_input(value=kind(now), step=step, format=shape, **settings)
        elif isinstance(rule, Flag):
            st.toggle(value=now, **settings)
        elif isinstance(rule, Choice):
            st.selectbox(options=rule.options, index=rule.options.index(now), format_func=self._option_name, **settings)
        elif isinstance(rule, MultipleChoice) and isinstance(rule.each, Choice):
            st.multiselect(options=rule.each.options, default=now, format_func=self._option_name, **settings)
        elif isinstance(rule, MultipleChoice):
            self._number_list(name)
        else:
            st.text_input(value=now, max_chars=rule.longest, **settings)
            self.alert(name)

    def slider(self, name: str, most: float | None = None) -> None:
        """A slider over the rule's range: over round numbers on a log scale if the range is wide, else linear.

        most : where the slider ends, if that is before the rule's limit.
        """
        rule, settings, now = self.fields[name].metadata["rule"], self._settings(name), self.get(name)
        kind, top = scale_of(rule), min(rule.high, most or rule.high)
        if is_wide(rule):
            stops = sorted({*round_stops(rule, top), now})
            st.select_slider(options=stops, value=now, format_func=number, **settings)
        else:
            top = max(kind(top), now)
            step = kind(step_of(rule, getattr(self.experiment.spec, name)))
            st.slider(min_value=kind(rule.low), max_value=top, value=now, step=step, **settings)

    def _number_list(self, name: str) -> None:
        """A line of several numbers; a text that does not read as numbers stays as typed, for the rule to refuse."""
        rule, settings, text = self.fields[name].metadata["rule"], self._settings(name), text_of(self.get(name))
        entry = self.key(f"{name}.typed@")
        settings["key"] = control_key.showing(entry, text)

        def take(typed: str) -> None:
            self.put(name, values_of(typed))
            st.session_state[settings["key"]] = text_of(self.get(name))

        settings["help"] += " Numbers, separated by commas."
        settings["on_change"] = control_key.listener(entry, take)
        st.text_input(value=text, max_chars=ENTRY * max(rule.most, 20), **settings)

    def _option_name(self, option: Any) -> str:
        """A method by its name in the pictures, another option in the page's words, if it has any."""
        return METHODS[option].label if option in METHODS else self.words.get(option, str(option))

    def _settings(self, name: str) -> dict[str, Any]:
        field = self.fields[name]
        about = field.metadata["about"] or field.metadata["label"]
        return {"label": field.metadata["label"], "key": control_key.current(self.key(name)), "help": about}


def groups_of(fields: Sequence[dataclasses.Field]) -> dict[str, list[str]]:
    """Group -> the names of its settings, in the order given; no group is empty."""
    groups = {title: [field.name for field in fields if field.metadata["group"] == title] for title in GROUPS}
    return {title: names for title, names in groups.items() if names}


def last_settings(experiment: Entry) -> Mapping[str, Any]:
    """The settings of this visitor's form of that experiment when it was last drawn, on any page; empty if never."""
    return st.session_state.get(f"{experiment.name}.settings@", {})


def written_out(spec: type[Spec], values: Mapping[str, Any]) -> dict[str, Any]:
    """The values, with formulas as a recipe stores them; ValueError in one sentence if a formula is ambiguous."""
    texts = {field.name for field in dataclasses.fields(spec) if isinstance(field.metadata["rule"], Text)}
    return {
        name: write_out(value, name) if name in texts and isinstance(value, str) else value
        for name, value in values.items()
    }


def complaint(spec: type[Spec], values: Mapping[str, Any], labels: Mapping[str, str]) -> str:
    """The first rule of the recipe that the values break: a sentence with its full stop; "" if they break none.

    labels : the name of each setting on the page; the command line and links call it by its field.
    """
    for field in dataclasses.fields(spec):
        sentence = _alone(field.metadata["rule"], labels[field.name], values[field.name])
        if sentence:
            return f"{sentence[0].upper()}{sentence[1:]}."
    try:
        spec(**written_out(spec, values))
    except ValueError as error:
        sentence = _by_label(str(error), labels)
        return f"{sentence[0].upper()}{sentence[1:]}."
    return ""


def _alone(rule: Any, label: str, value: Any) -> str:
    """What one rule says about its value; for a line that should be a list of numbers, how to write one."""
    if isinstance(rule, MultipleChoice) and not isinstance(rule.each, Choice) and isinstance(value, str):
        if not isinstance(rule, WholeNumbers):
            return f"{label} must be numbers separated by commas, got {quote_value(value)}; write them as 10, 20"
        if not RANGE.fullmatch(value):
            ways = "write them as 10, 20, as 0..9 or as 10^0..5 by 1/2"
            return f"{label} must be whole numbers, a range or powers, got {quote_value(value)}; {ways}"
    try:
        rule.check(label, value)
    except ValueError as error:
        return str(error)
    return ""


def _by_label(sentence: str, labels: Mapping[str, str]) -> str:
    """The sentence, with labels in place of the names of settings."""
    names = "|".join(sorted(map(re.escape, labels), key=len, reverse=True))
    sentence = re.sub(r"^pretraining target(?= must)", "pretraining", sentence)
    pattern = rf"(?:^|(?<=\b)(?:{BEFORE}))({names})\b(?= must| =|,|;|\.|$| or )|\b({names})(?= = )"
    return re.sub(pattern, lambda one: one[0].replace(one[1] or one[2], labels[one[1] or one[2]]), sentence)
