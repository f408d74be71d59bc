"""The control that takes a visitor's table, and the choice of the column to predict.

The browser sends the file to a route of this server (`featdash.server.upload_door`), with the ticket of its tab; the
table stays in memory under the tab's name (`featdash.ui.kit.table_store`), and nowhere else.
"""

from __future__ import annotations

import numpy as np
import streamlit as st

from featdash.recipes.experiment import Inputs
from featdash.tasks.csv_table import FEWEST_ROWS, MOST_BYTES, MOST_COLUMNS, MOST_ROWS, NumericTable, check_target
from featdash.ui.kit.shared import session, tab, table_store

ROUTE = "own-table"
TARGET = "own-table.target@"  # session-state key: the column to be predicted, by its place
NO_TABLE = "a file of your own is in no link and must be given here, got none; choose it below"
KEPT = (
    "Kept in this server's memory for this tab alone: on no disk, in no log, in no link. It goes when the tab is "
    "closed or reloaded."
)

HTML = """
<label class="file"><span>Choose a CSV file</span>
<input type="file" accept=".csv,.tsv,.txt,text/csv" aria-describedby="own-table-said"></label>
<p id="own-table-said" role="status" aria-live="polite"></p>
"""
STYLE = """
.file span {display: block; font-size: 0.875rem; margin-bottom: 0.25rem;}
.file input {max-width: 100%; font: inherit; font-size: 0.875rem; color: inherit;}
p {font-size: 0.875rem; line-height: 1.35; margin: 0.4rem 0 0; color: inherit;}
p.refused {color: var(--st-red-text-color, #b3261e);}
"""
SCRIPT = """
export default function ({ data, parentElement, setTriggerValue }) {
  const input = parentElement.querySelector("input");
  const said = parentElement.querySelector("p");
  const say = (text, refused) => {
    said.textContent = text;
    said.classList.toggle("refused", refused);
  };
  input.onchange = async () => {
    const file = input.files[0];
    if (!file) return;
    if (file.size > data.most) {
      say(data.large, true);
      return;
    }
    say("Reading " + file.name + " …", false);
    try {
      const address = new URL(data.route + "/" + data.ticket, document.location.href);
      const answer = await fetch(address, { method: "POST", body: file, credentials: "same-origin" });
      if (answer.ok) {
        say("", false);
        setTriggerValue("taken", Date.now());
      } else {
        say(await answer.text(), true);
      }
    } catch {
      say("The file did not reach the server; try again.", true);
    }
    input.value = "";
  };
}
"""
_component = st.components.v2.component("featdash_own_table", html=HTML, css=STYLE, js=SCRIPT)


def draw() -> None:
    """The choice of a file, the size of the table, its target, and the button that forgets it."""
    large = f"A file must have at most {MOST_BYTES:,} bytes, this one has more; leave rows or columns out."
    data = {"route": ROUTE, "ticket": table_store().open(tab()), "most": MOST_BYTES, "large": large}
    _component(key="own-table", data=data, on_taken_change=_select_last_column)
    table = table_store().table(session())
    if table is None:
        st.caption(
            f"Columns of numbers, names in the first row: at most {MOST_BYTES // 1_000_000} MB, {MOST_COLUMNS} columns "
            f"and {MOST_ROWS:,} rows, at least {FEWEST_ROWS}. {KEPT}"
        )
        return
    rows, columns = table.values.shape
    st.caption(f"Your table: {rows:,} rows, {columns} columns. {KEPT}")
    target = st.session_state.setdefault(TARGET, columns - 1)
    names = dict(enumerate(table.columns))
    help = "The column that the others are to predict."
    words = names.__getitem__
    st.selectbox("Target", names, target, format_func=words, key=TARGET, help=help, on_change=_drop_run)
    st.button("Forget my table", on_click=_forget, help="The table and its run go at once.")


def inputs() -> Inputs:
    """The arrays of a run on this tab's table, ready for a worker; ValueError in one sentence if there are none."""
    table = table_store().table(session())
    if table is None:
        raise ValueError(NO_TABLE)
    place = min(st.session_state.get(TARGET, len(table.columns) - 1), len(table.columns) - 1)
    check_target(table, table.columns[place])
    return inputs_of(table, place)


def inputs_of(table: NumericTable, place: int) -> Inputs:
    """X, y and the names of the columns of X; place : of the target."""
    others = [index for index in range(len(table.columns)) if index != place]
    names = np.array([table.columns[index] for index in others])
    return Inputs({"columns": names, "X": table.values[:, others], "y": table.values[:, place]})


def began(run_id: str) -> None:
    """Note the run on the tab's table; the one before is dropped."""
    table_store().set_run(session(), run_id)


def _select_last_column() -> None:
    table = table_store().table(session())
    if table is not None:
        st.session_state[TARGET] = len(table.columns) - 1


def _drop_run() -> None:
    table_store().set_run(session(), "")


def _forget() -> None:
    table_store().drop(session())
    st.session_state.pop(TARGET, None)
