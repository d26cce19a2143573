// A click on the head of a column sorts its table; without scripts the order stays that of the report. Numbers are
// compared by value, also within names: "goal 9" before "goal 10", "noise=0.05" before "noise=0.1".
function value(cell) {
  const text = cell.textContent.trim().replace("−", "-").replace(/(\d),(?=\d{3})/g, "$1");
  const number = parseFloat(text.replace(/^(below|above) /, ""));
  return isNaN(number) ? [1, 0, text] : [0, text.startsWith("below") ? 0 : number, text];
}
function order(a, b) {
  return a[0] - b[0] || a[1] - b[1] || byParts(a[2], b[2]);
}
function byParts(a, b) {
  const [ours, theirs] = [a, b].map(text => text.split(/(\d+(?:\.\d+)?)/)); // every other part is a number
  for (let place = 0; place < Math.min(ours.length, theirs.length); place++) {
    const [x, y] = [ours[place], theirs[place]];
    const difference = place % 2 ? x - y : x.localeCompare(y);
    if (difference) return difference;
  }
  return ours.length - theirs.length;
}
for (const table of document.querySelectorAll("table:not(.data table)")) {
  table.querySelectorAll("thead th").forEach((head, column) => {
    const button = document.createElement("button");
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const falls = head.ariaSort === "ascending";
      for (const other of table.querySelectorAll("thead th")) other.removeAttribute("aria-sort");
      head.ariaSort = falls ? "descending" : "ascending";
      const rows = [...table.tBodies[0].rows].sort((a, b) => order(value(a.cells[column]), value(b.cells[column])));
      table.tBodies[0].append(...(falls ? rows.reverse() : rows));
    });
  });
}
