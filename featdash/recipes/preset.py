"""Named recipes: a preset fills the settings that were not given, and leaves no other trace."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from featdash.recipes.spec import Spec

CUSTOM = "custom"


@dataclass(frozen=True)
class PresetSpec(Spec):
    """A Spec with a field `preset` whose value is always "custom" once it is made.

    A preset's values take the place of defaults, never of what was given, so that
    `from_mapping({"preset": name, "d": 12})` is the preset at d = 12, equal to the same recipe spelled out: same key,
    same run. Made by the constructor, where a given default cannot be told from one left out, the preset has its way.

    PRESETS : name -> {setting: value}.
    """

    PRESETS: ClassVar[Mapping[str, Mapping[str, Any]]] = {}

    def __post_init__(self) -> None:
        rule = next(field.metadata["rule"] for field in dataclasses.fields(self) if field.name == "preset")
        values = self.PRESETS.get(rule.check("preset", self.preset), {})
        for field in dataclasses.fields(self):
            if field.name in values and getattr(self, field.name) == field.default:
                object.__setattr__(self, field.name, values[field.name])
        object.__setattr__(self, "preset", CUSTOM)
        super().__post_init__()

    @classmethod
    def from_mapping(cls, values: Mapping[str, Any]) -> Self:
        """As in Spec; with "preset", the rest of that preset."""
        name = values.get("preset")
        if not isinstance(name, str) or name not in cls.PRESETS:
            return super().from_mapping(values)
        given = {key: value for key, value in values.items() if key != "preset"}
        return super().from_mapping({**cls.PRESETS[name], **given})

    def preset_name(self) -> str:
        """The preset that this recipe is, or "custom"."""
        return next((name for name in self.PRESETS if type(self).from_mapping({"preset": name}) == self), CUSTOM)
