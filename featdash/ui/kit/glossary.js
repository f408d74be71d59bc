// Marked words, links to #word-…: a bubble with the explanation where the visitor points, tabs or taps.

const WORDS = GLOSSARY_WORDS; // anchor -> [headword, explanation]
const MARKED = 'a[href^="#word-"]';
const SLOW = 150; // milliseconds that a pointer rests before the bubble opens, or is away before it closes
const EDGE = 8; // pixels kept free at the sides of the window
const ends = new WeakMap(); // parentElement -> how the bubble there is taken away

export default function ({ parentElement }) {
  const bubble = document.createElement("div");
  bubble.className = "featdash-bubble";
  bubble.id = "featdash-bubble";
  bubble.setAttribute("role", "tooltip");
  bubble.popover = "manual";
  parentElement.append(bubble);

  let link = null; // the word explained now
  let pinned = false; // by a tap or a click: it stays until the next one
  let timer = 0;

  function show(target) {
    clearTimeout(timer);
    const [name, means] = WORDS[target.hash.slice(1)] ?? [];
    if (!means || target === link) return;
    hide();
    link = target;
    const title = document.createElement("strong");
    title.textContent = name;
    bubble.replaceChildren(title, document.createElement("br"), means);
    link.setAttribute("aria-describedby", bubble.id);
    bubble.showPopover();
    place();
  }

  function place() {
    const word = link.getClientRects()[0] ?? link.getBoundingClientRect();
    const { width, height } = bubble.getBoundingClientRect();
    const left = Math.min(Math.max(EDGE, word.left), window.innerWidth - width - EDGE);
    const above = word.top - height - EDGE;
    bubble.style.left = `${Math.max(EDGE, left)}px`;
    bubble.style.top = `${above > EDGE ? above : word.bottom + EDGE}px`;
  }

  function hide() {
    clearTimeout(timer);
    link?.removeAttribute("aria-describedby");
    link = null;
    pinned = false;
    if (bubble.matches(":popover-open")) bubble.hidePopover();
  }

  const word = (event) => event.target.closest?.(MARKED);
  const stays = (event) => pinned || bubble.contains(event.target);
  const heard = {
    pointerover(event) {
      if (event.pointerType === "touch") return; // its click follows
      const over = word(event);
      clearTimeout(timer);
      if (over && over !== link) timer = setTimeout(() => show(over), SLOW);
      else if (!over && link && !stays(event) && document.activeElement !== link) timer = setTimeout(hide, SLOW);
    },
    focusin: (event) => word(event)?.matches(":focus-visible") && show(word(event)),
    focusout: (event) => word(event) && word(event) === link && !pinned && hide(),
    click(event) {
      const target = word(event);
      if (!target) return bubble.contains(event.target) ? undefined : hide();
      event.preventDefault(); // the address stays what it is
      event.stopPropagation();
      const again = target === link && pinned;
      if (again) return hide();
      show(target);
      pinned = true;
    },
    keydown: (event) => event.key === "Escape" && hide(),
    scroll: (event) => link && !bubble.contains(event.target) && hide(),
  };
  for (const [name, hear] of Object.entries(heard)) document.addEventListener(name, hear, true);
  ends.get(parentElement)?.(); // Streamlit calls again where the theme changes, and ends the call before late or never
  const end = () => {
    hide();
    for (const [name, hear] of Object.entries(heard)) document.removeEventListener(name, hear, true);
    bubble.remove();
  };
  ends.set(parentElement, end);
  return end;
}
