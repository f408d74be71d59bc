"""Recovery of a teacher network: the subspace after one step, its directions after training both layers.

The schedule, the step sizes and the ridge are our choices; the stages are Zhou and Ge's. «Go on» trains both layers,
«stop» keeps W¹ and trains the head alone, with the same step size, weight decay and number of steps from the same head.

Streams, see `frames`: `teacher`, one, at 0; `timeline`; `neurons`.
Result: `timeline/`, all rows, and `final/a` (m,), `final/W` (m, d), `stop/a`, `stop/W`.
Summary: `stages`, a list of {name, loss, mass_weighted_cosine, alive, cancelling} at the end of each; `stop`, the same
of «stop», with `least_loss`, the least that any head on W¹ reaches; `first_step`, with the `dead` neurons of zero
gradient and the median |cos| of the others to the `one_direction` nearest to all of them and to the `linear_part` β;
`nearest` per teacher direction; `target_variance`, the loss of the zero predictor.
"""

from __future__ import annotations

from collections.abc import Iterator

from featdash.learners.recovery import Student, balance, draw_student, first_step, train_both_layers
from featdash.lessons.recovery.frames import HEAD
from featdash.lessons.recovery.recipe import RecoverySpec
from featdash.lessons.recovery.timeline import Branches, Timeline, frame_steps, make_scene, pauses, summarise
from featdash.recipes.events import Event, Frame, Progress, Result
from featdash.tasks.streams import stream


def run(spec: RecoverySpec, device: str = "cpu") -> Iterator[Event]:  # noqa: ARG001 (NumPy: the matrices are small)
    """The stages in order; see the module for the frames."""
    scene = make_scene(spec)
    timeline = Timeline(scene)
    yield Progress(0.0, "removing the constant" if spec.keep_linear else "removing the constant and the linear part")
    yield Frame("teacher", 0, scene.shown_teacher().to_arrays())

    start = draw_student(spec.width, spec.d, stream(spec.seed, "recovery", "student"))
    yield from timeline.show(0, 0, 0.0, Branches.at_start(start))
    yield Progress(0.005, "one gradient step on W")
    after_step = first_step(scene.training, start)
    yield from timeline.show(1, 1, 0.0, Branches.at_start(after_step))

    yield Progress(0.01, "balancing norms" if spec.skip_stage_2 else "regressing the head, balancing norms")
    head = scene.training.head(after_step.W)
    a = after_step.a if spec.skip_stage_2 else head.ridge(spec.ridge)
    fork = Branches(balance(Student(a, after_step.W)), Student(a, after_step.W))
    yield from timeline.show(HEAD, 3 if spec.skip_stage_2 else 2, 0.0, fork)

    schedule, steps_on_show = spec.schedule(), frame_steps(spec.steps)
    last_pause = last_frame = 0
    for step, student in train_both_layers(scene.training, fork.go, spec.eta, schedule, pauses(spec.steps)):
        for count, lam in schedule.stretches(last_pause, step):
            a = head.descend(a, count, spec.eta, lam)
        last_pause, fork = step, Branches(student, Student(a, after_step.W))
        yield from timeline.show(HEAD + step, 3, schedule.lam(step - 1), fork, with_frames=step in steps_on_show)
        last_frame = step if step in steps_on_show else last_frame  # bar, words and frames tell one step
        yield Progress(0.02 + 0.98 * last_frame / spec.steps, f"both layers: step {last_frame} of {spec.steps}")
    final = {"final/a": fork.go.a, "final/W": fork.go.W, "stop/a": fork.stop.a, "stop/W": fork.stop.W}
    yield Result(summarise(timeline, after_step, head), timeline.rows().to_arrays("timeline/") | final)
