"""A run that has ended, ready to take away: as a notebook, as one HTML file, as a citation."""

from __future__ import annotations

import time
from collections.abc import Hashable
from dataclasses import dataclass, field, replace

from featdash.export.citation import citation
from featdash.export.document import Document, Words, day
from featdash.export.html_file import Stage, html_file, trace_types
from featdash.export.notebook import notebook
from featdash.figures.picture import Theme
from featdash.recipes.experiment import find_experiment
from featdash.runs.recording import code_of
from featdash.ui.kit.link import Home
from featdash.ui.kit.shared import RenderedPicture, file_cache
from featdash.ui.stage import chart, film
from featdash.ui.stage.lesson import Lesson
from featdash.ui.stage.live import status_line
from featdash.ui.stage.panels import View
from featdash.ui.stage.sliders import shown_pictures


@dataclass(frozen=True)
class TakenRun:
    """A view of a run that has ended, and its lesson's words.

    home : the page to which its link leads.
    """

    view: View
    lesson: Lesson
    words: Words
    home: Home = field(default_factory=Home)

    def document(self, link: str | None) -> Document:
        """The words, settings, code and date that go with the run; link : its whole address."""
        run = self.view.run
        ending = f"The run failed: {run.error}" if run.status == "failed" else status_line(run)
        return Document(
            run.experiment,
            find_experiment(run.experiment).title,
            run.id,
            self.view.spec,
            self.words,
            link,
            code=code_of(run),
            finished=run.finished,
            ending=ending,
        )

    def render_all(self) -> dict[str, RenderedPicture]:
        """Panel -> its picture as the page shows it; panels with nothing to show are left out."""
        return {panel.name: picture for panel in self.lesson.panels if (picture := panel.render(self.view))}


def today() -> str:
    return day(time.time())


def bibtex(document: Document) -> bytes:
    """A .bib file."""
    return f"{citation(document, today())}\n".encode()


def notebook_file(takeaway: TakenRun, document: Document) -> bytes:
    """The .ipynb file; ValueError with one sentence if it cannot be written."""
    view, result = takeaway.view, takeaway.view.result()
    titles = {name: chart.title(picture) for name, picture in takeaway.render_all().items()}
    summary = result.summary if result else None
    return notebook(document, view.options, titles, summary, today(), view.theme.theme).encode()


def page_file(takeaway: TakenRun, document: Document) -> bytes:
    """The .html file, built once for all who see the same; ValueError with one sentence if it cannot be written."""
    view, lesson = replace(takeaway.view, theme=Theme(takeaway.view.theme.theme)), takeaway.lesson
    key: Hashable = (view.token(()), view.options, view.theme, document.link, today())

    def build() -> bytes:
        sliders = lesson.sliders(view) if lesson.sliders else None
        phases = lesson.film if view.run.status == "done" else ()
        pictures = shown_pictures(lesson.panels, view, sliders)
        films = [one.rest["film"]["times"] for one in pictures if "film" in one.rest]
        light = trace_types(pictures) <= {*chart.TRACES}
        stage = Stage(
            chart.STAGE,
            chart.plotly_script(chart.LIGHT if light else chart.WHOLE),
            film.track(view.run, lesson.panels, phases, lesson.lines, [(times[0], times[-1]) for times in films]),
            [panel.name for panel in lesson.panels if panel.wide],
        )
        return html_file(document, pictures, sliders.controls if sliders else (), stage, today(), view.theme.theme)

    return file_cache().file(key, build)
