// A guess that is made in the picture: a band of its axis by a click, a number by a line that one drags to its
// place. The page hears of it as of a click on a point. A part of the charts' script.
//
// `figure.layout.meta.guess`: {axis, bands: where the bands but the last end, or null for a number}.

function asks({ figure }) {
  return figure.layout.meta?.guess;
}

function valueUnder(chart, { clientX, clientY }) {
  // Of the axis, below the pointer; beyond its ends it is held there.
  const { axis } = asks(chart);
  const { left, right, top, bottom } = chart.node.querySelector(".nsewdrag").getBoundingClientRect();
  const share = axis === "y" ? (bottom - clientY) / (bottom - top) : (clientX - left) / (right - left);
  const { range, type } = chart.node._fullLayout[`${axis}axis`];
  const place = Number(range[0]) + Math.min(Math.max(share, 0), 1) * (range[1] - range[0]);
  return type === "log" ? 10 ** place : place;
}

function moveLine(chart, { clientX, clientY }) {
  // The line under the pointer, while it is dragged.
  const { axis } = asks(chart);
  const plot = chart.node.querySelector(".nsewdrag").getBoundingClientRect(), frame = chart.frame.getBoundingClientRect();
  const [x, y] = [Math.min(Math.max(clientX, plot.left), plot.right), Math.min(Math.max(clientY, plot.top), plot.bottom)];
  const place = axis === "y" ? { left: plot.left, top: y, width: plot.width, height: 0 } : { left: x, top: plot.top, width: 0, height: plot.height };
  chart.line ??= chart.frame.appendChild(Object.assign(document.createElement("div"), { className: "featdash-guess" }));
  chart.line.style.cssText = `left: ${place.left - frame.left}px; top: ${place.top - frame.top}px; width: ${place.width}px; height: ${place.height}px`;
}

function beginGuess(chart, event) {
  // Whether the pointer is on the axes of a picture that asks.
  chart.guessing = Boolean(asks(chart) && event.target.closest?.(".draglayer"));
  if (chart.guessing && !asks(chart).bands) moveLine(chart, event);
  return chart.guessing;
}

function endGuess(chart, event) {
  if (!chart.guessing) return;
  chart.guessing = false;
  chart.line?.remove();
  chart.line = undefined;
  if (event.type !== "pointerup") return;
  const { bands } = asks(chart), value = valueUnder(chart, event);
  const above = bands?.findIndex((end) => value <= end);
  tellGuess(chart, bands ? (above < 0 ? bands.length : above) : value);
}

function tellGuess(chart, guess) {
  chart.stage.component.setTriggerValue("point", { panel: chart.panel, data: { guess } });
}
