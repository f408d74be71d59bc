"""The default race's end, with its film: PYTHONPATH=. python tests/benchmarks/race_film.py [--repeats 5]

What a server does between the end of the run and the message that has its last pictures, with the film in them: the six
pictures are drawn and written out. Prints the processor time of that, and the bytes of the film and of the message's
pictures. A look at the run comes on top: one every 0.15 s.
"""

import argparse
import json
import os
import statistics
import tempfile
import time

os.environ |= {"FEATDASH_ENGINE": "inline", "FEATDASH_HOME": tempfile.mkdtemp()}

from featdash.figures.picture import Theme
from featdash.lessons.race.lesson import LESSON
from featdash.lessons.race.recipe import RaceSpec
from featdash.lessons.race.toolbar import Options
from featdash.ui.kit.shared import reset, service
from featdash.ui.stage.panels import View


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=5)
    seconds = []
    for _ in range(parser.parse_args().repeats):
        reset()  # no picture is known yet
        run = service().get(service().find_recorded("race", RaceSpec()))
        service().result(run.id)  # a run that has just ended is in memory
        began = time.process_time()
        rendered = [panel.render(View(run, Options(), Theme("light"))) for panel in LESSON.panels]
        seconds.append(time.process_time() - began)
    told = [json.loads(one.data) for one in rendered]
    films = sum(len(json.dumps(one["film"], separators=(",", ":"))) for one in told if "film" in one)
    print(f"the race's end, drawn: median {statistics.median(seconds):.3f} s of processor, most {max(seconds):.3f} s")
    whole = sum(len(one.data) for one in rendered)
    print(f"its film: {films / 1000:.0f} kB; its pictures with the film: {whole / 1000:.0f} kB")


if __name__ == "__main__":
    main()
