// All charts of a page's live part: Plotly.react on the same nodes, so that zoom survives and nothing flickers.
// `data` is the bytes of {"names", "wide", "listening", "subject", "panels": {name: {mark, picture}}}: the charts of that
// run, the one that leads first, some of which may have no picture yet; those of `wide` lead above the others, and a click
// on a point of one of `listening` is told to the page; `mark` changes with the
// picture {"figure": {data, layout}, "alt", "title", "name"}, built once for all viewers, which a look does not bring again
// as long as the mark stays. `caption`, {"settings", "link"} or null, goes below a picture that is saved; `ahead`, see
// ahead.js, numbers what may come before its page.

const decoder = new TextDecoder();
const MISSING = "The chart library could not be loaded; check the connection, or reload the page.";
const RETRY = 3000; // milliseconds
const STUCK = 8000; // milliseconds after which the others no longer wait for a picture that is not done
const AWAITED = 250; // pixels of a picture that is not there yet
const CLICK = 4; // pixels that a pointer may move between its press and its release
const UNSEEN = 8; // pixels of a picture, at its right, that nobody misses
const ZOOMED = /^([xy]axis|scene)/; // the parts of a layout that a visitor can zoom
const ENTRY = performance.getEntriesByType("navigation")[0].name; // the address that the document was loaded from
const FINGER = window.matchMedia("(hover: none)").matches;
// The same object each time, or Plotly builds the plot anew. Of one tap Plotly hears twice: as a touch, and as the mouse
// that a browser makes of it.
const SETTINGS = { displayModeBar: false, showTips: false, doubleClick: FINGER ? false : "reset+autosize" };
const stages = new WeakMap(); // parentElement -> {node, plan, charts: panel -> chart}
const SCRIPTS = PLOTLY_SCRIPTS; // {light, whole: addresses, traces: the chart types that the light one knows}
const page = (window.featdash ??= { scripts: {}, waiting: new Set(), drawing: false }); // of all charts
document.head.appendChild(document.createElement("style")).textContent = CHARTS_STYLE;

function load(kind) {
  // plotly.js, once for all charts, from the app's own server, never from a CDN; the page itself asks for the light one.
  page.scripts[kind] ??= (kind === "whole" ? load("light") : Promise.resolve()).then(
    () =>
      new Promise((resolve, reject) => {
        const early = kind === "light" && document.getElementById("featdash-plotly");
        if (early && window.Plotly) return resolve();
        const script = early || askFor(SCRIPTS[kind]);
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
  if (!width) return; // not to be seen now; it is drawn when it is
  const fits = sizeOf(chart) === chart.drawnSize && width === chart.width;
  if (!chart.alive || chart.isHeld || (figure === chart.drawn && fits)) return;
  if (!chart.drawn) node.replaceChildren();
  if (width !== chart.width) Object.assign(chart, { width, upper: 0 });
  chart.drawnSize = sizeOf(chart);
  chart.title = titleOf(chart);
  const { data: own, shape } = enlarged(chart);
  const data = withPale(chart, own);
  const layout = { ...shape, height: chart.height, dragmode: asks(chart) ? false : chart.drag, uirevision: `${shape.uirevision} ${chart.resets}` };
  standBack(chart, layout);
  breakTitle(chart, layout);
  if (chart.upper) layout.margin = { ...layout.margin, t: Math.max(layout.margin?.t ?? 0, chart.upper) };
  chart.layout = layout;
  await window.Plotly.react(node, data, withoutZoom(layout), SETTINGS);
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
  if (!chart.alive || chart.isHeld || !chart.layout || !node.clientWidth || page.waiting.has(chart) || chart.busy) return;
  chart.busy = true;
  const layout = { ...chart.layout };
  for (const name of film.moves) layout[name] = layoutOf(chart)[name];
  await (chart.drawing = window.Plotly.react(node, withPale(chart, figure.data), withoutZoom(layout), SETTINGS).catch(reportError));
  Object.assign(chart, { busy: false, drawn: figure, updates: chart.updates + 1 });
  node.dataset.updates = chart.updates;
}

function withoutZoom(layout) {
  // Plotly writes a visitor's zoom into the axes that it is given, and keeps the zoom only while the next picture's own
  // axes are what they were before it: it gets copies.
  const parts = Object.entries(layout).map(([name, part]) => [name, ZOOMED.test(name) ? structuredClone(part) : part]);
  return Object.fromEntries(parts);
}

function sizeOf({ height, letters }) {
  return `${height} ${letters}`;
}

function redraw(chart) {
  chart.figure = { ...chart.figure };
  ask(chart);
}

function tell(chart, points) {
  // Sends a click on a point that carries `customdata` to a page that listens.
  const target = points.find((point) => point.customdata !== undefined);
  if (target) chart.stage.component.setTriggerValue("point", { panel: chart.panel, data: target.customdata });
}

page.save = save; // for a button that stands elsewhere on the page

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
  const opener = (chart.opener = document.createElement("button"));
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
  chart.larger = document.createElement("button");
  chart.larger.className = "featdash-larger";
  chart.larger.innerHTML = '<svg viewBox="0 0 16 16" aria-hidden="true"><path d="M9 2h5v5M14 2L9 7M7 14H2V9M2 14l5-5"/></svg>';
  chart.larger.addEventListener("click", () => (chart === chart.stage.lead ? fillWindow(chart.stage) : promote(chart, chart.larger)));
  menu.addEventListener("beforetoggle", () => {
    const { right, bottom } = opener.getBoundingClientRect();
    menu.style.top = `${bottom}px`;
    menu.style.right = `${document.documentElement.clientWidth - right}px`;
  });
  frame.append(chart.larger, opener, menu);
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
  const chart = newChart(stage, panel, { frame, node, headline });
  addTools(chart, frame);
  chart.opener.hidden = chart.larger.hidden = true; // until there is a picture
  frame.featdash = chart;
  const sayMore = () => {
    const { scrollLeft, clientWidth, scrollWidth } = scroller;
    frame.classList.toggle("featdash-more", scrollLeft + clientWidth < scrollWidth - UNSEEN);
  };
  scroller.addEventListener("scroll", sayMore, { passive: true });
  chart.observer = new ResizeObserver(() => {
    sayMore();
    // A picture that waits to be drawn takes its width then: it would be drawn twice.
    const width = node.clientWidth;
    if (!width || page.waiting.has(chart)) return;
    if (chart.mark && chart.figure !== chart.drawn) return ask(chart); // it came, or changed, while there was no room
    if (!chart.drawn || width === chart.width) return;
    chart.width = width;
    chart.upper = 0;
    if (titleOf(chart) !== chart.title) redraw(chart);
    else window.Plotly.Plots.resize(node).then(() => clearTitle(chart));
  });
  chart.observer.observe(node);
  const press = (event) => {
    const { clientX, clientY, target } = event;
    Object.assign(chart, { isHeld: true, pressed: { clientX, clientY, target } });
    beginGuess(chart, event);
  };
  chart.move = (event) => chart.guessing && !asks(chart).bands && moveLine(chart, event);
  chart.release = (event) => {
    if (!chart.isHeld) return;
    if (chart.guessing) endGuess(chart, event);
    else if (isClick(chart, event)) promote(chart);
    // Plotly applies a drag in its own listener for the same event: let it finish first.
    setTimeout(() => {
      chart.isHeld = false;
      ask(chart);
    }, 0);
  };
  node.addEventListener("pointerdown", press, true);
  window.addEventListener("pointermove", chart.move);
  window.addEventListener("pointerup", chart.release);
  window.addEventListener("pointercancel", chart.release);
  letScroll(node);
  node.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && event.target === node && canLead(chart)) promote(chart, node);
  });
  return chart;
}

function letScroll(node) {
  // A finger that moves up or down over a space scrolls the page, as over any other picture; across, it turns the space.
  let start, scrolls;
  const heed = { capture: true, passive: true }; // before Plotly, which keeps each move of a finger from the page
  node.addEventListener("touchstart", ({ touches, target }) => {
    start = touches[0];
    scrolls = target.closest(".gl-container") && touches.length === 1 ? undefined : false;
  }, heed);
  node.addEventListener("touchmove", (event) => {
    const { clientX, clientY } = event.touches[0];
    scrolls ??= Math.abs(clientY - start.clientY) > Math.abs(clientX - start.clientX);
    if (scrolls) event.stopPropagation();
  }, heed);
}

function canLead(chart) {
  // A picture of the strip, but on a narrow stage, where each has the whole width.
  return chart !== chart.stage.lead && chart.mark && !chart.stage.node.classList.contains("featdash-narrow");
}

function isClick({ stage, ...chart }, { type, clientX, clientY }) {
  // On a picture of the strip: no drag, nothing that hides a curve, and no picture whose points can be clicked on.
  const { pressed, figure } = chart;
  const moved = Math.hypot(clientX - pressed.clientX, clientY - pressed.clientY);
  const answers = stage.listening.includes(chart.panel) && figure.data.some(({ customdata }) => customdata);
  return type === "pointerup" && moved < CLICK && !answers && !pressed.target.closest?.(".legend") && canLead({ stage, ...chart });
}

function unmount(chart) {
  chart.alive = false;
  chart.observer.disconnect();
  window.removeEventListener("pointermove", chart.move);
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
  const { figure, alt, title, name, headline, film, stays } = picture;
  Object.assign(chart, { mark, figure, name, stays, whole: figure, film: film && readFilm(film), time: undefined });
  chart.pale = paleCurves(chart);
  chart.headline.textContent = headline;
  chart.opener.hidden = chart.larger.hidden = false;
  Object.assign(chart, { label: title, alt });
  chart.frame.classList.toggle("featdash-asks", Boolean(asks(chart)));
  nameLarger(chart);
  chart.node.setAttribute("aria-label", alt);
  chart.opener.setAttribute("aria-label", `Tools of the picture «${title}»`);
  return true;
}

function promotedOf(names) {
  // What the visitor has enlarged of these pictures, before they came to the wall, or back from it.
  if (page.promoted?.names !== names.join()) page.promoted = null;
  return page.promoted?.panel ?? null;
}

function lacks(chart, { mark, picture }) {
  // The message that brought this picture has not come: a later one has taken its place in the server's queue.
  return !picture && mark !== chart.mark;
}

function arrange(stage) {
  // One picture leads, the others stand in a strip; their nodes move and keep their zoom.
  const lead = leadOf(stage);
  const charts = stage.names.map((name) => stage.charts.get(name));
  const plan = JSON.stringify([lead?.panel, stage.names]);
  if (plan === stage.plan) return;
  Object.assign(stage, { plan, lead, others: charts.filter((chart) => chart !== lead) });
  stage.first.replaceChildren(...(lead ? [lead.frame] : []));
  stage.strip.replaceChildren(...stage.others.map(({ frame }) => frame));
  for (const chart of charts) nameLarger(chart);
}

function leadOf({ names, charts, promoted }) {
  // The one that the visitor has chosen, or the first that has something to show.
  const name = promoted ?? names.find((one) => charts.get(one).mark) ?? names[0];
  return charts.get(name);
}

function promote(chart, pressed) {
  // `pressed`: what it was asked for with, by a key; its place changes, and it keeps the focus.
  const { stage } = chart;
  stage.promoted = chart.panel;
  page.promoted = { panel: chart.panel, names: stage.names.join() };
  const focused = document.activeElement === pressed;
  arrange(stage);
  fit(stage);
  if (focused) pressed.focus();
}

function fillWindow(stage, fills = !stage.fills) {
  stage.fills = fills;
  stage.parent.classList.toggle("featdash-fills", fills);
  cover(stage, fills);
  if (stage.lead) nameLarger(stage.lead);
  fit(stage);
}

function cover(stage, fills) {
  // What the picture lies over takes no part: whatever stands on the page and does not hold the stage.
  for (const node of stage.covered) node.inert = false;
  stage.covered = [];
  for (let node = stage.parent; fills && node.parentElement; node = node.parentElement) {
    stage.covered.push(...[...node.parentElement.children].filter((other) => other !== node && !other.inert));
  }
  for (const node of stage.covered) node.inert = true;
}

function onStageKey(stage, event) {
  // f fills the window with the picture that leads; f or Esc comes back, and Esc then means nothing else.
  const { key, ctrlKey, metaKey, altKey, target } = event;
  const isOurs = key === "f" ? !target.closest?.(OWN_KEYS) : key === "Escape" && stage.fills;
  if (!isOurs || ctrlKey || metaKey || altKey || !stage.lead?.mark || !stage.node.isConnected) return;
  event.stopPropagation();
  fillWindow(stage);
}

function nameLarger(chart) {
  const leads = chart === chart.stage.lead;
  const word = leads ? (chart.stage.fills ? "Back to the page (F)" : "Fill the window (F)") : "Enlarge";
  chart.larger.title = word;
  chart.larger.setAttribute("aria-label", leads ? word : `Enlarge the picture «${chart.label ?? ""}»`);
}

function sum(values) {
  return values.reduce((total, value) => total + value, 0);
}

function open(parent) {
  const stage = newStage(parent);
  stage.bar = makeTimeline(stage);
  stage.state = makeStateLine(stage);
  stage.node.className = "featdash-stage";
  for (const name of ["first", "strip"]) {
    stage[name] = stage.node.appendChild(document.createElement("div"));
    stage[name].className = `featdash-${name}`;
  }
  stage.node.addEventListener("transitionend", (event) => {
    // The theme's variables have changed: the server draws the pictures in its colours, and hears of it no other way.
    if (event.target === stage.node) stage.component.setTriggerValue("theme", event.propertyName);
  });
  parent.append(stage.state.node, stage.node, stage.bar.node, stage.bar.lines);
  stage.observer = new ResizeObserver(() => fit(stage));
  // Of itself, of what stands above it in the same block, and of a wall's band, which all decide how high it may be.
  for (const node of [stage.node, parent.closest(".st-key-stage"), document.querySelector(".st-key-band")]) {
    if (node) stage.observer.observe(node);
  }
  stage.refit = () => fit(stage);
  window.addEventListener("resize", stage.refit);
  stage.listen = (event) => onStageKey(stage, event);
  window.addEventListener("keydown", stage.listen, true);
  stage.printed = listenToPrinter(stage);
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

function showStage(component) {
  const parent = component.parentElement;
  const stage = stages.get(parent) ?? open(parent);
  stage.component = component;
  takeNews(stage, JSON.parse(decoder.decode(component.data)));
  return () => close(stage);
}

function takeNews(stage, { ahead, names, wide, listening, subject, least, caption, timeline, state, panels, before = {} }) {
  // What the page says, or what went ahead of it.
  if (isKnown(stage, ahead)) return;
  listenAhead(stage, ahead);
  const { component } = stage;
  if (!stage.names.length) stage.promoted = promotedOf(names);
  if (stage.names.some((name) => !names.includes(name))) stage.promoted = null; // another scene: its own picture leads
  Object.assign(stage, { names, wide, listening, least, caption, subject });
  sayState(stage.state, state);
  for (const [name, chart] of stage.charts) {
    if (!names.includes(name)) {
      unmount(chart);
      stage.charts.delete(name);
    }
  }
  for (const name of names) if (!stage.charts.has(name)) stage.charts.set(name, mount(stage, name));
  for (const [name, chart] of stage.charts) {
    // What has nothing to show: what another run had there stays, pale; of this run nothing.
    const missing = !(name in panels), same = chart.subject === subject;
    chart.frame.classList.toggle("featdash-before", missing && !same);
    chart.frame.classList.toggle("featdash-awaited", missing && same);
    if (!missing) chart.subject = subject;
  }
  if (subject) bringBack(stage, subject);
  const fresh = [...stage.charts.values()].filter((chart) => chart.panel in panels && take(chart, panels[chart.panel]));
  const current = [...stage.charts.values()].filter((chart) => chart.panel in panels);
  const missing = current.some((chart) => lacks(chart, panels[chart.panel]));
  for (const chart of stage.charts.values()) {
    // What still shows the run before, as long as this one has nothing yet, needs no pale curves of itself.
    if (!takeBefore(chart, before[chart.panel]) || chart.subject !== subject) continue;
    chart.pale = paleCurves(chart);
    if (chart.drawn) redraw(chart);
  }
  const lost = [...stage.charts.values()].some((chart) => lacksBefore(chart, before[chart.panel]));
  if (missing || lost) component.setTriggerValue("missing", true); // the server then sends all
  const solid = fresh.some(({ figure }) => figure.data.some(({ type }) => type === "scatter3d"));
  if (solid && !drawsSpace()) component.setTriggerValue("flat", true); // the server then draws it on a plane
  arrange(stage);
  remember(stage, timeline, fresh);
  takeTimeline(stage, timeline);
  fit(stage);
  fresh.forEach(ask);
}

function close(stage) {
  cover(stage, false);
  closeAhead(stage);
  closeTimeline(stage);
  for (const chart of stage.charts.values()) unmount(chart);
  stages.delete(stage.parent);
  stage.observer.disconnect();
  window.removeEventListener("resize", stage.refit);
  window.removeEventListener("keydown", stage.listen, true);
  stage.printed();
  for (const node of [stage.state.node, stage.node, stage.bar.node, stage.bar.lines]) node.remove();
}
