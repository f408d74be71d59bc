// One chart: Plotly.react on the same node, so that zoom survives and nothing flickers.
// `data` is the bytes of {"figure": {data, layout}, "alt", "name"}, built once on the server for all viewers.

const decoder = new TextDecoder();
const MISSING = "The chart library could not be loaded; check the connection, or reload the page.";
const RETRY = 3000; // milliseconds
const charts = new WeakMap(); // parentElement -> {node, drawn, wanted, busy, observer}

function loadPlotly() {
  // One script for all charts of the page, fetched from Streamlit's own server, never from a CDN.
  window.featdashPlotly ??= new Promise((resolve, reject) => {
    const entry = document.querySelector('script[src*="/static/js/"]');
    const base = entry ? new URL("../../", entry.src) : new URL("./", document.baseURI);
    const script = document.createElement("script");
    script.src = new URL("_stcore/bidi-components/featdash.plotly/plotly.min.js?v=PLOTLY_VERSION", base).href;
    script.onload = () => resolve(window.Plotly);
    script.onerror = () => {
      script.remove();
      window.featdashPlotly = undefined; // the next picture tries again
      reject(new Error(MISSING));
    };
    document.head.appendChild(script);
  });
  return window.featdashPlotly;
}

function imageButton(Plotly, format, name) {
  return {
    name: `Download this picture as ${format.toUpperCase()}`,
    icon: format === "png" ? Plotly.Icons.camera : Plotly.Icons.disk,
    click: (node) =>
      Plotly.downloadImage(node, { format, filename: name, width: node.clientWidth, height: node.clientHeight, scale: 2 }),
  };
}

function settings(Plotly, name) {
  return {
    displaylogo: false,
    displayModeBar: "hover",
    modeBarButtonsToRemove: ["toImage", "sendChartToCloud", "select2d", "lasso2d", "autoScale2d"],
    modeBarButtonsToAdd: [imageButton(Plotly, "png", name), imageButton(Plotly, "svg", name)],
  };
}

function apologise(chart, error) {
  // Said where the picture would be; it is tried again by itself.
  chart.node.textContent = error.message;
  if (chart.alive) setTimeout(() => draw(chart), RETRY);
}

function tell(chart, points) {
  // A click on a point that carries `customdata` is told to a page that listens.
  const told = points.find((point) => point.customdata !== undefined);
  if (told) chart.component.setTriggerValue("point", told.customdata);
}

async function draw(chart) {
  // The picture in progress is followed by the newest one only; a drag in progress is not cut short.
  if (chart.busy || chart.held) return;
  chart.busy = true;
  try {
    const Plotly = await loadPlotly().catch((error) => apologise(chart, error));
    if (!Plotly) return;
    if (!chart.drawn) chart.node.replaceChildren();
    while (chart.wanted !== chart.drawn && chart.alive && !chart.held) {
      const text = chart.wanted;
      const { figure, alt, name } = JSON.parse(text);
      chart.node.style.height = `${figure.layout.height}px`;
      chart.node.setAttribute("aria-label", alt);
      // The very same settings object each time: Plotly rebuilds the plot, zoom lost, if one function in it is new.
      if (chart.name !== name) Object.assign(chart, { name, settings: settings(Plotly, name) });
      await Plotly.react(chart.node, figure.data, figure.layout, chart.settings);
      if (!chart.drawn) chart.node.on("plotly_click", (event) => tell(chart, event.points));
      chart.drawn = text;
      chart.updates += 1;
      chart.node.dataset.updates = chart.updates;
    }
  } finally {
    chart.busy = false;
  }
}

function mount(parent) {
  const node = document.createElement("div");
  node.className = "featdash-chart";
  node.tabIndex = 0;
  node.setAttribute("role", "img");
  parent.appendChild(node);
  const chart = { node, drawn: null, wanted: null, busy: false, held: false, alive: true, updates: 0, width: 0 };
  chart.observer = new ResizeObserver(() => {
    const width = node.clientWidth;
    if (!chart.drawn || !width || width === chart.width) return;
    chart.width = width;
    window.Plotly.Plots.resize(node);
  });
  chart.observer.observe(node);
  chart.press = () => (chart.held = true);
  chart.release = () => {
    if (!chart.held) return;
    // Plotly applies a drag in its own listener for the same event: let it finish first.
    setTimeout(() => {
      chart.held = false;
      draw(chart);
    }, 0);
  };
  node.addEventListener("pointerdown", chart.press, true);
  window.addEventListener("pointerup", chart.release);
  window.addEventListener("pointercancel", chart.release);
  charts.set(parent, chart);
  return chart;
}

export default function (component) {
  const parent = component.parentElement;
  const chart = charts.get(parent) ?? mount(parent);
  chart.component = component;
  chart.wanted = typeof component.data === "string" ? component.data : decoder.decode(component.data);
  draw(chart);
  return () => {
    chart.alive = false;
    chart.observer.disconnect();
    window.removeEventListener("pointerup", chart.release);
    window.removeEventListener("pointercancel", chart.release);
    charts.delete(parent);
    window.Plotly?.purge(chart.node);
    chart.node.remove();
  };
}
