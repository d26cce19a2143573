// Longer questions: existing commands, with progress, cancellation and output.
import { byId, fillSelect, made, valuesOf } from "./controls.js";
import { askMore, follow, speak, takeInfluences, takeValue } from "./workbench.js";

let working = null;
let watched = null; // the frame of the watched game, and the setting it was played with
let drawnFor = null; // the game, and the user's choice

// numbers, with changed ones first, because users tune their changes
export function drawKnobs(offer, state) {
  const numbers = valuesOf(offer).filter((value) => value.kind === "whole" || value.kind === "number");
  numbers.sort((a, b) => (b.path in state.set) - (a.path in state.set));
  const names = numbers.map((value) => [value.path, `${value.what} (${value.value})`]);
  const before = byId("knob").value;
  const wanted = drawnFor?.game === state.game && drawnFor.chosen ? drawnFor.chosen : names[0]?.[0];
  fillSelect(byId("knob"), names, wanted);
  const span = () => {
    const value = numbers.find((one) => one.path === byId("knob").value);
    if (!value) return;
    const near = Math.max(Math.abs(value.value), 2);
    byId("from").value = Math.max(value.low ?? -Infinity, value.value - near);
    byId("to").value = Math.min(value.high ?? Infinity, value.value + near);
  };
  byId("knob").onchange = () => { drawnFor.chosen = byId("knob").value; span(); };
  if (drawnFor?.game !== state.game || before !== wanted) span();
  drawnFor = { game: state.game, chosen: drawnFor?.game === state.game ? drawnFor.chosen : null };
}

addEventListener("message", (event) => { // of the page of a game, which asks nobody else
  const at = event.data?.at;
  if (watched && event.source === watched.frame.contentWindow && typeof at === "string") askMore("position", { ...watched.asked, at });
});

export async function beginQuestion(kind, asked, goOn) {
  working?.abort();
  const mine = (working = new AbortController());
  const isWanted = () => mine === working;
  show(`Computing …`, true);
  byId("question-lines").textContent = "";
  byId("question-lines").hidden = true;
  if (kind !== "position") { byId("question-page").replaceChildren(); byId("question-watch").replaceChildren(); }
  byId("question-end").onclick = () => { mine.abort(); if (isWanted()) { working = null; show("Stopped.", false); goOn(); } };
  const heard = hearing(kind, asked);
  const more = { path: byId("knob").value, low: Number(byId("from").value), high: Number(byId("to").value), number: Number(byId("number").value) };
  try {
    const asks = kind === "moves" ? { kind: "guesses", assumed: false } : { kind };
    await follow("/question", { ...asks, ...asked, ...more }, mine, isWanted, heard);
  } catch (error) {
    if (error.name !== "AbortError") heard.refused({ line: error.message });
  }
  if (isWanted()) { working = null; goOn(); }
}

function takeButton(path, value, isHit) {
  const button = made("button", { type: "button" }, `Use ${isHit ? "this value" : "the nearest value"}: ${value}`);
  button.addEventListener("click", () => takeValue(path, value));
  return button;
}

function show(words, busy) {
  byId("question").hidden = false;
  if (busy) byId("question").scrollIntoView({ block: "nearest" });
  byId("question-state").textContent = words;
  speak(words);
  byId("question-end").hidden = byId("question-progress").hidden = !busy;
  if (busy) byId("question-progress").removeAttribute("value");
}

const hearing = (kind, asked) => ({
  progress(said) {
    const games = (n) => n.toLocaleString("en");
    byId("question-state").textContent = [...said.notes, said.total ? `${games(said.done)} of ${games(said.total)} games` : said.done ? `${games(said.done)} games` : "Computing …"].join(" · ");
    if (said.total) { byId("question-progress").max = said.total; byId("question-progress").value = said.done; }
  },
  answer(said) {
    show("Finished.", false);
    byId("question-lines").textContent = said.lines.join("\n");
    byId("question-lines").hidden = !said.lines.length;
    if (said.influences) takeInfluences(said.influences);
    if (said.best !== null) byId("question-page").replaceChildren(takeButton(said.path, said.best, said.is_hit));
    if (said.page && kind === "watch") {
      const frame = made("iframe", { src: `/made/${said.page}`, sandbox: "allow-scripts", title: "The game to step through" });
      byId("question-watch").replaceChildren(frame);
      watched = { frame, asked };
    }
    if (said.page) byId("question-page").replaceChildren(made("a", { href: `/made/${said.page}`, target: "_blank", rel: "noopener" }, "Open the page"), " or ", made("a", { href: `/made/${said.page}`, download: "bartizan.html" }, "save it"));
  },
  refused(said) { show(said.line, false); },
});
