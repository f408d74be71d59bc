// What a visitor has answered and finished, in the storage of their browser: it outlives the tab and the server.
//
// `data`: "text", what the session knows, as JSON; "before", the text that it gave last; "synced", whether it has heard
// what is stored here; "forget", a number that grows each time the visitor wants all of it forgotten. `stored` is said to
// the session as {text, cleared}.

const NAME = "featdash.progress";
const tab = (window.featdashProgress ??= { forget: 0 }); // of this tab

function stored(change) {
  try {
    return change(window.localStorage) ?? "";
  } catch {
    return ""; // a browser that lets no page store anything: what is known ends with the tab
  }
}

export default function ({ data, setTriggerValue }) {
  if (!data) return;
  tab.say = (text, cleared) => window.featdashLeaves?.() || setTriggerValue("stored", { text, cleared });
  if (!tab.listens) {
    tab.listens = true;
    window.addEventListener("storage", ({ key, newValue }) => {
      if (key === NAME) tab.say(newValue ?? "", !newValue); // another tab
    });
  }
  if (data.forget > tab.forget) {
    tab.forget = data.forget;
    stored((storage) => storage.removeItem(NAME));
  }
  const text = stored((storage) => storage.getItem(NAME));
  const isNews = text && text !== data.before; // else the session itself has stored it, and the page is not drawn anew
  if (!data.synced && isNews) tab.say(text, false);
  else if (data.text && data.text !== text) stored((storage) => storage.setItem(NAME, data.text));
}
