// Results besides the picture: other measures, the verdict, pictures of a report.
import { byId, made, update } from "./controls.js";
import { drawn, games } from "./picture.js";

const method = (it) => `${Math.round(it.level * 100)} % ${it.method}, ${games(it.n)}`;

// shown: names of the measures in the picture
export function drawFigures(said, shown, against) {
  update(byId("measures"), ...said.measures.filter((measure) => measure.now && !shown.includes(measure.name)).map((measure) => drawMeasure(measure, against)));
  drawVerdict(said.target);
}

function drawMeasure(measure, against) {
  const { now, difference } = measure;
  const line = made("p", { class: "fresh other", "data-name": measure.name }, `${measure.name} `, made("b", {}, now.text), made("span", { class: "note" }, ` ${now.limits}, ${method(now)}`));
  if (difference) line.append(` ${difference.text}`, made("span", { class: "note" }, ` against ${against} (${difference.limits}, ${method(difference)})`));
  return line;
}

function drawVerdict(target) {
  const place = byId("verdict");
  place.classList.add("fresh");
  if (!target) { update(place); return; }
  const [low, high] = target.band.map((end) => Math.round(end * 1000) / 10);
  const words = { PASS: "the whole interval is inside", FAIL: "the whole interval is outside", INCONCLUSIVE: "the result is not yet conclusive" }[target.verdict];
  const more = target.more ? ` About ${games(target.more)} more are needed${target.on_edge ? ", or no number may be enough, because the estimate is at the edge" : ""}.` : "";
  update(place, made("b", { class: target.verdict }, target.verdict), ` win rate from ${low} to ${high} %: ${words}.${more}`);
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
  if (is) byId("pictures").dataset.stale = "true"; // reset when new ones are drawn
  main.setAttribute("aria-busy", String(is));
  byId("old").hidden = !is || !document.querySelector(".measure .big");
}
