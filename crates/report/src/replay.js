// The replay of a reduction: a text for each adoption, with the change of that step marked.
//
// Every text is from the input. It gets into the page as the content of text nodes and by no other
// way. Texts are strings with a character for each byte until they are shown, since changes count
// bytes.
"use strict";

const section = document.getElementById("replay");
const data = JSON.parse(document.getElementById("replay-data").textContent);
const [slider, shown, told, play] = ["slider", "text", "told", "play"].map((name) =>
  section.querySelector(`[data-part=${name}]`));

/// The longest removed stretch that is shown whole, in bytes, and what is shown of a longer one.
const LONGEST = 600, SHOWN = 200;

/// The time of a whole replay, and the bounds of the time of a step, in milliseconds.
const WHOLE = 15000, FASTEST = 80, SLOWEST = 1000;

const digits = new Intl.NumberFormat("en-US");
const decoder = new TextDecoder();
const decoded = (bytes) => decoder.decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)));

/// The size of all texts that are kept, in bytes.
const KEPT = 1 << 25;

/// The number of steps between two texts that are kept.
const apart = Math.ceil((data.steps.length * data.text.length) / KEPT) || 1;

/// Some of the texts after steps, and the last one that was shown. The others are made from these.
/// The end of a file is a byte of its own, which `ends` has with the number of the file.
const states = new Map([[0, { text: data.text, ends: data.ends.map((at, file) => ({ at, file })) }]]);
let last = [0, states.get(0)];

function state(step) {
  let from = step - (step % apart);
  while (!states.has(from)) from -= apart;
  let [at, found] = last[0] <= step && last[0] > from ? last : [from, states.get(from)];
  while (at < step) {
    found = after(found, data.steps[at++].splices);
    if (at % apart === 0) states.set(at, found);
  }
  last = [step, found];
  return found;
}

function after({ text, ends }, splices) {
  const parts = [];
  let at = 0, moved = 0;
  let left = ends.map((end) => ({ ...end, from: end.at }));
  for (const [start, end, put] of splices) {
    parts.push(text.slice(at, start), put);
    left = left.filter(({ from }) => from < start || from >= end);
    moved = put.length - (end - start);
    for (const file of left) if (file.from >= end) file.at += moved;
    at = end;
  }
  parts.push(text.slice(at));
  return { text: parts.join(""), ends: left.map(({ at, file }) => ({ at, file })) };
}

function element(name, text) {
  const made = document.createElement(name);
  made.append(text);
  return made;
}

/// Shortens what was removed.
function shortened(bytes) {
  if (bytes.length <= LONGEST) return decoded(bytes);
  const left = digits.format(bytes.length - 2 * SHOWN);
  return `${decoded(bytes.slice(0, SHOWN))} … ${left} more bytes … ${decoded(bytes.slice(-SHOWN))}`;
}

/// Shows a step: the text before it, with what it has removed and put there.
function show(step) {
  const change = data.steps[step - 1];
  const { text, ends } = state(Math.max(step - 1, 0));
  const parts = [];
  const splices = change ? change.splices : [];
  const isRemoved = (place) => splices.some(([start, end]) => place >= start && place < end);
  /// Adds the text between two places of one file.
  const put = (start, end, removed) => {
    if (end <= start) return;
    const bytes = text.slice(start, end);
    parts.push(removed ? element("del", shortened(bytes)) : decoded(bytes));
  };
  /// Adds the name of a file before its text. The name is removed with the end of the file.
  const head = (number) => {
    if (number >= ends.length) return;
    const name = `── ${data.names[ends[number].file]} ──`;
    parts.push(element(isRemoved(ends[number].at) ? "del" : "b", name), "\n");
  };
  /// Adds the text between two places.
  const add = (start, end, removed) => {
    ends.forEach((file, number) => {
      if (file.at < start || file.at >= end) return;
      put(start, file.at, removed);
      parts.push("\n");
      head(number + 1);
      start = file.at + 1;
    });
    put(start, end, removed);
  };
  head(0);
  let at = 0;
  for (const [start, end, added] of splices) {
    add(at, start, false);
    add(start, end, true);
    if (added) parts.push(element("ins", decoded(added)));
    at = end;
  }
  add(at, text.length, false);
  shown.replaceChildren(...parts);
  const mark = shown.querySelector("del, ins");
  shown.scrollTop = mark ? mark.offsetTop - shown.clientHeight / 3 : 0;
  const before = step > 1 ? data.steps[step - 2].bytes : data.bytes;
  told.textContent = change
    ? `Step ${step} of ${data.steps.length}: ${change.pass}, after ${digits.format(change.tests)} tests, `
      + `${digits.format(before)} → ${digits.format(change.bytes)} bytes`
    : `The original, ${digits.format(data.bytes)} bytes`;
  slider.setAttribute("aria-valuetext", told.textContent);
}

function go(step) {
  slider.value = Math.min(Math.max(step, 0), data.steps.length);
  show(Number(slider.value));
}

let timer = null;

function pause() {
  clearInterval(timer);
  timer = null;
  play.textContent = "Play";
}

function toggle() {
  if (timer !== null) return pause();
  if (Number(slider.value) === data.steps.length) go(0);
  play.textContent = "Pause";
  timer = setInterval(() => {
    go(Number(slider.value) + 1);
    if (Number(slider.value) === data.steps.length) pause();
  }, Math.min(Math.max(WHOLE / data.steps.length, FASTEST), SLOWEST));
}

/// The moves of the buttons, and of the keys while the focus is in the section.
const moves = {
  first: () => go(0),
  back: () => go(Number(slider.value) - 1),
  play: toggle,
  next: () => go(Number(slider.value) + 1),
  last: () => go(data.steps.length),
};
const keys = { Home: "first", ArrowLeft: "back", " ": "play", ArrowRight: "next", End: "last" };

for (const button of section.querySelectorAll("button")) {
  button.addEventListener("click", () => {
    if (button.dataset.part !== "play") pause();
    moves[button.dataset.part]();
  });
}
slider.addEventListener("input", () => {
  pause();
  show(Number(slider.value));
});
/// Returns whether the element with the focus has its own use for a key.
function owns(element, key) {
  if (element === slider) return key !== " ";
  if (element === shown) return !key.startsWith("Arrow");
  return element.tagName === "BUTTON" && key === " ";
}

section.addEventListener("keydown", (event) => {
  const move = keys[event.key];
  if (!move || event.ctrlKey || event.altKey || event.metaKey || owns(event.target, event.key)) return;
  event.preventDefault();
  if (move !== "play") pause();
  moves[move]();
});

slider.max = data.steps.length;
section.hidden = false;
// The original is as high as any step, so the page does not move during a replay.
go(0);
shown.style.minHeight = `${shown.offsetHeight}px`;
// The step that removed most says most.
const removed = data.steps.map((step, at) => (at ? data.steps[at - 1].bytes : data.bytes) - step.bytes);
go(1 + removed.indexOf(Math.max(...removed)));
