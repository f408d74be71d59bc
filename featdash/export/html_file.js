// Gives the pictures of this file to the stage, and moves them with its sliders. All it needs is in the file: nothing is
// fetched, and nobody hears of what is done here.

const STALE = "The pictures need a browser of 2023 or later; their descriptions and numbers stand below.";
const REST = { names: [], listening: [], subject: "file", least: 1, panels: {} }; // of what the stage reads
const NEVER = { play: "", playing: false, live: false }; // nothing plays by itself

async function unpack(id) {
  // The text of a gzip file in base64.
  const bytes = Uint8Array.from(atob(document.getElementById(id).textContent), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).text();
}

function changed(rest, changes) {
  // A copy with [path, value] set, and [path] taken away.
  const copy = structuredClone(rest);
  for (const [path, ...value] of changes) {
    const last = path.at(-1);
    const place = path.slice(0, -1).reduce((inside, key) => inside[key], copy);
    if (value.length) place[last] = value[0];
    else delete place[last];
  }
  return copy;
}

function cells(kind, values) {
  const row = document.createElement("tr");
  for (const value of values) {
    const cell = document.createElement(kind);
    cell.textContent = value ?? "";
    row.append(cell);
  }
  return row;
}

function write(panel, { alt, table }) {
  // Its sentence and its numbers, as the sliders have them.
  const details = document.querySelector(`details[data-of="${panel}"]`);
  const names = Object.keys(table);
  const rows = table[names[0]].map((_, index) => cells("td", names.map((name) => table[name][index])));
  details.querySelector(".alt").textContent = alt;
  details.querySelector("table").replaceChildren(cells("th", names), ...rows);
}

function show({ pictures, stage }, stops) {
  // All pictures with the sliders there, as a server would send them.
  const panels = {};
  for (const { panel, rest, at_stops: edits } of pictures) {
    const picture = edits[stops] ? changed(rest, edits[stops]) : rest;
    panels[panel] = { mark: edits[stops] ? stops : "rest", picture };
    if (Object.keys(edits).length) write(panel, picture);
  }
  const timeline = { ...stage.timeline, ...NEVER };
  const data = JSON.stringify({ ...REST, ...stage, timeline, names: Object.keys(panels), panels });
  const component = { parentElement: document.getElementById("stage"), data: new TextEncoder().encode(data) };
  showStage({ ...component, setTriggerValue() {} });
  document.body.dataset.stops = stops;
}

async function main() {
  const trouble = document.getElementById("trouble");
  if (!window.DecompressionStream) {
    trouble.textContent = STALE;
    trouble.hidden = false;
    return;
  }
  const library = document.createElement("script");
  library.textContent = await unpack("plotly");
  document.head.append(library);
  window.featdash.scripts = { light: Promise.resolve(), whole: Promise.resolve() }; // it is there
  const data = JSON.parse(await unpack("data"));
  const inputs = [...document.querySelectorAll(".sliders input")];

  function move() {
    for (const input of inputs) {
      const word = JSON.parse(input.dataset.stops)[input.value];
      input.previousElementSibling.textContent = word;
      input.setAttribute("aria-valuetext", word);
    }
    show(data, inputs.map((input) => input.value).join());
  }

  for (const input of inputs) input.addEventListener("input", move);
  move();
}

main();
