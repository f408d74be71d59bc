"use strict";
(() => {
  const BASE = location.pathname.replace(/\/join(\/.*)?$/, "");
  const STEPS = 200; // of the slider
  const LONGEST = 15; // seconds between two tries without a connection
  const at = (id) => document.getElementById(id);
  const main = at("main");

  // What the phone keeps: its token, and its own guesses for the question on show.
  const memory = new Map();
  const kept = (name) => {
    try { return localStorage.getItem(name) ?? memory.get(name); } catch { return memory.get(name); }
  };
  const keep = (name, text) => {
    memory.set(name, text);
    try { localStorage.setItem(name, text); } catch { /* a private window: until it is closed */ }
  };
  let token = kept("featdash-token");
  if (!token) {
    token = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
    keep("featdash-token", token);
  }

  let code = ""; // of the room
  let state = null; // as the server last told it
  let deadline = null; // of the countdown, on this phone's own clock
  let shown = ""; // what the page shows now
  let failures = 0;
  let sendings = 0;
  let look = null; // the request under way
  let next = 0; // the timer of the one after it

  function el(tag, props = {}, ...inside) {
    const { html, aria, ...rest } = props;
    const one = Object.assign(document.createElement(tag), rest);
    for (const [name, value] of Object.entries(aria || {})) one.setAttribute(name === "role" ? name : `aria-${name}`, value);
    if (html !== undefined) one.innerHTML = html; // written by the server from Markdown, without HTML of others
    one.append(...inside);
    return one;
  }
  const trouble = (sentence) => { if (at("trouble").textContent !== sentence) at("trouble").textContent = sentence; };
  const speak = (sentence) => { at("spoken").textContent = sentence; };
  const pause = (seconds) => new Promise((done) => setTimeout(done, 1000 * seconds));
  const backoff = (times) => Math.min(LONGEST, 2 ** Math.min(times, 6) / 2) * (0.6 + 0.8 * Math.random());

  async function ask(path, options, seconds) {
    const clock = new AbortController();
    const timer = setTimeout(() => clock.abort(), 1000 * seconds);
    options.signal?.addEventListener("abort", () => clock.abort());
    try {
      const answer = await fetch(BASE + path, { cache: "no-store", credentials: "omit", ...options, signal: clock.signal });
      return { status: answer.status, text: await answer.text() };
    } finally {
      clearTimeout(timer);
    }
  }

  // The state of the room: asked for again as soon as it was told, and the server answers when there is news.
  async function poll() {
    clearTimeout(next);
    look?.abort();
    const mine = (look = new AbortController());
    const started = performance.now();
    const version = state?.version;
    let answer = null;
    try {
      const isCurrent = state && !failures; // whoever was away is told at once, and not with the next news
      const path = `/room/${code}/state${isCurrent ? `?version=${version}` : ""}`;
      answer = await ask(path, { headers: { "X-Token": token }, signal: mine.signal }, 25);
    } catch { /* no connection */ }
    if (look !== mine) return; // another look has begun
    const soon = performance.now() - started < 1000;
    const wait = take(answer) ? (soon && state?.version === version ? 1 : 0) : backoff(failures);
    if (code) next = setTimeout(poll, 1000 * wait);
  }

  function take(answer) {
    if (answer?.status === 200) {
      failures = 0;
      trouble("");
      state = JSON.parse(answer.text);
      deadline = state.left === null ? null : performance.now() + 1000 * state.left;
      render();
      return true;
    }
    failures += 1;
    if (answer?.status === 404) leave(answer.text, Boolean(state));
    else if (answer && answer.status < 500) trouble(answer.text);
    else trouble("No connection; trying again. What you have sent is kept.");
    return false;
  }

  function enter(name) {
    [code, state, shown, failures] = [name, null, "", 0];
    at("room").textContent = `room ${code}`;
    trouble("");
    rest("Joining", [`Room ${code} …`]);
    poll();
  }

  function leave(sentence, ended) {
    look?.abort();
    [code, state, shown, deadline] = ["", null, "", null];
    at("room").textContent = "";
    if (ended) {
      trouble("");
      rest("This room has ended", ["Thank you for taking part."]);
      main.append(el("button", { type: "button", onclick: door }, "Join another room"));
    } else {
      door();
      trouble(sentence);
    }
  }

  function door() {
    const field = el("input", { id: "code", type: "text", maxLength: 4, autocomplete: "off", spellcheck: false });
    field.setAttribute("autocapitalize", "characters");
    const form = el("form", { noValidate: true },
      el("p", {}, el("label", { htmlFor: "code" }, "The four letters on the wall")),
      el("div", { className: "row" }, field),
      el("div", { className: "row" }, el("button", { className: "main" }, "Join")));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const name = field.value.trim().toUpperCase();
      if (!/^[A-Z]{4}$/.test(name)) return trouble("A code has four letters; read it from the wall.");
      history.replaceState(null, "", `${BASE}/join/${name}`);
      enter(name);
    });
    main.className = "";
    speak("");
    main.replaceChildren(el("h1", {}, "Predict with your class"), form);
    field.focus();
  }

  // What the page shows.
  function render() {
    const question = state.question;
    const key = [state.status, question?.id, question?.round].join("/");
    if (key === shown) return;
    shown = key;
    if (state.status === "open") return openQuestion(question, key);
    const said = question ? guesses(question) : [];
    if (state.status === "wait") rest("Look at the wall", ["You are in. The next question will appear here."]);
    else if (state.status === "closed") rest("Look at the wall", ["The question is closed.", ...said]);
    else rest("Look at the wall", ["The class's answers are on it.", ...said]);
  }

  function rest(title, lines) {
    main.className = "rest";
    main.replaceChildren(el("h1", {}, title), ...lines.map((line) => (line.nodeType ? line : el("p", { className: "pale" }, line))));
    document.title = `${title} · FeatDash`;
    speak([title, ...lines.map((line) => line.textContent ?? line)].join(". "));
  }

  function mine(question) {
    try {
      const found = JSON.parse(kept(`featdash-guess-${code}`) || "{}");
      return found.id === question.id ? found.rounds : {};
    } catch { return {}; }
  }

  function remember(question, value) {
    const rounds = { ...mine(question), [question.round]: value };
    keep(`featdash-guess-${code}`, JSON.stringify({ id: question.id, rounds }));
  }

  function words(question, value) {
    const html = (option) => question.options_html[question.options.indexOf(option)] ?? "";
    if (value === null) return el("strong", {}, "not sure");
    if (question.kind === "number") return el("strong", {}, withUnit(question, value));
    return el("strong", { html: question.kind === "order" ? value.map(html).join(", then ") : html(value) });
  }

  function guesses(question) {
    const rounds = mine(question);
    const lines = Object.keys(rounds).map((round) =>
      el("p", {}, question.round > 1 ? `You said in round ${round}: ` : "You said: ", words(question, rounds[round])));
    return lines.length ? [el("div", { className: "guess" }, ...lines)] : ["You have not answered it."];
  }

  function openQuestion(question, key) {
    const title = el("h1", { html: question.prompt_html, tabIndex: -1 });
    const note = question.round > 1 ? "Second round: what do you think now?" : "What do you think?";
    const given = el("p", { id: "given" });
    const inputs = { choice: choice, order: order, number: number }[question.kind](question, mine(question)[question.round]);
    const unsure = el("button", { type: "button" }, "Not sure");
    const form = el("form", { noValidate: true }, ...inputs.nodes, given,
      el("div", { className: "row" }, unsure, el("button", { className: "main" }, "Send")));
    unsure.addEventListener("click", () => send(question, key, null));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const value = inputs.value();
      if (value !== undefined) send(question, key, value);
    });
    const before = question.round > 1 && 1 in mine(question) ? [el("p", { className: "pale" }, "In round 1 you said: ", words(question, mine(question)[1]))] : [];
    main.className = "";
    main.replaceChildren(title, el("p", { className: "pale" }, note, " ", el("span", { id: "time", className: "time" })), ...before, form);
    document.title = "Answer now · FeatDash";
    trouble("");
    confirm(question);
    tick();
    title.focus();
    speak("A question is open.");
  }

  function confirm(question) {
    const rounds = mine(question);
    if (!(question.round in rounds) || !at("given")) return;
    at("given").replaceChildren("You have answered: ", words(question, rounds[question.round]), ". You may change it until it closes.");
  }

  /* phone_inputs.js */

  // An answer is sent again until the server has it, the question has closed, or the visitor sends another.
  async function send(question, key, value) {
    const serial = ++sendings;
    const body = JSON.stringify({ question: question.id, round: question.round, value, token });
    trouble("");
    if (at("given")) at("given").textContent = "Sending …";
    for (let tries = 1; serial === sendings && shown === key; tries += 1) {
      let answer = null;
      try {
        answer = await ask(`/room/${code}/answers`, { method: "POST", body, headers: { "Content-Type": "application/json" } }, 8);
      } catch { /* no connection */ }
      if (serial !== sendings) return;
      if (answer?.status === 204) {
        remember(question, value);
        trouble("");
        if (shown === key) confirm(question);
        else { shown = ""; render(); }
        return speak("Your answer is in.");
      }
      trouble(answer && answer.status < 500 ? answer.text : "No connection; your answer is sent again.");
      if (answer && answer.status < 500 && answer.status !== 429) {
        if (at("given")) at("given").textContent = "";
        confirm(question);
        return poll();
      }
      await pause(backoff(tries));
    }
  }

  function tick() {
    const time = at("time");
    if (!time) return;
    const left = deadline === null ? null : Math.ceil((deadline - performance.now()) / 1000);
    const text = left === null ? "" : left > 0 ? `${left} s left` : "Time is up.";
    if (time.textContent !== text) time.textContent = text;
    if (left === 10) speak("Ten seconds left.");
  }
  setInterval(tick, 250);

  // After sleep: what was under way is lost.
  const wake = () => { if (code && document.visibilityState === "visible") { failures = Math.min(failures, 1); poll(); } };
  document.addEventListener("visibilitychange", wake);
  addEventListener("online", wake);
  addEventListener("pageshow", (event) => { if (event.persisted) wake(); });

  const named = location.pathname.slice(BASE.length + "/join/".length).toUpperCase();
  if (/^[A-Z]{4}$/.test(named)) enter(named);
  else {
    door();
    if (named) trouble("A code has four letters; read it from the wall.");
  }
})();
