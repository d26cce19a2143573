// Pig as a live engine in TypeScript (docs/engines.md). Replace `declaration` and `play` by your own game.
// Node 22.18 or later runs it as it is. For an older Node, remove the types or compile the file first.

import { createInterface } from "node:readline";

type Policy = "hold" | "random";
interface Match { settings: { goal: number; sides: number }; policies: Policy[]; weights: { at: number }[] }

const declaration = {
  bartizan: 1,
  name: "pig",
  title: "Pig",
  players: 2,
  settings: [
    { name: "goal", default: 100, min: 1, max: 1000, about: "points that win" },
    { name: "sides", default: 6, min: 2, max: 20, about: "sides of the die" },
  ],
  policies: [
    { name: "hold", about: "holds when a turn brought `at` points", weights: { at: 20 } },
    { name: "random", about: "rolls or holds with equal chance" },
  ],
  score: "points",
  columns: { busts: "turns lost to a 1" },
};

// Math.random has no seed: all luck comes from a generator of the game's own (mulberry32).
function luckOf(seed: number): () => number {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

function play(seed: number, { settings, policies, weights }: Match) {
  const luck = luckOf(seed), banked = [0, 0];
  for (let turns = 1, busts = 0, mover = 0; ; turns++, mover = 1 - mover) {
    for (let atStake = 0; ; ) {
      const enough = atStake >= weights[mover].at || banked[mover] + atStake >= settings.goal;
      if (policies[mover] === "random" ? luck() < 0.5 : enough) {
        banked[mover] += atStake;
        break;
      }
      const pips = 1 + Math.floor(luck() * settings.sides);
      if (pips === 1) { busts++; break; }
      atStake += pips;
    }
    if (banked[mover] >= settings.goal) return { winner: mover + 1, turns, scores: banked, busts };
  }
}

createInterface({ input: process.stdin }).on("line", (line: string) => {
  const message = JSON.parse(line);
  const answers = message.message === "hello" ? [declaration]
    : [...message.seeds.map((seed: number) => ({ seed, ...play(seed, message) })), { done: message.seeds.length }];
  process.stdout.write(answers.map((answer) => JSON.stringify(answer) + "\n").join(""));
});
