// The timeline of a stage: play, pause, step, drag and speed, for all its pictures at once. A part of the charts' script.
//
// `track`: {"phases": [{name, seconds, words}], "lines", "play", "playing", "live", "follows"}, see stage/film.py. Time counts
// phases: 0 to 1 is the first; of a run in progress, see live_edge.js. The server takes no part in playing: it
// says when to begin (a new "play"), and hears of the end.

const SPEEDS = [1, 0.5, 2];
const EVERY = 3; // frames of the film from a picture of the strip to the next one
const LONGEST_FRAME = 0.1; // seconds that a film goes on by, however long a frame has taken
const HEARD = 3000; // milliseconds for the page to answer
const SAME = 5e-4; // of a phase: a step to the next moment that is no longer would not be seen
const STEP_KEYS = { ",": -1, ".": 1 };
const OWN_KEYS = "input:not([type=range]), textarea, select, [contenteditable=true], [role=option]";
const PRESSED_BY_SPACE = `${OWN_KEYS}, button, a, summary, [role=radio], [role=tab], [role=slider]`;
const ICONS = { play: "M4 2l10 6-10 6z", pause: "M3 2h4v12H3zM9 2h4v12H9z", back: "M13 2v12L5 8zM3 2h2v12H3z", on: "M3 2v12l8-6zM11 2h2v12h-2z" };

function makeTimeline(stage) {
  const node = document.createElement("div");
  node.className = "featdash-timeline";
  node.hidden = true;
  const bar = { node, running: false, time: Infinity, speed: 1, turn: 0, token: "", track: { phases: [], lines: [] }, moments: [] };
  bar.play = button(node, "Play", ICONS.play, () => toggle(stage));
  bar.play.classList.add("featdash-play");
  button(node, "One moment back", ICONS.back, () => step(stage, -1));
  button(node, "One moment on", ICONS.on, () => step(stage, 1));
  const track = node.appendChild(document.createElement("div"));
  track.className = "featdash-track";
  bar.slider = track.appendChild(document.createElement("input"));
  Object.assign(bar.slider, { type: "range", step: "any" });
  bar.slider.setAttribute("aria-label", "Moment");
  bar.slider.addEventListener("input", () => seek(stage, Number(bar.slider.value)));
  bar.slider.addEventListener("keydown", (event) => onSliderKey(stage, event));
  bar.marks = track.appendChild(document.createElement("div"));
  bar.marks.className = "featdash-phases";
  bar.word = node.appendChild(document.createElement("span")); // the slider says it, and not each moment of a film
  bar.word.className = "featdash-moment";
  bar.edge = button(node, "Live: show the newest moment", null, () => seek(stage, Infinity));
  bar.edge.className = "featdash-edge";
  bar.edge.textContent = "Live";
  bar.pace = button(node, "Speed", null, () => setSpeed(bar));
  setSpeed(bar, 1);
  bar.listen = (event) => onKey(stage, event);
  window.addEventListener("keydown", bar.listen);
  bar.lines = document.createElement("ol");
  bar.lines.className = "featdash-lines";
  bar.lines.hidden = true;
  return bar;
}

function button(parent, label, icon, act) {
  const made = parent.appendChild(document.createElement("button"));
  made.type = "button";
  setLabel(made, label);
  if (icon) made.innerHTML = `<svg viewBox="0 0 16 16" aria-hidden="true"><path d="${icon}"/></svg>`;
  made.addEventListener("click", act);
  return made;
}

function setLabel(made, label) {
  made.setAttribute("aria-label", label);
  made.title = label;
}

function setSpeed(bar, speed = SPEEDS[(SPEEDS.indexOf(bar.speed) + 1) % SPEEDS.length]) {
  bar.speed = speed;
  bar.pace.textContent = speed === 0.5 ? "½×" : `${speed}×`;
  setLabel(bar.pace, `Speed ${speed}`);
}

function takeTimeline(stage, track) {
  const { bar } = stage;
  const wasLive = bar.track.live;
  bar.track = track ?? { phases: [], lines: [] };
  const now = span(bar);
  bar.node.hidden = !bar.track.phases.length;
  bar.node.inert = now.end <= now.begin; // its room is kept, so that no picture moves when the first moments come
  drawPhases(bar);
  drawLines(stage);
  if (bar.subject !== stage.subject) Object.assign(bar, { subject: stage.subject, time: Infinity, running: false, hasMoved: false });
  else if (wasLive && !bar.track.live) bar.time = whereItEnds(stage);
  if (bar.track.play !== bar.token) {
    bar.token = bar.track.play ?? "";
    if (bar.track.playing) start(stage);
  } else if (startsByItself(bar) && filmed(stage)) start(stage); // its first phase is there
  showTime(stage);
}

function startsByItself({ track, hasMoved }) {
  // A run that goes on plays its first phase once it is there, unless its newest moment is to be followed.
  return track.live && !track.follows && !hasMoved;
}

function span({ track: { phases, live }, moments }) {
  // Where the film begins and ends: at the first and the last phase that have moments.
  if (live) return { begin: 0, end: moments.length - 1 };
  const places = phases.flatMap(({ words }, index) => (words.length > 1 ? [index] : []));
  return places.length ? { begin: places[0], end: places.at(-1) + 1 } : { begin: 0, end: 0 };
}

function reach({ bar }) {
  // How far one can go: to the end, and while the run goes on to its edge.
  return span(bar).end;
}

function filmed({ charts }) {
  return [...charts.values()].some(({ film }) => film);
}

function timeOf(stage) {
  return Math.min(stage.bar.time, reach(stage));
}

function start(stage) {
  const { bar } = stage;
  bar.hasMoved = true;
  bar.time = span(bar).begin;
  showLead(stage);
  if (window.matchMedia("(prefers-reduced-motion: reduce)").matches) return seek(stage, Infinity);
  go(stage);
}

function showLead({ node, lead }) {
  // Who presses «Show me» below the pictures of a narrow page may have scrolled past the one that leads.
  if (node.classList.contains("featdash-narrow") && lead) lead.frame.scrollIntoView({ block: "start" });
}

function toggle(stage) {
  const { bar } = stage;
  if (bar.running) return pause(stage);
  if (timeOf(stage) >= reach(stage)) bar.time = span(bar).begin;
  go(stage);
}

function pause(stage) {
  stage.bar.running = false;
  showTime(stage);
}

function go(stage) {
  const { bar } = stage;
  bar.hasMoved = true;
  if (bar.running) return;
  bar.running = true;
  let before = performance.now();
  const frame = (now) => {
    if (!bar.running || !stage.node.isConnected) return;
    const passed = Math.min(Math.max(now - before, 0), 1000 * LONGEST_FRAME); // a frame may have begun before the click
    advance(stage, (bar.speed * passed) / 1000);
    before = now;
    if (bar.running) requestAnimationFrame(frame);
  };
  showTime(stage);
  requestAnimationFrame(frame);
}

function advance(stage, seconds) {
  // Phases without moments take no time. At the live edge the film waits for what is still computed.
  const { bar } = stage;
  const { phases, live } = bar.track;
  let time = timeOf(stage);
  const edge = reach(stage);
  const phase = phases[Math.min(Math.floor(time), phases.length - 1)];
  if (!phase || edge < 0) return pause(stage); // another run without a film has come
  if (live) time += seconds / liveSeconds(bar, time);
  else time = phase.words.length > 1 ? time + seconds / phase.seconds : Math.floor(time) + 1;
  bar.time = Math.min(time, edge);
  if (time >= edge) Object.assign(bar, { running: false, time: Infinity });
  showTime(stage);
}

function seek(stage, time) {
  const { bar } = stage;
  bar.running = false;
  bar.hasMoved = true;
  bar.time = time >= reach(stage) ? Infinity : time;
  showTime(stage);
}

function stops({ track: { phases, live }, moments }) {
  if (live) return moments.map((_, index) => index);
  return phases.flatMap(({ words }, index) => words.map((word, place) => index + place / Math.max(words.length - 1, 1)));
}

function step(stage, way) {
  // To the next moment that was computed, or the one before.
  const now = timeOf(stage);
  const all = stops(stage.bar);
  const next = way > 0 ? all.find((time) => time > now + SAME) : all.findLast((time) => time < now - SAME);
  if (next !== undefined) seek(stage, next);
}

function onKey(stage, event) {
  const { bar } = stage;
  if (bar.node.hidden || bar.node.inert || !stage.node.isConnected || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
  const way = STEP_KEYS[event.key];
  if (way && !event.target.closest?.(OWN_KEYS)) step(stage, way);
  else if (event.key === " " && !event.repeat && !event.target.closest?.(PRESSED_BY_SPACE)) {
    event.preventDefault(); // it would scroll the page
    toggle(stage);
  }
}

function onSliderKey(stage, event) {
  const ways = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 };
  if (!(event.key in ways) && event.key !== " ") return;
  event.preventDefault();
  event.stopPropagation(); // an arrow is «Next» of a story elsewhere
  if (event.key === " ") toggle(stage);
  else step(stage, ways[event.key]);
}

function drawPhases(bar) {
  // While the run goes on, what is there ends at the edge, and no phase has its place yet.
  const { begin, end } = span(bar);
  Object.assign(bar.slider, { min: begin, max: end });
  const plan = JSON.stringify([bar.track.live ? [] : bar.track.phases.map(({ name }) => name), begin, end]);
  if (plan === bar.plan) return;
  bar.plan = plan;
  if (bar.track.live) return bar.marks.replaceChildren();
  bar.marks.replaceChildren(
    ...bar.track.phases.slice(begin, end).map(({ name }, index) => {
      const mark = document.createElement("span");
      mark.textContent = name;
      mark.style.left = `${(100 * index) / (end - begin)}%`;
      return mark;
    }),
  );
}

function drawLines({ bar }) {
  const { lines } = bar.track;
  bar.lines.hidden = !lines.length;
  bar.lines.inert = bar.node.inert;
  if (bar.lines.childElementCount === lines.length) return;
  bar.lines.replaceChildren(
    ...lines.map(({ text, about }) => {
      const item = document.createElement("li");
      item.append(text);
      item.title = about;
      return item;
    }),
  );
}

function wordAt({ phases }, time) {
  // Of the last moment up to then, whose words the pictures have.
  const { begin, end } = span({ track: { phases } });
  const index = Math.min(Math.max(Math.floor(time - 1e-9), begin), end - 1);
  const words = phases[index]?.words ?? [];
  return words[Math.floor((time - index) * (words.length - 1) + SAME)] ?? "";
}

function showTime(stage) {
  // Every picture at this time, the one that leads first.
  const { bar, charts } = stage;
  const { live } = bar.track;
  const { begin, end } = span(bar);
  if (end <= begin && !live) return charts.forEach((chart) => chart.frame.classList.remove("featdash-later"));
  const time = Math.max(timeOf(stage), begin);
  const over = time >= end;
  showBar(bar, time, over);
  stage.node.classList.toggle("featdash-midway", !over);
  if (!bar.running) for (const chart of charts.values()) sayMoment(chart, over);
  if (live) return showLive(stage, time);
  // The picture that leads is drawn each time, those of the strip in turn, and seldom while it moves.
  const moving = [...charts.values()].filter((chart) => moves(chart, time));
  const others = moving.filter((chart) => chart !== stage.lead);
  const every = moving.includes(stage.lead) ? EVERY : 1;
  bar.turn = (bar.turn + 1) % Math.max(others.length * every, 1);
  const next = others[bar.turn / every];
  for (const chart of charts.values()) {
    chart.frame.classList.toggle("featdash-later", !over && !chart.film && !chart.stays && filmed(stage));
    chart.node.dataset.moment = ((time - begin) / (end - begin)).toFixed(4);
    if (chart.film && (!bar.running || chart === next || !others.includes(chart))) moveTo(chart, time, chart);
  }
  if (over && bar.track.playing && bar.ended !== bar.token && filmed(stage)) sayEnd(stage, bar.token);
}

function sayMoment({ node, film, alt, stage }, over) {
  // What a picture says of itself is true of its end.
  if (alt && film) node.setAttribute("aria-label", over ? alt : `At ${stage.bar.word.textContent}. At the end: ${alt}`);
}

function sayEnd(stage, token) {
  // Once more if the page goes on as if it had not heard it: what is said while it is drawn anew may be lost.
  const { bar } = stage;
  if (!stage.node.isConnected || !bar.track.playing || bar.token !== token) return;
  bar.ended = token;
  stage.component.setTriggerValue("ended", token);
  setTimeout(() => sayEnd(stage, token), HEARD);
}

function showBar(bar, time, over) {
  // The controls at this time: slider, words, Play, «Live» and the lines of the algorithm.
  const { begin, end } = span(bar);
  const { live, lines } = bar.track;
  const word = live && over ? live : live ? momentAt(bar, time).word : wordAt(bar.track, time);
  bar.slider.value = String(time);
  bar.slider.setAttribute("aria-valuetext", word);
  bar.slider.style.setProperty("--done", `${(100 * (time - begin)) / Math.max(end - begin, 1)}%`);
  if (bar.word.textContent !== word) bar.word.textContent = word;
  bar.play.querySelector("path").setAttribute("d", bar.running ? ICONS.pause : ICONS.play);
  setLabel(bar.play, bar.running ? "Pause" : "Play");
  bar.edge.hidden = !live;
  bar.edge.setAttribute("aria-pressed", String(over));
  [...bar.lines.children].forEach((item, index) => {
    const next = lines[index + 1]?.begins ?? Infinity;
    const lit = !live && time >= lines[index].begins && (time < next || (over && index === lines.length - 1));
    if (lit) item.setAttribute("aria-current", "step");
    else item.removeAttribute("aria-current");
  });
}

function moves({ film }, time) {
  return film && time > film.times[0] && time < film.times.at(-1);
}

function moveTo(chart, time, { whole, film }) {
  // Between the moments of a film that runs; where it rests a picture is drawn with all care for its words.
  const place = film ? Math.min(Math.max(time, film.times[0]), film.times.at(-1)) : Infinity;
  const { running } = chart.stage.bar;
  if (chart.time === place && chart.rests === !running && chart.from === whole) return;
  const before = chart.figure;
  Object.assign(chart, { time: place, from: whole, rests: !running, figure: film ? figureAt(whole, film, place) : whole });
  if (!chart.drawn || chart.figure === before) return;
  if (running && film && chart.from === chart.whole) drawMoment(chart);
  else ask(chart);
}

function closeTimeline({ bar }) {
  bar.running = false;
  window.removeEventListener("keydown", bar.listen);
}
