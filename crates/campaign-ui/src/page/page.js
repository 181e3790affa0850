// The script of the page of a campaign.
//
// Every text of the campaign is written by other programs. It gets into the page as the content of
// text nodes and by no other way, with control characters made visible.
"use strict";

const at = (id) => document.getElementById(id);

/// Makes an element. A child is an element or a text.
function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined) element.setAttribute(key, value);
  }
  element.append(...children);
  return element;
}

// Texts -------------------------------------------------------------------------------------------

/// The names of the first control characters. There are pictures of them, but many fonts have none.
const CONTROLS = ("NUL SOH STX ETX EOT ENQ ACK BEL BS TAB LF VT FF CR SO SI DLE DC1 DC2 DC3 DC4 NAK SYN ETB "
  + "CAN EM SUB ESC FS GS RS US").split(" ");

function named(char) {
  const number = char.codePointAt(0);
  const code = `U+${number.toString(16).toUpperCase().padStart(4, "0")}`;
  return `⟨${CONTROLS[number] ?? (number === 127 ? "DEL" : code)}⟩`;
}

/// Shows what a terminal or a browser would obey or hide: control characters, and those that change
/// the direction of a text or have no width.
function shown(text) {
  return String(text ?? "").replace(
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g, named);
}

/// Shows a text in one line.
const line = (text) => shown(text).replace(/[\n\t]/g, named);

const digits = new Intl.NumberFormat("en-US");
const whole = (number) => digits.format(Math.round(number));

function rounded(number) {
  return number >= 100 || number === 0 ? whole(number) : String(Number(number.toPrecision(2)));
}

function amount(number) {
  for (const [unit, name] of [[1e9, "G"], [1e6, "M"], [1e4, "k"]]) {
    if (number >= unit) return Number((number / (unit === 1e4 ? 1e3 : unit)).toFixed(2)) + name;
  }
  return String(Number(number.toFixed(3)));
}

function size(bytes) {
  if (bytes < 1000) return `${bytes} B`;
  for (const [unit, name] of [[1e9, "GB"], [1e6, "MB"], [1e3, "kB"]]) {
    if (bytes >= unit) return `${(bytes / unit).toFixed(bytes >= 100 * unit ? 0 : 1)} ${name}`;
  }
  return "";
}

function duration(seconds) {
  const parts = [[86400, "d"], [3600, "h"], [60, "min"], [1, "s"]];
  const first = parts.findIndex(([unit]) => seconds >= unit);
  if (first < 0) return "0 s";
  const [unit, name] = parts[first];
  const text = `${Math.floor(seconds / unit)} ${name}`;
  const next = parts[first + 1];
  const rest = next ? Math.floor((seconds % unit) / next[0]) : 0;
  return rest > 0 ? `${text} ${rest} ${next[1]}` : text;
}

const two = (number) => String(number).padStart(2, "0");

function clock(time) {
  const date = new Date(time);
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  const minute = `${two(date.getHours())}:${two(date.getMinutes())}`;
  const isToday = date.toDateString() === new Date().toDateString();
  return isToday ? minute : `${day} ${minute}`;
}

function identity(it) {
  return line(it.what ? `${it.kind}: ${it.what}` : it.kind);
}

function wholeIdentity(it) {
  const frames = it.frames.length ? ` in ${it.frames.map(line).join(" < ")}` : "";
  return identity(it) + frames;
}

const many = (count, noun) => `${whole(count)} ${noun}${count === 1 ? "" : "s"}`;

// The server --------------------------------------------------------------------------------------

/// The name of the key in the storage of the browser, which each port has for itself.
const KEY = "nubbin-key";

/// Shows the token once. The server answers with a cookie, which no script can read, and which
/// servers on other ports get as well, and with a key, which these do not get.
async function showToken(token) {
  const response = await ask("session", {
    method: "POST",
    headers: { "Content-Type": "application/json", Authorization: `Bearer ${token}` },
    body: "{}",
  });
  localStorage.setItem(KEY, (await response.json()).key);
}

async function takeToken() {
  const given = new URLSearchParams(location.hash.slice(1)).get("token");
  if (!given) return;
  // The address may be shown or copied.
  history.replaceState(null, "", location.pathname);
  try {
    await showToken(given);
  } catch (error) {
    tellProblem(error);
  }
}

class Refused extends Error {
  constructor(status, text) {
    super(text);
    this.status = status;
  }
}

async function ask(path, options = {}) {
  const key = localStorage.getItem(KEY);
  const response = await fetch(`api/${path}`, {
    signal: AbortSignal.timeout(20000),
    ...options,
    headers: { ...options.headers, ...(key && { "Nubbin-Key": key }) },
  });
  if (!response.ok) throw new Refused(response.status, await response.text());
  return response;
}

const read = async (path) => (await ask(path)).json();

const write = async (path, body) =>
  (await ask(path, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  })).json();

function tellProblem(error) {
  const box = at("detail").open ? at("detail-problem") : at("problem");
  box.textContent = shown(error.message || error);
  box.hidden = false;
  at("token-form").hidden = error.status !== 401;
}

function forgetProblems() {
  for (const id of ["problem", "detail-problem", "token-form"]) at(id).hidden = true;
}

// The summary -------------------------------------------------------------------------------------

let summary = null;
let hadProblem = false;

async function loadSummary() {
  try {
    summary = await read("summary");
  } catch (error) {
    hadProblem = true;
    tellProblem(error);
    return;
  }
  if (hadProblem) {
    hadProblem = false;
    forgetProblems();
  }
  showSummary();
}

function showSummary() {
  const { totals, issues } = summary;
  const open = issues.open ?? 0;
  at("name").textContent = `Campaign ${line(summary.name)}`;
  document.title = `(${open}) ${line(summary.name)} – nubbin campaign`;
  at("tests").textContent = whole(totals.tests);
  at("failures").textContent = `${whole(totals.failures)} failed, ${whole(totals.limits)} hit a limit`;
  at("rate").textContent = rounded(summary.tests_per_second);
  at("bytes").textContent = `${size(totals.bytes)} of tests`;
  at("open").textContent = whole(open);
  const others = ["ignored", "closed", "invalid"].filter((state) => issues[state]);
  at("states").textContent = others.map((state) => `${whole(issues[state])} ${state}`).join(", ");
  at("time-label").textContent = summary.is_running ? "Time since the start" : "Time on one core, in all";
  at("time").textContent = duration(summary.is_running ? summary.seconds : totals.millis / 1000);
  at("programs").textContent = summary.is_running
    ? `${duration(totals.millis / 1000)} on one core, in all`
    : "This process does not run the campaign.";
  at("stop").hidden = !summary.is_running;
  showJobs();
  showStatistics();
  choices(at("program"), summary.programs.map((program) => program.name));
}

/// Fills the choices of a filter after the first one, and keeps what is chosen.
function choices(select, names) {
  const known = Array.from(select.options).slice(1).map((option) => option.value);
  if (known.join("\n") === names.join("\n")) return;
  const chosen = select.value;
  const options = names.map((name) => make("option", { value: name }, line(name)));
  select.replaceChildren(select.options[0], ...options);
  select.value = names.includes(chosen) ? chosen : "";
}

const cell = (label, text, attributes = {}) =>
  make("td", { role: "cell", "data-label": label, ...attributes }, text);

function showJobs() {
  const rows = summary.running.map((job) =>
    make("tr", { role: "row" },
      cell("", job.kind),
      cell("", line(job.program)),
      cell("", job.generator ? line(job.generator) : job.issue ? `issue ${job.issue}` : ""),
      cell("", line(job.progress)),
      cell("", duration(job.seconds), { class: "number" })));
  at("jobs").tBodies[0].replaceChildren(...rows);
  at("jobs").hidden = rows.length === 0;
  const waiting = new Map();
  const running = new Set(summary.running.map((job) => `${job.kind} ${job.issue}`));
  for (const job of summary.queued) {
    if (running.has(`${job.kind} ${job.issue}`)) continue;
    waiting.set(job.kind, (waiting.get(job.kind) ?? 0) + 1);
  }
  const texts = Array.from(waiting, ([kind, count]) => `${whole(count)} to ${kind}`);
  const none = rows.length === 0 ? "No job runs. " : "";
  at("queued").textContent = none + (texts.length ? `Waiting: ${texts.join(", ")}.` : "No job waits.");
}

function showStatistics() {
  const rows = summary.statistics.map((row) => {
    const number = (text) => make("td", { class: "number" }, text);
    const seconds = row.millis / 1000;
    return make("tr", {},
      make("th", { scope: "row" }, line(row.program)),
      make("td", {}, line(row.generator)),
      make("td", {}, line(row.version)),
      number(whole(row.tests)),
      number(whole(row.failures)),
      number(whole(row.limits)),
      number(whole(row.issues)),
      number(row.tests ? size(Math.round(row.bytes / row.tests)) : "–"),
      number(duration(seconds)),
      number(seconds > 0 ? rounded(row.tests / seconds) : "–"));
  });
  at("statistics").tBodies[0].replaceChildren(...rows);
  const sources = summary.sources.map((it) => {
    const figure = (name, value) => value === null ? [] : [many(value, name)];
    const figures = [...figure("run", it.runs), ...figure("test", it.corpus), ...figure("edge", it.edges)];
    const name = it.instance ? `${it.generator} (${it.instance})` : it.generator;
    return make("li", {}, `Fuzzer of ${line(name)}: ${figures.join(", ") || "no figures in its output"}`);
  });
  at("sources").replaceChildren(...sources);
}

// Plots -------------------------------------------------------------------------------------------

const SVG = "http://www.w3.org/2000/svg";
const [WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM] = [640, 280, 66, 18, 14, 46];
/// The most points of a line.
const POINTS = 240;

function draw(name, attributes, text) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text !== undefined) element.textContent = text;
  return element;
}

const tenth = (number) => Math.round(number * 10) / 10;

/// Returns at most eight round values from 0. Counts are whole numbers.
function ticks(high) {
  const rough = high / 6;
  const power = 10 ** Math.floor(Math.log10(rough));
  const round = [1, 2, 5, 10].map((it) => it * power).find((it) => it >= rough) ?? power;
  const step = high < 2 ? round : Math.max(1, round);
  const values = [];
  for (let value = 0; value <= high * (1 + 1e-9); value += step) values.push(value);
  return values;
}

/// Returns round times, as minutes since 1970.
function times(from, to) {
  const steps = [5, 10, 15, 30, 60, 120, 240, 360, 720, 1440, 2880];
  const step = steps.find((it) => (to - from) / it <= 7) ?? 2880;
  // Days begin at midnight here.
  const zone = new Date(to * 60000).getTimezoneOffset();
  const values = [];
  for (let value = Math.ceil((from - zone) / step) * step + zone; value <= to; value += step) {
    values.push(value);
  }
  return values;
}

function timeName(minute, isLong) {
  const date = new Date(minute * 60000);
  const time = `${two(date.getHours())}:${two(date.getMinutes())}`;
  if (!isLong) return time;
  return date.getHours() === 0 && date.getMinutes() === 0
    ? `${two(date.getMonth() + 1)}-${two(date.getDate())}`
    : time;
}

/// Draws lines over time. A series has a label, a class, and points [minute, value].
function plot(title, name, series, [from, to]) {
  const values = series.flatMap((it) => it.points.map((point) => point[1]));
  const high = Math.max(1, ...values);
  const x = (minute) => tenth(LEFT + ((minute - from) / Math.max(1, to - from)) * (WIDTH - LEFT - RIGHT));
  const y = (value) => tenth(HEIGHT - BOTTOM - (value / high) * (HEIGHT - BOTTOM - TOP));
  const ends = series.map((it) => {
    const last = it.points.length ? it.points[it.points.length - 1][1] : 0;
    const most = Math.max(0, ...it.points.map((point) => point[1]));
    return `${it.label}: at the end ${whole(last)}, at most ${whole(most)}`;
  });
  const svg = draw("svg", {
    viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
    role: "img",
    "aria-label": `${title}. ${ends.join("; ")}.`,
  });
  for (const value of ticks(high)) {
    svg.append(
      draw("line", { class: "grid", x1: LEFT, x2: WIDTH - RIGHT, y1: y(value), y2: y(value) }),
      draw("text", { class: "tick", x: LEFT - 8, y: y(value) + 4, "text-anchor": "end" }, amount(value)));
  }
  for (const minute of times(from, to)) {
    svg.append(
      draw("line", { class: "grid", x1: x(minute), x2: x(minute), y1: TOP, y2: HEIGHT - BOTTOM }),
      draw("text", { class: "tick", x: x(minute), y: HEIGHT - BOTTOM + 18, "text-anchor": "middle" },
        timeName(minute, to - from > 1440)));
  }
  const middle = (TOP + HEIGHT - BOTTOM) / 2;
  svg.append(
    draw("text", { class: "axis", x: (LEFT + WIDTH - RIGHT) / 2, y: HEIGHT - 8, "text-anchor": "middle" }, "time"),
    draw("text", { class: "axis", x: 14, y: middle, "text-anchor": "middle",
      transform: `rotate(-90 14 ${middle})` }, name));
  for (const it of series) {
    const steps = it.points.map(([minute, value], i) => {
      if (i === 0) return `M${x(minute)} ${y(value)}`;
      return it.isSteps ? `H${x(minute)}V${y(value)}` : `L${x(minute)} ${y(value)}`;
    });
    const path = draw("path", { class: `line ${it.class}`, d: steps.join("") });
    path.append(draw("title", {}, it.label));
    svg.append(path);
  }
  const figure = make("figure", {}, make("figcaption", {}, title), svg);
  if (series.length > 1) {
    const entries = series.map((it) =>
      make("span", { class: "entry" }, make("span", { class: `key ${it.class}` }), it.label));
    figure.append(make("p", { class: "legend" }, ...entries));
  }
  return make("div", {}, figure);
}

async function loadHistory() {
  const minutes = Number(at("span").value);
  const to = Math.floor(Date.now() / 60000);
  try {
    showHistory(await read(`history?since=${to - minutes}`), to - minutes, to);
  } catch (error) {
    tellProblem(error);
  }
}

function showHistory(rows, from, to) {
  const programs = Array.from(new Set(rows.map((row) => row.program))).sort();
  const step = Math.max(1, Math.ceil((to - from) / POINTS));
  const buckets = Math.ceil((to - from) / step);
  const tests = new Map(programs.map((name) => [name, new Array(buckets).fill(0)]));
  const found = new Array(buckets).fill(0);
  for (const row of rows) {
    const bucket = Math.floor((row.minute - from) / step);
    // The minute that is not over would look like a fall.
    if (bucket < 0 || bucket >= buckets) continue;
    tests.get(row.program)[bucket] += row.tests / step;
    found[bucket] += row.issues;
  }
  const classes = programs.length > 8 ? null : programs.map((_, i) => `c${i}`);
  let series = programs.map((name, i) => ({
    label: line(name),
    class: classes ? classes[i] : "c0",
    points: tests.get(name).map((value, bucket) => [from + bucket * step, value]),
  }));
  if (!classes) {
    // More programs than colors.
    const points = series[0].points.map(([minute], i) =>
      [minute, series.reduce((all, it) => all + it.points[i][1], 0)]);
    series = [{ label: "all programs", class: "c0", points }];
  }
  const recent = rows.reduce((all, row) => all + row.issues, 0);
  let all = Math.max(0, (summary?.totals.issues ?? recent) - recent);
  const points = [[from, all]];
  found.forEach((count, bucket) => {
    all += count;
    points.push([Math.min(to, from + (bucket + 1) * step), all]);
  });
  const issues = [{ label: "issues", class: "c1", isSteps: true, points }];
  at("plots").replaceChildren(
    plot("Tests per minute", "tests per minute", series, [from, to]),
    plot("Issues found so far", "issues", issues, [from, to]));
}

// The list of issues ------------------------------------------------------------------------------

/// The rows that are added at once.
const ROWS = 100;
const SEVERITIES = ["low", "medium", "high"];

let issues = [];
let listed = [];
let rowsShown = ROWS;
let current = null;
let order = { column: "id", isUp: false };
let fresh = new Set();

const smallest = (issue) => issue.reduced_bytes ?? issue.test_bytes;
const reproduces = (issue) => (issue.tries ? issue.hits / issue.tries : -1);

const COLUMNS = [
  { id: "id", name: "No.", key: (it) => it.id, isNumber: true, text: (it) => String(it.id) },
  { id: "severity", name: "Severity", key: (it) => SEVERITIES.indexOf(it.severity), first: "down",
    text: (it) => make("span", { class: `severity ${it.severity}` }, it.severity) },
  { id: "identity", name: "Identity", key: (it) => it.search, class: "identity", text: identityCell },
  { id: "program", name: "Program", key: (it) => it.program, text: (it) => line(it.program) },
  { id: "state", name: "State", key: (it) => it.state, text: (it) => it.state },
  { id: "seen", name: "Seen", label: "seen", key: (it) => it.seen, isNumber: true, first: "down",
    text: (it) => whole(it.seen) },
  { id: "size", name: "Size", label: "size", key: smallest, isNumber: true, text: sizeText },
  { id: "reproduces", name: "Reproduces", label: "reproduces", key: reproduces, isNumber: true, first: "down",
    text: (it) => (it.tries ? `${it.hits} of ${it.tries}` : "–") },
  { id: "first", name: "First seen", label: "first seen", key: (it) => it.first_seen, class: "time", first: "down",
    text: (it) => clock(it.first_seen) },
  { id: "last", name: "Last seen", label: "last seen", key: (it) => it.last_seen, class: "time", first: "down",
    text: (it) => clock(it.last_seen) },
  { id: "version", name: "Version", label: "version", key: (it) => it.last_version, class: "version",
    text: (it) => line(it.last_version) },
  { id: "generator", name: "Generator", label: "generator", key: (it) => it.generator,
    text: (it) => line(it.generator) },
  { id: "cluster", name: "Cluster", label: "cluster", key: (it) => it.cluster, class: "cluster",
    text: (it) => line(it.cluster) },
];

function sizeText(it) {
  if (it.reduced_bytes === null || it.reduced_bytes === undefined) {
    return size(it.test_bytes) + (it.reduction === "empty" ? ", also empty" : "");
  }
  return `${size(it.test_bytes)} → ${size(it.reduced_bytes)}${["partial", "limited"].includes(it.reduction) ? " …" : ""}`;
}

function identityCell(it) {
  const button = make("button", { type: "button", tabindex: "-1" }, wholeIdentity(it.identity));
  const parts = make("span", {}, button);
  if (it.regressed) parts.append(" ", make("span", { class: "regressed" }, "(has come back)"));
  if (it.note) parts.append(" ", make("span", { class: "more" }, "(note)"));
  return parts;
}

async function loadIssues() {
  let rows;
  try {
    rows = await read("issues");
  } catch (error) {
    tellProblem(error);
    return;
  }
  const known = new Set(issues.map((it) => it.id));
  if (known.size) fresh = new Set(rows.filter((it) => !known.has(it.id)).map((it) => it.id));
  for (const it of rows) {
    it.search = wholeIdentity(it.identity).toLowerCase();
    it.haystack = [it.search, it.program, it.generator, it.cluster, it.note, it.last_version, `#${it.id}`]
      .join("\n").toLowerCase();
  }
  issues = rows;
  showIssues();
}

function compare(a, b) {
  const { key } = COLUMNS.find((column) => column.id === order.column);
  const [first, second] = [key(a), key(b)];
  const sign = typeof first === "string" ? first.localeCompare(second) : first - second;
  return (order.isUp ? sign : -sign) || b.id - a.id;
}

function showIssues() {
  const state = at("state").value;
  const program = at("program").value;
  const words = at("text").value.toLowerCase().split(/\s+/).filter(Boolean);
  listed = issues
    .filter((it) => (!state || it.state === state) && (!program || it.program === program)
      && words.every((word) => it.haystack.includes(word)))
    .sort(compare);
  if (!listed.some((it) => it.id === current)) current = listed.length ? listed[0].id : null;
  at("count").textContent = issues.length === 0
    ? "There are no issues so far."
    : `${whole(listed.length)} of ${many(issues.length, "issue")}`;
  const body = at("issue-table").tBodies[0];
  const hadFocus = body.contains(document.activeElement);
  body.replaceChildren(...listed.slice(0, rowsShown).map(issueRow));
  at("issue-table").hidden = listed.length === 0;
  at("show-more").hidden = listed.length <= rowsShown;
  at("show-more").textContent = `Show ${whole(Math.min(ROWS, listed.length - rowsShown))} more`;
  for (const head of at("issue-table").tHead.rows[0].cells) {
    const isOrder = head.dataset.column === order.column;
    head.setAttribute("aria-sort", isOrder ? (order.isUp ? "ascending" : "descending") : "none");
    head.querySelector(".arrow").textContent = isOrder ? (order.isUp ? " ▲" : " ▼") : "";
  }
  at("sort").value = order.column;
  mark(hadFocus);
}

function issueRow(it) {
  const cells = COLUMNS.map((column) => {
    const kind = [column.class, column.isNumber ? "number" : null].filter(Boolean).join(" ");
    return make("td", { role: "cell", class: kind || null, "data-label": column.label }, column.text(it));
  });
  const row = make("tr", { role: "row", "data-id": it.id, class: fresh.has(it.id) ? "new" : null }, ...cells);
  return row;
}

/// Marks the current row. Its button alone is reached by the Tab key.
function mark(takesFocus) {
  const body = at("issue-table").tBodies[0];
  for (const row of body.querySelectorAll("tr.current")) {
    row.classList.remove("current");
    row.querySelector("button").tabIndex = -1;
  }
  const row = body.querySelector(`tr[data-id="${Number(current)}"]`) ?? body.rows[0];
  if (!row) return;
  current = Number(row.dataset.id);
  row.classList.add("current");
  const button = row.querySelector("button");
  button.tabIndex = 0;
  if (takesFocus) button.focus();
}

function move(by) {
  const place = listed.findIndex((it) => it.id === current);
  const isOnTable = at("issue-table").contains(document.activeElement);
  // The first key goes to the current row.
  const next = isOnTable ? place + by : place;
  if (next < 0 || next >= listed.length) return;
  current = listed[next].id;
  if (next >= rowsShown) {
    rowsShown += ROWS;
    showIssues();
  }
  mark(true);
}

function makeHead() {
  const cells = COLUMNS.map((column) =>
    make("th", { scope: "col", role: "columnheader", "data-column": column.id, class: column.isNumber ? "number" : null },
      make("button", { type: "button" }, column.name, make("span", { class: "arrow", "aria-hidden": "true" }))));
  at("issue-table").tHead.rows[0].replaceChildren(...cells);
  at("sort").replaceChildren(...COLUMNS.map((column) => make("option", { value: column.id }, column.name)));
}

function sortBy(id) {
  const column = COLUMNS.find((it) => it.id === id);
  order = order.column === id
    ? { column: id, isUp: !order.isUp }
    : { column: id, isUp: column.first !== "down" };
  showIssues();
}

// One issue ---------------------------------------------------------------------------------------

let detail = null;
/// The most inputs of an issue that are listed.
const INPUTS = 20;

async function openIssue(id) {
  current = id;
  mark(false);
  at("detail-problem").hidden = true;
  at("detail-news").textContent = "";
  try {
    detail = await read(`issue/${id}`);
  } catch (error) {
    tellProblem(error);
    return;
  }
  at("note").value = detail.issue.note;
  showDetail();
  if (!at("detail").open) {
    at("detail").showModal();
    at("detail").scrollTop = 0;
    at("detail-title").focus();
  }
}

/// Loads the shown issue again, and leaves a note that was begun.
async function refreshDetail() {
  const id = detail.issue.id;
  const before = detail.issue.note;
  try {
    detail = await read(`issue/${id}`);
  } catch (error) {
    tellProblem(error);
    return;
  }
  if (at("note").value === before) at("note").value = detail.issue.note;
  showDetail();
}

function showDetail() {
  const { issue } = detail;
  at("detail-title").textContent = `Issue ${issue.id}: ${wholeIdentity(issue.identity)}`;
  const facts = [
    ["State", issue.state + (issue.regressed ? ", has come back" : "")],
    ["Severity", issue.severity],
    ["Program", line(issue.program)],
    ["Generator", line(issue.generator)],
    ["Seen", `in ${many(issue.seen, "test")}`],
    ["Reproduces", issue.tries ? `in ${issue.hits} of ${many(issue.tries, "run")}` : "not validated"],
    ["End of the program", line(issue.exit)],
    ["First seen", clock(issue.first_seen)],
    ["Last seen", clock(issue.last_seen)],
    ["First version", line(issue.first_version)],
    ["Last version", line(issue.last_version)],
    ["Waiting jobs", detail.jobs.map((job) => job.kind).join(", ") || "none"],
    ["Cluster", line(issue.cluster), true],
  ];
  if (issue.first_bad) facts.push(["First revision", line(issue.first_bad)]);
  if (issue.identity.frames.length) facts.push(["Stack", issue.identity.frames.map(line).join(" < "), true]);
  if (issue.recipe) facts.push(["Choices", `${line(issue.recipe.slice(0, 300))}${issue.recipe.length > 300 ? " …" : ""}`, true]);
  at("facts").replaceChildren(...facts.map(([name, text, isWhole]) =>
    make("div", { class: isWhole ? "whole" : null }, make("dt", {}, name), make("dd", {}, text))));
  showText("test", detail.test);
  if (detail.reduced) {
    showText("reduced", detail.reduced);
    const how = {
      partial: "The reduction has not ended. ",
      limited: "A limit stopped the reduction. ",
    }[issue.reduction] ?? "";
    const tests = issue.reduction_tests ? `${many(issue.reduction_tests, "test")} were run. ` : "";
    at("reduced-about").prepend(how + tests);
  } else {
    at("reduced-size").textContent = "";
    at("reduced-about").textContent = "";
    at("reduced-text").textContent = issue.reduction === "empty"
      ? "The test is not reduced, since an empty test shows the issue as well."
      : "The test is not reduced.";
    at("reduced-text").classList.remove("hex");
  }
  at("save-reduced").hidden = !detail.reduced;
  showExplanation(issue.explanation);
  at("output").textContent = shown(detail.output.text) || "The program wrote nothing.";
  at("output-about").textContent = detail.output.is_cut
    ? `the last part of ${size(detail.output.bytes)}` : size(detail.output.bytes);
  at("sightings").tBodies[0].replaceChildren(...detail.sightings.map((it) =>
    make("tr", {}, make("td", {}, line(it.generator)), make("td", {}, line(it.version)),
      make("td", { class: "number" }, whole(it.seen)))));
  showJoins(issue);
  const inputs = detail.inputs.slice(0, INPUTS);
  at("inputs").replaceChildren(...inputs.map((it) => make("li", {}, `${line(it.generator)}: ${line(it.name)}`)));
  at("inputs-about").textContent = inputs.length < detail.inputs.length
    ? `The first ${inputs.length} of ${detail.inputs.length}.` : inputs.length ? "" : "No name of an input is known.";
  for (const button of document.querySelectorAll("[data-action]")) {
    const states = { open: "open", ignore: "ignored", close: "closed" };
    button.disabled = states[button.dataset.action] === issue.state;
  }
}

/// Shows the test with marks on the parts that may be anything of their kind.
function showExplanation(pattern) {
  at("explanation").hidden = !pattern;
  if (!pattern) return;
  at("explanation-about").textContent = `${pattern.samples
    ? `A marked part may be anything of its kind, by ${many(pattern.samples, "sample")} of each part`
    : "No part can be replaced with others of its kind"}, in ${many(pattern.tests, "test")}${
    pattern.is_complete ? "" : "; some parts were not tested"}.`;
  at("explanation-text").replaceChildren(...pattern.pieces.map((piece) => piece.any
    ? make("mark", { title: piece.others.map(line).join(", ") }, line(piece.any)) : shown(piece.text)));
}

/// Shows the issues that are joined to the shown one, or the one that it is joined to.
function showJoins(issue) {
  const isJoined = issue.joined_to !== null;
  at("split").hidden = !isJoined;
  for (const id of ["join", "join-to"]) at(id).hidden = isJoined;
  document.querySelector("label[for=join-to]").hidden = isJoined;
  const others = isJoined ? [issue.joined_to] : issue.joined;
  const links = others.map((id) => {
    const button = make("button", { type: "button" }, `Issue ${id}`);
    button.addEventListener("click", () => openIssue(id));
    return button;
  });
  at("joined").replaceChildren(...(links.length ? [isJoined ? "Joined to " : "Joined: "] : []), ...links);
}

function showText(name, excerpt) {
  at(`${name}-size`).textContent = many(excerpt.bytes, "byte");
  const about = [];
  if (!excerpt.is_utf8) about.push("The bytes are no UTF-8; the first ones are shown as hexadecimal digits.");
  else if (excerpt.is_cut) about.push("The first 64 KiB are shown.");
  at(`${name}-about`).textContent = about.join(" ");
  at(`${name}-text`).textContent = excerpt.hex ?? shown(excerpt.text);
  at(`${name}-text`).classList.toggle("hex", !excerpt.is_utf8);
}

async function save(part) {
  try {
    const response = await ask(`issue/${detail.issue.id}/${part}`);
    const address = URL.createObjectURL(await response.blob());
    make("a", { href: address, download: `issue-${detail.issue.id}.${part}` }).click();
    setTimeout(() => URL.revokeObjectURL(address), 10000);
  } catch (error) {
    tellProblem(error);
  }
}

const DONE = {
  validate: "is to be validated",
  reduce: "is to be reduced",
  explain: "is to be explained",
  open: "is open",
  ignore: "is ignored",
  close: "is closed",
  note: "has a new note",
  join: "is joined",
  split: "is split off",
};

async function act(id, action, more = {}) {
  try {
    await write(`issue/${id}`, { action, ...more });
  } catch (error) {
    tellProblem(error);
    return;
  }
  const text = `Issue ${id} ${DONE[action] ?? "was deleted"}.`;
  if (action === "delete") {
    at("detail").close();
  } else if (at("detail").open && detail?.issue.id === id) {
    at("detail-news").textContent = text;
    await refreshDetail();
  }
  at("news").textContent = text;
  await Promise.all([loadIssues(), loadSummary()]);
}

/// Asks before something that cannot be undone.
function confirmed(text, yes, then) {
  at("confirm-text").textContent = text;
  at("confirm-yes").textContent = yes;
  at("confirm-yes").onclick = () => {
    at("confirm").close();
    then();
  };
  at("confirm").showModal();
}

function actOnCurrent(action) {
  const id = at("detail").open ? detail.issue.id : current;
  if (id === null) return;
  if (action === "delete") {
    const text = `Delete issue ${id} with its tests? If it is met again, it is a new issue.`;
    confirmed(text, "Delete", () => act(id, "delete"));
  } else {
    act(id, action);
  }
}

// Keys --------------------------------------------------------------------------------------------

const KEYS = { v: "validate", r: "reduce", x: "explain", c: "close", i: "ignore", o: "open" };

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  const isField = event.target.matches?.("input, textarea, select");
  if (isField) {
    if (event.key === "Escape" && event.target.id === "text") {
      event.preventDefault();
      event.target.value = "";
      showIssues();
      mark(true);
    } else if (event.key === "Enter" && event.target.id === "text") {
      mark(true);
    }
    return;
  }
  if (at("confirm").open || at("help").open) return;
  const isOnTable = at("issue-table").tBodies[0].contains(event.target);
  const isDetail = at("detail").open;
  const { key } = event;
  if (KEYS[key]) {
    if (event.repeat || !(isDetail || isOnTable)) return;
    actOnCurrent(KEYS[key]);
  } else if (key === "?") {
    at("help").showModal();
  } else if (isDetail && (key === "j" || key === "k")) {
    const place = listed.findIndex((it) => it.id === detail.issue.id) + (key === "j" ? 1 : -1);
    if (listed[place]) openIssue(listed[place].id);
  } else if (isDetail) {
    return;
  } else if (key === "j" || (key === "ArrowDown" && isOnTable)) {
    move(1);
  } else if (key === "k" || (key === "ArrowUp" && isOnTable)) {
    move(-1);
  } else if (key === "/") {
    at("text").focus();
    at("text").select();
  } else {
    return;
  }
  event.preventDefault();
});

// Changes -----------------------------------------------------------------------------------------

/// Runs a function soon, and not more often than once in `wait` milliseconds.
function throttled(wait, run) {
  let timer = null;
  let last = 0;
  return () => {
    if (timer !== null) return;
    timer = setTimeout(() => {
      timer = null;
      last = Date.now();
      run();
    }, Math.max(50, last + wait - Date.now()));
  };
}

const summarySoon = throttled(1000, loadSummary);
const issuesSoon = throttled(2000, loadIssues);
const historySoon = throttled(5000, loadHistory);

const NEWS = new Set(["issue-added", "issue-invalidated", "issue-reduced", "issue-regressed", "warning", "paused"]);

function receive(kind, event) {
  summarySoon();
  if (kind.startsWith("issue-")) {
    issuesSoon();
    historySoon();
    if (at("detail").open && event.issue === detail?.issue.id) refreshDetail();
  }
  if (NEWS.has(kind)) at("news").textContent = `${clock(event.at)} ${line(event.text)}`;
}

function link(text, kind) {
  at("link").textContent = text;
  at("link").className = `badge ${kind}`;
}

async function everything() {
  await Promise.all([loadSummary(), loadIssues()]);
  await loadHistory();
}

/// The number of the last event that was received.
let last = null;

/// Reads the stream of events until it ends. `EventSource` would not tell that the token is wrong.
async function listen() {
  const stop = new AbortController();
  // The server sends something every 15 seconds.
  const alive = () => setTimeout(() => stop.abort(), 40000);
  let timer = alive();
  try {
    const more = last === null ? {} : { "Last-Event-ID": String(last) };
    const response = await ask("events", { headers: more, signal: stop.signal });
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      clearTimeout(timer);
      timer = alive();
      const blocks = (rest + value).split("\n\n");
      rest = blocks.pop();
      blocks.forEach(take);
    }
  } finally {
    clearTimeout(timer);
  }
}

function take(block) {
  const fields = {};
  for (const part of block.split("\n")) {
    const [name, ...value] = part.split(": ");
    fields[name] = value.join(": ");
  }
  if (fields.id !== undefined) last = Number(fields.id);
  if (fields.event === "hello") link("connected", "good");
  else if (fields.event) receive(fields.event, JSON.parse(fields.data));
}

async function follow() {
  for (let isFirst = true; ; isFirst = false) {
    // Counts have no events that are kept, so all is read again after a gap.
    if (!isFirst) everything();
    try {
      await listen();
    } catch (error) {
      if (error.status === 401) {
        link("no access", "bad");
        tellProblem(error);
        return;
      }
    }
    link("not connected, trying again", "bad");
    await new Promise((resolve) => setTimeout(resolve, 3000));
  }
}

// The start ---------------------------------------------------------------------------------------

function begin() {
  follow();
  everything();
}

for (const id of ["state", "program", "text"]) {
  at(id).addEventListener("input", () => {
    rowsShown = ROWS;
    showIssues();
  });
}
at("join-form").addEventListener("submit", (event) => {
  event.preventDefault();
  const to = Number(at("join-to").value);
  at("join-to").value = "";
  act(detail.issue.id, "join", { to });
});
at("split").addEventListener("click", () => act(detail.issue.id, "split"));
at("filters").addEventListener("submit", (event) => event.preventDefault());
at("sort").addEventListener("input", () => sortBy(at("sort").value));
at("issue-table").tHead.addEventListener("click", (event) => {
  const head = event.target.closest("th");
  if (head && event.target.closest("button")) sortBy(head.dataset.column);
});
at("issue-table").tBodies[0].addEventListener("click", (event) => {
  const row = event.target.closest("tr");
  // A text may be selected without opening the issue.
  if (row && getSelection().isCollapsed) openIssue(Number(row.dataset.id));
});
at("issue-table").tBodies[0].addEventListener("focusin", (event) => {
  const row = event.target.closest("tr");
  if (row && Number(row.dataset.id) !== current) {
    current = Number(row.dataset.id);
    mark(false);
  }
});
at("show-more").addEventListener("click", () => {
  rowsShown += ROWS;
  showIssues();
});
at("span").addEventListener("input", loadHistory);
at("stop").addEventListener("click", () => {
  const stop = () => write("stop", {}).then(() => {
    at("news").textContent = "The campaign ends.";
    summarySoon();
  }, tellProblem);
  confirmed("Stop the campaign? It can go on later.", "Stop the campaign", stop);
});
at("show-help").addEventListener("click", () => at("help").showModal());
for (const button of document.querySelectorAll("[data-close]")) {
  button.addEventListener("click", () => button.closest("dialog").close());
}
for (const button of document.querySelectorAll("[data-action]")) {
  button.addEventListener("click", () => actOnCurrent(button.dataset.action));
}
at("detail").addEventListener("close", () => mark(true));
at("save-test").addEventListener("click", () => save("test"));
at("save-reduced").addEventListener("click", () => save("reduced"));
at("save-note").addEventListener("click", () => act(detail.issue.id, "note", { note: at("note").value }));
at("token-form").addEventListener("submit", (event) => {
  event.preventDefault();
  const token = at("token").value.trim();
  at("token").value = "";
  forgetProblems();
  showToken(token).then(begin, tellProblem);
});
// What changes without an event: the time, and how often issues were seen.
setInterval(() => document.hidden || summarySoon(), 5000);
setInterval(() => document.hidden || (issuesSoon(), historySoon()), 30000);

// The link of another run may be opened in the same tab.
addEventListener("hashchange", () => location.reload());
makeHead();
takeToken().then(begin);
