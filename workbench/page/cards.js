// Settings tried: one card per setting, which can be named, restored and compared.
import { byId, made, same } from "./controls.js";
import { strip } from "./picture.js";

const MOST = 40; // the number of settings whose games the server keeps
const STORE = "bartizan-cards"; // for a reload of this tab; deleted with it

let cards = [];
try { cards = JSON.parse(sessionStorage.getItem(STORE)) ?? []; } catch { cards = []; }

const keep = () => { try { sessionStorage.setItem(STORE, JSON.stringify(cards)); } catch { /* without storage, cards last as long as the page */ } };

// setting: the game setting; now: its first result; words: the changes from the edition; version: of the game's files
export function addCard(setting, now, words, title, version) {
  const known = cards.find((card) => same(card.setting, setting) && card.version === version);
  cards = [{ name: words, ...known, setting, now, title, version }, ...cards.filter((card) => card !== known)].slice(0, MOST);
  keep();
}

export const cardOf = (setting) => cards.find((card) => same(card.setting, setting));

// version: of the game's files; pinned: the setting for comparison; goBack, compare: actions of the buttons
export function drawCards(about, { game, version, pinned, now, goBack, compare } = about) {
  const shown = cards.filter((card) => card.setting.game === game);
  byId("no-cards").hidden = shown.length > 0;
  byId("cards").replaceChildren(...shown.map((card) => {
    const isOld = card.version !== version, edited = isOld ? " Measured before the game's files were edited." : "";
    const name = made("input", { type: "text", "aria-label": "Name of the card", maxlength: "80" });
    name.value = card.name;
    name.addEventListener("change", () => { card.name = name.value.trim() || card.name; keep(); drawCards(about); });
    const button = (words, act, isOff = false) => {
      const element = made("button", { type: "button", "aria-label": `${words}: ${card.name}`, disabled: isOff }, words);
      element.addEventListener("click", act);
      return element;
    };
    return made("li", { class: !isOld && same(card.setting, pinned) ? "pinned" : "" }, name,
      made("p", { class: "figures" }, made("b", {}, card.now.text), made("span", { class: "note" }, ` ${card.now.limits}, ${card.now.n.toLocaleString("en")} games. ${card.title}${edited}`)),
      strip({ now: card.now, label: `${card.name}: ${card.now.text}` }),
      made("p", { class: "tools" }, button("Restore", () => goBack(card.setting), !isOld && same(card.setting, now)), button("Compare", () => compare(card.setting), isOld || same(card.setting, pinned)), button("Delete", () => { cards = cards.filter((other) => other !== card); keep(); drawCards(about); })));
  }));
}
