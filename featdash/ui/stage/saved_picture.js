// The file of a picture that a visitor saves: the picture with room below it, where it says what it shows. A part of
// the charts' script.

function withCaption({ node, stage }) {
  // A copy of the picture as it stands, zoom included, with what it shows, its settings and its link below it.
  const { l, r, t, b } = node._fullLayout._size; // the margins that the labels have taken
  const { family, size, color } = node._fullLayout.font;
  const fits = ruler(node.clientWidth - 24, `${size}px ${family}`);
  const broken = (word) => slices(word, fits);
  const lines = captionOf(node, stage.caption).flatMap((text) => fill(text.split(" "), " ", fits, broken));
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

function slices(word, fits) {
  // A word that is longer than a line, broken.
  const parts = [];
  while (!fits(word) && word.length > 1) {
    let end = word.length - 1;
    while (end > 1 && !fits(word.slice(0, end))) end -= 1;
    parts.push(word.slice(0, end));
    word = word.slice(end);
  }
  return [...parts, word];
}

function asPlotlyText(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
