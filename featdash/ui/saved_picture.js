// The file of a picture that a visitor saves: the picture with room below it, where it says what it shows. A part of
// the charts' script, before `chart.js`.

function withCaption({ node, stage }) {
  // A copy of the picture as it stands, zoom included, with what it shows, its settings and its link below it.
  const { l, r, t, b } = node._fullLayout._size; // the margins that the labels have taken
  const { family, size, color } = node._fullLayout.font;
  const font = `${size}px ${family}`;
  const lines = captionOf(node, stage.caption).flatMap((text) => wrapped(text, node.clientWidth - 24, font));
  const room = Math.ceil(1.3 * size * lines.length) + 14; // 1.3 is Plotly's distance of lines
  const left = { xref: "paper", x: 0, xanchor: "left", xshift: 10 - l, align: "left" };
  const below = { yref: "paper", y: 0, yanchor: "top", yshift: -b };
  const text = lines.map(asPlotlyText).join("<br>");
  const layout = structuredClone(node.layout);
  const notes = layout.annotations ?? [];
  layout.annotations = [...notes, { text, ...left, ...below, showarrow: false, font: { size, color } }];
  layout.margin = { l, r, t, b: b + room, autoexpand: false };
  return { figure: { data: node.data, layout }, width: node.clientWidth, height: node.clientHeight + room };
}

function captionOf(node, caption) {
  const alt = node.getAttribute("aria-label");
  if (!caption) return [alt];
  return [alt, caption.settings, caption.link];
}

function wrapped(text, width, font) {
  // The text in lines of at most that many pixels; a word that is longer is broken.
  const pen = document.createElement("canvas").getContext("2d");
  pen.font = font;
  const fits = (line) => pen.measureText(line).width <= width;
  const lines = [];
  let line = "";
  for (const word of text.split(" ")) {
    const longer = line ? `${line} ${word}` : word;
    if (line && !fits(longer)) lines.push(line);
    line = line && fits(longer) ? longer : word;
    while (!fits(line) && line.length > 1) {
      let end = line.length - 1;
      while (end > 1 && !fits(line.slice(0, end))) end -= 1;
      lines.push(line.slice(0, end));
      line = line.slice(end);
    }
  }
  return [...lines, line];
}

function asPlotlyText(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
