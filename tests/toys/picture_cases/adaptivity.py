"""The pictures of `adaptivity`."""

import re

from hypothesis import strategies as st
from picture_case import LOOK, case, one_of, some

from featdash.figures.picture import METHODS
from featdash.lessons.adaptivity.pictures import Row, adaptivity_table
from featdash.lessons.shared.pictures.errors import short


@case(adaptivity_table)
def _(draw):
    methods, rows = some(draw, METHODS, least=1), []
    for index in range(draw(st.integers(0, 3))):
        adapts = {name: one_of(draw, True, False, None) for name in some(draw, METHODS)}
        rows.append(Row(f"question {index}", "error", dict.fromkeys(adapts, "0.1"), adapts))
    picture = adaptivity_table(rows, methods, theme=LOOK)
    for row in rows:
        shown = {name: row.adapts[name] for name in methods if name in row.adapts}
        found = re.search(rf"for {row.question}: (.*?)(?: \(undecided: (.*?)\))?[;.]", picture.alt)
        assert bool(found) == bool(shown)
        for group, verdict in ((1, True), (2, None)) if found else ():
            named = [short(name) for name, one in shown.items() if one is verdict]
            assert (found[group] or "") == (", ".join(named) or ("no method" if verdict else ""))
    split = [row for row in rows if {True, False} <= {row.adapts[name] for name in methods if name in row.adapts}]
    if not split:
        assert not picture.headline
    elif picture.headline:  # too many names are left out
        who, not_who = (
            {short(name) for name in methods if split[-1].adapts.get(name) is wanted} for wanted in (True, False)
        )
        question, does, does_not = re.fullmatch(r"(.*): (.*) adapts?, (.*) do(?:es)? not", picture.headline).groups()
        assert question == split[-1].question
        assert set(re.split(", | and ", does)) == who
        assert set(re.split(", | and ", does_not)) == not_who
    return picture
