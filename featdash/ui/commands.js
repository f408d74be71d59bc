// Run, Pause or Resume or Replay, and Stop: each press is a command with a number, and the component's state is the
// list of those that the server has not told to be carried out. A request may be joined with others, come twice or be
// taken along by a timer: the list says the same.
//
// `data`: "session" and "done", whose list the server reads and the last number that it has carried out; "noun", "state"
// ("none", "ended", "queued", "running" or "paused"), "ready" (Run is allowed), "stored" (Run replays what is known),
// "mine" (the run may be held and stopped), "alone" (there is Replay, and nothing else), "shortcut" and "help".
//
// Until the server has carried out the last command the buttons show what they lead to: Stop can be pressed right after
// Run. A button that is not to be pressed keeps the focus: it is aria-disabled.

const MOST = 20; // commands that wait for the server
const lists = (window.featdashCommands ??= {}); // place -> {session, last, list}, also while the page is another one
const views = new WeakMap(); // parentElement -> its nodes and what they show
const KEYS = { Space: " " };
const TYPES = "input, textarea, select, [contenteditable=true]";
const PRESSES = "button, a, summary, [role=button], [role=slider], [role=radio], [role=tab], [role=option]";

function listOf({ place, session, done }) {
  if (lists[place]?.session !== session) lists[place] = { session, last: done, list: [] };
  const known = lists[place];
  known.last = Math.max(known.last, done);
  known.list = known.list.filter(([number]) => number > done);
  return known;
}

function stateAfter(data, list) {
  let { state, mine } = data;
  for (const [, command] of list) {
    if (command === "run") [state, mine] = data.stored ? ["ended", mine] : ["running", true];
    else state = { pause: "paused", resume: "running", stop: "ended" }[command] ?? state;
  }
  return { state, mine };
}

function buttonsOf(data, list) {
  const { state, mine } = stateAfter(data, list);
  const going = ["queued", "running", "paused"].includes(state);
  const middle = state === "ended" ? "replay" : state === "paused" ? "resume" : "pause";
  if (data.alone) return [{ command: "replay", label: "Replay", able: true }];
  return [
    { command: "run", label: `Run ${data.noun}`, able: data.ready },
    { command: middle, label: `${NAMES[middle]} ${data.noun}`, able: middle === "replay" || (going && mine) },
    { command: "stop", label: `Stop ${data.noun}`, able: going && mine },
  ];
}
const NAMES = { replay: "Replay", resume: "Resume", pause: "Pause" };

function makeButton(index) {
  const frame = document.createElement("span");
  const button = frame.appendChild(document.createElement("button"));
  const label = button.appendChild(document.createElement("span"));
  const hint = button.appendChild(document.createElement("kbd"));
  const help = frame.appendChild(document.createElement("span"));
  frame.className = "featdash-command";
  button.type = "button";
  button.dataset.kind = index === 0 ? "primary" : "secondary";
  help.role = "tooltip";
  help.id = `featdash-command-${index}-${Math.random().toString(36).slice(2)}`;
  return { frame, button, label, hint, help };
}

function draw(view) {
  const { data, nodes, bar } = view;
  const shown = buttonsOf(data, listOf(data).list);
  view.shown = shown;
  while (nodes.length < shown.length) {
    const node = makeButton(nodes.length);
    const at = nodes.length;
    node.button.addEventListener("click", () => press(view, at));
    nodes.push(node);
    bar.append(node.frame);
  }
  nodes.splice(shown.length).forEach((node) => node.frame.remove());
  shown.forEach(({ command, label, able }, index) => {
    const { button, label: text, hint, help } = nodes[index];
    const key = index === (data.alone ? 0 : 1) ? data.shortcut : null;
    if (text.textContent !== label) text.textContent = label; // what has not changed is not read out again
    text.dataset.widest = index === 1 ? `Resume ${data.noun}` : "";
    button.dataset.kind = index === 0 && !data.alone ? "primary" : "secondary";
    button.setAttribute("aria-disabled", String(!able));
    if (key) button.setAttribute("aria-keyshortcuts", key);
    else button.removeAttribute("aria-keyshortcuts");
    hint.hidden = !key;
    hint.textContent = key ?? "";
    hint.setAttribute("aria-hidden", "true");
    help.textContent = data.help[command] ?? "";
    help.hidden = !help.textContent;
    if (help.textContent) button.setAttribute("aria-describedby", help.id);
    else button.removeAttribute("aria-describedby");
  });
}

function press(view, index) {
  const { command, able } = view.shown[index];
  const known = listOf(view.data);
  if (!able || known.list.length >= MOST) return;
  known.last += 1;
  known.list.push([known.last, command]);
  draw(view);
  view.setStateValue("commands", { session: known.session, list: known.list });
}

function onKey(view, event) {
  const { shortcut, alone } = view.data;
  if (!shortcut || event.repeat || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
  if (event.key.toLowerCase() !== (KEYS[shortcut] ?? shortcut.toLowerCase())) return;
  if (event.target.closest?.(shortcut === "Space" ? `${TYPES}, ${PRESSES}` : TYPES)) return;
  event.preventDefault(); // Space would scroll the page
  press(view, alone ? 0 : 1);
}

export default function ({ data, parentElement, setStateValue }) {
  let view = views.get(parentElement);
  if (!view) {
    const bar = document.createElement("div");
    bar.className = "featdash-commands";
    parentElement.append(bar);
    view = { bar, nodes: [] };
    view.listen = (event) => onKey(view, event);
    views.set(parentElement, view);
    window.addEventListener("keydown", view.listen);
  }
  Object.assign(view, { data, setStateValue });
  draw(view);
  return () => {
    window.removeEventListener("keydown", view.listen);
    view.bar.remove();
    views.delete(parentElement);
  };
}
