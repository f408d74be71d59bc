// Run, Pause or Resume, and Stop: each press is a command with a number, and the component's state is the
// list of those that the server has not told to be carried out. A request may be joined with others, come twice or be
// taken along by a timer: the list says the same.
//
// `data`: "session" and "done", whose list the server reads and the last number that it has carried out; "noun", "state"
// ("none", "ended", "queued", "running" or "paused"), "ready" (Run is allowed), "stored" (Run replays what is known),
// "mine" (the run may be held and stopped) and "help".
//
// Until the server has carried out the last command the buttons show what they lead to: Stop can be pressed right after
// Run. A button that is not to be pressed keeps the focus: it is aria-disabled.

const MOST = 20; // commands that wait for the server
const lists = (window.featdashCommands ??= {}); // place -> {session, last, list}, also while the page is another one
const views = new WeakMap(); // parentElement -> its nodes and what they show

function listOf({ place, session, done }) {
  if (lists[place]?.session !== session) lists[place] = { session, last: done, list: [] };
  const queue = lists[place];
  queue.last = Math.max(queue.last, done);
  queue.list = queue.list.filter(([number]) => number > done);
  return queue;
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
  const middle = state === "paused" ? "resume" : "pause";
  return [
    { command: "run", label: `Run ${data.noun}`, able: data.ready },
    { command: middle, label: `${NAMES[middle]} ${data.noun}`, able: going && mine },
    { command: "stop", label: `Stop ${data.noun}`, able: going && mine },
  ];
}
const NAMES = { resume: "Resume", pause: "Pause" };

function makeButton(index) {
  const frame = document.createElement("span");
  const button = frame.appendChild(document.createElement("button"));
  const label = button.appendChild(document.createElement("span"));
  const help = frame.appendChild(document.createElement("span"));
  frame.className = "featdash-command";
  button.type = "button";
  button.dataset.kind = index === 0 ? "primary" : "secondary";
  help.role = "tooltip";
  help.id = `featdash-command-${index}-${Math.random().toString(36).slice(2)}`;
  return { frame, button, label, help };
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
    const { button, label: text, help } = nodes[index];
    if (text.textContent !== label) name(text, label); // what has not changed is not read out again
    text.dataset.widest = index === 1 ? `Resume ${data.noun}` : "";
    button.setAttribute("aria-disabled", String(!able));
    help.textContent = data.help[command] ?? "";
    help.hidden = !help.textContent;
    if (help.textContent) button.setAttribute("aria-describedby", help.id);
    else button.removeAttribute("aria-describedby");
  });
}

function name(text, label) {
  // The word and, apart, what it is about, for which the bar of a phone has no room during a run.
  const [word] = label.split(" ", 1);
  const rest = document.createElement("span");
  rest.className = "featdash-noun";
  rest.textContent = label.slice(word.length);
  text.replaceChildren(word, rest);
}

function press(view, index) {
  const { command, able } = view.shown[index];
  const queue = listOf(view.data);
  if (!able || queue.list.length >= MOST) return;
  queue.last += 1;
  queue.list.push([queue.last, command]);
  draw(view);
  view.setStateValue("commands", { session: queue.session, list: queue.list });
}

export default function ({ data, parentElement, setStateValue }) {
  let view = views.get(parentElement);
  if (!view) {
    const bar = document.createElement("div");
    bar.className = "featdash-commands";
    parentElement.append(bar);
    view = { bar, nodes: [] };
    views.set(parentElement, view);
  }
  Object.assign(view, { data, setStateValue });
  draw(view);
}
