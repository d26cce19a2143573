// Pictures: a mark's number under the pointer, or one after another with the arrow keys; a click or Enter keeps the
// marks of its colour in front. The table below a picture has its numbers, in the order of the marks.
const tip = Object.assign(document.createElement("p"), { className: "tip", role: "status", hidden: true });
document.body.append(tip);
function textsOf(rows) { // of each row, with those that reach into it from a row above
  const above = Array(Math.max(0, ...rows.map(row => row.cells.length))).fill({ left: 0 });
  return rows.map(row => {
    const own = [...row.cells];
    return above.map(({ left, text }, column) => {
      if (!left) ({ rowSpan: left, textContent: text } = own.shift());
      above[column] = { left: left - 1, text };
      return text;
    });
  });
}
const NEAR = 20; // pixels from a mark at which it is meant
function colourOf(part) {
  const [stroke, fill] = ["stroke", "fill"].map(name => part.getAttribute(name));
  return stroke && stroke !== "#fff" ? stroke : fill;
}
for (const picture of document.querySelectorAll("figure > svg")) {
  const marks = [...picture.querySelectorAll(".m, .ms > *")];
  const rows = textsOf([...picture.parentNode.querySelectorAll(".data tbody tr")]);
  const colours = new Map(marks.map(mark => [mark, colourOf(mark) ?? colourOf(mark.firstElementChild ?? mark) ?? colourOf(mark.parentNode)]));
  let at = -1;
  function show(place) {
    marks[at]?.classList.remove("on");
    at = place;
    tip.hidden = at < 0;
    if (at < 0) return;
    marks[at].classList.add("on");
    const [row, ...numbers] = rows[at];
    tip.textContent = `${row}: ${numbers.join(" ")}`;
    const box = marks[at].getBoundingClientRect();
    tip.style.left = `${Math.max(8, Math.min(box.left + box.width / 2 - tip.offsetWidth / 2, innerWidth - tip.offsetWidth - 8))}px`;
    tip.style.top = `${box.top > tip.offsetHeight + 12 ? box.top - tip.offsetHeight - 6 : box.bottom + 6}px`;
  }
  function nearest(event) {
    const away = marks.map(mark => {
      const box = mark.getBoundingClientRect();
      const across = Math.max(box.left - event.clientX, 0, event.clientX - box.right);
      return Math.hypot(across, Math.max(box.top - event.clientY, 0, event.clientY - box.bottom));
    });
    const least = Math.min(...away);
    return least < NEAR ? away.indexOf(least) : -1;
  }
  function pick(colour) {
    const picked = picture.dataset.picked === colour ? "" : colour;
    const known = new Set(colours.values());
    picture.dataset.picked = picked;
    for (const part of picture.querySelectorAll("[stroke], [fill]")) {
      const own = colourOf(part);
      if (known.has(own)) part.classList.toggle("dim", picked !== "" && own !== picked);
    }
  }
  picture.tabIndex = 0;
  picture.addEventListener("pointermove", event => show(nearest(event)));
  picture.addEventListener("pointerleave", () => show(-1));
  picture.addEventListener("click", event => pick(colours.get(marks[nearest(event)]) ?? ""));
  picture.addEventListener("blur", () => show(-1));
  picture.addEventListener("keydown", event => {
    const to = { ArrowRight: at + 1, ArrowDown: at + 1, ArrowLeft: at - 1, ArrowUp: at - 1, Home: 0, End: marks.length - 1 }[event.key];
    if (to !== undefined) show(Math.max(0, Math.min(to, marks.length - 1)));
    else if (event.key === "Enter") pick(colours.get(marks[at]) ?? "");
    else if (event.key === "Escape") { show(-1); pick(""); }
    else return;
    event.preventDefault();
  });
}
