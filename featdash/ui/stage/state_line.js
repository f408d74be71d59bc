// The line over the pictures: how far the run is or how it has ended, whether the settings have moved on since, and what
// is pale. A part of the charts' script.
//
// A state is {fraction, words, failed, note, differs, pale}, see stage/live.py; what is empty is not there.

const SENTENCES = ["words", "failed", "note", "differs", "pale"];

function makeStateLine(stage) {
  const node = document.createElement("div");
  node.className = "featdash-state";
  const line = { node, progress: node.appendChild(document.createElement("progress")) };
  line.progress.setAttribute("aria-label", "Progress of the run");
  for (const kind of SENTENCES) {
    line[kind] = node.appendChild(document.createElement("span"));
    line[kind].className = `featdash-state-${kind}`;
  }
  line.clear = node.appendChild(document.createElement("button"));
  line.clear.type = "button";
  line.clear.textContent = "Clear the comparison";
  line.clear.addEventListener("click", () => stage.component.setTriggerValue("clear", true));
  return line;
}

function sayState({ node, progress, clear, ...spans }, state) {
  // Where no page says anything of a run there is no line.
  node.hidden = !state;
  if (!state) return;
  progress.hidden = state.fraction === undefined;
  if (!progress.hidden) progress.value = state.fraction;
  for (const kind of SENTENCES) {
    const words = state[kind] ?? "";
    spans[kind].hidden = !words;
    if (spans[kind].textContent !== words) spans[kind].textContent = words;
  }
  clear.hidden = !state.pale;
}
