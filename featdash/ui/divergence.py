"""What a page says of a run that lost what it had learned."""

from __future__ import annotations

from featdash.runs.run import Run
from featdash.ui.plain_text import plain_text
from featdash.ui.shared import service


def divergence_note(run: Run) -> list[str]:
    """The sentence that the run's summary has under `note`, in bold; none of a run that has none."""
    result = service().result(run.id) if run.status == "done" else None
    note = result.summary.get("note") if result else None
    return [f"**{plain_text(note)}**"] if note else []
