// Pictures come ahead of their page, over a socket of the stage's own; see stage/ahead.py. A part of the charts' script.
//
// `ahead` of a message is {ticket, number}, and none where nothing comes ahead. What comes is a message of the page, or a
// picture of the next one: {ahead, subject, name, panel}.

const AGAIN = 3000; // milliseconds after which a socket that has closed is opened again, with the next message

function isKnown(stage, ahead) {
  // Whether the stage has this message or a later one: the page's own comes after the one that went ahead of it.
  return Boolean(ahead) && stage.ahead?.ticket === ahead.ticket && stage.ahead.number >= ahead.number;
}

function listenAhead(stage, ahead) {
  if (!ahead) return;
  const { socket: last, heard, next = 0 } = stage.ahead ?? {};
  stage.ahead = { ...stage.ahead, ...ahead };
  if (heard === ahead.ticket && (last.readyState <= WebSocket.OPEN || performance.now() < next)) return;
  last?.close();
  const address = new URL(`featdash/ahead/${ahead.ticket}`, new URL(".", ENTRY));
  address.protocol = address.protocol.replace("http", "ws");
  const socket = Object.assign(new WebSocket(address.href), { binaryType: "arraybuffer" });
  socket.addEventListener("message", ({ data }) => {
    if (stage.ahead.socket !== socket || stages.get(stage.parent) !== stage) return;
    const message = JSON.parse(decoder.decode(data));
    if (message.panel) takePicture(stage, message);
    else takeNews(stage, message);
  });
  Object.assign(stage.ahead, { socket, heard: ahead.ticket, next: performance.now() + AGAIN });
}

function takePicture(stage, { ahead, subject, name, panel }) {
  // One picture, while the server draws the next: where the run's newest moment is on show. A picture that comes to a
  // place for the first time waits for the page, which gives it its room.
  const chart = stage.charts.get(name);
  if (isKnown(stage, ahead) || stage.subject !== subject || stage.bar.time < Infinity || startsByItself(stage.bar)) return;
  if (!chart?.drawn || !take(chart, panel)) return;
  chart.subject = subject;
  chart.frame.classList.remove("featdash-before");
  ask(chart);
}

function closeAhead({ ahead }) {
  ahead?.socket?.close();
}
