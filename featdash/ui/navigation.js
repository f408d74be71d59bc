// The address bar, Back and Forward, and the menu's entry of the page on show.
//
// `data`: "text", the selector of what holds a text's links, "header", "link", "group" and "drawer", those of the menu,
// "main", of what scrolls, "list", of what a button has opened over the page, "title" and "section" of the page on show,
// "place", its scene, and "asked", the "address" to go to with its "mark", another one each time.
//
// Streamlit hears of a change of address as it hears of Back and Forward: by `popstate`.

const LEAVING = 5000; // milliseconds that a page which was clicked on may take to come
const TOLD = 100; // milliseconds in which a list that closes is told to the server
const PAGE = /^\w+(\?|$)/; // the address of a page of the app, relative to it

function go(address) {
  const url = new URL(address, document.location.href);
  noteDeparture(url);
  window.history.pushState({}, "", url);
  window.dispatchEvent(new PopStateEvent("popstate"));
}

function isPlain({ button, ctrlKey, metaKey, shiftKey, altKey }) {
  // Of a click: others open another tab, or save.
  return button === 0 && !(ctrlKey || metaKey || shiftKey || altKey);
}

// Links of a text to pages of the app, such as `[The Lab](lab?n=1000)`: Streamlit gives each of them a target, another
// tab. A link that stands elsewhere, such as a link button, has the target that was meant for it.
function followLinks(text) {
  if (window.featdashLinks) return;
  window.featdashLinks = true;
  const follow = (event) => {
    const link = event.target.closest?.("a[href]");
    if (!link || !isPlain(event) || (link.target && !link.closest(text)) || !PAGE.test(link.getAttribute("href"))) return;
    event.preventDefault();
    event.stopPropagation();
    go(link.getAttribute("href"));
    window.scrollTo(0, 0);
  };
  document.addEventListener("click", follow, true);
}

// Whether another page was asked for and has not come yet. What is told to the server meanwhile asks for the page before
// once more, which takes the place of the other one: who has time asks this first, and tells it to the next page.
function noteDeparture({ pathname }) {
  if (pathname === window.location.pathname) return;
  window.featdashDeparture = { place: window.featdashPlace, at: performance.now() };
}

function noteLeaving() {
  if (window.featdashLeaves) return;
  const leave = ({ target }) => {
    const link = target.closest?.("a[href]"); // also one of the menu, which Streamlit follows
    if (link) noteDeparture(link);
  };
  window.addEventListener("click", leave, true);
  window.featdashLeaves = () => {
    const { featdashDeparture: departure, featdashPlace: place } = window;
    return departure?.place === place && performance.now() - departure.at < LEAVING;
  };
}

// A list that is open closes as one clicks on a link outside it, and Streamlit tells the server so just after it has asked
// for the page of the link: it would get the page before once more. The list is closed as the link is pressed, and the
// link is followed once that has been told.
function closeBeforeLeaving(list) {
  if (window.featdashCloses) return;
  window.featdashCloses = true;
  let waits = null; // the link that was pressed while a list was open
  const press = ({ target }) => {
    const open = document.querySelector(list);
    const link = target.closest?.("a[href]");
    const leads = open && link?.origin === window.location.origin && !link.hash && !open.contains(link);
    waits = leads ? link : null;
    if (leads) open.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true }));
  };
  const follow = (event) => {
    if (!waits?.contains(event.target) || !isPlain(event)) return;
    const link = waits;
    waits = null;
    event.preventDefault();
    event.stopImmediatePropagation();
    setTimeout(() => link.click(), TOLD);
  };
  window.addEventListener("pointerdown", press, true);
  window.addEventListener("click", follow, true);
}

// A page's answer may arrive, or take the place of what the visitor has asked for, when Back has left that page already.
// Streamlit then writes that page's address, which takes Forward away. What is written after Back or Forward without an
// action of the visitor is prevented, and the page gone to is asked for again, at most twice: then it is meant.
//
// A page that is clicked on is written without its settings first, or with them but under the page before, and then
// rightly. An action of the visitor is one step of the history: what is written after it once more takes its place.
function keepHistory() {
  if (!window.navigation || window.featdashHistory) return; // a browser that does not tell of its navigation
  window.featdashHistory = true;
  let asks = 0, timer = null, written = true;
  const act = () => {
    asks = 0;
    written = false;
  };
  for (const kind of ["pointerdown", "keydown", "click"]) window.addEventListener(kind, act, true);
  const ask = () => {
    asks -= 1;
    timer = null;
    window.dispatchEvent(new PopStateEvent("popstate"));
  };
  window.navigation.addEventListener("navigate", (event) => {
    const { sameDocument, url } = event.destination;
    if (event.navigationType === "traverse") asks = 2;
    else if (!sameDocument || event.hashChange || url === document.location.href) return;
    else if (asks) {
      event.preventDefault();
      timer ??= setTimeout(ask, 100);
    } else if (event.navigationType === "push") {
      if (written) {
        event.preventDefault();
        window.history.replaceState({}, "", url);
      }
      written = true;
    }
  });
}

// Streamlit marks a link by itself, but not the group that it is in, nor the link of a page that is shown at the root.
function markHere({ header, link, group, title, section }) {
  const set = (node, value) => value ? node.setAttribute("aria-current", value) : node.removeAttribute("aria-current");
  const mark = () => {
    for (const one of document.querySelectorAll(link)) set(one, one.textContent.trim() === title && "page");
    for (const one of document.querySelectorAll(group))
      set(one, section && one.textContent.trim().startsWith(section) && "true");
  };
  window.featdashHere?.disconnect();
  window.featdashHere = new MutationObserver(mark);
  const added = { childList: true, subtree: true };
  for (const one of document.querySelectorAll(header)) window.featdashHere.observe(one, added);
  mark();
}

// On a narrow window a new page or scene is read from its beginning, where the browser keeps what was pressed in sight,
// and the menu, which lies over the page there, closes; Streamlit keeps it open, from one visit to the next.
function arrive({ main, drawer, place }) {
  const before = window.featdashPlace;
  window.featdashPlace = place;
  if (before === place || !window.matchMedia("(max-width: 800px)").matches) return;
  document.querySelector(drawer)?.click();
  if (before !== undefined) document.querySelector(main)?.scrollTo(0, 0);
}

export default function ({ data }) {
  if (!data) return;
  arrive(data);
  closeBeforeLeaving(data.list);
  followLinks(data.text);
  noteLeaving();
  keepHistory();
  markHere(data);
  if (!data.asked || window.featdashWent === data.asked.mark) return;
  window.featdashWent = data.asked.mark;
  go(data.asked.address);
}
