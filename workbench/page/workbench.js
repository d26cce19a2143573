// The page: its state, its address, and the one stream of figures that belongs to it.
import { byId, drawChanged, drawSeats, drawValues, fillSelect, same } from "./controls.js";
import { drawFigures, drawPictures, stale } from "./results.js";
import { beginQuestion, drawKnobs } from "./questions.js";

const WAIT = 120; // milliseconds after the last movement of a slider
const EMPTY = { game: null, scenario: null, level: null, players: null, policies: {}, set: {}, off: {}, pinned: null, target: null };
let state = structuredClone(EMPTY);
let offer = null;
let commands = {};
let changeWords = {};
let patience = 0;
let stream = null;
let timer = null;
let keepLine = false; // what was refused is said until the next change
let opening = 0; // two quick choices: the last one counts
const past = [];
const future = [];

// ---------------------------------------------------------------- asking

async function ask(path, document, signal) {
  const answer = await fetch(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(document), signal });
  if (!answer.ok) throw new Error(await answer.text());
  return answer;
}

const setting = (it) => ({ game: it.game, scenario: it.scenario, level: it.level, players: it.players, policies: it.policies, set: it.set });

function published() {
  return { ...setting(state), set: {} };
}

// events one after another, until there are no more or nobody wants them
export async function follow(path, document, controller, isWanted, hear) {
  const answer = await ask(path, document, controller.signal);
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done || !isWanted()) return;
    const parts = (rest + value).split("\n\n");
    rest = parts.pop();
    for (const part of parts) {
      const [, name, data] = part.match(/^event: (\w+)\ndata: (.*)$/s);
      if (isWanted()) hear[name]?.(JSON.parse(data));
    }
  }
}

async function listen() {
  stream?.abort();
  const mine = (stream = new AbortController());
  const pinned = state.pinned ?? published();
  try {
    await follow("/play", { now: setting(state), pinned, target: state.target, patience }, mine, () => mine === stream, heard);
  } catch (error) {
    if (mine !== stream || error.name === "AbortError") return;
    say(error.message === "Failed to fetch" ? "The workbench has ended: start it again in the terminal." : error.message);
    byId("state").textContent = "Not played.";
  }
}

const heard = {
  setting(said) {
    if (!keepLine) say("");
    keepLine = false;
    changeWords = Object.fromEntries(said.changes.map((row) => [row.path, row.words]));
    byId("title").firstChild.textContent = said.title;
    byId("caveat").hidden = !said.reconstruction;
    byId("caveat").textContent = said.reconstruction;
    byId("assumptions").replaceChildren(...said.assumptions.map((line) => Object.assign(document.createElement("li"), { textContent: line })));
    byId("state").textContent = "Playing …";
    drawTheChanged();
  },
  compiling(said) {
    const why = said.first ? "Compiling the game for this machine, once for each version of the code: seconds for a small game, minutes for a large one." : "Getting the game ready.";
    byId("state").textContent = `${why} ${said.seconds} s so far.`;
  },
  figures(said) {
    commands = said.commands;
    drawFigures(said, state.target);
    byId("state").textContent = `${said.games.toLocaleString("en")} games of seed 1, still playing.`;
    drawCommand();
    byId("more").hidden = true;
    stale(false);
  },
  pictures: drawPictures,
  rests(said) {
    byId("state").textContent = `${said.games.toLocaleString("en")} games of seed 1; resting.`;
    byId("more").hidden = false;
  },
  refused(said) {
    say(said.line);
    byId("state").textContent = "Not played.";
  },
};

function say(line, wrong = true) {
  byId("said").textContent = line;
  byId("said").classList.toggle("wrong", wrong);
}

// ---------------------------------------------------------------- the state and its address

function remember() {
  past.push(JSON.stringify(state));
  future.length = 0;
}

// nothing of the setting before is heard any more, and what stands there is marked as old
function letGo() {
  stream?.abort();
  stream = null;
  stale(true);
  commands = {};
  changeWords = {};
  drawCommand();
  byId("state").textContent = "";
}

// slider: one undo takes back a whole movement
let lastPath = null;
function changed({ path = null, wait = 0 } = {}) {
  lastPath = path;
  patience = 0;
  letGo();
  write();
  drawTheChanged();
  byId("undo").disabled = !past.length;
  byId("redo").disabled = !future.length;
  clearTimeout(timer);
  timer = setTimeout(listen, wait);
}

function write() {
  const kept = Object.fromEntries(Object.entries(state).filter(([key, value]) => !same(value, EMPTY[key])));
  history.replaceState(null, "", `#${encodeURIComponent(JSON.stringify(kept))}`);
}

function read() {
  try {
    const said = JSON.parse(decodeURIComponent(location.hash.slice(1)));
    return { ...structuredClone(EMPTY), ...Object.fromEntries(Object.entries(said).filter(([key]) => key in EMPTY)) };
  } catch {
    return null;
  }
}

async function open(wanted, isLast) {
  const answer = await ask("/game", { game: wanted.game, scenario: wanted.scenario, level: wanted.level, players: wanted.players });
  const found = await answer.json();
  if (!isLast()) return;
  offer = found;
  state = { ...wanted, scenario: offer.scenario, level: offer.level, players: offer.players };
  drawControls();
  changed();
}

// what is refused leaves the page as it was
async function tryOpen(wanted) {
  letGo();
  clearTimeout(timer);
  const mine = (opening += 1);
  try {
    await open(wanted, () => mine === opening);
  } catch (error) {
    say(error.message);
    if (offer && mine === opening) { drawControls(); changed(); keepLine = true; }
  }
}

function drawControls() {
  byId("game").value = state.game;
  fillSelect(byId("scenario"), offer.scenarios.map((name) => [name, name]), state.scenario);
  fillSelect(byId("level"), offer.levels.map((name) => [name, name[0].toUpperCase() + name.slice(1)]), state.level);
  for (const field of document.querySelectorAll(".of-players")) field.hidden = !offer.player_counts.length;
  fillSelect(byId("players"), [["", "as the edition says"], ...offer.player_counts.map((n) => [n, n])], state.players ?? "");
  fillSelect(byId("preset"), [["", "of your own"], ...offer.bands.map((band) => [band.name, `${band.words}, ${band.whose}`])], presetOf());
  byId("low").value = state.target ? +(state.target[0] * 100).toFixed(4) : "";
  byId("high").value = state.target ? +(state.target[1] * 100).toFixed(4) : "";
  drawSeats(offer, state.policies, choosePolicy);
  drawTheValues();
  drawTheChanged();
}

const presetOf = () => offer.bands.find((band) => same([band.low, band.high], state.target))?.name ?? "";
const drawTheValues = () => drawValues(offer, state, byId("search").value, changeValue);
const drawTheChanged = () => {
  if (!offer) return;
  drawKnobs(offer, state);
  drawChanged(state, changeWords, offer, toggle, drop);
  const { pinned } = state;
  byId("pinned").textContent = pinned ? `Pinned: ${pinnedWords(pinned)}.` : "Pinned: the values of the edition, at the level and with the players of now.";
};

function pinnedWords(pinned) {
  const names = Object.fromEntries(offer.groups.flatMap((group) => group.records.flatMap((record) => record.values.map((value) => [value.path, value.what]))));
  const sets = Object.entries(pinned.set).map(([path, value]) => `${names[path] ?? path} ${JSON.stringify(value)}`);
  const who = Object.entries(pinned.policies).map(([role, policy]) => `${role} played by ${policy}`);
  return [pinned.scenario, pinned.level, ...(sets.length ? sets : ["values of the edition"]), ...who].filter(Boolean).join("; ");
}

function changeValue(path, value, shipped) {
  if (lastPath !== path) remember();
  delete state.off[path];
  if (same(value, shipped)) delete state.set[path];
  else state.set[path] = value;
  delete changeWords[path];
  changed({ path, wait: WAIT });
}

export function takeValue(path, value) {
  const shipped = offer.groups.flatMap((group) => group.records.flatMap((record) => record.values)).find((one) => one.path === path).value;
  lastPath = null;
  changeValue(path, value, shipped);
  drawTheValues();
}

function choosePolicy(role, policy) {
  remember();
  state.policies = { ...state.policies, [role]: policy };
  drawSeats(offer, state.policies, choosePolicy);
  changed();
}

function toggle(path, on) {
  remember();
  const [from, to] = on ? [state.off, state.set] : [state.set, state.off];
  to[path] = from[path];
  delete from[path];
  drawTheValues();
  changed();
}

function drop(path) {
  remember();
  delete state.set[path];
  delete state.off[path];
  drawTheValues();
  changed();
}

function back(from, to) {
  if (!from.length) return;
  to.push(JSON.stringify(state));
  tryOpen(JSON.parse(from.pop()));
}

function restart(parts) {
  remember();
  tryOpen({ ...state, ...parts });
}

// ---------------------------------------------------------------- taking along

async function copy(text, what) {
  try { await navigator.clipboard.writeText(text); say(`${what} copied.`, false); } catch { say("The browser does not let the page copy: select the text below."); }
}

function drawCommand() {
  byId("command").textContent = Object.values(commands).join("\n");
  byId("copy-run").disabled = !commands.run;
  byId("copy-compare").disabled = !commands.compare;
}

async function save(event) {
  event.preventDefault();
  try {
    const found = await (await ask("/scenario", { now: setting(state), name: byId("name").value })).json();
    byId("file").hidden = false;
    byId("file").textContent = found.text;
    const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(new Blob([found.text], { type: "text/plain" })), download: found.file });
    link.click();
    say(`${found.file} saved by the browser. Play it: bartizan run ${commands.run?.split(" ")[2] ?? ""} --scenario ${found.file}`, false);
  } catch (error) {
    say(error.message);
  }
}

// ---------------------------------------------------------------- wiring

function target() {
  const [low, high] = ["low", "high"].map((id) => byId(id).value);
  state.target = low === "" || high === "" ? null : [Number(low) / 100, Number(high) / 100];
  changed({ wait: WAIT });
}

function wire() {
  byId("game").addEventListener("change", () => { remember(); tryOpen({ ...structuredClone(EMPTY), game: byId("game").value }); });
  byId("scenario").addEventListener("change", () => restart({ scenario: byId("scenario").value, level: null, players: null, set: {}, off: {}, pinned: null }));
  byId("level").addEventListener("change", () => restart({ level: byId("level").value }));
  byId("players").addEventListener("change", () => restart({ players: byId("players").value ? Number(byId("players").value) : null, policies: {}, pinned: null }));
  byId("search").addEventListener("input", drawTheValues);
  byId("undo").addEventListener("click", () => back(past, future));
  byId("redo").addEventListener("click", () => back(future, past));
  byId("reset").addEventListener("click", () => { remember(); state.set = {}; state.off = {}; drawTheValues(); changed(); });
  byId("pin").addEventListener("click", () => { remember(); state.pinned = setting(structuredClone(state)); changed(); });
  byId("unpin").addEventListener("click", () => { remember(); state.pinned = null; changed(); });
  byId("more").addEventListener("click", () => { patience += 1; listen(); });
  byId("preset").addEventListener("change", () => {
    const band = offer.bands.find((one) => one.name === byId("preset").value);
    byId("low").value = band ? +(band.low * 100).toFixed(4) : "";
    byId("high").value = band ? +(band.high * 100).toFixed(4) : "";
    remember();
    target();
  });
  for (const id of ["low", "high"]) byId(id).addEventListener("input", () => { remember(); target(); });
  for (const way of document.querySelectorAll(".to-results")) way.addEventListener("click", () => { byId("results").scrollIntoView(); byId("results").focus({ preventScroll: true }); });
  byId("copy-run").addEventListener("click", () => copy(commands.run ?? "", "The command"));
  byId("copy-compare").addEventListener("click", () => copy(commands.compare ?? "", "The comparison"));
  byId("copy-link").addEventListener("click", () => copy(location.href, "The link"));
  for (const button of document.querySelectorAll(".question")) button.addEventListener("click", () => {
    stream?.abort();
    stream = null; // the cores are for the question
    if (byId("results").dataset.stale === "false") byId("state").textContent += " Waiting while a question is worked on.";
    beginQuestion(button.dataset.kind, setting(state), state.target, listen);
  });
  byId("save").addEventListener("submit", save);
  window.addEventListener("hashchange", () => { const wanted = read(); if (wanted?.game) { remember(); tryOpen(wanted); } });
  document.addEventListener("keydown", (event) => {
    if ((event.ctrlKey || event.metaKey) && event.key === "z" && !["INPUT", "TEXTAREA"].includes(event.target.tagName)) {
      event.preventDefault();
      event.shiftKey ? back(future, past) : back(past, future);
    }
  });
}

async function begin() {
  wire();
  const games = await (await ask("/games", {})).json();
  fillSelect(byId("game"), games.map((one) => [one.game, one.title]), games[0].game);
  const wanted = read();
  if (wanted?.game) await tryOpen(wanted);
  if (!offer) await tryOpen({ ...structuredClone(EMPTY), game: games[0].game });
}

begin().catch((error) => say(error.message));
