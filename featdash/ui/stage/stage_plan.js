// Where the pictures of a stage stand and how large they are. A part of the charts' script.

const NARROW = 260; // pixels that a picture beside another needs at least, before it is magnified
const WIDE = 860; // pixels of a stage, at the size that pictures are drawn for
const PHONE = 640; // pixels of a stage that shows pictures one under another, as they were drawn
const LEAST_PLOT = 200; // pixels that curves need at least where words are large, beside them
const WALL_MAP = 640; // pixels that a square map wants on a wall, with what stands beside it
const GAP = 6; // pixels between two pictures
const FEW = 2; // pictures beside the one that leads, one on a wall, as large as they were drawn; more are thumbnails
const THUMBNAIL = 0.62; // of the magnification of the one that leads
const DEEPEST = 3; // thumbnails one under another
const MOST_ACROSS = 5;
const LEAD_SHARE = 0.6; // of the height, of a picture that leads above the others
const BESIDE_ONE = 0.55; // of the width, of a picture that leads beside one other; as in the style
const BESIDE_SEVERAL = 0.62;
const HEADER = 48; // pixels of Streamlit's header, under which a page is scrolled
const LOWEST = 0.92; // of its height, of one of two pictures on a phone
const SMALLER = 0.8125; // of its letters, where the finding is long
const SHORT_LINE = 440; // pixels below which the finding gets more lines
const LONG_LINE = 41; // times the height of a line, from where on it needs one only
const FLATTEST = 0.8;
const FLATTEST_ON_WALL = 0.4; // where all must fit
const TALLEST = 2.6; // how far a picture may depart from the height that it was drawn for
const LARGEST = 2.4; // times

function fit(stage) {
  // The picture that leads takes as much as the window lets it, at least half of the stage; the others stand at its right,
  // or below it. All are magnified alike, words and markers included, but for a strip of many, which are thumbnails.
  const width = stage.node.clientWidth;
  if (!width || !stage.lead) return;
  const narrow = width < PHONE;
  const { below, times } = wallOf(stage);
  const others = stage.fills ? [] : stage.others;
  const small = others.length > (below ? 1 : FEW) ? THUMBNAIL : 1;
  const across = stage.wide.includes(stage.lead.panel) || !fitsBeside(stage, width, small); // it wants the whole width
  const under = !narrow && !below && others.length > 0 && across;
  const columns = acrossOf(others.length, narrow, under, Math.min(MOST_ACROSS, Math.floor(width / (small * NARROW))));
  const several = sharesMore(stage);
  const classes = { narrow, under, thumbnails: small < 1, several, alone: !others.length, wall: Boolean(below) };
  for (const [name, on] of Object.entries(classes)) stage.node.classList.toggle(`featdash-${name}`, on);
  stage.strip.style.gridTemplateColumns = `repeat(${columns}, minmax(0, 1fr))`;
  if (narrow && !stage.fills) return stack(stage);

  const rows = Math.ceil(others.length / columns);
  const room = window.innerHeight - topOf(stage) - (parseFloat(below) * times || 0) - stage.bar.node.offsetHeight - stage.bar.lines.offsetHeight;
  const flattest = below ? FLATTEST_ON_WALL : FLATTEST;
  const least = Math.max(stage.least, stage.fills ? 1 : 0);
  const high = naturalHeight(stage.lead) / (under ? LEAD_SHARE : 1);
  const whole = under && !below && high * flattest * least > room ? naturalHeight(stage.lead) : high; // the strip is below the fold
  const scale = least > 0 ? Math.max(Math.min(room / whole, width / WIDE, LARGEST), least) : 1;
  const stretch = least > 0 ? Math.min(Math.max(room / (scale * whole), flattest), TALLEST) : 1;
  const height = scale * stretch * high; // of all of it, on the screen
  const leads = under ? LEAD_SHARE * height : height;
  const strip = under ? height - leads - GAP : height;
  size(stage.lead, scale, leads / scale);
  for (const chart of others) size(chart, small * scale, (strip - GAP * (rows - 1)) / rows / (small * scale));
}

function wallOf({ node }) {
  // Of a wall alone: the pixels below its pictures, and how many times larger they and its words are than usual.
  const style = getComputedStyle(node);
  return { below: style.getPropertyValue("--featdash-below-px"), times: parseFloat(style.getPropertyValue("--featdash-wall")) || 1 };
}

function stack({ lead, others, bar }) {
  // On a narrow stage, one under another; two that nearly fit the window with the timeline become a little lower.
  const charts = [lead, ...others];
  const room = window.innerHeight - HEADER - bar.node.offsetHeight;
  const share = charts.length === 2 ? Math.min(Math.max(room / sum(charts.map(naturalHeight)), LOWEST), 1) : 1;
  charts.forEach((chart) => size(chart, 1, share * naturalHeight(chart)));
}

function acrossOf(count, narrow, under, most) {
  // Columns of the strip; below the picture that leads at most so many, else there are two rows.
  if (narrow || !count) return 1;
  if (under) return count > most ? Math.ceil(count / 2) : count;
  return count > FEW ? Math.ceil(count / DEEPEST) : 1;
}

function fitsBeside(stage, width, small) {
  // Whether a picture of the strip is wide enough at the right of the one that leads.
  const share = sharesMore(stage) ? 1 - BESIDE_SEVERAL : 1 - BESIDE_ONE;
  const room = (share * width) / acrossOf(stage.others.length, false, false) - GAP;
  return room >= small * leastWidth(stage, stage.others);
}

function sharesMore(stage) {
  // Whether the picture that leads has more of the width: beside several, where a square map is as large without; and a
  // square map on a wall that is too narrow for it and one other.
  const { lead, others, node } = stage;
  const isSquare = Boolean(layoutOf(lead).yaxis?.scaleanchor);
  if (others.length > 1) return !isSquare;
  return others.length === 1 && wallOf(stage).below && isSquare && BESIDE_ONE * node.clientWidth < WALL_MAP;
}

function leastWidth(stage, charts) {
  // Pixels. Where words are large, curves keep their room beside them.
  const words = charts.map(({ figure }) => figure.layout.meta?.least ?? 0);
  const beside = stage.least > 1 ? charts.map((chart) => wordsBeside(chart) + LEAST_PLOT) : [];
  return Math.max(stage.least, 1) * Math.max(NARROW, ...words, ...beside);
}

function size(chart, scale, height) {
  // A picture that has led once keeps the room for its finding, and those that come late find their place.
  chart.led ||= Boolean(chart.headline.textContent);
  const finding = chart.led ? findingHeight(chart) : 0; // pixels
  chart.headline.style.height = `${finding}px`;
  const narrow = chart.stage.node.classList.contains("featdash-narrow"); // a page that is scrolled: it may be longer
  chart.height = Math.round(height - (narrow ? 0 : finding / scale));
  chart.frame.style.height = `${scale * height + (narrow ? finding : 0)}px`;
  const least = narrow ? `${narrowest(chart)}px` : "0";
  chart.letters = isTable(chart) ? scale : 1;
  const whole = scale / chart.letters; // what is left to magnify the picture by
  chart.height = Math.round(chart.height * chart.letters);
  chart.node.style.cssText =
    `width: ${100 / whole}%; min-width: ${least}; height: ${chart.height}px; transform: scale(${whole})`;
  if (chart.drawn && sizeOf(chart) !== chart.drawnSize) ask(chart);
}

function findingHeight(chart) {
  // Two lines, one in a wide frame, four in a narrow one that leads; a longer finding gets smaller letters, then all that
  // it needs, and keeps it.
  const { headline, frame } = chart;
  if (frame.clientWidth !== chart.foundWidth) Object.assign(chart, { foundWidth: frame.clientWidth, longest: 0 });
  headline.style.cssText = "";
  const style = getComputedStyle(headline);
  if (style.display === "none") return 0;
  const line = parseFloat(style.lineHeight);
  const short = frame.clientWidth < SHORT_LINE && (chart === chart.stage.lead || chart.stage.others.length < 2);
  const room = (short ? 4 : frame.clientWidth < LONG_LINE * line ? 2 : 1) * line;
  headline.style.cssText = `height: ${room}px`;
  if (headline.scrollHeight > room + 1) headline.style.fontSize = `${SMALLER * parseFloat(style.fontSize)}px`;
  chart.longest = Math.max(chart.longest, room, headline.scrollHeight);
  return chart.longest;
}

function naturalHeight(chart) {
  return layoutOf(chart).height;
}

function topOf({ node, fills }) {
  // Where it begins when the page is scrolled to its top.
  let scrolled = 0;
  if (fills) return node.getBoundingClientRect().top;
  for (let above = node.parentElement; above; above = above.parentElement) scrolled += above.scrollTop;
  return node.getBoundingClientRect().top + scrolled;
}
