// A run in progress, as a video player shows what is broadcast: the newest moment, with all before it that this browser
// has been sent. The server takes no part in it. A part of the charts' script.
//
// While `track.live`, time counts the moments that are remembered, from 0; infinity is the edge, where the newest is shown.

const MOST_REMEMBERED = 240; // moments; of more every other one is forgotten
const LIVE_MOMENT = 0.15; // seconds that a moment takes to play, outside a film

function remember(stage, track, changed) {
  // The pictures as they are now, where one of them has `changed`. One that came with a film brings all its moments, and
  // as the film grows with the run only the newest one each time.
  const { bar, charts } = stage;
  if (bar.remembered !== stage.subject) Object.assign(bar, { remembered: stage.subject, moments: [] });
  if (!track?.live || !changed.length) return;
  const pictures = new Map();
  for (const [name, chart] of charts) if (chart.mark && chart.subject === stage.subject) pictures.set(name, { whole: chart.whole, film: chart.film });
  const last = bar.moments.findLast(({ at }) => at !== null)?.at ?? -Infinity;
  const news = changed.find((chart) => chart.film)?.film.times.filter((at) => at > last) ?? [];
  const times = news.length ? news : [null];
  bar.moments.push(...times.map((at) => ({ at, pictures, word: at === null ? track.live : wordAt(track, at) })));
  if (bar.moments.length > MOST_REMEMBERED) forget(bar);
}

function forget(bar) {
  const count = bar.moments.length;
  bar.moments = bar.moments.filter(({ at }, index) => at !== null || index % 2 || index === count - 1);
  bar.time *= bar.moments.length / count;
}

function momentAt({ moments }, time) {
  // {pictures, at, word}: between two moments of a film `at` goes on from one to the other.
  const index = Math.min(Math.floor(time), moments.length - 1);
  const [now, next] = [moments[index], moments[index + 1]];
  const within = next && now.at !== null && now.pictures === next.pictures;
  return { ...now, at: within ? now.at + (time - index) * (next.at - now.at) : now.at };
}

function liveSeconds({ track, moments }, time) {
  // How long the moment at that time takes.
  const index = Math.floor(time);
  const { at, pictures } = moments[index];
  if (at === null || pictures !== moments[index + 1]?.pictures) return LIVE_MOMENT;
  const { words, seconds } = track.phases[Math.min(Math.floor(at), track.phases.length - 1)];
  return seconds / Math.max(words.length - 1, 1);
}

function showLive(stage, time) {
  // Every picture as it was then; at the edge as it is.
  const { bar, charts } = stage;
  const edge = time >= reach(stage);
  const { pictures, at } = bar.moments.length ? momentAt(bar, time) : { pictures: new Map(), at: null };
  for (const [name, chart] of charts) {
    const picture = edge ? chart : pictures.get(name);
    chart.frame.classList.toggle("featdash-later", !picture && Boolean(chart.mark));
    chart.node.dataset.moment = (edge ? 1 : time / reach(stage)).toFixed(4);
    if (picture?.whole) moveTo(chart, edge || at === null ? Infinity : at, picture);
  }
}

function whereItEnds(stage) {
  // The run has ended: where the moment on show stands on the timeline of the whole film.
  const { bar } = stage;
  if (!Number.isFinite(bar.time) || !bar.moments.length) return Infinity;
  const { at } = momentAt(bar, bar.time);
  const { begin, end } = span(bar);
  return at ?? begin + (bar.time / bar.moments.length) * (end - begin);
}
