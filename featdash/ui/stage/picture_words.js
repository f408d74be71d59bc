// The words of a picture where it is smaller than it was drawn for: none is cut, and none lies on another one. A part
// of the charts' script. Boxes are of the screen, where a picture may be magnified.

const SMALLEST_WORDS = 11.5; // pixels
const MAGNIFIED = 1.3; // times, as on a wall, beyond which words that find no room stay as large as they are
const WORD_GAP = 4; // pixels between the titles of two panels, and between a legend and the picture's title
const TOOLS_WIDTH = 52; // pixels in the corner of a picture, beside its title
const TICK_GAP = 2; // pixels between two numbers along an axis
const FITS = 0.97; // share of their size from which words find room: letters grow and shrink by steps
const UPRIGHT = 0.95; // of the height of a plot, for words that go up it
const AIR = 0.08; // of the height of a line, above and below its digits
const COLUMN = 8; // pixels between the beginnings, or the ends, of words that stand under one another
const WORDS = /(?:<[^>]*>|[^\s<])+/g; // those of a title, each with its mark-up

function wrapTitle(text, room, letters, family) {
  // A title that is too wide even in its smallest letters, on several lines: a name after a wide gap stays whole if it can.
  const measured = ruler(room, `${letters}px ${family}`);
  const fits = (words) => measured(words.replace(/<[^>]*>/g, ""));
  const byWords = (part) => fill(part.match(WORDS) ?? [], " ", fits, (word) => [word]);
  return text.split("<br>").flatMap((line) => (fits(line) ? line : fill(line.split(/ {2,}/), "   ", fits, byWords))).join("<br>");
}

function ruler(room, font) {
  // What tells whether words fit into that many pixels.
  const pen = document.createElement("canvas").getContext("2d");
  pen.font = font;
  return (words) => pen.measureText(words).width <= room;
}

function fill(parts, gap, fits, broken) {
  // As few lines as hold the parts, in their order; `broken` makes lines of a part that is longer than one.
  const lines = [];
  for (const part of parts) {
    const longer = [...lines.slice(-1), part].join(gap);
    if (fits(longer)) lines.splice(-1, 1, longer);
    else lines.push(...(fits(part) ? [part] : broken(part)));
  }
  return lines;
}

function smallestLetters(node) {
  return SMALLEST_WORDS / Math.min(magnification(node), MAGNIFIED);
}

function mendWords(node) {
  // Words that would leave their picture, or lie on those beside them, get smaller letters; then they move inwards.
  const scale = magnification(node);
  const smallest = smallestLetters(node);
  thinTicks(node);
  fitCells(node, smallest);
  const notes = [...node.querySelectorAll(".annotation-text")];
  for (const words of [...notes, ...node.querySelectorAll(".gtitle, [class^=x][class$=title]")]) {
    words.style.translate = "";
    words.closest(".annotation")?.style.removeProperty("translate");
    const room = (words.matches(".gtitle") ? node.clientWidth - TOOLS_WIDTH : node.clientWidth) * scale;
    shrink(words, room / words.getBoundingClientRect().width, smallest);
    if (isUpright(words)) shrink(words, (UPRIGHT * node._fullLayout._size.h * scale) / words.getBoundingClientRect().height, smallest);
    nudge(words, node, room, scale);
  }
  for (const [words, share] of [...crowded(notes), ...runningOn(notes, scale)]) shrink(words, share, smallest);
  for (const words of node.querySelectorAll(".ytitle")) keepBelowTitle(words, node, scale, smallest);
  spreadLabels(node, notes, scale);
}

function magnification(node) {
  return node.getBoundingClientRect().width / node.clientWidth || 1;
}

function shrink(words, share, smallest) {
  if (share >= 1) return;
  const size = parseFloat(getComputedStyle(words).fontSize);
  words.style.fontSize = `${Math.max(size * share, Math.min(smallest, size))}px`;
}

function nudge(words, node, room, scale) {
  const { left, top } = node.getBoundingClientRect();
  const box = words.getBoundingClientRect();
  const away = box.width > room ? left - box.left : Math.min(left + room - box.right, 0) || Math.max(left - box.left, 0);
  const down = Math.max(top - box.top, 0); // of a title with a high exponent
  if (away || down) words.style.translate = `${away / scale}px ${down / scale}px`;
}

function isUpright(words) {
  // Of an option that is a range of the axis along the picture: they go down from the upper end of the plot.
  return words.matches(".annotation-text") && Math.abs(slant(words.closest(".annotation-text-g"))) === 90;
}

function crowded(titles) {
  // Titles of panels that stand in one line and touch: each of that line with the share of its letters that fits.
  const boxes = titles.filter(centred).map((words) => [words, words.getBoundingClientRect()]);
  const lines = Object.values(Object.groupBy(boxes, ([, { y }]) => Math.round(y)));
  return lines.flatMap((line) => {
    line.sort((one, other) => one[1].x - other[1].x);
    const shares = line.slice(1).map(([, box], place) => {
      const before = line[place][1];
      return (middle(box) - middle(before) - WORD_GAP) / ((box.width + before.width) / 2);
    });
    return line.map(([words]) => [words, Math.min(1, ...shares)]);
  });
}

function runningOn(notes, scale) {
  // Words in a narrow plot that run on into a name beside the end of a curve: each with the share of its letters that
  // fits. Words that stand under one another are moved apart (see `spreadLabels`).
  const boxes = notes.filter(beginning).map((words) => [words, words.getBoundingClientRect()]);
  return boxes.map(([words, box]) => {
    const isReached = (one) => box.left < one.left && one.left < box.right && !areUnder(one, box, scale);
    const isBeside = (one) => one.top < box.bottom && box.top < one.bottom;
    const names = boxes.map(([, one]) => one).filter((one) => isReached(one) && isBeside(one));
    return [words, Math.min(1, ...names.map((one) => (one.left - WORD_GAP - box.left) / box.width))];
  });
}

function areUnder(one, other, scale) {
  // Whether two words begin, or end, at one place.
  return ["left", "right"].some((side) => Math.abs(one[side] - other[side]) <= COLUMN * scale);
}

function beginning(words) {
  return getComputedStyle(words).textAnchor === "start";
}

function centred(words) {
  return getComputedStyle(words).textAnchor === "middle";
}

function middle({ left, right }) {
  return (left + right) / 2;
}

function keepBelowTitle(words, node, scale, smallest) {
  // The title of an upright axis, between the picture's own title and its lower edge.
  words.style.translate = "";
  const { bottom } = node.getBoundingClientRect();
  const top = titleEnd(node);
  shrink(words, (bottom - top) / words.getBoundingClientRect().height, smallest);
  const box = words.getBoundingClientRect();
  const below = bottom - box.bottom;
  const away = box.top < top ? Math.min(top - box.top, Math.max(below, 0)) : Math.min(below, 0);
  if (away) words.style.translate = `0 ${away / scale}px`;
}

function titleEnd(node) {
  // The lower edge of the picture's title, or the upper one of a picture that has none.
  const title = node.querySelector(".gtitle")?.getBoundingClientRect();
  return title?.height ? title.bottom : node.getBoundingClientRect().top;
}

function spreadLabels(node, notes, scale) {
  // Names beside the ends of curves begin at one place, and those over these ends stop at one: those that would lie on
  // each other move apart, no more.
  const labels = notes.filter(beginning);
  const boxes = labels.map((words) => ({ note: words.closest(".annotation"), box: words.getBoundingClientRect() }));
  const { bottom } = node.getBoundingClientRect();
  const title = node.querySelector(".gtitle")?.getBoundingClientRect();
  const columns = [];
  for (const one of boxes) {
    const column = columns.find((others) => others.some((other) => areUnder(one.box, other.box, scale)));
    if (column) column.push(one);
    else columns.push([one]);
  }
  for (const column of columns) {
    column.sort((one, other) => one.box.top - other.box.top);
    const begin = column.length > 1 && column.some(({ box }) => isBelow(title, box)) ? title.bottom : -Infinity;
    const places = apart(column.map(({ box }) => ({ place: box.top, size: box.height })), begin, bottom);
    column.forEach(({ note, box }, index) => {
      if (places[index] !== box.top) note.style.translate = `0 ${(places[index] - box.top) / scale}px`;
    });
  }
}

function isBelow(title, box) {
  return Boolean(title) && box.left < title.right && box.right > title.left;
}

function apart(spans, begin, end) {
  // Ascending places, each behind the one before it, all before the end and none before the beginning, moved by the
  // least squares.
  const groups = [];
  for (const { place, size } of spans) {
    let group = { begin: place, sizes: [size] };
    while (groups.length && groups.at(-1).begin + sum(groups.at(-1).sizes) > group.begin) {
      const before = groups.pop();
      const sizes = [...before.sizes, ...group.sizes];
      const moved = (group.begin - sum(before.sizes)) * group.sizes.length;
      group = { begin: (before.begin * before.sizes.length + moved) / sizes.length, sizes };
    }
    groups.push(group);
  }
  let limit = end;
  for (const group of groups.reverse()) limit = group.begin = Math.min(group.begin, limit - sum(group.sizes));
  let free = begin;
  for (const group of groups.reverse()) free = (group.begin = Math.max(group.begin, free)) + sum(group.sizes);
  return groups.flatMap(({ begin, sizes }) => sizes.map((_, index) => begin + sum(sizes.slice(0, index))));
}

function thinTicks(node) {
  // Numbers along an axis that would lie on each other give way to those at its end.
  giveWay([...node.querySelectorAll("[class^=xaxislayer] text")], (label) => {
    const { left, right, bottom } = label.getBoundingClientRect();
    const slope = Math.sin((slant(label) * Math.PI) / 180);
    if (!slope) return { begin: left, end: right + TICK_GAP, line: Math.round(bottom) };
    const begin = slope > 0 ? left : right; // where it hangs; one behind it stands clear by its line's height
    const size = (label.getBBox().height * magnification(node)) / Math.abs(slope);
    return { begin, end: begin + (1 - 2 * AIR) * size, line: "aslant" };
  });
  for (const axis of node.querySelectorAll("[class^=yaxislayer], .cbaxis"))
    giveWay([...axis.querySelectorAll("text")], (label) => {
      const { top, bottom, height } = label.getBoundingClientRect();
      return { begin: top + AIR * height, end: bottom - AIR * height, line: "" };
    });
}

function fitCells(node, smallest) {
  // The numbers in the cells of a map, as large as all of them find room. Where that is too small to read they go: the
  // colours tell it as well.
  const map = node.querySelector(".heatmaplayer")?.getBoundingClientRect();
  if (!map?.width) return;
  const notes = [...node.querySelectorAll(".annotation-text")].filter((words) => liesIn(words.getBoundingClientRect(), map));
  for (const numbers of [node.querySelectorAll(".heatmap-label text"), node.querySelectorAll(".textpoint text"), notes]) {
    for (const number of numbers) number.style.visibility = "";
    const share = shareOfRoom([...numbers]);
    if (share >= 1) continue;
    for (const number of numbers) shrink(number, share, smallest);
    const cramped = shareOfRoom([...numbers]) < FITS;
    for (const number of numbers) number.style.visibility = cramped ? "hidden" : "";
  }
}

function shareOfRoom(numbers) {
  // Which share of their size leaves all of them clear of one another, across or along.
  const boxes = numbers.map((number) => number.getBoundingClientRect()).filter(({ width }) => width);
  let share = 1;
  boxes.forEach((one, index) => {
    for (const other of boxes.slice(index + 1)) {
      const across = (Math.abs(middle(one) - middle(other)) - TICK_GAP) / ((one.width + other.width) / 2);
      const along = Math.abs(one.top + one.bottom - other.top - other.bottom) / (one.height + other.height);
      share = Math.min(share, Math.max(across, along));
    }
  });
  return share;
}

function liesIn(box, frame) {
  const up = (box.top + box.bottom) / 2;
  return frame.left < middle(box) && middle(box) < frame.right && frame.top < up && up < frame.bottom;
}

function slant(label) {
  return Number(/rotate\(([-\d.]+)/.exec(label.getAttribute("transform"))?.[1] ?? 0); // degrees
}

function giveWay(labels, span) {
  // Those with a star, which a story speaks of, stay; of others those at the end of their axis.
  const spans = labels.map((label) => ({ label, ...span(label), isMarked: label.textContent.includes("★") }));
  for (const line of Object.values(Object.groupBy(spans, ({ line }) => line))) {
    const shown = [];
    line.sort((one, other) => other.isMarked - one.isMarked || other.begin - one.begin);
    for (const one of line) {
      const isFree = shown.every(({ begin, end }) => one.end <= begin || end <= one.begin);
      one.label.style.visibility = isFree ? "" : "hidden";
      if (isFree) shown.push(one);
    }
  }
}

function legendRoom(node) {
  // Pixels of the upper margin that a legend which has wrapped needs to stand between the title and the plot; 0 where it
  // does stand there.
  const legend = node.querySelector(".legend")?.getBoundingClientRect();
  const title = node.querySelector(".gtitle")?.getBoundingClientRect();
  if (!legend?.height || !title?.height) return 0;
  const { top } = node.getBoundingClientRect();
  const liesOnTitle = legend.top < title.bottom && legend.left < title.right;
  const liesOnPlot = legend.bottom > top + node._fullLayout._size.t * magnification(node) + WORD_GAP;
  if (!liesOnTitle && !(liesOnPlot && node.layout.legend?.yanchor === "bottom")) return 0;
  return (title.bottom - top + WORD_GAP + legend.height) / magnification(node);
}
