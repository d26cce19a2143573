"use strict";
(() => {
  const game = JSON.parse(document.getElementById("game").textContent);
  const watch = document.getElementById("watch"), now = document.getElementById("now");
  const slide = watch.querySelector("input[type=range]"), pace = watch.querySelector("select");
  const buttons = Object.fromEntries([...watch.querySelectorAll("button")].map(b => [b.dataset.go, b]));
  const last = game.plies; // shows 0, before the first step, to this; step k is shown as k + 1
  const SVG = "http://www.w3.org/2000/svg";
  const make = (name, look, text) => {
    const one = document.createElement(name);
    if (look) one.className = look;
    if (text !== undefined) one.textContent = text;
    return one;
  };

  // every table whole: what a step did not change is the same object as before
  const tables = [];
  for (const step of game.tables) {
    const before = tables[tables.length - 1] || {z: {}, c: {}, d: {}};
    tables.push({z: {...before.z, ...step.z}, c: {...before.c, ...step.c}, d: {...before.d, ...step.d}});
  }
  const turns = [...document.querySelectorAll("#log .turn")].map(turn => {
    const first = turn.querySelector("ol > li");
    return first ? Number(first.id.slice(5)) : last;
  });

  let at = 0, timer = null, cameFrom = null;

  const told = (step, into) => {
    const line = make("p", "what");
    const who = step.querySelector("b"), rule = step.querySelector(":scope > .rule");
    line.textContent = (who ? who.textContent + ": " : "") + step.querySelector(":scope > span").textContent + " ";
    if (rule) line.append(rule.cloneNode(true));
    into.append(line);
    const events = step.querySelector(":scope > ul");
    if (events) into.append(events.cloneNode(true));
  };

  const opened = (turn, into) => { // the head of a turn, and what happened before its first decision
    into.append(make("h4", "", turn.querySelector("h3").textContent));
    const lead = turn.querySelector(":scope > ul");
    if (lead) into.append(lead.cloneNode(true));
  };

  const say = () => {
    const step = at ? document.getElementById("step-" + (at - 1)) : null;
    const turn = step ? step.closest(".turn") : document.querySelector("#log .turn");
    const parts = document.createDocumentFragment();
    parts.append(make("h3", "", turn.querySelector("h3").textContent));
    parts.append(make("p", "note", at ? "Step " + (at - 1) + " (0 to " + (last - 1) + ")" : "Before step 0 of " + last + " steps"));
    if (step) {
      told(step, parts);
      if (step === turn.querySelector("ol").lastElementChild && turn.nextElementSibling.matches(".turn")) opened(turn.nextElementSibling, parts);
    } else {
      const lead = turn.querySelector(":scope > ul");
      if (lead) parts.append(lead.cloneNode(true));
    }
    const deciding = tables.length ? tables[at].d[0] : "";
    if (at === last) parts.append(make("p", "what", document.getElementById("end").textContent));
    else if (deciding) parts.append(make("p", "note", "Next to decide: " + deciding));
    now.replaceChildren(parts);
    document.querySelectorAll("#log .here").forEach(one => one.classList.remove("here"));
    if (step) step.classList.add("here");
  };

  const counters = () => {
    const box = document.getElementById("counters");
    const shown = game.counters.map((name, number) => [name, tables[at].c[number] ?? null]);
    box.replaceChildren(...shown.filter(([, value]) => value !== null).map(([name, value]) => {
      const pair = make("div");
      pair.append(make("dt", "", name), make("dd", "", value));
      return pair;
    }));
  };

  const isNew = (zone, thing) => { // was it elsewhere, or otherwise, in the table before?
    const before = at && tables[at - 1].z[zone];
    return before && before !== tables[at].z[zone] && !before[1].includes(thing);
  };

  const zones = () => {
    const all = [];
    game.zones.forEach(([name, shape], number) => {
      const [note, things] = tables[at].z[number] || ["", []];
      const box = make("section", "zone " + shape + (at && tables[at - 1].z[number] !== tables[at].z[number] ? " new" : ""));
      const head = make("h3", "", name + " ");
      if (note) head.append(make("span", "note", note));
      box.append(head);
      if (things.length) box.append(list(number, shape, things));
      else box.append(make("p", "note", "nothing"));
      all.push(box);
    });
    document.getElementById("zones").replaceChildren(...all);
  };

  const list = (zone, shape, things) => {
    const lines = make("ul"), rows = things.map(thing => cell(game.things[thing][2])).filter(Boolean);
    const top = Math.max(0, ...rows.map(([row]) => row));
    for (const thing of things) {
      const [name, short, place, look] = game.things[thing];
      const one = make("li", look + (isNew(zone, thing) ? " new" : ""));
      const spot = shape === "grid" && cell(place);
      if (spot) {
        one.style.gridArea = (top - spot[0] + 1) + " / " + (spot[1] + 1);
        one.append(make("span", "hear", name + " at " + place));
        const seen = make("span", "", short);
        seen.setAttribute("aria-hidden", "true");
        one.append(seen);
        one.title = name;
      } else one.textContent = name + (place ? ": " + place : "");
      lines.append(one);
    }
    return lines;
  };

  const cell = place => { // "(row, column)"
    const found = /^\((\d+), (\d+)\)$/.exec(place);
    return found && [Number(found[1]), Number(found[2])];
  };

  const boards = [...watch.querySelectorAll(".pawns")];
  const pawns = () => {
    boards.forEach(board => board.replaceChildren());
    const taken = {};
    game.zones.forEach((_, number) => {
      for (const thing of (tables[at].z[number] || ["", []])[1]) {
        const [, short, , look, place] = game.things[thing];
        if (place) pawn(place, short, look + (isNew(number, thing) ? " new" : ""), taken);
      }
    });
  };

  const pawn = ([board, x, y], short, look, taken) => {
    const key = [board, x, y].join(), n = taken[key] = (taken[key] || 0) + 1;
    const {wide, high, apart} = boards[board].dataset;
    const one = document.createElementNS(SVG, "g"), disc = document.createElementNS(SVG, "rect"), text = document.createElementNS(SVG, "text");
    const letters = short.slice(0, wide > high ? 10 : 3);
    one.setAttribute("class", "pawn " + look + (letters.length > 2 ? " long" : ""));
    one.setAttribute("transform", "translate(" + (x + (n - 1) % 5 * apart) + " " + (y + Math.floor((n - 1) / 5) * apart) + ")");
    for (const [name, value] of [["x", -wide], ["y", -high], ["width", 2 * wide], ["height", 2 * high], ["rx", high]]) disc.setAttribute(name, value);
    text.setAttribute("y", "3.5");
    text.textContent = letters;
    one.append(disc, text);
    boards[board].append(one);
    if (look.includes("new")) inSight(boards[board].closest(".scroll"), one);
  };

  const inSight = (box, one) => { // on a phone the board is wider than the screen
    if (box.scrollWidth <= box.clientWidth) return;
    const outer = box.getBoundingClientRect(), inner = one.getBoundingClientRect();
    if (inner.left < outer.left || inner.right > outer.right) box.scrollLeft += inner.left - outer.left - outer.width / 2;
  };

  // the chances from the position that is shown: a command, and of the first decision of a turn its line
  const odds = document.getElementById("odds");
  const here = () => `${odds.dataset.game}, decision ${at}`;
  const offerOdds = () => {
    if (!odds) return;
    odds.hidden = at === last;
    const [command, line] = odds.querySelectorAll("b");
    command.textContent = `"${here()}"`;
    line.textContent = game.positions[at] || "";
    line.closest("div").hidden = !line.textContent;
  };
  const copy = async button => {
    const text = button.parentElement.querySelector("code");
    getSelection().selectAllChildren(text); // to be copied by hand where the browser does not allow it
    const isCopied = await navigator.clipboard?.writeText(text.textContent).then(() => true, () => false);
    button.textContent = isCopied ? "Copied" : "Selected";
    setTimeout(() => { button.textContent = "Copy"; }, 1500);
  };
  odds?.addEventListener("click", event => {
    const button = event.target.closest("button");
    if (!button) return;
    if ("ask" in button.dataset) parent.postMessage({at: here()}, "*");
    else copy(button);
  });
  if (odds && parent !== window) odds.querySelector("[data-ask]").hidden = false; // in the workbench

  // the curve beneath the board: where the game stands, and a way to the start of each turn
  const curve = document.getElementById("curve");
  const starts = curve ? [...curve.querySelectorAll(".at")] : [];
  const across = start => Number(start.querySelector(".hit").getAttribute("x"));
  const turnAt = step => step ? game.turns[step - 1] : starts.length ? Number(starts[0].dataset.turn) : 0;
  const cursor = () => {
    if (!starts.length) return;
    const here = starts.findLast(start => Number(start.dataset.turn) <= turnAt(at)) || starts[0];
    starts.forEach(start => start.classList.toggle("here", start === here));
    const x = at === last ? across(here) + Number(here.querySelector(".hit").getAttribute("width")) : across(here);
    document.getElementById("cursor").setAttribute("d", "M" + x + " 24V162");
  };
  if (curve) curve.addEventListener("click", event => {
    const start = event.target.closest(".at");
    if (!start) return;
    if (timer) stop();
    const first = game.turns.findIndex(turn => turn >= Number(start.dataset.turn));
    show(start === starts[0] ? 0 : first + 1);
    if (odds) odds.open = true;
  });

  const show = (step, note = true) => {
    at = Math.min(Math.max(step, 0), last);
    say();
    cursor();
    offerOdds();
    if (tables.length) { counters(); zones(); pawns(); }
    slide.value = at;
    slide.setAttribute("aria-valuetext", at ? "step " + (at - 1) : "before step 0");
    for (const name of ["first", "back", "turn-back"]) off(buttons[name], at === 0);
    for (const name of ["last", "next", "turn-next"]) off(buttons[name], at === last);
    if (note) history.replaceState(null, "", at ? "#step-" + (at - 1) : "#watch");
  };

  const off = (button, is) => { // one that has the focus keeps it
    button.setAttribute("aria-disabled", String(is));
    button.style.opacity = is ? ".45" : "";
  };

  const stop = () => {
    clearInterval(timer);
    timer = null;
    buttons.play.textContent = "Play";
    now.setAttribute("aria-live", "polite");
  };
  const play = () => {
    if (timer) return stop();
    if (at === last) show(0);
    buttons.play.textContent = "Stop";
    now.setAttribute("aria-live", "off"); // nobody can listen so fast
    timer = setInterval(() => { show(at + 1); if (at === last) stop(); }, Number(pace.value));
  };
  const turn = by => {
    const starts = [0, ...turns.slice(1), last];
    return by > 0 ? Math.min(...starts.filter(start => start > at)) : Math.max(...starts.filter(start => start < at));
  };
  const go = {
    first: () => show(0), back: () => show(at - 1), next: () => show(at + 1), last: () => show(last), play,
    "turn-back": () => at && show(turn(-1)), "turn-next": () => at < last && show(turn(1)),
  };
  const keys = {ArrowLeft: "back", ArrowRight: "next", Home: "first", End: "last", " ": "play"};

  const inView = () => { // further down the keys belong to the list
    const box = watch.getBoundingClientRect();
    return box.bottom > 0 && box.top < innerHeight;
  };

  watch.addEventListener("click", event => {
    const button = event.target.closest("[data-go]");
    if (!button) return;
    if (timer && button.dataset.go !== "play") stop();
    go[button.dataset.go]();
  });
  slide.max = last;
  slide.addEventListener("input", () => { if (timer) stop(); show(Number(slide.value)); });
  pace.addEventListener("change", () => { if (timer) { stop(); play(); } });
  document.addEventListener("keydown", event => {
    const what = keys[event.key];
    if (!what || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
    if (event.target.closest("input, select, .scroll") || !inView()) return;
    if (event.key === " " && event.target.closest("button, a, summary")) return; // it presses these
    event.preventDefault();
    if (timer && what !== "play") stop();
    go[what]();
  });
  const fromAddress = () => {
    const found = /^#step-(\d+)$/.exec(location.hash);
    if (!found) return false;
    show(Number(found[1]) + 1, false);
    watch.scrollIntoView();
    return true;
  };
  addEventListener("hashchange", fromAddress);
  watch.hidden = false;
  if (!fromAddress()) show(0, false);
})();
