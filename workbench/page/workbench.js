// The page: its state, its address, and the one stream of figures that belongs to it.
import { byId, drawChanged, drawSeats, drawValues, fillSelect, same, update, valuesOf } from "./controls.js";
import { addCard, cardOf, drawCards } from "./cards.js";
import { drawPicture, hearLevels, pressLevel, rowsOf, sentence } from "./picture.js";
import { drawFigures, drawPictures, stale } from "./results.js";
import { beginQuestion, drawKnobs } from "./questions.js";

const TARGET = "target"; // typing into its two fields counts as one movement, as for a slider
const WAIT = 120; // milliseconds after the last movement of a slider
const EMPTY = { game: null, scenario: null, level: null, players: null, policies: {}, set: {}, off: {}, pinned: null, target: null };
let state = structuredClone(EMPTY);
let offer = null;
let commands = {};
let changeWords = {};
let patience = 0;
let stream = null;
let timer = null;
let answered = false; // whether the stream has delivered its first results
let figures = null; // the latest results of the current setting
let before = null; // estimate of each row before the movement
let influences = null;
let keepLine = false; // an error is shown until the next change
let opening = 0; // of two quick choices, the last one counts
const past = [];
const future = [];

// ---------------------------------------------------------------- requests

async function ask(path, document, signal) {
  const answer = await fetch(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(document), signal });
  if (!answer.ok) throw new Error(await answer.text());
  return answer;
}

const sorted = (values) => Object.fromEntries(Object.entries(values).sort());
const setting = (it) => ({ game: it.game, scenario: it.scenario, level: it.level, players: it.players, policies: sorted(it.policies), set: sorted(it.set) });

const published = () => ({ ...setting(state), set: {} });

// events one after another, until they end or are no longer wanted
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

const question = () => ({ now: setting(state), pinned: state.pinned ?? published(), target: state.target, patience });

async function listen() {
  clearTimeout(timer);
  timer = null;
  stream?.abort();
  const mine = (stream = new AbortController());
  const wanted = question();
  answered = false;
  const isCurrent = () => same(wanted, question());
  // for a moving slider, the picture shows the intermediate answer, and the newest value is requested
  const onTheWay = {
    compiling: heard.compiling,
    figures(said) { drawThePicture(said, true); listen(); },
    refused() { listen(); },
  };
  const hearing = Object.fromEntries(Object.keys(heard).map((name) => [name, (said) => (isCurrent() ? heard : onTheWay)[name]?.(said)]));
  try {
    await follow("/play", wanted, mine, () => mine === stream, hearing);
  } catch (error) {
    if (mine !== stream || error.name === "AbortError") return;
    answered = true;
    if (!isCurrent()) { listen(); return; }
    say(error instanceof TypeError ? "The workbench has stopped. Start it again in the terminal." : error.message);
    byId("state").textContent = "Not played.";
  }
}

const heard = {
  setting(said) {
    if (said.version !== offer.version) { showEdited(); return; }
    if (!keepLine) say("");
    keepLine = false;
    changeWords = Object.fromEntries(said.changes.map((row) => [row.path, row.words]));
    byId("title").textContent = said.title;
    byId("caveat").hidden = !said.reconstruction;
    byId("caveat").textContent = said.reconstruction;
    byId("assumptions").replaceChildren(...said.assumptions.map((line) => Object.assign(document.createElement("li"), { textContent: line })));
    byId("state").textContent = "Playing …";
    drawTheChanged();
  },
  compiling(said) {
    byId("state").textContent = "";
    byId("compiling").hidden = false;
    byId("compiling-text").textContent = compilingWords(said);
    const progress = byId("compiling-progress"), last = said.last?.seconds;
    if (said.first && last) { progress.max = last; progress.value = Math.min(said.seconds, last); } else progress.removeAttribute("value");
  },
  figures(said) {
    answered = true;
    figures = said;
    byId("compiling").hidden = true;
    commands = said.commands;
    const drawnRows = offer.rows[0].level === null ? offer.rows.map((row) => row.title) : [said.measures[0].name];
    drawFigures(said, drawnRows, against());
    drawThePicture(said);
    byId("state").textContent = `${said.games.toLocaleString("en")} games of seed 1, still playing.`;
    drawCommand();
    byId("more").hidden = true;
    stale(false);
  },
  pictures: drawPictures,
  rests(said) {
    byId("state").textContent = `${said.games.toLocaleString("en")} games of seed 1; paused.`;
    speak([byId("sentence").textContent, byId("verdict").textContent, byId("state").textContent].filter(Boolean).join(". "));
    byId("more").hidden = false;
  },
  refused(said) {
    say(said.line);
    byId("state").textContent = "Not played.";
  },
};

function compilingWords({ seconds, functions, first, last }) {
  if (!first) return `Preparing the game: ${seconds} s so far.`;
  const usual = last ? `last time it took ${last.seconds} s and ${last.functions} functions` : "seconds for a small game, minutes for a large one";
  return `Compiling the game for this machine, needed once per version of the code: ${seconds} s and ${functions} functions so far; ${usual}. Existing measurements are shown above, and you can change numbers meanwhile.`;
}

// ---------------------------------------------------------------- the picture, the cards

const against = () => (state.pinned ? `“${cardOf(state.pinned)?.name ?? "the pinned setting"}”` : "the edition");
const player = () => offer.seats.map((seat) => state.policies[seat.role] ?? seat.default)[0];

// isOnTheWay: the result is for a value that the slider has left since
function drawThePicture(said, isOnTheWay = false) {
  const about = { level: state.level, target: state.target, against: against(), player: player(), before };
  drawPicture(offer, said, about);
  update(byId("sentence"), sentence(offer, said, about));
  byId("picture").classList.toggle("moving", isOnTheWay);
  const row = rowsOf(offer, said).find((one) => one.level === state.level) ?? rowsOf(offer, said)[0];
  byId("strip-text").textContent = row.now ? `${row.title} ${row.now.text} (${row.now.limits})${row.difference ? ` · ${row.difference.text} (${row.difference.limits})` : ""}` : "";
}

// the previous setting stays in the picture as a faint dot, and as a card
function leave() {
  if (!figures || !offer) return;
  before = Object.fromEntries(rowsOf(offer, figures).filter((row) => row.now).map((row) => [row.title, row.now]));
  keepCard();
}

function keepCard() {
  const first = figures.levels.find((row) => row.level === state.level) ?? figures.measures[0];
  const changes = Object.keys(state.set).map((path) => changeWords[path] ?? path).map((text) => text.replaceAll(" -> ", " → "));
  const title = [offer.title, state.level, player()].filter(Boolean).join(", ");
  addCard(setting(state), first.now, changes.join("; ") || "Original edition", title, offer.version);
  drawTheCards();
}

function drawTheCards() {
  const goBack = (wanted) => restart({ ...structuredClone(wanted), off: {} });
  const compare = (wanted) => { remember(); state.pinned = structuredClone(wanted); changed(); };
  drawCards({ game: state.game, version: offer?.version, pinned: state.pinned, now: setting(state), goBack, compare });
}

// the answer to a question sets the order of the values
export function takeInfluences(measured) {
  influences = measured.rows.length ? measured : influences;
  drawTheValues();
}

// for a screen reader, after a pause: results that change seven times per second would hide everything else
export function speak(line) {
  byId("spoken").textContent = line;
}

function say(line, wrong = true) {
  byId("said").textContent = line;
  byId("said").classList.toggle("wrong", wrong);
}

// ---------------------------------------------------------------- the state and its address

function remember() {
  leave();
  past.push(JSON.stringify(state));
  future.length = 0;
}

// stop listening for the previous setting, and mark its results as old
function letGo(isMoving = false) {
  if (!isMoving || answered) { stream?.abort(); stream = null; }
  stale(true);
  figures = null;
  commands = {};
  changeWords = {};
  drawCommand();
  byId("state").textContent = "";
}

// slider: one undo reverts a whole movement
let lastPath = null;
function changed({ path = null, wait = 0 } = {}) {
  lastPath = path;
  patience = 0;
  letGo(wait > 0);
  write();
  drawTheChanged();
  byId("undo").disabled = !past.length;
  byId("redo").disabled = !future.length;
  // wait for a pending request; otherwise a slider in constant motion would never get an answer
  if (!stream && !(wait && timer)) { clearTimeout(timer); timer = setTimeout(listen, wait); }
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
  if (found.version !== offer?.version || found.game !== offer?.game || found.scenario !== offer?.scenario) { influences = found.influences; before = null; }
  const isOther = found.game !== offer?.game;
  offer = found;
  state = { ...wanted, scenario: offer.scenario, level: offer.level, players: offer.players };
  byId("title").textContent = offer.title;
  if (isOther) drawThePicture(null); // existing measurements
  else pressLevel(state.level);
  drawControls();
  changed();
}

// after an edit of the game's files, values may differ
async function showEdited() {
  await tryOpen(structuredClone(state));
  keepLine = true;
  say("The game's files were edited. The page now shows the new version.");
}

// an error leaves the page unchanged
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
  // with a single option there is no choice
  const choices = { scenario: offer.scenarios.length > 1, level: offer.levels.length > 1, players: offer.player_counts.length > 0 };
  for (const [id, has] of Object.entries(choices)) for (const field of [byId(id), document.querySelector(`label[for=${id}]`)]) field.hidden = !has;
  fillSelect(byId("players"), [["", "default of the edition"], ...offer.player_counts.map((n) => [n, n])], state.players ?? "");
  fillSelect(byId("preset"), [["", "none or your own"], ...offer.bands.map((band) => [band.name, `${band.words}, ${band.whose}`])], presetOf());
  drawTarget(state.target);
  drawSeats(offer, state.policies, choosePolicy);
  drawTheValues();
  drawTheChanged();
}

const drawTarget = (range) => ["low", "high"].forEach((id, end) => { byId(id).value = range ? +(range[end] * 100).toFixed(4) : ""; });
const presetOf = () => offer.bands.find((band) => same([band.low, band.high], state.target))?.name ?? "";
const drawTheValues = () => drawValues(offer, state, influences, byId("search").value, changeValue);
const drawTheChanged = () => {
  if (!offer) return;
  drawKnobs(offer, state);
  drawChanged(state, changeWords, offer, toggle, drop);
  byId("unpin").hidden = !state.pinned;
  drawTheCards();
};

function changeValue(path, value, shipped) {
  if (lastPath !== path) remember();
  delete state.off[path];
  if (same(value, shipped)) delete state.set[path];
  else state.set[path] = value;
  delete changeWords[path];
  changed({ path, wait: WAIT });
}

export function takeValue(path, value) {
  const shipped = valuesOf(offer).find((one) => one.path === path).value;
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

function edit(how) {
  remember();
  how();
  drawTheValues();
  changed();
}

const drop = (path) => edit(() => { delete state.set[path]; delete state.off[path]; });
const toggle = (path, on) => edit(() => {
  const [from, to] = on ? [state.off, state.set] : [state.set, state.off];
  to[path] = from[path];
  delete from[path];
});

function back(from, to) {
  if (!from.length) return;
  leave();
  to.push(JSON.stringify(state));
  tryOpen(JSON.parse(from.pop()));
}

function restart(parts) {
  remember();
  tryOpen({ ...state, ...parts });
}

// ---------------------------------------------------------------- export

async function copy(text, what) {
  try { await navigator.clipboard.writeText(text); say(`${what} copied.`, false); } catch { say("The browser does not allow copying. Select the text below."); }
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
    say(`${found.file} saved by the browser. Use it with: ${found.command}`, false);
  } catch (error) {
    say(error.message);
  }
}

// ---------------------------------------------------------------- wiring

function target(path = null) {
  const [low, high] = ["low", "high"].map((id) => byId(id).value);
  state.target = low === "" || high === "" ? null : [Number(low) / 100, Number(high) / 100];
  changed({ path, wait: WAIT });
}

function wire() {
  byId("game").addEventListener("change", () => { remember(); tryOpen({ ...structuredClone(EMPTY), game: byId("game").value }); });
  byId("scenario").addEventListener("change", () => restart({ scenario: byId("scenario").value, level: null, players: null, set: {}, off: {}, pinned: null }));
  byId("level").addEventListener("change", () => restart({ level: byId("level").value }));
  byId("players").addEventListener("change", () => restart({ players: byId("players").value ? Number(byId("players").value) : null, policies: {}, pinned: null }));
  byId("search").addEventListener("input", drawTheValues);
  byId("undo").addEventListener("click", () => back(past, future));
  byId("redo").addEventListener("click", () => back(future, past));
  byId("reset").addEventListener("click", () => edit(() => { state.set = {}; state.off = {}; }));
  byId("pin").addEventListener("click", () => { if (!figures) return; remember(); state.pinned = setting(structuredClone(state)); changed(); });
  byId("unpin").addEventListener("click", () => { remember(); state.pinned = null; changed(); });
  byId("more").addEventListener("click", () => { patience += 1; listen(); });
  byId("preset").addEventListener("change", () => {
    const band = offer.bands.find((one) => one.name === byId("preset").value);
    drawTarget(band && [band.low, band.high]);
    remember();
    target();
  });
  for (const id of ["low", "high"]) byId(id).addEventListener("input", () => { if (lastPath !== TARGET) remember(); target(TARGET); });
  hearLevels((level) => restart({ level }));
  for (const name of ["answer", "values"]) for (const way of document.querySelectorAll(`.to-${name}`)) way.addEventListener("click", () => {
    const place = byId(name === "values" ? "choose" : name);
    place.scrollIntoView();
    place.focus({ preventScroll: true });
  });
  byId("copy-run").addEventListener("click", () => copy(commands.run ?? "", "The command"));
  byId("copy-compare").addEventListener("click", () => copy(commands.compare ?? "", "The comparison"));
  byId("copy-link").addEventListener("click", () => copy(location.href, "The link"));
  for (const button of document.querySelectorAll(".question")) button.addEventListener("click", () => {
    askMore(button.dataset.kind, { now: setting(state), target: state.target });
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

// asked: the setting and the target; of a position where it is
export function askMore(kind, asked) {
  stream?.abort();
  stream = null; // the cores are for the question
  if (byId("results").dataset.stale === "false") byId("state").textContent += " Paused while a question is computed.";
  beginQuestion(kind, asked, listen);
}
