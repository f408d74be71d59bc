// A picture's film: how its figure changes along the timeline. Numbers go on straight lines from moment to moment, all
// else stays until the next one. A part of the charts' script.
//
// `film`: {times, changes: [{path, shape, numbers} | {path, values, which} | {path, until}]}, see figures/film.py.

const KEPT_NAMES = ["guess", "guesses"]; // of shapes and notes that stand in a picture whatever it shows
const VERDICT = "verdict"; // name of what is shown at the end alone

function readFilm({ times, changes }) {
  // `moves`: the parts of the layout that change; a narrow stage has its own notes and shapes in `meta`.
  const parts = changes.filter(({ path }) => path[0] === "layout").map(({ path }) => (path[1] === "meta" ? path[3] : path[1]));
  const read = changes.map((one) => (one.numbers ? { ...one, numbers: readNumbers(one.numbers) } : one));
  return { times, changes: read, moves: [...new Set(parts)] };
}

function readNumbers(text) {
  return new Float32Array(Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)).buffer);
}

function figureAt(figure, film, time) {
  // The figure at a moment; the one that is given stays as it is, and is what is shown from the last moment on.
  if (time >= film.times.at(-1)) return figure;
  const place = placeIn(film.times, time);
  const copies = new Set();
  const shown = { data: figure.data, layout: figure.layout };
  for (const change of film.changes) {
    const value = change.until ? drawnUntil(figure, change, place) : valueAt(change, place);
    set(shown, change.path, value, copies);
  }
  return { data: shown.data, layout: withoutVerdict(shown.layout, figure.layout) };
}

function placeIn(times, time) {
  // {before, share}: the moment before that time, and how far it is to the next one, from 0 to 1.
  let before = 0;
  while (before < times.length - 2 && times[before + 1] <= time) before += 1;
  const [start, end] = [times[before], times[before + 1]];
  return { before, share: Math.min(Math.max((time - start) / (end - start), 0), 1) };
}

function drawnUntil({ data, layout }, { path, until }, { before, share }) {
  // The curve, band or map, up to a place between two of its points; on a logarithmic axis it goes on as fast as that looks even.
  const trace = data[path[1]];
  const log = layout[`xaxis${trace.xaxis?.slice(1) ?? ""}`].type === "log";
  const [along, back] = log ? [Math.log, Math.exp] : [Number, Number];
  const end = back((1 - share) * along(until[before]) + share * along(until[before + 1]));
  if (trace.type === "heatmap") return mapUntil(trace, end);
  if (trace.fill === "toself") return bandUntil(trace, end, along);
  return { ...trace, ...curveUntil(trace, end, along) };
}

function curveUntil({ x, y }, end, along) {
  const count = x.findIndex((place) => place > end);
  if (count < 0) return { x, y };
  const drawn = { x: x.slice(0, count), y: y.slice(0, count) };
  const [start, next] = [y[count - 1], y[count]];
  if (count && Number.isFinite(start) && Number.isFinite(next)) {
    const part = (along(end) - along(x[count - 1])) / (along(x[count]) - along(x[count - 1]));
    drawn.x.push(end);
    drawn.y.push(start + part * (next - start));
  }
  return drawn;
}

function bandUntil(trace, end, along) {
  // It runs along one edge, and back along the other.
  const half = Math.floor(trace.x.length / 2);
  const there = curveUntil({ x: trace.x.slice(0, half), y: trace.y.slice(0, half) }, end, along);
  const back = curveUntil({ x: trace.x.slice(half).reverse(), y: trace.y.slice(half).reverse() }, end, along);
  return { ...trace, x: [...there.x, ...back.x.reverse()], y: [...there.y, ...back.y.reverse()] };
}

function mapUntil(trace, end) {
  // Its `x` are the edges of its cells, the last of which is cut at that place.
  const count = trace.x.findIndex((x) => x >= end);
  if (count < 0) return trace;
  if (count === 0) return { ...trace, visible: false };
  return { ...trace, x: [...trace.x.slice(0, count), end], z: trace.z.map((row) => row.slice(0, count)) };
}

function valueAt({ shape, numbers, values, which }, { before, share }) {
  if (values) return values[which[share < 1 ? before : before + 1]];
  const [, ...inner] = shape;
  const size = inner.reduce((product, length) => product * length, 1);
  const mixed = Array.from({ length: size }, (_, index) => {
    const start = numbers[before * size + index];
    const end = numbers[(before + 1) * size + index];
    const value = share === 0 ? start : share === 1 ? end : start + (end - start) * share;
    return Number.isNaN(value) ? null : value;
  });
  return folded(mixed, inner);
}

function folded(numbers, [length, ...inner]) {
  if (length === undefined) return numbers[0];
  if (!inner.length) return numbers;
  const size = numbers.length / length;
  return Array.from({ length }, (_, row) => folded(numbers.slice(row * size, (row + 1) * size), inner));
}

function set(figure, path, value, copies) {
  // Copies what lies on the way, once, so that Plotly sees what has changed and the whole figure does not.
  let place = figure;
  path.forEach((name, depth) => {
    if (depth === path.length - 1) {
      place[name] = value ?? undefined;
      return;
    }
    if (!copies.has(place[name])) {
      place[name] = Array.isArray(place[name]) ? [...place[name]] : { ...place[name] };
      copies.add(place[name]);
    }
    place = place[name];
  });
}

function withoutVerdict(layout, whole) {
  const shown = { ...layout };
  for (const kind of ["annotations", "shapes"]) {
    const marks = (layout[kind] ?? []).filter(({ name }) => name !== VERDICT && !KEPT_NAMES.includes(name));
    shown[kind] = [...marks, ...(whole[kind] ?? []).filter(({ name }) => KEPT_NAMES.includes(name))];
  }
  return shown;
}
