// Keys and the focus. `data`: "app" and "state", the element and its attribute that say what the page's script does, and
// "rest", what they say when it does nothing; "heading" and "help", the selectors of a page's heading, and of a «?» in the
// label of a switch.

const CHOOSES = "input[type=checkbox], [role=slider]"; // by space and arrows
const PRESSED = "button, summary"; // by space
const TAKES = "input, textarea, select, button, a, summary, [role], [contenteditable]"; // space, which else scrolls
const RELEASED = ":is(.st-key-scene, .st-key-head, .st-key-choices) button";
const FOCUSABLE = ":is(button, input, a[href], [tabindex='0']):not([disabled])";
const PLACES = ".st-key-answer, .st-key-words h2"; // where a scene begins to tell something new
const CLEARED = 150; // milliseconds in which what a page no longer has is taken away

let pointed = null; // what a mouse or a finger was pressed on, until a key moves the focus
let held = null; // what has the focus by keyboard: its node, and the name of what holds it

// A choice that was clicked on would keep the focus, and with it arrows and space: the keys belong to the page again. Who
// uses the keyboard alone keeps the focus, and there space and arrows choose or press what has it, and nothing else.
function shareKeys() {
  window.addEventListener("click", (event) => {
    if (!event.detail) return; // by a key
    const focused = document.activeElement;
    if (focused?.matches(RELEASED)) setTimeout(() => focused.blur(), 0);
  });
  window.addEventListener("pointerdown", ({ target }) => (pointed = target.closest?.(PRESSED) ?? target), true);
  const stay = (event) => event.preventDefault();
  window.addEventListener("keydown", (event) => {
    const { key, target } = event;
    if (key === "Tab") pointed = null;
    const chooses = [" ", "ArrowLeft", "ArrowRight"].includes(key) && target.matches?.(CHOOSES);
    const presses = key === " " && target.matches?.(PRESSED) && target !== pointed;
    if (chooses || presses) event.stopImmediatePropagation();
    // Added just now it comes last: who hears of the key before it sees whether another one has taken it.
    else if (key === " " && !target.matches?.(TAKES)) window.addEventListener("keydown", stay, { once: true });
  }, true);
}

// What was pressed by a key may leave the page, be drawn anew or rest: the focus goes to what has taken its place, else to
// what the page now begins with, so that reading goes on from there.
function keepFocus({ app, state, rest, heading }) {
  window.addEventListener("focusin", ({ target }) => {
    held = pointed ? null : { node: target, holder: holderOf(target) };
  });
  const node = document.querySelector(app);
  const look = () => document.activeElement === document.body && held && isLost(held.node) && pass(held, heading);
  window.addEventListener("focusout", () => setTimeout(look, CLEARED)); // as what has the focus is taken away
  new MutationObserver(() => node.getAttribute(state) === rest && setTimeout(look, CLEARED)).observe(node, { attributes: true, attributeFilter: [state] });
}

// A press on the «?» of a switch explains it, and does not turn it over, as a press on its label does.
function explain({ help }) {
  const press = (event) => {
    const mark = event.target.closest?.(help);
    if (!mark) return;
    event.stopImmediatePropagation();
    if (event.type !== "click") return;
    event.preventDefault();
    mark.focus(); // which shows its words
  };
  for (const kind of ["pointerdown", "pointerup", "mousedown", "mouseup", "click"]) window.addEventListener(kind, press, true);
}

function holderOf(node) {
  const names = node.closest("[class*='st-key-']")?.classList ?? [];
  return [...names].find((name) => name.startsWith("st-key-"));
}

function isLost(node) {
  return !node.isConnected || node.disabled || !node.checkVisibility({ visibilityProperty: true });
}

function pass({ holder }, heading) {
  const box = holder && document.querySelector(`.${CSS.escape(holder)}`);
  const same = box && !box.querySelector("h1, h2") && [...box.querySelectorAll(FOCUSABLE)].find((one) => !isLost(one));
  const heir = same || [...document.querySelectorAll(`${PLACES}, ${heading}`)].find((one) => !isLost(one));
  if (!heir) return;
  if (!same) {
    heir.tabIndex = -1;
    heir.style.outline = "none";
  }
  heir.focus({ preventScroll: true });
}

export default function ({ data }) {
  if (!data || window.featdashKeys) return;
  window.featdashKeys = true;
  shareKeys();
  keepFocus(data);
  explain(data);
}
