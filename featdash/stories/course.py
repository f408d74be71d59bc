"""The course: every story once, in the best order to read them, and what each needs first."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Part:
    """A part of the course.

    stories : name of a story -> the stories that it needs first, in the order of the course.
    """

    title: str
    about: str
    stories: dict[str, tuple[str, ...]]


COURSE = (
    Part(
        "The paper",
        "One gradient step finds the directions that matter: how, from how many samples, and when it must fail.",
        {
            "race": (),
            "lemma": ("race",),
            "spectrum": ("lemma",),
            "ablation": ("lemma",),
            "sweep": ("race",),
            "width": ("race",),
            "structure": ("sweep", "spectrum"),
            "transfer": ("race",),
            "degenerate": ("lemma", "transfer"),
        },
    ),
    Part(
        "Around it",
        "Inputs that help, directions that are found one by one, and what kernels can do after all.",
        {
            "mixture": ("race",),
            "emergence": ("mixture",),
            "recovery": ("spectrum",),
            "dimension": ("sweep",),
        },
    ),
    Part(
        "Beyond it",
        "More than one step, more than one look, kernels that learn, and your own data.",
        {
            "more_steps": ("sweep", "lemma"),
            "hessian": ("more_steps",),
            "rescue": ("degenerate",),
            "repetition": ("degenerate",),
            "staircase": ("degenerate",),
            "spikes": ("spectrum",),
            "rfm": ("dimension",),
            "scaling_laws": ("repetition",),
            "own_data": ("rfm",),
        },
    ),
)
NEEDS: dict[str, tuple[str, ...]] = {name: needs for part in COURSE for name, needs in part.stories.items()}
ORDER = tuple(NEEDS)
REMOVED = {  # story -> what an old link to it, or to its lesson, says
    "hidden_layers": "The lesson «Hidden layers in order» is no longer here: no layer was trained in it.",
}


def place_in_course(name: str) -> int:
    """A story's place, from 0 on; after all others for one that is not in the course, such as a lecturer's own."""
    return ORDER.index(name) if name in NEEDS else len(ORDER)


def removal(name: str) -> str:
    """What to say about a removed story or experiment of that name; "" for every other name."""
    return REMOVED.get(name.replace("-", "_"), "")


def next_story(name: str) -> str | None:
    """The story after this one; None after the last, and for one that is not in the course."""
    after = ORDER[place_in_course(name) + 1 :]
    return after[0] if after else None
