"""The notebook of every lesson is whole and draws the page's pictures; a kernel that knows nothing carries some out."""

import dataclasses
from dataclasses import replace

import nbformat
import pytest
from app_pages import inline_service
from nbclient import NotebookClient
from taken_runs import LESSONS, LINK, drawn, options, recorded, taken

from featdash.figures.picture import Theme
from featdash.lessons.solvers.pictures import BUSY, DISTURBED, EXTRAPOLATED
from featdash.recipes.spec import MultipleChoice, Number
from featdash.recipes.version import run_id
from featdash.runs import foreground
from featdash.runs.foreground import ForegroundRun
from featdash.ui.kit.shared import service
from featdash.ui.page.taken_run import notebook_file
from featdash.ui.stage.panels import View, pictures

PLOTLY = "application/vnd.plotly.v1+json"
FEW = 100  # of whatever a recipe counts, if it allows so few
QUICK = 1.2  # seconds that a run may take by its own estimate, to be carried out here; the Lab's is, whatever it says
CLOCKED = {"solvers"}  # whose numbers are times
SLOW = {"phase-map"}  # whatever it says; its cells are columns as the sweep's


@pytest.fixture(scope="module", autouse=True)
def _private_service(tmp_path_factory):
    with inline_service(tmp_path_factory.mktemp("home")):
        yield


def cells(file, kind):
    return [cell.source for cell in nbformat.reads(file.decode(), 4).cells if cell.cell_type == kind]


def kept_run(name):
    """The recorded run of a lesson, as if it had just been carried out."""
    run = recorded(name)
    return ForegroundRun(run, service().frames(run.id), service().result(run.id))


@pytest.mark.parametrize("name", LESSONS)
def test_the_notebook_of_every_lesson_draws_the_pages_pictures(name, monkeypatch, capsys):
    run = taken(name, "dark")
    file = notebook_file(run, run.document(LINK))
    nbformat.validate(nbformat.reads(file.decode(), 4))
    asked = []

    def compute(experiment, spec):
        asked.append((experiment.name, spec))
        return kept_run(name)

    monkeypatch.setattr(foreground, "compute", compute)
    names = {}
    for cell in cells(file, "code"):
        exec(compile(cell, "cell", "exec"), names)
    assert asked == [(name, run.view.spec)]
    assert names["options"] == run.view.options
    shown = drawn(name, "dark")
    assert {key: one.figure.to_json() for key, one in names["drawn"].items()} == {
        key: one.figure.to_json() for key, one in shown.items()
    }
    told = capsys.readouterr().out
    assert "numbers agree with the page's" in told
    assert "The code has changed" not in told
    for one in shown.values():
        assert one.alt in told


def few(value, rule):
    """A setting's value, lowered where it counts something."""
    if isinstance(rule, Number) and rule.whole:
        return int(max(rule.low, min(value, FEW)))
    if isinstance(rule, MultipleChoice) and isinstance(rule.each, Number):
        return tuple(dict.fromkeys(few(one, rule.each) for one in sorted(value)[: max(2, rule.fewest)]))
    return value


def small(lesson):
    """The recipe of a lesson's defaults with little of everything."""
    default = lesson.experiment.spec()
    fields = dataclasses.fields(default)
    return replace(default, **{one.name: few(getattr(default, one.name), one.metadata["rule"]) for one in fields})


def computed(name):
    """A small run of a lesson on its page, ready to be taken away."""
    run = service().get(service().submit(name, small(LESSONS[name]), "visitor"))
    assert run.status == "done", run.error
    return replace(taken(name), view=View(run, options(name), Theme()))


def undisturbed(title):
    """A title, but for what it says of other work on the machine: each run has times of its own."""
    return title.removesuffix(BUSY).replace(DISTURBED, EXTRAPOLATED)


def test_a_kernel_carries_out_the_runs_and_finds_the_pages_numbers():
    """One kernel for all, one notebook after the other: most of its time goes into importing torch."""
    quick = {name for name, one in LESSONS.items() if one.experiment.cost(small(one)).seconds < QUICK} - SLOW | {"race"}
    assert len(quick) > 6, "composites, runs with frames and runs without"
    runs = {name: computed(name) for name in quick}
    books = [nbformat.reads(notebook_file(one, one.document(LINK)).decode(), 4) for one in runs.values()]
    joined = [
        cell | {"id": f"of-all-{place}"} for place, cell in enumerate(cell for book in books for cell in book.cells)
    ]
    whole = nbformat.v4.new_notebook(cells=[nbformat.from_dict(cell) for cell in joined], metadata=books[0].metadata)
    folder = str(foreground.__file__).removesuffix("/featdash/runs/foreground.py")
    NotebookClient(whole, timeout=300, resources={"metadata": {"path": folder}}).execute()
    outputs = [output for cell in whole.cells if cell.cell_type == "code" for output in cell.outputs]
    words = "".join(output.get("text", "") for output in outputs)
    assert words.count("numbers agree with the page's.") == len(quick - CLOCKED), words
    drawn = [output.data[PLOTLY] for output in outputs if PLOTLY in output.get("data", {})]
    shown = [(name, one.figure) for name, run in runs.items() for one in pictures(run.lesson.panels, run.view).values()]
    for ours, (name, theirs) in zip(drawn, shown, strict=True):
        told, expected = ours["layout"]["title"]["text"], theirs.layout.title.text
        calm = undisturbed if name in CLOCKED else str
        assert calm(told) == calm(expected)
        if told == expected:
            assert len(ours["data"]) == len(theirs.data)


def test_a_run_of_other_code_and_without_a_result_says_what_is_known():
    run = taken("race")
    stopped = replace(
        run, view=replace(run.view, run=replace(run.view.run, id="0" * 16, recorded=False, status="stopped"))
    )
    text = "\n".join(cells(notebook_file(stopped, stopped.document(None)), "code"))
    assert "VERSION = None" in text
    assert "on_the_page" not in text


def test_the_same_run_gives_the_same_notebook():
    run = taken("race")
    assert notebook_file(run, run.document(LINK)) == notebook_file(run, run.document(LINK))


def test_a_run_in_the_foreground_is_the_run_of_the_command_line_and_knows_itself_alone():
    experiment = LESSONS["lemma"].experiment
    spec = small(LESSONS["lemma"])
    run = foreground.compute(experiment, spec)
    assert run.run.id == run_id("lemma", spec)
    assert run.frames(run.run.id, "gradients")
    assert len(run.frames(run.run.id)) > len(run.frames(run.run.id, "gradients"))
    assert run.frames("0" * 16) == ()
    assert run.result("0" * 16) is None


def test_a_run_that_fails_in_the_foreground_says_why():
    experiment = LESSONS["lemma"].experiment

    def fail(*_):
        raise ValueError("n must be kinder, got 3; use 4")
        yield

    with pytest.raises(ValueError, match=r"^n must be kinder, got 3; use 4$"):
        foreground.compute(replace(experiment, run=fail), experiment.spec())
