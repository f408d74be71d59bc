// What each look at the charts carries: it hands them to their script, which the page's head has named already. The
// script itself would be a third of a live look's bytes.

const SCRIPT = CHARTS_SCRIPT; // its address below the app's root
const ENTRY = performance.getEntriesByType("navigation")[0].name; // the address that the document was loaded from
const MISSING = "The pictures could not be loaded; check the connection, or reload the page.";
const RETRY = 3000; // milliseconds
const places = new WeakMap(); // parentElement -> {component, unmount, note}: what to show there, and how it ends
let charts; // of the script, once it is there
let failures = 0;

async function load() {
  const address = failures ? `${SCRIPT}?${failures}` : SCRIPT; // some browsers remember that the first one failed
  charts ??= (await import(new URL(address, ENTRY).href)).default;
}

async function show(place) {
  try {
    await load();
  } catch {
    failures += 1;
    if (place.component) say(place, MISSING);
    setTimeout(show, RETRY, place);
    return;
  }
  place.note?.remove();
  if (place.component) place.unmount = charts(place.component);
}

function say(place, words) {
  place.note ??= place.component.parentElement.appendChild(document.createElement("p"));
  place.note.textContent = words;
}

export default function (component) {
  const parent = component.parentElement;
  const place = places.get(parent) ?? {};
  places.set(parent, place);
  place.component = component;
  if (charts) place.unmount = charts(component);
  else show(place);
  return () => {
    // Streamlit also ends a call that a later one has overtaken, and what stands here is of the latest.
    if (parent.isConnected || !place.component) return;
    places.delete(parent);
    place.component = undefined;
    place.unmount?.();
  };
}
