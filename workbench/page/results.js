// What came out: figures while they narrow, pictures now and then.
import { byId, made } from "./controls.js";

const SVG = "http://www.w3.org/2000/svg";
const games = (n) => `${n.toLocaleString("en")} ${n === 1 ? "game" : "games"}`;

function drawn(tag, attributes, text) {
  const found = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) found.setAttribute(name, String(value));
  if (text !== undefined) found.textContent = text;
  return found;
}

const method = (it) => `${Math.round(it.level * 100)} % ${it.method}, ${games(it.n)}`;

export function drawFigures(said, target) {
  byId("measures").replaceChildren(...said.measures.map((measure, index) => drawMeasure(measure, index === 0 ? target : null)));
  drawVerdict(said.target);
  drawLevels(said);
  byId("strip-text").textContent = stripText(said);
}

function stripText(said) {
  const [first] = said.measures;
  const difference = first.difference ? ` · ${first.difference.text} (${first.difference.limits})` : "";
  return `${first.name} ${first.now.text} (${first.now.limits})${difference}`;
}

function drawMeasure(measure, target) {
  const box = made("div", { class: "measure fresh", "data-name": measure.name });
  box.append(made("h3", {}, measure.name));
  if (!measure.now) return box;
  box.append(made("p", { class: "big" }, measure.now.text, " ", made("span", { class: "note" }, `${measure.now.limits}, ${method(measure.now)}`)));
  const other = measure.difference;
  if (other) {
    const told = other.told ? (other.estimate > 0 ? "more" : "less") : "not told from zero yet";
    const was = measure.pinned ? ` Pinned: ${measure.pinned.text} (${measure.pinned.limits}, ${method(measure.pinned)}).` : "";
    box.append(made("p", { class: "against" }, made("span", { class: other.told ? "told" : "" }, `${other.text} against the pinned setting`), ` (${other.limits}; ${told}). `, made("span", { class: "note" }, `Same luck, game by game: ${method(other)}.${was}`)));
  }
  if (measure.kind === "percent") box.append(drawRange(measure, target));
  return box;
}

function drawRange(measure, target) {
  const x = (share) => 4 + share * 592;
  const percent = (share) => `${(share * 100).toFixed(1)} %`;
  const label = `${measure.name}: ${measure.now.text}, from ${percent(measure.now.low)} to ${percent(measure.now.high)}`;
  const svg = drawn("svg", { class: "range", viewBox: "0 0 600 58", role: "img", "aria-label": label });
  if (target) svg.append(drawn("rect", { class: "band", x: x(target[0]), y: 2, width: Math.max(x(target[1]) - x(target[0]), 1), height: 38 }));
  svg.append(drawn("line", { class: "axis", x1: x(0), x2: x(1), y1: 40, y2: 40 }));
  for (const share of [0, 0.25, 0.5, 0.75, 1]) svg.append(drawn("text", { x: x(share), y: 54, "text-anchor": share === 0 ? "start" : share === 1 ? "end" : "middle" }, `${share * 100} %`));
  for (const [kind, y] of [["now", 14], ["pinned", 30]]) {
    const it = measure[kind];
    if (!it) continue;
    const name = kind === "now" ? "now" : "was";
    svg.append(drawn("line", { class: name, x1: x(it.low), x2: Math.max(x(it.high), x(it.low) + 1), y1: y, y2: y }), drawn("circle", { class: name, cx: x(it.estimate), cy: y, r: 6 }));
  }
  return svg;
}

function drawVerdict(target) {
  const place = byId("verdict");
  place.classList.add("fresh");
  if (!target) { place.replaceChildren(); return; }
  const [low, high] = target.band.map((end) => Math.round(end * 1000) / 10);
  const words = { PASS: "the whole interval lies inside", FAIL: "the whole interval lies outside", INCONCLUSIVE: "nobody can tell yet" }[target.verdict];
  const more = target.more ? ` About ${games(target.more)} more would tell${target.on_edge ? ", perhaps none: the estimate sits on the edge" : ""}.` : "";
  place.replaceChildren(made("b", { class: target.verdict }, target.verdict), ` win rate from ${low} to ${high} %: ${words}.${more}`);
}

function drawLevels(said) {
  const rows = said.levels.map((one) => made("tr", {},
    made("th", { scope: "row" }, one.title),
    made("td", { "data-label": "Win rate" }, one.now.text, made("span", { class: "note" }, ` ${one.now.limits}, ${games(one.now.n)}`)),
    made("td", { "data-label": "Difference" }, one.difference ? one.difference.text : "–", one.difference ? made("span", { class: "note" }, ` ${one.difference.limits}, ${games(one.difference.n)}`) : null)));
  for (const [level, why] of Object.entries(said.refused)) rows.push(made("tr", {}, made("th", { scope: "row" }, level), made("td", { "data-label": "Win rate" }, `cannot be played: ${why}`), made("td", {}, "–")));
  const head = made("thead", {}, made("tr", {}, ...["Level", "Win rate of the first seat", "Against the pinned setting"].map((name) => made("th", { scope: "col" }, name))));
  const table = made("table", { class: "fresh" }, made("caption", {}, "95 % confidence sequences; other levels play when this one has had two seconds, a game for four."), head, made("tbody", {}, ...rows));
  byId("levels").replaceChildren(made("div", { class: "table" }, table));
}

// ---------------------------------------------------------------- pictures

export function drawPictures(said) {
  const parser = new DOMParser();
  byId("pictures").dataset.stale = "false";
  byId("pictures").replaceChildren(...said.sections.map((section) => made("section", {},
    made("h3", {}, section.title),
    made("p", { class: "note" }, `${section.caption} Drawn at ${games(said.games)}.`),
    section.legend.length ? made("ul", { class: "legend" }, ...section.legend.map(([colour, name]) => made("li", {}, swatch(colour), name))) : null,
    made("div", { class: "pictures" }, ...section.pictures.map((picture) => made("figure", {},
      made("figcaption", {}, picture.title, picture.note ? made("span", { class: "note" }, ` ${picture.note}`) : null),
      document.importNode(parser.parseFromString(picture.svg, "text/html").querySelector("svg"), true)))))));
}

function swatch(colour) {
  const svg = drawn("svg", { class: "swatch", viewBox: "0 0 10 10", "aria-hidden": "true" });
  svg.append(drawn("rect", { width: 10, height: 10, fill: colour }));
  return svg;
}

// ---------------------------------------------------------------- old and new

export function stale(is) {
  const main = byId("results");
  main.dataset.stale = byId("strip").dataset.stale = String(is);
  if (is) byId("pictures").dataset.stale = "true"; // fresh when new ones are drawn
  main.setAttribute("aria-busy", String(is));
  byId("old").hidden = !is || !byId("measures").children.length;
}
