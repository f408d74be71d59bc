// What a visitor has answered and finished, in the storage of their browser: it outlives the tab and the server.
//
// `data`: "text", what the session knows, as JSON; "synced", whether it has heard what is stored here; "forget", a number
// that grows each time the visitor wants all of it forgotten. `stored` is said to the session as {text, cleared}.

const NAME = "featdash.progress";
const known = (window.featdashProgress ??= { forget: 0 }); // of this tab

function stored(change) {
  try {
    return change(window.localStorage) ?? "";
  } catch {
    return ""; // a browser that lets no page store anything: what is known ends with the tab
  }
}

export default function ({ data, setTriggerValue }) {
  if (!data) return;
  known.say = (text, cleared) => window.featdashLeaves?.() || setTriggerValue("stored", { text, cleared });
  if (!known.listens) {
    known.listens = true;
    window.addEventListener("storage", ({ key, newValue }) => {
      if (key === NAME) known.say(newValue ?? "", !newValue); // another tab
    });
  }
  if (data.forget > known.forget) {
    known.forget = data.forget;
    stored((storage) => storage.removeItem(NAME));
  }
  const kept = stored((storage) => storage.getItem(NAME));
  if (!data.synced && kept) known.say(kept, false);
  else if (data.text && data.text !== kept) stored((storage) => storage.setItem(NAME, data.text));
}
