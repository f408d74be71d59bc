// How a picture is laid out where it stands: what its figure says, and what a narrow stage, a wall or a long title changes
// of it. A part of the charts' script.

const EDGE = 12; // pixels at the right of curves whose names stand in the picture
const NAMES_GAP = "   "; // between names in one line above them
const SIGN = /^[^\p{L}\p{N}]\S*\s/u; // of a curve, before its name
const MOST_NAMES = 0.45; // of a picture's width, of names beside its curves
const MOST_ABOVE = 0.5; // of a picture's height, of its title and the names above its plot
const TITLE_LINE = 1.3; // of its letters
const CAPITAL = 0.7;
const FILLED = 0.7; // of the width of a space: nothing stands in its corners
const PANEL = 330; // pixels across that a panel of several keeps on a narrow stage, where the picture then scrolls
const PANELS = 0.54; // of a picture's width, that panels beside one another take at least, all together
const CELL = 42; // pixels of a cell with a number in it

function layoutOf(chart) {
  // On a narrow stage with what the picture changes there; elsewhere too, where its plot is larger so. Names that would
  // take too much of a picture stand above its plot or in it.
  const { narrow, ends } = chart.figure.layout.meta ?? {};
  const isNarrow = chart.stage.node.classList.contains("featdash-narrow");
  const crowded = ends && (isNarrow || marginsOf(chart.figure).r > MOST_NAMES * chart.node.clientWidth);
  const { layout } = chart.figure;
  const named = crowded ? { ...layout, ...(namedAbove(chart, isNarrow) ?? namedInside(layout)) } : layout;
  if (isNarrow) return spaced(chart, flatter(chart, { ...named, ...narrow }));
  const usual = { ...named, height: layout.height }; // where it is not scrolled, the plot makes room for names above it
  const stacked = { ...usual, ...narrow, height: layout.height };
  return spaced(chart, flatter(chart, narrow?.margin && square(chart, stacked) > square(chart, usual) ? stacked : usual));
}

function spaced({ figure, node, stage, width }, layout) {
  // Between panels beside one another is as much room, in pixels, as what stands there needs: the rest is the panels'.
  // Where a picture scrolls, a panel is no wider than is seen together with its names.
  const { gap, names } = figure.layout.meta?.between ?? {};
  if (!gap || !width) return layout;
  const { l, r } = marginsOf({ layout });
  const axes = Object.keys(layout).filter((name) => name.startsWith("xaxis"));
  axes.sort((one, other) => layout[one].domain[0] - layout[other].domain[0]);
  const count = axes.length;
  const even = (width - l - r - gap * (count - 1)) / count;
  const seen = stage.node.classList.contains("featdash-narrow") ? node.parentNode.clientWidth - l - names : Infinity;
  const across = Math.max(Math.min(even, seen) / (width - l - r), PANELS / count);
  const next = (1 - across) / Math.max(count - 1, 1);
  const placed = axes.map((name, index) => [name, { ...layout[name], domain: [index * next, index * next + across] }]);
  return { ...layout, ...Object.fromEntries(placed) };
}

function flatter({ figure, width, height }, layout) {
  // A square map with names at its sides, in a place that is wider than high, is larger without room for names above it.
  const { upright } = figure.layout.meta ?? {};
  if (!upright || !width) return layout;
  const { l, r, t, b } = marginsOf({ layout });
  const [, reach] = layout.xaxis.range;
  const high = Math.max(upright, Math.min(1, (height - t - b) / (width - l - r)) * reach);
  return { ...layout, yaxis: { ...layout.yaxis, range: [-high, high] } };
}

function namedInside({ annotations = [], margin }) {
  // The names at the ends of curves stand over these ends, where a margin for them would take half of the picture.
  const inside = { xanchor: "right", yanchor: "bottom", xshift: -2 };
  const named = annotations.map((note) => (isEndName(note) ? { ...note, ...inside, font: { ...note.font, shadow: HALO } } : note));
  return { annotations: named, margin: { ...margin, r: EDGE } };
}

function namedAbove(chart, isScrolled) {
  // They stand in lines between title and plot, where they lie on no curve, over what stands there already. Not those of
  // several panels, nor those that have no sign of their curve, nor with a legend, nor in a picture so low that they would
  // take the room of its plot; one that is scrolled is as high as it needs. A film's moments keep the lines of its end.
  const { figure, whole, node } = chart;
  const told = endNames(whole.layout);
  const notes = figure.layout.annotations ?? [];
  const others = notes.filter((note) => !isEndName(note));
  if (whole.layout.showlegend || panels(chart, "xaxis") > 1 || panels(chart, "yaxis") > 1) return null;
  if (!told.length || !told.every(({ text }) => SIGN.test(plain(text)))) return null;
  const { font } = told[0];
  const fits = ruler(node.clientWidth - 2 * EDGE, `${font.size}px ${whole.layout.template.layout.font.family}`);
  const counts = fill(told.map(({ text }) => plain(text)), NAMES_GAP, fits, (name) => [name]).map((line) => line.split(NAMES_GAP).length);
  const names = endNames(figure.layout);
  const lines = counts.map((count) => names.splice(0, count).map(({ text }) => text.replace(/<br>/g, " ")).join(NAMES_GAP));
  const { l, t } = marginsOf(figure);
  const below = Math.max(0, ...others.filter(standsAbove).map(({ text }) => text.split("<br>").length)) * TITLE_LINE * font.size;
  const room = counts.length * TITLE_LINE * font.size + GAP;
  if (!isScrolled && t + below + room > MOST_ABOVE * chart.height) return null;
  const place = { xref: "paper", x: 0, xanchor: "left", xshift: EDGE - l, yref: "paper", y: 1, yanchor: "bottom", yshift: GAP + below, align: "left" };
  return {
    annotations: [...others, { ...place, text: lines.join("<br>"), font, showarrow: false }],
    margin: { ...figure.layout.margin, r: EDGE, t: t + room },
    height: figure.layout.height + room,
  };
}

function isEndName({ x, xref, xanchor }) {
  return x === 1 && /^(paper|x\d* domain)$/.test(xref) && xanchor === "left";
}

function endNames({ annotations = [] }) {
  // In the order of their letters, which stays through a film.
  const key = ({ text }) => plain(text).replace(SIGN, "");
  return annotations.filter(isEndName).sort((one, other) => key(one).localeCompare(key(other), "en", { numeric: true }));
}

function standsAbove({ yref, y, yanchor }) {
  return y >= 1 && yanchor === "bottom" && /^(paper|y\d* domain)$/.test(yref);
}

function plain(text) {
  // One line of it, without its mark-up.
  return text.replace(/<br>/g, " ").replace(/<[^>]*>/g, "");
}

function square({ width, height }, layout) {
  // Pixels across the plot of a square map in that layout; all alike while its place has no size.
  const { l, r, t, b } = marginsOf({ layout });
  return width ? Math.min(width - l - r, height - t - b) : 0;
}

function marginsOf({ layout }) {
  return { l: 0, r: 0, t: 0, b: 0, ...layout.template?.layout.margin, ...layout.margin };
}

function wordsBeside(chart) {
  const { l, r } = marginsOf(chart.figure);
  return l + r;
}

function enlarged(chart) {
  // A table counts its rows in pixels of the screen: its letters grow, where any other picture is magnified as a whole.
  const { figure, letters } = chart;
  const shape = structuredClone(layoutOf(chart)); // Plotly writes a visitor's zoom into what it is given
  if (!isTable(chart) || letters === 1) return { data: figure.data, shape };
  const grown = (part) => ({ ...part, font: { ...part.font, size: letters * part.font.size } });
  const data = figure.data.map(({ header, cells, ...table }) => {
    return { ...table, header: grown(header), cells: { ...grown(cells), height: letters * cells.height } };
  });
  const { title, margin } = shape.template.layout;
  shape.title = { ...grown({ ...title, ...shape.title }), text: shape.title.text };
  shape.margin = Object.fromEntries(
    Object.entries({ ...margin, ...shape.margin }).map(([side, pixels]) => [side, letters * pixels]),
  );
  return { data, shape };
}

function isTable({ figure }) {
  return figure.data[0]?.type === "table";
}

function breakTitle(chart, layout) {
  // Further lines of the title push the curves down. Plotly puts the foot of the first of several where its head belongs.
  const { margin, title } = layout.template.layout;
  const further = chart.title.split("<br>").length - layout.title.text.split("<br>").length;
  if (!further) return;
  const size = layout.title.font?.size ?? title.font.size;
  layout.title = { ...layout.title, text: chart.title, pad: { t: CAPITAL * size } };
  layout.margin = { ...layout.margin, t: (layout.margin?.t ?? margin.t) + further * TITLE_LINE * size };
}

function titleOf({ figure: { layout }, node }) {
  return wrapTitle(layout.title.text, node.clientWidth - TOOLS_WIDTH, smallestLetters(node), layout.template.layout.font.family);
}

async function clearTitle(chart) {
  // What a legend needs above the curves is kept while the picture keeps its width, so that nothing moves twice.
  const room = legendRoom(chart.node);
  if (!room) return;
  chart.upper = room;
  chart.layout = { ...chart.layout, margin: { ...chart.layout.margin, t: room } };
  await window.Plotly.relayout(chart.node, { "margin.t": room });
}

function standBack({ width, height }, layout) {
  // How much of a space is seen depends on its height: what stands in one that is higher than wide would be cut at its
  // sides, and is seen from further away.
  const { l, r, t, b } = marginsOf({ layout });
  for (const [, scene] of Object.entries(layout).filter(([name]) => name.startsWith("scene"))) {
    const { x, y } = { x: [0, 1], y: [0, 1], ...scene.domain };
    const away = ((y[1] - y[0]) * (height - t - b)) / ((x[1] - x[0]) * (width - l - r));
    for (const axis of "xyz") scene.camera.eye[axis] *= Math.max(FILLED * away, 1);
  }
}

function panels({ figure }, axis) {
  // Of a picture, beside one another along "xaxis", or one above another along "yaxis".
  const axes = Object.keys(figure.layout).filter((name) => name.startsWith(axis));
  const starts = axes.map((name) => (figure.layout[name].domain?.[0] ?? 0).toFixed(2));
  return Math.max(new Set(starts).size, 1);
}

function narrowest(chart) {
  // Pixels below which panels, the columns of a table or numbers in cells would be squeezed; 0 for no limit.
  const across = panels(chart, "xaxis");
  const { data } = chart.figure;
  if (isTable(chart)) return 2 * PANEL;
  const map = data.find((trace) => trace.type === "heatmap" && Array.isArray(trace.x));
  const hasNumbers = map && data.some((trace) => trace.mode === "text" || trace.texttemplate);
  if (hasNumbers) return across * map.x.length * CELL + wordsBeside(chart);
  return across > 1 ? across * PANEL : 0;
}
