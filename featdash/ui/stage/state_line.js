// The line over the pictures: how far the run is or how it has ended, whether the settings have moved on since, and what
// is pale. A part of the charts' script, before `chart.js`.
//
// `told`: {fraction, words, failed, note, differs, pale}, see stage/live.py; what is empty is not there.

const SAID = ["words", "failed", "note", "differs", "pale"];

function makeStateLine(stage) {
  const node = document.createElement("div");
  node.className = "featdash-state";
  const line = { node, progress: node.appendChild(document.createElement("progress")) };
  line.progress.setAttribute("aria-label", "Progress of the run");
  for (const kind of SAID) {
    line[kind] = node.appendChild(document.createElement("span"));
    line[kind].className = `featdash-state-${kind}`;
  }
  line.clear = node.appendChild(document.createElement("button"));
  line.clear.type = "button";
  line.clear.textContent = "Clear the comparison";
  line.clear.addEventListener("click", () => stage.component.setTriggerValue("clear", true));
  return line;
}

function sayState({ node, progress, clear, ...spans }, told) {
  // Where no page says anything of a run there is no line.
  node.hidden = !told;
  if (!told) return;
  progress.hidden = told.fraction === undefined;
  if (!progress.hidden) progress.value = told.fraction;
  for (const kind of SAID) {
    const words = told[kind] ?? "";
    spans[kind].hidden = !words;
    if (spans[kind].textContent !== words) spans[kind].textContent = words;
  }
  clear.hidden = !told.pale;
}
