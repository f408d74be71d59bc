// The stage on paper: a sheet is narrower than a window, and no script runs between the two, so the stage keeps its width
// and is made smaller as a whole. A part of the charts' script.

const PAPER = 690; // pixels across what a sheet of A4 prints

function toPaper({ node }) {
  const width = node.clientWidth;
  if (width > PAPER) Object.assign(node.style, { width: `${width}px`, zoom: PAPER / width });
}

function fromPaper({ node }) {
  Object.assign(node.style, { width: "", zoom: "" });
}

function listenToPrinter(stage) {
  // Returns what ends it.
  const print = () => toPaper(stage), done = () => fromPaper(stage);
  window.addEventListener("beforeprint", print);
  window.addEventListener("afterprint", done);
  return () => {
    window.removeEventListener("beforeprint", print);
    window.removeEventListener("afterprint", done);
  };
}
