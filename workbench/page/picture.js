// The main picture: one row per level or seat, from newcomer to best play found, with the current result.
import { byId, made, update } from "./controls.js";

const SVG = "http://www.w3.org/2000/svg";
const MARKS = { newcomer: "newcomer", heuristic: "heuristic", best: "best play found" };
const MIDDLE = 22; // pixels from the top of a row's drawing to its dots
const APART = 0.78; // of the scale: closer ends share a label

export const games = (n) => `${n.toLocaleString("en")} ${n === 1 ? "game" : "games"}`;
export const percent = (share) => `${+(share * 100).toFixed(share > 0 && share < 0.1 ? 1 : 0)} %`;
const limits = (it) => `${percent(it.low)} to ${percent(it.high)}, ${Math.round(it.level * 100)} % ${it.method}, ${games(it.n)}`;

export function drawn(tag, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  element.append(...children);
  return element;
}

// as a share of the container's width, with a margin for a dot at either end
const at = (share) => `${(2 + share * 96).toFixed(2)}%`;
const bar = (kind, it, y = MIDDLE) => drawn("line", { class: kind, x1: at(it.low), x2: at(Math.max(it.high, it.low + 0.004)), y1: y, y2: y });
const dot = (kind, it, r, y = MIDDLE) => drawn("circle", { class: kind, cx: at(it.estimate), cy: y, r });

function titled(words, ...parts) {
  return drawn("g", {}, drawn("title", {}, words), ...parts);
}

// ---------------------------------------------------------------- one row

// now: results of the setting; ghost: of the setting for comparison; before: before the movement
export function strip({ marks = [], now, ghost, before, target, label }) {
  const svg = drawn("svg", { class: "strip", role: "img", "aria-label": label, height: 2 * MIDDLE + (marks.length ? 14 : 0) });
  if (target) svg.append(drawn("rect", { class: "band", x: at(target[0]), y: 2, width: `${((target[1] - target[0]) * 96).toFixed(2)}%`, height: 2 * MIDDLE - 4 }));
  svg.append(drawn("line", { class: "rule", x1: at(0), x2: at(1), y1: MIDDLE, y2: MIDDLE }));
  drawMarks(svg, marks);
  if (before && now) svg.append(drawn("line", { class: "moved", x1: at(before.estimate), x2: at(now.estimate), y1: MIDDLE, y2: MIDDLE }));
  if (before) svg.append(titled(`Before this change: ${before.text}`, dot("before", before, 4)));
  if (ghost) svg.append(titled(`Compared with: ${ghost.text}; ${limits(ghost)}`, bar("ghost", ghost), dot("ghost", ghost, 7)));
  if (now) svg.append(titled(`Now: ${now.text}; ${limits(now)}`, bar("now", now), dot("now", now, 7)));
  return svg;
}

function drawMarks(svg, marks) {
  const [first, last] = [marks[0], marks[marks.length - 1]];
  if (!first) return;
  svg.append(drawn("line", { class: "range", x1: at(Math.min(first.estimate, last.estimate)), x2: at(Math.max(first.estimate, last.estimate)), y1: MIDDLE, y2: MIDDLE }));
  for (const mark of marks) svg.append(titled(`${MARKS[mark.mark]} (${mark.policy}), as published: ${mark.text}; ${mark.models > 1 ? `${mark.models} models of a first-time player` : limits(mark)}`, bar("doubt", mark), mark.models > 1 ? "" : drawn("line", { class: "mark", x1: at(mark.estimate), x2: at(mark.estimate), y1: MIDDLE - 7, y2: MIDDLE + 7 })));
  const text = (mark) => `${MARKS[mark.mark]} ${mark.text}`;
  const place = (share, words, anchor) => svg.append(drawn("text", { x: at(share), y: 2 * MIDDLE + 6, "text-anchor": anchor }, words));
  const side = (share) => (share < 0.25 ? "start" : share > 0.75 ? "end" : "middle");
  if (first === last) place(first.estimate, text(first), side(first.estimate));
  else if (Math.abs(last.estimate - first.estimate) < APART) {
    const anchor = first.estimate < 0.25 ? "start" : last.estimate > 0.75 ? "end" : "middle";
    place({ start: first.estimate, middle: 0.5, end: last.estimate }[anchor], `${text(first)}, ${text(last)}`, anchor);
  }
  else { place(first.estimate, text(first), "start"); place(last.estimate, text(last), "end"); }
}

// ---------------------------------------------------------------- all rows

function axis() {
  const svg = drawn("svg", { class: "strip scale", height: 16, "aria-hidden": "true" });
  for (const share of [0, 0.25, 0.5, 0.75, 1]) svg.append(drawn("text", { x: at(share), y: 12, "text-anchor": share === 0 ? "start" : share === 1 ? "end" : "middle" }, `${share * 100} %`));
  return svg;
}

// results of each row of the offer: {now, pinned, difference, why}
export function rowsOf(offer, said) {
  return offer.rows.map((row, index) => {
    if (!said) return { ...row };
    if (row.level === null) return { ...row, ...said.measures[index] };
    return { ...row, ...said.levels.find((one) => one.level === row.level), why: said.refused[row.level] };
  });
}

// before: estimates by row before the movement began
export function drawPicture(offer, said, { level, target, against, before }) {
  const rows = rowsOf(offer, said);
  const head = made("thead", { class: "unseen" }, made("tr", {}, ...["Row", "Chart", "Win rate"].map((words) => made("th", { scope: "col" }, words))));
  const lines = rows.map((row) => {
    const isHere = row.level === null || row.level === level;
    const words = [row.now ? `${row.title}: ${row.now.text}` : row.title, ...row.marks.map((mark) => `${MARKS[mark.mark]} ${mark.text}`)].join(", ");
    const svg = strip({ marks: row.marks, now: row.now, ghost: row.difference ? row.pinned : null, before: before?.[row.title], target: isHere ? target : null, label: words });
    return made("tr", { class: `measure${row.now ? " fresh" : ""}${isHere ? " here" : ""}`, "data-name": row.title }, made("th", { scope: "row" }, nameOf(row, level)), made("td", { class: "drawn" }, svg), made("td", { class: "figures" }, ...figuresOf(row, against)));
  });
  update(byId("picture"), made("table", { class: "rows" }, head, made("tbody", {}, ...lines)), made("div", { class: "axis-row" }, axis()), ...legend(rows));
}

function nameOf(row, level) {
  if (row.level === null) return row.title;
  return made("button", { type: "button", "data-name": row.level, "aria-pressed": String(row.level === level) }, row.title);
}

// before the results of that level arrive
export function pressLevel(level) {
  for (const button of byId("picture").querySelectorAll("button[data-name]")) button.setAttribute("aria-pressed", String(button.dataset.name === level));
}

// choose: action for the name of a level
export function hearLevels(choose) {
  byId("picture").addEventListener("click", (event) => {
    const button = event.target.closest("button[data-name]");
    if (button) choose(button.dataset.name);
  });
}

function figuresOf(row, against) {
  if (row.why) return [made("p", { class: "note" }, `cannot be played: ${row.why}`)];
  if (!row.now) return [];
  const parts = [made("p", { class: "big" }, row.now.text, " ", made("span", { class: "note" }, `${row.now.limits}, ${games(row.now.n)}`))];
  const other = row.difference;
  if (other) {
    const told = other.told ? (other.estimate > 0 ? "more" : "less") : "not significant yet";
    parts.push(made("p", { class: "against" }, made("span", { class: other.told ? "told" : "" }, other.text), made("span", { class: "note" }, ` (${other.limits}; ${told}; ${games(other.n)}) against ${against}`)));
  }
  return parts;
}

function legend(rows) {
  const parts = [];
  if (rows.some((row) => row.marks.length)) parts.push("Grey: measured results of the edition, from newcomer to best play found.");
  if (rows.some((row) => row.now)) parts.push("Blue: the current result, with its 95 % confidence sequence.");
  if (rows.some((row) => row.difference)) parts.push("Open ring: the setting for comparison.");
  return parts.length ? [made("p", { class: "note" }, parts.join(" "))] : [];
}

// ---------------------------------------------------------------- in one sentence

export function sentence(offer, said, { level, against, player }) {
  const rows = rowsOf(offer, said);
  const row = rows.find((one) => one.level === level) ?? rows[0];
  const where = row.level === null ? "" : `${row.title}: `;
  const newcomer = row.marks.find((mark) => mark.mark === "newcomer"), best = row.marks.find((mark) => mark.mark === "best");
  if (row.now) {
    const who = row.level === null ? row.title.replace(/ wins$|Win rate/, "") || player : player;
    const difference = row.difference?.told ? `, ${row.difference.text} against ${against}` : row.difference ? `, no significant difference from ${against} yet` : best ? `; the best play found, ${best.text}` : "";
    return `${where}${who} wins ${row.now.text} of the games${difference}`;
  }
  if (newcomer && best) return `${where}a newcomer wins ${newcomer.text}, the best play found ${best.text}`;
  return `${where}change a number and watch the win rate`;
}
