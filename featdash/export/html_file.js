// Draws the pictures of this file, and moves them with its sliders. All it needs is in the file: nothing is fetched.

const SETTINGS = { displaylogo: false, responsive: true, showTips: false };
const FINGER = window.matchMedia("(hover: none)").matches;
const STALE = "The pictures need a browser of 2023 or later; their descriptions and numbers stand below each.";

async function unpack(id) {
  // The text of a gzip file in base64.
  const bytes = Uint8Array.from(atob(document.getElementById(id).textContent), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).text();
}

function changed(rest, changes) {
  // A copy with [path, value] set, and [path] taken away.
  const copy = structuredClone(rest);
  for (const [path, ...value] of changes ?? []) {
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

function fill(table, columns) {
  const names = Object.keys(columns);
  const rows = columns[names[0]].map((_, index) => cells("td", names.map((name) => columns[name][index])));
  table.replaceChildren(cells("th", names), ...rows);
}

async function show(frame, content) {
  const node = frame.querySelector(".picture");
  const { data, layout } = content.figure;
  if (FINGER) layout.dragmode = false; // a finger on a picture scrolls
  node.setAttribute("aria-label", content.alt);
  frame.querySelector(".alt").textContent = content.alt;
  fill(frame.querySelector("table"), content.table);
  await window.Plotly.react(node, data, layout, SETTINGS);
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
  const pictures = JSON.parse(await unpack("pictures"));
  const frames = [...document.querySelectorAll("figure")];
  const inputs = [...document.querySelectorAll(".sliders input")];
  const words = inputs.map((input) => JSON.parse(input.dataset.stops));
  const begun = inputs.map((input) => input.defaultValue).join();

  async function move() {
    const stops = inputs.map((input) => input.value).join();
    inputs.forEach((input, index) => {
      const word = words[index][input.value];
      input.previousElementSibling.textContent = word;
      input.setAttribute("aria-valuetext", word);
    });
    for (const [index, { rest, moved }] of pictures.entries()) {
      if (moved[stops]) await show(frames[index], changed(rest, moved[stops]));
      else if (Object.keys(moved).length) await show(frames[index], changed(rest, []));
    }
    document.body.dataset.stops = stops;
  }

  for (const [index, { rest }] of pictures.entries()) await show(frames[index], changed(rest, []));
  let turn = Promise.resolve();
  for (const input of inputs) input.addEventListener("input", () => (turn = turn.then(move, move)));
  if (inputs.length && inputs.map((input) => input.value).join() !== begun) await move(); // the browser kept a slider
  document.body.dataset.stops ??= begun;
}

main();
