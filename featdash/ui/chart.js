// All charts of a page's live part: Plotly.react on the same nodes, so that zoom survives and nothing flickers.
// `data` is the bytes of {"rows": [[{width, names}, …], …], "subject", "panels": {name: {mark, picture}}}: rows of
// columns of charts, of that run, some of which may have no picture yet; `mark` changes with the picture {"figure":
// {data, layout}, "alt", "title", "name"}, built once for all viewers, which a look does not bring again as long as the
// mark stays. `caption`, {"settings", "link"} or null, goes below a picture that is saved.

const decoder = new TextDecoder();
const MISSING = "The chart library could not be loaded; check the connection, or reload the page.";
const RETRY = 3000; // milliseconds
const STUCK = 8000; // milliseconds after which the others no longer wait for a picture that is not done
const NARROW = 260; // pixels that a column of pictures needs at least
const WIDE = 860; // pixels of a stage, at the size that pictures are drawn for
const PHONE = 640; // pixels of a stage that shows pictures one under another, as they were drawn
const PANEL = 330; // pixels across that a panel of several keeps on a narrow stage, where the picture then scrolls
const CELL = 42; // pixels of a cell with a number in it
const AWAITED = 250; // pixels of a picture that is not there yet
const LEAST_PLOT = 200; // pixels that curves need at least where words are large, beside them
const FLAT_PLOT = 1.2; // times as wide as high, beyond which the curves of a plot gain nothing by its width
const COLOUR_BAR = 64; // pixels that a scale of colours takes beside a picture
const LETTER = 0.56; // mean width of a letter, of its size
const TITLE_LINE = 1.3; // of its letters
const CAPITAL = 0.7;
const KEPT = 1.15; // times better that another arrangement of a wall must be than the one on show
const GAP = 6; // pixels between two pictures
const LINE = 21; // pixels of a line of the finding over the picture that leads
const WALL_LINE = 28;
const SHORT_LINE = 440; // pixels below which the finding gets more lines
const LONG_LINE = 41; // times the height of a line, from where on it needs one only
const FLATTEST = 0.8;
const FLATTEST_ON_WALL = 0.4; // where all must fit
const TALLEST = 2.6; // how far a picture may depart from the height that it was drawn for
const LARGEST = 2.4; // times
const SETTINGS = { displayModeBar: false, showTips: false }; // the same object each time, or Plotly builds the plot anew
const ENTRY = performance.getEntriesByType("navigation")[0].name; // the address that the document was loaded from
const FINGER = window.matchMedia("(hover: none)").matches;
const stages = new WeakMap(); // parentElement -> {node, plan, charts: panel -> chart}
const SCRIPTS = PLOTLY_SCRIPTS; // {light, whole: addresses, traces: the chart types that the light one knows}
const page = (window.featdash ??= { scripts: {}, waiting: new Set(), drawing: false }); // of all charts
document.head.appendChild(document.createElement("style")).textContent = CHARTS_STYLE;

function load(kind) {
  // plotly.js, once for all charts, from the app's own server, never from a CDN; the page itself asks for the light one.
  page.scripts[kind] ??= (kind === "whole" ? load("light") : Promise.resolve()).then(
    () =>
      new Promise((resolve, reject) => {
        const asked = kind === "light" && document.getElementById("featdash-plotly");
        if (asked && window.Plotly) return resolve();
        const script = asked || askFor(SCRIPTS[kind]);
        script.addEventListener("load", resolve);
        script.addEventListener("error", () => {
          script.remove();
          page.scripts[kind] = undefined; // the next picture tries again
          reject(new Error(MISSING));
        });
      }),
  );
  return page.scripts[kind];
}

function askFor(address) {
  const script = document.createElement("script");
  script.src = new URL(address, ENTRY).href;
  return document.head.appendChild(script);
}

function drawsSpace() {
  // Whether the browser has WebGL, which pictures in three dimensions need.
  page.space ??= Boolean(document.createElement("canvas").getContext("webgl"));
  return page.space;
}

async function ask(chart) {
  const light = chart.figure.data.every((trace) => SCRIPTS.traces.includes(trace.type));
  try {
    await load(light ? "light" : "whole");
    page.waiting.add(chart);
    if (!page.drawing) await drawAll();
  } catch (error) {
    chart.node.textContent = error.message; // said where the picture would be; it is tried again by itself
    if (chart.alive) setTimeout(() => ask(chart), RETRY);
  }
}

async function drawAll() {
  // One after another, those on screen first, and each is shown before the next one is begun.
  page.drawing = true;
  while (page.waiting.size) {
    const chart = [...page.waiting].find(onScreen) ?? page.waiting.values().next().value;
    page.waiting.delete(chart);
    chart.drawing = draw(chart).catch(reportError);
    await Promise.race([chart.drawing, wait(STUCK)]);
    if (page.waiting.size) await shown();
  }
  page.drawing = false;
}

function wait(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

function onScreen({ node }) {
  const { top, bottom } = node.getBoundingClientRect();
  return top < window.innerHeight && bottom > 0;
}

function shown() {
  // A tab in the background draws no frames: it waits for a clock.
  return new Promise((resolve) => {
    setTimeout(resolve, 50);
    requestAnimationFrame(() => setTimeout(resolve));
  });
}

async function draw(chart) {
  // The picture in progress is followed by the newest one only; a drag in progress is not cut short.
  const { figure, node } = chart;
  const width = node.clientWidth;
  const fits = sizeOf(chart) === chart.drawnSize && width === chart.width;
  if (!chart.alive || chart.held || (figure === chart.drawn && fits)) return;
  if (!chart.drawn) node.replaceChildren();
  if (width !== chart.width) Object.assign(chart, { width, upper: 0 });
  chart.drawnSize = sizeOf(chart);
  chart.title = titleOf(chart);
  const { data, shape } = enlarged(chart);
  const layout = { ...shape, height: chart.height, dragmode: chart.drag, uirevision: `${shape.uirevision} ${chart.resets}` };
  breakTitle(chart, layout);
  if (chart.upper) layout.margin = { ...layout.margin, t: Math.max(layout.margin?.t ?? 0, chart.upper) };
  chart.layout = layout;
  await window.Plotly.react(node, data, layout, SETTINGS);
  if (!chart.drawn) {
    node.on("plotly_click", (event) => tell(chart, event.points));
    node.on("plotly_afterplot", () => chart.stage.bar.running || mendWords(node));
    mendWords(node);
  }
  await clearTitle(chart);
  chart.drawn = figure;
  chart.updates += 1;
  node.dataset.updates = chart.updates;
}

async function drawMoment(chart) {
  // A frame of a film: as `draw`, where nothing but what moves has changed, and words are not looked at.
  const { figure, film, node } = chart;
  if (!chart.alive || chart.held || !chart.layout || page.waiting.has(chart) || chart.busy) return;
  chart.busy = true;
  const layout = { ...chart.layout };
  for (const name of film.moves) layout[name] = layoutOf(chart)[name];
  await (chart.drawing = window.Plotly.react(node, figure.data, layout, SETTINGS).catch(reportError));
  Object.assign(chart, { busy: false, drawn: figure, updates: chart.updates + 1 });
  node.dataset.updates = chart.updates;
}

function sizeOf({ height, letters }) {
  return `${height} ${letters}`;
}

function isTable({ figure }) {
  return figure.data[0]?.type === "table";
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
  await window.Plotly.relayout(chart.node, { "margin.t": room });
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
  const told = map && data.some((trace) => trace.mode === "text" || trace.texttemplate);
  return Math.max(across > 1 ? across * PANEL : 0, told ? map.x.length * CELL : 0);
}

function redraw(chart) {
  chart.figure = { ...chart.figure };
  ask(chart);
}

function tell(chart, points) {
  // A click on a point that carries `customdata` is told to a page that listens.
  const told = points.find((point) => point.customdata !== undefined);
  if (told) chart.stage.component.setTriggerValue("point", { panel: chart.panel, data: told.customdata });
}

function save(chart, format) {
  const { figure, width, height } = withCaption(chart);
  window.Plotly.downloadImage(figure, { format, filename: chart.name, width, height, scale: 2 });
}

const TOOLS = {
  "Show all (double-click)": (chart) => {
    chart.resets += 1;
    redraw(chart);
  },
  "Drag to zoom": (chart) => dragTo(chart, "zoom"),
  "Drag to move": (chart) => dragTo(chart, "pan"),
  "Save as PNG": (chart) => save(chart, "png"),
  "Save as SVG": (chart) => save(chart, "svg"),
};

function dragTo(chart, mode) {
  chart.drag = mode;
  redraw(chart);
}

function addTools(chart, frame) {
  // A button in the corner, in place of Plotly's bar of icons, which covers titles and cannot be reached by keyboard.
  const opener = document.createElement("button");
  opener.className = "featdash-tools";
  opener.textContent = "⋯";
  const menu = document.createElement("div");
  menu.className = "featdash-menu";
  menu.popover = "auto";
  for (const [label, act] of Object.entries(TOOLS)) {
    const item = document.createElement("button");
    item.textContent = label;
    item.addEventListener("click", () => {
      menu.hidePopover();
      act(chart);
    });
    menu.appendChild(item);
  }
  opener.popoverTargetElement = menu;
  menu.addEventListener("beforetoggle", () => {
    const { right, bottom } = opener.getBoundingClientRect();
    menu.style.top = `${bottom}px`;
    menu.style.right = `${document.documentElement.clientWidth - right}px`;
  });
  frame.append(opener, menu);
  return opener;
}

function mount(stage, panel) {
  const frame = document.createElement("div");
  const node = document.createElement("div");
  const headline = document.createElement("p");
  frame.className = "featdash-frame";
  headline.className = "featdash-headline";
  node.className = "featdash-chart";
  node.dataset.panel = panel;
  node.tabIndex = 0;
  node.setAttribute("role", "img");
  const scroller = document.createElement("div");
  scroller.className = "featdash-scroller";
  scroller.append(node);
  frame.append(headline, scroller);
  const chart = { stage, panel, node, frame, headline, drawn: null, held: false, alive: true, updates: 0, resets: 0, width: 0 };
  Object.assign(chart, { letters: 1, upper: 0 });
  chart.drag = FINGER ? false : "zoom"; // a finger on a picture scrolls the page until it is asked to zoom
  chart.figure = { data: [], layout: { height: AWAITED } };
  chart.opener = addTools(chart, frame);
  chart.opener.hidden = true; // until there is a picture
  frame.featdash = chart;
  chart.observer = new ResizeObserver(() => {
    // A picture that waits to be drawn takes its width then: it would be drawn twice.
    const width = node.clientWidth;
    if (!chart.drawn || !width || width === chart.width || page.waiting.has(chart)) return;
    chart.width = width;
    chart.upper = 0;
    if (titleOf(chart) !== chart.title) redraw(chart);
    else window.Plotly.Plots.resize(node).then(() => clearTitle(chart));
  });
  chart.observer.observe(node);
  chart.press = () => (chart.held = true);
  chart.release = () => {
    if (!chart.held) return;
    // Plotly applies a drag in its own listener for the same event: let it finish first.
    setTimeout(() => {
      chart.held = false;
      ask(chart);
    }, 0);
  };
  node.addEventListener("pointerdown", chart.press, true);
  window.addEventListener("pointerup", chart.release);
  window.addEventListener("pointercancel", chart.release);
  return chart;
}

function unmount(chart) {
  chart.alive = false;
  chart.observer.disconnect();
  window.removeEventListener("pointerup", chart.release);
  window.removeEventListener("pointercancel", chart.release);
  page.waiting.delete(chart);
  chart.frame.remove();
  // Plotly draws in several turns, and its last one, the hover under a mouse at rest, reads what a purge takes away.
  Promise.resolve(chart.drawing).then(() => window.Plotly?.purge(chart.node));
}

function take(chart, { mark, picture }) {
  // Height and words stand before the picture is drawn, so that nothing on the page jumps.
  if (mark === chart.mark || !picture) return false;
  const { figure, alt, title, name, headline, film } = picture;
  Object.assign(chart, { mark, figure, name, whole: figure, film: film && readFilm(film), time: undefined });
  chart.headline.textContent = headline;
  chart.opener.hidden = false;
  chart.node.setAttribute("aria-label", alt);
  chart.opener.setAttribute("aria-label", `Tools of the picture «${title}»`);
  return true;
}

function lacks(chart, { mark, picture }) {
  // The message that brought this picture has not come: a later one has taken its place in the server's queue.
  return !picture && mark !== chart.mark;
}

function arrange(stage, rows) {
  // The nodes move to their places and keep their zoom; columns that find no room beside each other wrap.
  const plan = JSON.stringify([rows, stage.least]);
  if (plan === stage.plan) return;
  stage.plan = plan;
  stage.node.replaceChildren(
    ...rows.map((columns) => {
      const row = document.createElement("div");
      row.className = "featdash-row";
      for (const { width, names } of columns) {
        const column = document.createElement("div");
        column.style.flex = `${width} 1 0`;
        column.append(...names.map((name) => stage.charts.get(name).frame));
        row.append(column);
      }
      return row;
    }),
  );
}

function fit(stage) {
  // Pictures as large as the window lets them be: all of them are magnified alike, words and markers included, and what
  // is left of the height they stretch to. Those that cannot be on the first screen together begin with the first row.
  const width = stage.node.clientWidth;
  if (!width) return;
  stage.node.classList.toggle("featdash-narrow", width < PHONE);
  const below = getComputedStyle(stage.node).getPropertyValue("--featdash-below-px"); // of a wall alone
  const room = window.innerHeight - topOf(stage.node) - (parseFloat(below) || 0) - stage.bar.node.offsetHeight;
  stage.node.classList.toggle("featdash-wall", Boolean(below));
  for (const row of stage.node.children)
    if (below) standOnWall(stage, row, width / stage.least, (room / stage.least) * shareOf(stage, row));
    else wrapAt(row, (charts) => leastWidth(stage, charts));
  const lines = [...stage.node.children].flatMap(linesOf);
  const high = ({ columns }) => tallest(columns);
  const flattest = below ? FLATTEST_ON_WALL : FLATTEST;
  const tight = (some) => sum(some.map(high)) * flattest * stage.least > room - GAP * some.length;
  let first = lines;
  while (first.length > 1 && !below && tight(first)) first = first.slice(0, -1);
  const needed = sum(first.map(high));
  const free = room - GAP * first.length;
  const filled = stage.least > 0 && width >= PHONE;
  const scale = filled ? Math.max(Math.min(free / needed, width / WIDE, LARGEST), stage.least) : 1;
  const left = filled ? free / (scale * needed) : 1;
  const stretch = Math.min(Math.max(left, flattest), TALLEST);
  for (const line of lines) {
    for (const charts of line.columns) {
      const fill = (stretch * high(line)) / sum(charts.map(naturalHeight));
      for (const chart of charts) size(chart, scale, fill * naturalHeight(chart));
    }
  }
}

function chartsOf(column) {
  return [...column.children].map((frame) => frame.featdash);
}

function tallest(columns) {
  return Math.max(...columns.map((charts) => sum(charts.map(naturalHeight))));
}

function shareOf(stage, row) {
  // Of the height, as a row whose columns stand beside one another would have it.
  const high = (one) => tallest([...one.children].map(chartsOf));
  return high(row) / sum([...stage.node.children].map(high));
}

function wrapAt(row, least) {
  // A column that would be narrower than its least width has a line of its own.
  row.style.flexWrap = "";
  for (const column of row.children) {
    column.style.flexBasis = "0px";
    column.style.minWidth = `min(100%, ${least(chartsOf(column))}px)`;
  }
}

function leastWidth(stage, charts) {
  // Pixels. Where words are large, curves keep their room beside them.
  const words = charts.map(({ figure }) => figure.layout.meta?.least ?? 0);
  const beside = stage.least > 1 ? charts.map((chart) => wordsBeside(chart) + LEAST_PLOT) : [];
  return Math.max(stage.least, 1) * Math.max(NARROW, ...words, ...beside);
}

function marginsOf({ figure: { layout } }) {
  return { l: 0, r: 0, t: 0, b: 0, ...layout.template?.layout.margin, ...layout.margin };
}

function wordsBeside(chart) {
  const { l, r } = marginsOf(chart);
  return l + r;
}

function titleWidth({ figure: { layout } }) {
  // Pixels of the longest title of a panel in its smallest letters.
  const above = ({ xanchor, yanchor, yref }) => xanchor === "center" && yanchor === "bottom" && yref === "paper";
  const lines = (layout.annotations ?? []).filter(above).flatMap(({ text = "" }) => text.split("<br>"));
  const letters = Math.max(0, ...lines.map((line) => line.replace(/<[^>]*>/g, "").length));
  return (letters * LETTER * SMALLEST_WORDS) / MAGNIFIED;
}

function standOnWall(stage, row, width, height) {
  // Where all must be seen at once, columns stand as leaves the least plot the most room; what words take beside the
  // curves is given to each first. width, height : of the row, in pixels before they are magnified.
  const columns = [...row.children].map((column) => {
    return { column, charts: chartsOf(column), grow: Number(column.style.flexGrow) };
  });
  const words = columns.map(({ charts }) => Math.max(...charts.map(wordsBeside)));
  const free = (width - sum(words)) / sum(columns.map(({ grow }) => grow));
  const whole = sum(columns.map(({ charts }) => tallest([charts])));
  const beside = columns.map(({ charts, grow }, index) => leastPlot(stage, charts, words[index] + grow * free, height));
  const under = columns.map(({ charts }) => leastPlot(stage, charts, width, (height * tallest([charts])) / whole));
  const [side, line] = [Math.min(...beside), Math.min(...under)];
  row.featdashUnder = row.featdashUnder ? line * KEPT > side : line > side * KEPT; // it does not change with each frame
  row.style.flexWrap = row.featdashUnder ? "wrap" : "nowrap";
  columns.forEach(({ column }, index) => {
    column.style.flexBasis = row.featdashUnder ? "0px" : `${stage.least * words[index]}px`;
    column.style.minWidth = row.featdashUnder ? "100%" : "0";
  });
}

function leastPlot(stage, charts, width, height) {
  // The least size of a panel of these pictures, which stand one under another: its width, or what its height is worth.
  const whole = sum(charts.map(naturalHeight));
  const sizes = charts.map((chart) => {
    const { t, b } = marginsOf(chart);
    const finding = chart.headline.textContent ? (2 * WALL_LINE) / stage.least : 0;
    const scale = chart.figure.layout.coloraxis?.colorbar ? COLOUR_BAR : 0;
    const room = (width - wordsBeside(chart) - scale) / panels(chart, "xaxis");
    const across = room - Math.max(0, titleWidth(chart) - room); // a title that does not fit counts twice
    const up = ((height * naturalHeight(chart)) / whole - finding - t - b) / panels(chart, "yaxis");
    return Math.min(across, FLAT_PLOT * up);
  });
  return Math.min(...sizes);
}

function linesOf(row) {
  // Columns that have wrapped stand in a line of their own.
  const lines = [];
  for (const column of row.children) {
    const charts = chartsOf(column);
    const top = column.offsetTop;
    if (!lines.length || Math.abs(lines.at(-1).top - top) > GAP) lines.push({ top, columns: [] });
    lines.at(-1).columns.push(charts);
  }
  return lines;
}

function size(chart, scale, height) {
  // A picture that has led once keeps the room for its finding, and those that come late find their place.
  chart.led ||= Boolean(chart.headline.textContent);
  const told = chart.led ? findingHeight(chart) : 0;
  chart.headline.style.height = `${told}px`;
  const narrow = chart.stage.node.classList.contains("featdash-narrow"); // a page that is scrolled: it may be longer
  chart.height = Math.round(height - (narrow ? 0 : told / scale));
  chart.frame.style.height = `${scale * height + (narrow ? told : 0)}px`;
  const least = narrow ? `${narrowest(chart)}px` : "0";
  chart.letters = isTable(chart) ? scale : 1;
  const whole = scale / chart.letters; // what is left to magnify the picture by
  chart.height = Math.round(chart.height * chart.letters);
  chart.node.style.cssText =
    `width: ${100 / whole}%; min-width: ${least}; height: ${chart.height}px; transform: scale(${whole})`;
  if (chart.drawn && sizeOf(chart) !== chart.drawnSize) ask(chart);
}

function findingHeight(chart) {
  // Two lines, one in a wide frame, four in a narrow one; a longer finding gets smaller letters, then all that it needs,
  // and keeps it.
  const { headline, frame } = chart;
  if (frame.clientWidth !== chart.foundWidth) Object.assign(chart, { foundWidth: frame.clientWidth, longest: 0 });
  const wall = chart.stage.node.classList.contains("featdash-wall");
  if (getComputedStyle(headline).display === "none") return 0;
  const line = wall ? WALL_LINE : LINE;
  const room = (frame.clientWidth < SHORT_LINE ? 4 : frame.clientWidth < LONG_LINE * line ? 2 : 1) * line;
  headline.style.cssText = `height: ${room}px`;
  if (headline.scrollHeight > room + 1) headline.style.fontSize = wall ? "18px" : "13px";
  chart.longest = Math.max(chart.longest, room, headline.scrollHeight);
  return chart.longest;
}

function naturalHeight(chart) {
  return layoutOf(chart).height;
}

function layoutOf({ figure: { layout }, stage }) {
  // On a narrow stage with what the picture changes there.
  return stage.node.classList.contains("featdash-narrow") ? { ...layout, ...layout.meta?.narrow } : layout;
}

function sum(values) {
  return values.reduce((total, value) => total + value, 0);
}

function topOf(node) {
  // Where it begins when the page is scrolled to its top.
  let scrolled = 0;
  for (let above = node.parentElement; above; above = above.parentElement) scrolled += above.scrollTop;
  return node.getBoundingClientRect().top + scrolled;
}

function open(parent) {
  const stage = { node: document.createElement("div"), plan: "", charts: new Map() };
  stage.bar = makeTimeline(stage);
  stage.node.className = "featdash-stage";
  stage.node.addEventListener("transitionend", (event) => {
    // The theme's variables have changed: the server draws the pictures in its colours, and hears of it no other way.
    if (event.target === stage.node) stage.component.setTriggerValue("theme", event.propertyName);
  });
  parent.append(stage.node, stage.bar.node, stage.bar.lines);
  stage.observer = new ResizeObserver(() => fit(stage));
  stage.observer.observe(stage.node);
  stage.refit = () => fit(stage);
  window.addEventListener("resize", stage.refit);
  stages.set(parent, stage);
  return stage;
}

function bringBack(stage, subject) {
  // Who asks for another run below the pictures, where the suggestions are, would see nothing of it.
  if (page.subject && page.subject !== subject && stage.node.getBoundingClientRect().top < 0) {
    stage.node.scrollIntoView({ block: "start" });
  }
  page.subject = subject;
}

export default function (component) {
  const parent = component.parentElement;
  const stage = stages.get(parent) ?? open(parent);
  stage.component = component;
  const { rows, subject, least, caption, timeline, panels } = JSON.parse(decoder.decode(component.data));
  Object.assign(stage, { least, caption, subject });
  const places = rows.flatMap((columns) => columns.flatMap(({ names }) => names));
  for (const [name, chart] of stage.charts) {
    if (!places.includes(name)) {
      unmount(chart);
      stage.charts.delete(name);
    }
  }
  for (const name of places) if (!stage.charts.has(name)) stage.charts.set(name, mount(stage, name));
  for (const [name, chart] of stage.charts) {
    // What has nothing to show: what another run had there stays, pale; of this run nothing.
    const missing = !(name in panels), same = chart.subject === subject;
    chart.frame.classList.toggle("featdash-before", missing && !same);
    chart.frame.classList.toggle("featdash-awaited", missing && same);
    if (!missing) chart.subject = subject;
  }
  arrange(stage, rows);
  if (subject) bringBack(stage, subject);
  const fresh = [...stage.charts.values()].filter((chart) => chart.panel in panels && take(chart, panels[chart.panel]));
  const missing = [...stage.charts.values()].some((chart) => chart.panel in panels && lacks(chart, panels[chart.panel]));
  if (missing) component.setTriggerValue("missing", true); // the server then sends all
  const solid = fresh.some(({ figure }) => figure.data.some(({ type }) => type === "scatter3d"));
  if (solid && !drawsSpace()) component.setTriggerValue("flat", true); // the server then draws it on a plane
  takeTimeline(stage, timeline);
  fit(stage);
  fresh.forEach(ask);
  return () => {
    closeTimeline(stage);
    for (const chart of stage.charts.values()) unmount(chart);
    stages.delete(parent);
    stage.observer.disconnect();
    window.removeEventListener("resize", stage.refit);
    for (const node of [stage.node, stage.bar.node, stage.bar.lines]) node.remove();
  };
}
