  // Of each kind of question: what stands on the page, and the value that it holds; undefined where there is none yet.
  function choice(question, said) {
    const buttons = question.options.map((option) => el("input", { type: "radio", name: "option", checked: option === said }));
    const labels = buttons.map((button, i) => el("label", {}, button, el("span", { html: question.options_html[i] })));
    const value = () => {
      const chosen = buttons.findIndex((button) => button.checked);
      if (chosen < 0) trouble("Choose one, or press «Not sure».");
      return chosen < 0 ? undefined : question.options[chosen];
    };
    return { nodes: [el("fieldset", {}, el("legend", { className: "spoken" }, "Choose one"), ...labels)], value };
  }

  function order(question, said) {
    const list = el("ol", { aria: { label: "Your order, first on top" } });
    const begin = said || question.options.map((one) => [Math.random(), one]).sort().map(([, one]) => one);
    for (const option of begin) {
      const label = el("span", { html: question.options_html[question.options.indexOf(option)] });
      const item = el("li", {}, el("b"), label);
      item.option = option;
      const button = (sign, name, step) => {
        const one = el("button", { type: "button", aria: { label: `Move ${name}: ${label.textContent}` } }, sign);
        one.addEventListener("click", () => move(item, step, one));
        return one;
      };
      item.append(button("▲", "up", -1), button("▼", "down", 1));
      list.append(item);
    }
    const number = () => [...list.children].forEach((item, i) => { item.firstChild.textContent = `${i + 1}`; });
    const move = (item, step, button) => {
      const other = step < 0 ? item.previousSibling : item.nextSibling;
      if (!other) return;
      if (step < 0) other.before(item); else other.after(item);
      number();
      button.focus();
      speak(`${item.children[1].textContent} is now ${item.firstChild.textContent} of ${list.children.length}`);
    };
    number();
    return { nodes: [el("p", { className: "pale" }, "Move them into your order, first on top."), list],
      value: () => [...list.children].map((item) => item.option) };
  }

  function number(question, said) {
    const { low, high } = question;
    const where = (value) => STEPS * (question.log ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low));
    const span = `from ${withUnit(question, low)} to ${withUnit(question, high)}`;
    const slider = el("input", { type: "range", min: 0, max: STEPS, value: STEPS / 2, aria: { label: `Your guess, ${span}`, valuetext: "no guess yet" } });
    const box = el("input", { id: "number", type: "text", inputMode: "decimal", autocomplete: "off", aria: { describedby: "trouble" } });
    const put = (value) => { slider.value = where(value); slider.setAttribute("aria-valuetext", withUnit(question, value)); };
    slider.addEventListener("input", () => {
      const value = valueAt(question, slider.value / STEPS);
      box.value = `${value}`;
      slider.setAttribute("aria-valuetext", withUnit(question, value));
      trouble("");
    });
    const inside = (value) => value >= low && value <= high;
    box.addEventListener("input", () => { const value = read(box.value); if (inside(value)) { put(value); trouble(""); } });
    if (typeof said === "number") { box.value = `${said}`; put(said); }
    const value = () => {
      const guess = read(box.value);
      if (inside(guess)) return guess;
      trouble(box.value.trim() ? `Write a number ${span}.` : "Move the slider or write a number, or press «Not sure».");
      box.focus();
      return undefined;
    };
    const ends = el("div", { className: "ends", aria: { hidden: "true" } }, el("span", {}, plain(low)), el("span", {}, question.log ? "logarithmic" : ""), el("span", {}, plain(high)));
    const label = el("label", { htmlFor: "number" }, "Your guess");
    return { nodes: [slider, ends, el("div", { className: "row" }, label, box, el("span", { className: "unit" }, question.unit))], value };
  }

  // Blanks between thousands from 10 000 on: a comma or a point would be read as a decimal one.
  const plain = (value) => (Math.abs(value) < 1e4 ? `${value}` : `${value}`.replace(/^-?\d+/, (digits) => digits.replace(/\B(?=(\d{3})+$)/g, "\u202f")));
  const withUnit = (question, value) => plain(value) + (question.unit && !/^[°%]/.test(question.unit) ? "\u00a0" : "") + question.unit;

  // The number at that share of the axis, with as many digits as the slider has steps.
  function valueAt(question, share) {
    const { low, high } = question;
    if (question.log) return Math.min(high, Math.max(low, Number((low * (high / low) ** share).toPrecision(2))));
    const step = 10 ** Math.floor(Math.log10((high - low) / STEPS));
    return Math.min(high, Math.max(low, Number((Math.round((low + (high - low) * share) / step) * step).toPrecision(12))));
  }

  // With a decimal comma or point, a minus of any kind, and blanks between thousands.
  function read(text) {
    const digits = text.replace(/\s/g, "").replace(/[−–]/g, "-").replace(",", ".");
    return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(digits) ? Number(digits) : NaN;
  }
