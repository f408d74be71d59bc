// The run before: its curves, pale under those of the run on show, and a line where each of its stacked bars ended, until
// the visitor clears them. It comes as `chart.pale` has it. A part of the charts' script, before `chart.js`.

const PALENESS = 0.38;
const LABEL_AT = 0.6; // of what is in sight of a curve, where it says that it was before
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
  return [...pale.below, ...own, ...pale.above];
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
    const where = { x: [x[place]], y: [y[place]], xaxis, yaxis, textposition: "top center" };
    const word = { text: ["before"], opacity: 0.8, showlegend: false, hoverinfo: "skip" };
    return [{ ...where, type: "scatter", mode: "text", ...word }];
  }
  return [];
}

function isWithin({ range, type } = {}, value) {
  // An axis without a range holds all.
  if (!range || typeof value !== "number") return value !== null;
  const at = type === "log" ? Math.log10(value) : value;
  return Math.min(...range) <= at && at <= Math.max(...range);
}

function axesOf(layout) {
  const names = Object.keys(layout).filter((name) => /^[xy]axis\d*$/.test(name));
  return JSON.stringify(names.sort().map((name) => [name, layout[name].title?.text, layout[name].type]));
}
