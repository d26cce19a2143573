// Controls for choices and changes, drawn from the server's offer.

export function made(tag, attributes = {}, ...children) {
  const found = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name in found && typeof value !== "string") found[name] = value;
    else found.setAttribute(name, value);
  }
  found.append(...children.filter((child) => child !== null && child !== undefined));
  return found;
}

// Elements that are drawn many times per second change in place: a button that is pressed, or has the focus, stays the same
// element, so its click arrives. Its listener is attached to the element around it.
export function update(place, ...wanted) {
  const there = [...place.childNodes];
  wanted.forEach((each, index) => {
    const node = typeof each === "string" ? document.createTextNode(each) : each;
    const old = there[index];
    if (!old) place.append(node);
    else if (!isAlike(old, node)) old.replaceWith(node);
    else if (old.nodeType === Node.TEXT_NODE) { if (old.data !== node.data) old.data = node.data; }
    else { updateAttributes(old, node); update(old, ...node.childNodes); }
  });
  for (const old of there.slice(wanted.length)) old.remove();
}

const isAlike = (old, node) => old.nodeName === node.nodeName && old.dataset?.name === node.dataset?.name;

function updateAttributes(old, node) {
  for (const { name } of [...old.attributes]) if (!node.hasAttribute(name)) old.removeAttribute(name);
  for (const { name, value } of node.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
}

// Fields are redrawn after a user action: the field of the same id keeps the focus, and open groups stay open.
export function replace(place, ...wanted) {
  const focused = place.contains(document.activeElement) ? document.activeElement.id : "";
  const open = new Set([...place.querySelectorAll("details[open]")].map((each) => each.dataset.name));
  place.replaceChildren(...wanted);
  for (const each of place.querySelectorAll("details")) if (open.has(each.dataset.name)) {
    each.open = true;
    each.dispatchEvent(new Event("toggle")); // which draws its fields, because the browser's own event comes later
  }
  if (focused) byId(focused)?.focus({ preventScroll: true });
}

// text between backticks is code
const told = (text) => text.split("`").map((part, place) => (place % 2 ? made("code", {}, part) : part));

export const byId = (id) => document.getElementById(id);
export const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

export function fillSelect(select, options, value) {
  select.replaceChildren(...options.map(([name, words]) => made("option", { value: String(name) }, words)));
  select.value = String(value ?? options[0]?.[0] ?? "");
}

// ---------------------------------------------------------------- players

const percent = (rate) => `${(rate.estimate * 100).toFixed(1)} %`;

export function drawSeats(offer, policies, choose) {
  replace(byId("seats"), ...offer.seats.map((seat) => drawSeat(seat, policies[seat.role] ?? seat.default, choose)));
}

function drawSeat(seat, policy, choose) {
  const id = `seat-${seat.role}`;
  const about = seat.policies.find((one) => one.policy === policy)?.about ?? "";
  const select = made("select", { id });
  const named = seat.policies.map((one) => one.policy);
  fillSelect(select, (named.includes(policy) ? named : [policy, ...named]).map((name) => [name, name]), policy);
  select.addEventListener("change", () => choose(seat.role, select.value));
  const other = made("input", { type: "text", id: `${id}-other`, placeholder: seat.weighted, autocomplete: "off", spellcheck: "false" });
  other.addEventListener("change", () => other.value.trim() && choose(seat.role, other.value.trim()));
  const parts = [made("label", { for: id }, `Policy for ${seat.role.replaceAll("_", " ")}: `), select, made("p", { class: "note" }, ...told(about)), made("p", {}, made("label", { for: `${id}-other` }, "Or a policy with other weights: "), other)];
  const rung = seat.dial.findIndex((one) => one.policy === policy);
  const dial = made("input", { type: "range", id: `${id}-dial`, min: "0", max: String(seat.dial.length - 1), step: "1" });
  dial.value = String(rung < 0 ? seat.dial.length - 1 : rung);
  const words = (index) => {
    const one = seat.dial[index];
    if (!one) return "";
    const rate = one.win_rate ? `; wins ${percent(one.win_rate)} of ${one.win_rate.n.toLocaleString("en")} games of the published level` : "";
    return `${one.words} (${one.policy})${rate}`;
  };
  const said = made("output", { class: "note", for: `${id}-dial` }, rung < 0 ? `${policy} is not on the scale` : words(rung));
  dial.setAttribute("aria-valuetext", said.textContent);
  dial.addEventListener("input", () => { said.textContent = words(Number(dial.value)); dial.setAttribute("aria-valuetext", said.textContent); });
  dial.addEventListener("change", () => choose(seat.role, seat.dial[Number(dial.value)].policy));
  parts.push(made("label", { for: `${id}-dial` }, "Skill, from random play to the best fast policy"), dial, said);
  if (seat.slow.length) parts.push(made("p", { class: "note" }, `Policies with lookahead (${seat.slow.length} rungs) play better but are too slow for this page: see bartizan bracket.`));
  return made("div", { class: "seat" }, ...parts);
}

// ---------------------------------------------------------------- values

const MOST_FOUND = 30;
const FEW = 12; // values shown without measured influences

const placesOf = (offer) => offer.groups.flatMap((group) => group.records.flatMap((record) => record.values.map((value) => ({ value, record, group }))));
export const valuesOf = (offer) => placesOf(offer).map(({ value }) => value);
const signed = (share) => `${share < 0 ? "−" : "+"}${Math.abs(share * 100).toFixed(1)}`;

// influences: measured effects of the most influential values; null without measurements
export function drawValues(offer, state, influences, search, change) {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const all = placesOf(offer);
  byId("search").placeholder = `${examplesOf(offer).join(", ")} …`;
  byId("measure").hidden = influences !== null;
  const first = firstOf(all, influences);
  byId("values-title").textContent = influences ? "Most influential values" : first.length ? "All values" : "Values";
  byId("measured").textContent = influences ? `Measured one at a time, with changes of a quarter up or down: ${influences.measured}.` : "";
  replace(byId("most"), ...(words.length ? [] : first.map(({ value, record, group, row }) => drawValue(value, state, change, row, record.title, group.cost))));
  byId("measured").hidden = words.length > 0;
  if (!words.length) {
    const shown = new Set(first.map(({ value }) => value.path));
    const groups = offer.groups.map((group) => ({ ...group, records: group.records.map((record) => ({ ...record, values: record.values.filter((value) => !shown.has(value.path)) })).filter((record) => record.values.length) })).filter((group) => group.records.length);
    byId("found").textContent = groups.length ? `${all.length - shown.size} other values can be changed.` : "";
    replace(byId("values"), ...groups.map((group) => drawSort(group, state, change)));
    return;
  }
  const fits = all.filter(({ value, record, group }) => {
    const text = `${value.path} ${value.what} ${record.title} ${group.title} ${value.question ?? ""}`.toLowerCase().replaceAll("_", " ");
    return words.every((word) => text.includes(word));
  });
  replace(byId("values"), ...fits.slice(0, MOST_FOUND).map(({ value, record, group }) => drawValue(value, state, change, null, record.title, group.cost)));
  byId("found").textContent = fits.length > MOST_FOUND ? `${fits.length} values match; the first are shown. Add another word.` : `${fits.length} ${fits.length === 1 ? "value matches" : "values match"}.`;
}

// search examples: the value with the shortest name in each of the first groups
function examplesOf(offer) {
  const shortest = (names) => names.reduce((one, other) => (other.length < one.length ? other : one));
  return offer.groups.slice(0, 3).map((group) => shortest(group.records.flatMap((record) => record.values.map((value) => value.what))));
}

function firstOf(all, influences) {
  if (!influences) return all.length <= FEW ? all.map((each) => ({ ...each, row: null })) : [];
  const byPath = Object.fromEntries(all.map((each) => [each.value.path, each]));
  return influences.rows.filter((row) => row.path in byPath).map((row) => ({ ...byPath[row.path], row }));
}

function drawSort(group, state, change) {
  const details = made("details", { class: "sort", "data-name": group.title }, made("summary", {}, `${group.title} `, made("span", { class: "note" }, String(valuesOf({ groups: [group] }).length))));
  details.addEventListener("toggle", () => {
    if (details.open && details.children.length === 1) details.append(...(group.cost ? [made("p", { class: "note" }, group.cost)] : []), ...group.records.map((record) => drawRecord(record, state, change)));
  });
  return details;
}

function drawRecord(record, state, change) {
  return made("div", { class: "record" }, made("h3", {}, record.title), ...record.values.map((value) => drawValue(value, state, change)));
}

// row: its measured effect; of, cost: the thing it belongs to and what must be reprinted, if it is shown separately
function drawValue(value, state, change, row = null, of = "", cost = "") {
  const id = `value-${value.path}`;
  const now = value.path in state.set ? state.set[value.path] : value.value;
  const box = made("div", { class: "value", "data-path": value.path });
  const tell = (said) => { box.classList.toggle("moved", !same(said, value.value)); change(value.path, said, value.value); };
  const name = of && of !== value.name ? `${of}: ${value.name}` : value.name;
  box.append(made("label", { for: id }, name), ...fieldsOf(value, id, now, tell));
  const source = [value.confidence, value.source].filter(Boolean).join(": ");
  const shipped = typeof value.value === "object" ? JSON.stringify(value.value) : String(value.value);
  if (value.question) box.append(made("span", { class: "note" }, ...told(`${value.question} ${value.meaning}`)));
  const { estimate, low, high } = row?.difference ?? {};
  const moves = row ? made("b", {}, `${row.change}: ${signed(estimate)} pp`) : null;
  box.append(made("span", { class: "note" }, ...(row ? [moves, ` (${signed(low)} to ${signed(high)}; ${row.n.toLocaleString("en")} games). `] : []), `Edition: ${shipped}; allowed: ${value.allowed}. ${source}${cost && `. ${cost}`}`));
  box.classList.toggle("moved", !same(now, value.value));
  return box;
}

function fieldsOf(value, id, now, tell) {
  if (value.kind === "switch") {
    const box = made("input", { type: "checkbox", id, checked: now });
    box.addEventListener("change", () => tell(box.checked));
    return [box];
  }
  if (value.kind === "choice") {
    const select = made("select", { id });
    fillSelect(select, value.choices.map((one, index) => [index, String(one).replaceAll("_", " ")]), value.choices.indexOf(now));
    select.addEventListener("change", () => tell(value.choices[Number(select.value)]));
    return [select];
  }
  if (value.kind === "whole" || value.kind === "number") return numberFields(value, id, now, tell);
  const text = made("input", { type: "text", id, autocomplete: "off" });
  text.value = value.kind === "list" ? JSON.stringify(now) : now;
  text.addEventListener("change", () => {
    try { text.setCustomValidity(""); tell(value.kind === "list" ? JSON.parse(text.value) : text.value); }
    catch { text.setCustomValidity("use the notation shown, with brackets and quotes"); text.reportValidity(); }
  });
  return [text];
}

// A slider covers the allowed range or, if that is wide, the neighbourhood of the published value.
function spanOf(value) {
  const near = Math.max(Math.abs(value.value), 4);
  const low = Math.max(value.low ?? -Infinity, value.value >= 0 ? Math.min(0, value.low ?? 0) : value.value - 2 * near);
  const high = Math.min(value.high ?? Infinity, value.value + 2 * near);
  return [Math.max(low, value.low ?? -Infinity), high];
}

function numberFields(value, id, now, tell) {
  const whole = value.kind === "whole";
  const [low, high] = spanOf(value);
  const step = whole ? "1" : String(Math.max((high - low) / 200, 1e-6));
  const number = made("input", { type: "number", id, step: whole ? "1" : "any", ...(value.low === null ? {} : { min: String(value.low) }), ...(value.high === null ? {} : { max: String(value.high) }) });
  const slider = made("input", { type: "range", min: String(low), max: String(high), step, "aria-label": `${value.what}, slider` });
  number.value = slider.value = String(now);
  const said = (text) => { const found = Number(text); if (text !== "" && Number.isFinite(found) && (!whole || Number.isInteger(found))) tell(found); };
  slider.addEventListener("input", () => { number.value = slider.value; said(slider.value); });
  number.addEventListener("input", () => { slider.value = number.value; if (number.checkValidity()) said(number.value); });
  return [number, slider];
}

// ---------------------------------------------------------------- changes

export function drawChanged(state, words, offer, toggle, drop) {
  const rows = [...Object.entries(state.set).map(([path, value]) => [path, value, true]), ...Object.entries(state.off).map(([path, value]) => [path, value, false])];
  const names = Object.fromEntries(valuesOf(offer).map((value) => [value.path, value]));
  const own = Object.entries(words).filter(([path]) => !(path in state.set) && !(path in state.off));
  byId("edition").textContent = own.length ? `This edition changes the published game: ${own.slice(0, 8).map(([, text]) => text.replaceAll(" -> ", " → ")).join("; ")}${own.length > 8 ? ` and ${own.length - 8} more` : ""}.` : "";
  replace(byId("changed"), ...rows.sort((a, b) => a[0].localeCompare(b[0])).map(([path, value, on]) => {
    const id = `on-${path}`;
    const box = made("input", { type: "checkbox", id, checked: on });
    box.addEventListener("change", () => toggle(path, box.checked));
    const text = (on && words[path]) || `${names[path]?.what ?? path} ${shown(names[path]?.value)} → ${shown(value)}`;
    const button = made("button", { type: "button", id: `back-${path}`, "aria-label": `Reset to the value of the edition: ${names[path]?.what ?? path}` }, "Back");
    button.addEventListener("click", () => drop(path));
    return made("li", { class: on ? "" : "off" }, box, made("label", { for: id }, text.replaceAll(" -> ", " → ")), button);
  }));
}

const shown = (value) => (typeof value === "object" ? JSON.stringify(value) : String(value));
