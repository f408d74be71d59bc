// The run before: its curves, pale under those of the run on show, and a line where each of its stacked bars ended, until
// the visitor clears them. It comes as `chart.pale` has it. A part of the charts' script.

const PALENESS = 0.38;
const LABEL_AT = 0.6; // of what is in sight of a curve, where it says that it was before
const HIGH = 0.85; // of an axis: a word over what is higher would be cut
const HALO = Array(4).fill("0 0 3px var(--st-background-color)").join(); // what crosses a word leaves it legible
const TICK = 26; // pixels across, of the line at the height of a bar

function takeBefore(chart, panel) {
  // Whether the pale curves have changed. `panel`: {mark, picture} of the run before, the picture where it is new.
  const mark = panel?.mark ?? "";
  if (mark === (chart.beforeMark ?? "") || (panel && !panel.picture)) return false;
  Object.assign(chart, { beforeMark: mark, before: panel?.picture.figure });
  return true;
}

function lacksBefore(chart, panel) {
  return Boolean(panel) && panel.mark !== chart.beforeMark;
}

const NOTHING = { below: [], above: [] }; // what is drawn before a picture's own data, and after them

function paleCurves({ whole, before }) {
  // Of a picture with other axes none: they would stand for other numbers. The marks on bars come after the bars, which
  // decide the order of the names on their axis.
  if (!before || !whole || axesOf(before.layout) !== axesOf(whole.layout)) return NOTHING;
  const curves = before.data.filter(({ type }) => type === "scatter").map(({ x, y, xaxis, yaxis, line, name }) => ({
    ...{ type: "scatter", mode: "lines", x, y, xaxis, yaxis, line: { ...line, width: 2 }, opacity: PALENESS },
    ...{ name: `before: ${name ?? ""}`, showlegend: false, hovertemplate: "before: %{y:.3g}<extra></extra>" },
  }));
  return { below: curves, above: [...wordOn(curves, whole.layout), ...heights(before, whole)] };
}

function withPale({ pale }, own) {
  // Numbers stand on what is pale.
  const numbers = own.findIndex(({ mode }) => mode === "text");
  const data = numbers < 0 ? own.length : numbers;
  return [...pale.below, ...own.slice(0, data), ...pale.above, ...own.slice(data)];
}

function heights(before, whole) {
  // Where stacked bars of the same names ended, of those that now end elsewhere.
  const [was, now] = [sumsOf(before.data), stackedHeights(whole)];
  const names = [...was.keys()].filter((name) => now.has(name) && Math.abs(was.get(name) - now.get(name)) > 1e-9);
  if (!names.length) return [];
  const marker = { symbol: "line-ew-open", size: TICK, line: { width: 2 }, color: before.layout.ink };
  const where = { x: names, y: names.map((name) => was.get(name)), hovertemplate: "before: %{y:.3g}<extra></extra>" };
  return [{ ...where, type: "scatter", mode: "markers", marker, name: "before", opacity: 0.7, showlegend: false }];
}

function stackedHeights({ data, layout }) {
  return sumsOf(layout.barmode === "stack" ? data.filter(({ x, y }) => Array.isArray(x) && Array.isArray(y)) : []);
}

function sumsOf(data) {
  const sums = new Map();
  const bars = data.filter(({ type }) => type === "bar");
  for (const { x, y } of bars) x.forEach((name, index) => sums.set(name, (sums.get(name) ?? 0) + (y[index] ?? 0)));
  return sums;
}

function wordOn(curves, layout) {
  // On the first curve of which anything is in sight.
  for (const { x, y, xaxis, yaxis } of curves) {
    const [across, along] = [xaxis ?? "x", yaxis ?? "y"].map((name) => layout[name.replace(/^[xy]/, "$&axis")]);
    const seen = [...x.keys()].filter((place) => isWithin(across, x[place]) && isWithin(along, y[place]));
    if (!seen.length) continue;
    const place = seen[Math.floor(LABEL_AT * seen.length)];
    const side = heightOn(along, y[place]) > HIGH ? "bottom" : "top";
    const where = { x: [x[place]], y: [y[place]], xaxis, yaxis, textposition: `${side} center` };
    const word = { text: ["before"], textfont: { shadow: HALO }, opacity: 0.8, showlegend: false, hoverinfo: "skip" };
    return [{ ...where, type: "scatter", mode: "text", ...word }];
  }
  return [];
}

function isWithin(axis, value) {
  const height = heightOn(axis, value);
  return 0 <= height && height <= 1;
}

function heightOn({ range, type } = {}, value) {
  // From 0 to 1 along the axis. One without a range holds all, in its middle.
  if (!range || typeof value !== "number") return value === null ? NaN : 0.5;
  const at = type === "log" ? Math.log10(value) : value;
  return (at - Math.min(...range)) / (Math.max(...range) - Math.min(...range));
}

function axesOf(layout) {
  const names = Object.keys(layout).filter((name) => /^[xy]axis\d*$/.test(name));
  return JSON.stringify(names.sort().map((name) => [name, layout[name].title?.text, layout[name].type]));
}
