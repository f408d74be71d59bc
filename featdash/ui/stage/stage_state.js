// All that is known of a stage and of its charts, with what it is before anything has happened; nothing is added later.
// A part of the charts' script.

function newStage(parent) {
  return Object.seal({
    parent, // the component's
    component: null, // its newest call, which is told what a visitor does
    node: document.createElement("div"),
    first: null, // where the picture that leads stands
    strip: null, // where the others stand
    bar: null, // see timeline.js
    state: null, // see state_line.js
    charts: new Map(), // panel -> chart

    // What the page has said, or what went ahead of it.
    names: [], // of the panels, the one that leads first
    wide: [],
    listening: [],
    subject: undefined, // the run
    least: 0, // how many times a picture is magnified at least
    caption: null,
    ahead: undefined, // see ahead.js

    // How it stands.
    plan: "", // what leads, and what stands in the strip
    lead: undefined,
    others: [],
    promoted: null, // the panel that the visitor has enlarged
    fills: false, // it fills the window
    covered: [], // what it then lies over

    // What listens, until the stage is closed.
    observer: null,
    refit: null,
    listen: null,
    printed: null,
  });
}

function newChart(stage, panel, { frame, node, headline }) {
  return Object.seal({
    stage,
    panel,
    frame, // which holds all the others, and its tools
    headline, // what is found, above the picture
    node, // of Plotly
    opener: null, // the button of its tools
    larger: null, // the button that enlarges it
    observer: null,
    alive: true, // until it leaves the page

    // The picture as the server has sent it.
    mark: undefined, // changes with it
    whole: undefined, // the figure; of a film, that of its end
    film: undefined,
    stays: false, // it is on show while others' films play
    label: "", // its title
    alt: "", // what it says, in words
    name: "", // of a file that it is saved in
    subject: undefined, // the run that it belongs to
    beforeMark: "", // as `mark`, of the run before
    before: undefined, // the figure of the run before
    pale: NOTHING, // what is drawn of it

    // The moment on show.
    figure: { data: [], layout: { height: AWAITED } }, // what is to be drawn
    time: undefined,
    from: undefined, // the figure whose moment it is: `whole`, or an earlier one while one looks back at a live run
    rests: true, // the film does not run

    // Its size, in pixels.
    width: 0, // as it was drawn last
    height: 0,
    letters: 1, // how many times larger than in its figure
    upper: 0, // what its legend needs above the curves
    longest: 0, // the highest that `headline` has been, in a frame of
    foundWidth: 0,
    led: false, // `headline` has had words, and keeps its place

    // What Plotly has drawn, or draws.
    drawn: null, // that figure
    layout: undefined, // as Plotly was given it
    title: "", // in its lines
    drawnSize: "", // see `sizeOf`
    updates: 0, // how many times
    drawing: undefined, // a promise
    busy: false, // with a moment of a film

    // What a visitor does with it.
    drag: FINGER ? false : "zoom", // a finger on a picture scrolls the page until it is asked to zoom
    resets: 0, // how many times all was to be shown again
    isHeld: false, // a pointer is pressed on it
    pressed: null, // where it was pressed
    guessing: false,
    line: undefined, // of a guess that is dragged to its place
    move: null, // listeners of the window
    release: null,
  });
}
