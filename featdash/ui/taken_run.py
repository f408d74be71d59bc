"""A run that has ended, ready to be taken away: as a notebook, as one HTML file, as a citation."""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field, replace

from featdash.export.citation import citation
from featdash.export.document import Document, Words, day
from featdash.export.html_file import html_file, trace_types
from featdash.export.notebook import notebook
from featdash.figures.picture import Theme
from featdash.recipes.experiment import find_experiment
from featdash.runs.recording import code_of
from featdash.ui import chart
from featdash.ui.link import Home
from featdash.ui.live import status_line
from featdash.ui.panels import Panel, View
from featdash.ui.shared import RenderedPicture, file_cache
from featdash.ui.sliders import Sliders, shown_pictures


@dataclass(frozen=True)
class TakenRun:
    """A view of an ended run, and what its lesson says of it.

    home : where its link leads.
    sliders : of the HTML file; None where nothing can be moved without a new run.
    """

    view: View
    panels: Sequence[Panel]
    words: Words
    home: Home = field(default_factory=Home)
    sliders: Callable[[View], Sliders | None] | None = None

    def document(self, link: str | None) -> Document:
        """What is said of the run; link : its whole address."""
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
            computed=run.finished,
            ending=ending,
        )

    def render_all(self) -> dict[str, RenderedPicture]:
        """Panel -> its picture as the page shows it, of those that have something to show."""
        return {panel.name: picture for panel in self.panels if (picture := panel.render(self.view))}


def today() -> str:
    return day(time.time())


def bibtex(document: Document) -> bytes:
    """A .bib file."""
    return f"{citation(document, today())}\n".encode()


def notebook_file(taken: TakenRun, document: Document) -> bytes:
    """The .ipynb file; ValueError with one sentence where it cannot be written."""
    view, result = taken.view, taken.view.result()
    titles = {name: chart.title(picture) for name, picture in taken.render_all().items()}
    summary = result.summary if result else None
    return notebook(document, view.options, titles, summary, today(), view.theme.theme).encode()


def page_file(taken: TakenRun, document: Document) -> bytes:
    """The .html file, built once for all who see the same; ValueError with one sentence where it cannot be written."""
    view = replace(taken.view, theme=Theme(taken.view.theme.theme))
    key: Hashable = (view.token(()), view.options, view.theme, document.link, taken.sliders, today())

    def build() -> bytes:
        sliders = taken.sliders(view) if taken.sliders else None
        shown = shown_pictures(taken.panels, view, sliders)
        light = trace_types(shown) <= {*chart.TRACES}
        script = chart.plotly_script(chart.LIGHT if light else chart.WHOLE)
        controls = sliders.controls if sliders else ()
        return html_file(document, shown, controls, script, today(), view.theme.theme)

    return file_cache().file(key, build)
