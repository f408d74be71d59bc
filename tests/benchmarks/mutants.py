"""Which faults the tests do not see: small changes of the code, each tried with the tests that stand next to it.

    pip install cosmic-ray && python tests/benchmarks/mutants.py [--count 100] [--seed 0] [PACKAGE ...]

In a copy of the present commit, Cosmic Ray changes one place at a time: an operator, a number, a comparison, a
condition, a decorator. The places are drawn at random, as many from each package as it has of all. A change that every
test of its package, and every other one that names its module, passes is printed: either a test is missing, or the
change makes no difference, which a person must tell. Annotations, and whether a dataclass compares or is frozen, are
left alone.
"""

import argparse
import os
import random
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from cosmic_ray.commands import init
from cosmic_ray.mutating import mutate_and_test
from cosmic_ray.work_db import WorkDB, use_db
from cosmic_ray.work_item import MutationSpec

ROOT = Path(__file__).resolve().parents[2]
TESTS = {  # package -> what is run for a change in it
    "theory": "tests/theory tests/tasks",
    "learners": "tests/learners tests/theory",
    "recipes": "tests/recipes --deselect tests/recipes/test_memory.py",
    "stories": "tests/stories tests/ui/test_story_page.py",
}
PYTEST = f"env -u PYTHONDONTWRITEBYTECODE {sys.executable} -m pytest -x -n 0 -p no:cacheprovider"
# Of tests that see no change, or any: a browser's, and those that read runs which are recorded or kept, and now stale.
LEFT_OUT = re.compile(r"pytest[.]mark[.]browser|trial_runs|taken_runs|recorded")
LONGEST = 600  # seconds; a change that makes the tests hang is seen


def tests_of(package: str, module: Path) -> str:
    """The tests for a change in that module, as pytest's arguments."""
    name, near = ".".join(module.with_suffix("").parts), tuple(TESTS[package].split())
    others = []
    for path in map(str, sorted(Path("tests").rglob("test_*.py"))):
        text = Path(path).read_text()
        if not path.startswith(near) and re.search(rf"\b{re.escape(name)}\b", text) and not LEFT_OUT.search(text):
            others.append(path)
    return " ".join([TESTS[package], *others])


def makes_a_difference(mutation: MutationSpec) -> bool:
    """Whether it changes what the code does: not an annotation, nor a dataclass's decorator or one of its arguments."""
    line = mutation.module_path.read_text().splitlines()[mutation.start_pos[0] - 1]
    is_annotation = "BitOr" in mutation.operator_name and re.search(r"\w+: [^=]*\| None|-> [^=]*\| None", line)
    return not (is_annotation or line.startswith("@dataclass"))


def mutations(folder: Path) -> list[MutationSpec]:
    """One at each place of the package that can be changed; where there are several, the first."""
    with tempfile.TemporaryDirectory() as place, use_db(f"{place}/all.sqlite", WorkDB.Mode.create) as found:
        init(sorted(folder.rglob("*.py")), found, {})
        every = [one for item in found.work_items for one in item.mutations]
    every = [one for one in every if makes_a_difference(one)]
    random.Random(0).shuffle(every)  # of the changes of one place any may come, and each time the same
    return list({(one.module_path, one.start_pos): one for one in every}.values())


def chosen(packages: list[str], count: int, seed: int) -> list[tuple[str, MutationSpec]]:
    every = [(name, one) for name in packages for one in mutations(Path("featdash") / name)]
    print(f"{len(every)} places in {', '.join(packages)}", flush=True)
    return random.Random(seed).sample(every, min(count, len(every)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("packages", nargs="*", default=list(TESTS), metavar="PACKAGE", help=f"of {', '.join(TESTS)}")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        subprocess.run(["git", "clone", "--quiet", ROOT, place], check=True)
        os.chdir(place)
        os.environ["PYTHONPYCACHEPREFIX"] = f"{place}/.bytecode"
        survivors = 0
        for number, (package, mutation) in enumerate(chosen(asked.packages, asked.count, asked.seed), 1):
            result = mutate_and_test([mutation], f"{PYTEST} {tests_of(package, mutation.module_path)}", LONGEST)
            survivors += not result.is_killed
            where = f"{mutation.module_path}:{mutation.start_pos[0]} {mutation.operator_name}"
            print(f"{number:3d} {result.test_outcome.value if result.test_outcome else result.worker_outcome} {where}")
            print("" if result.is_killed else f"{result.diff}\n", end="", flush=True)
    print(f"{survivors} of {asked.count} survive")


if __name__ == "__main__":
    main()
