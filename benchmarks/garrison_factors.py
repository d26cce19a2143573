"""Find the factors of `sentinel` (policies/itter/sentinel.py) in games with random factors.

    python benchmarks/garrison_factors.py                    find them again: takes minutes on one core
    python benchmarks/garrison_factors.py --check 40000      compare sentinel with garrison@elite3

In every game, each factor is multiplied by 1 + step, divided by it, or kept. The effect of a factor is the
difference of the win rates, and all factors are measured in the same games. Effects are shrunk by group
(empirical Bayes). Each factor moves towards the maximum of a parabola with the curvature of its group. The
next round starts from these estimates. START was chosen by hand after four rounds with up to 900 factors.
"""

import argparse
from time import process_time

import numba
import numpy as np

from bartizan.policies.itter import danger, factors
from bartizan.policies.registry import find_player
from bartizan.simcore.compile.jit import jit
from bartizan.simcore.compile.loops import Loop, array
from bartizan.simcore.compile.memory import padded
from bartizan.simcore.compile.renewed import record_at_end
from bartizan.simcore.game import load_game
from bartizan.simcore.play.batch import play_games
from bartizan.simcore.play.match import CompiledMatch, Match
from bartizan.simcore.play.step import begin_game, outcome
from bartizan.simcore.rng import GOLDEN, mix
from bartizan.simcore.scenario.loading import load_scenario

START = {
    "opening_tokens": (1, 1.5),  # red: Pollock's first tokens
    "recover_of": (1, 1, 1, 2),  # Pollock
    "miss_kind": (0.82, 1, 1.18),  # Rifleman, Scout, Assault
}
STEPS = {  # group: step, chance of a change, factors that matter in the published game
    "opening_shot": (0.4, 0.2, 5),
    "opening_tokens": (0.4, 0.1, 4),
    "recover_of": (0.5, 0.25, 23),
    "recover_in": (0.3, 0.3, 6),
    "recover_nth": (0.3, 0.3, 5),
    "recover_near": (0.3, 0.3, 5),
    "recover_from": (0.3, 0.3, 4),
    "tokens_near": (0.2, 0.3, 5),
    "target": (0.25, 0.3, 25),
    "miss_kind": (0.1, 0.3, 5),
    "miss_colour": (0.12, 0.3, 5),
    "miss_stock": (0.12, 0.3, 8),
}
DAMPING, FARTHEST = 0.6, 1.0  # share of the way to the maximum; maximum number of steps per round
LEAST_CURVATURE = 5e-4
SEED = 1007
PIECE = 20_000
GAME = load_game("itter")
memory_of = record_at_end(numba.from_dtype(padded(danger.VIEW)))


@jit
def row_of(weights):
    return memory_of(weights)


@jit
def toss(view, base, step, chance, active, game, levels):
    """Set every active factor of `view` at random. Writes `levels`: 0 lower, 1 unchanged, 2 higher."""
    view.factors[:] = base
    view.seen.counter[:] = -7  # nothing that was evaluated with other factors is valid
    view.seen.tokens[:] = -7
    for i in range(len(active)):
        word = mix(mix(GOLDEN * np.uint64(game + 1)) + GOLDEN * np.uint64(i + 1))
        drawn = np.float64(word >> np.uint64(11)) / 2.0**53
        levels[i] = 0 if drawn < 0.5 * chance[i] else 2 if drawn < chance[i] else 1
        view.factors[active[i]] *= (1.0 + step[i]) ** (levels[i] - 1.0)


def play_tossed(
    states, tables, policies, workspaces, first, n, base, step, chance, active, levels, games, wins
):
    workspace = workspaces[0]
    view = row_of(workspace.weights[0])
    outcome(
        states[0], tables, policies, workspace, begin_game(states, tables, workspace, first)
    )  # fills the memory
    for game in range(first, first + n):
        toss(view, base, step, chance, active, game, levels)
        won = (
            outcome(states[0], tables, policies, workspace, begin_game(states, tables, workspace, game)) == 0
        )
        for i in range(len(active)):
            games[i, levels[i]] += 1
            wins[i, levels[i]] += won


FLOATS, INTEGERS = array("f8"), array("i8")
TOSSED = Loop(
    play_tossed,
    lambda engine, seats: (
        *(numba.int64, FLOATS, FLOATS, FLOATS, INTEGERS, INTEGERS),
        *(array("i8", 2), array("i8", 2)),
    ),
)


def match_of(policy: str, seed: int) -> Match:
    return Match(GAME, load_scenario(GAME, difficulty="elite"), (find_player(GAME, policy),), seed)


def find(games: int, rounds: int) -> None:
    """Find the factors, and print the table after each round, rounded to two decimals."""
    group, step, chance, active = [], [], [], []
    for name, (by, share, n) in STEPS.items():
        start = getattr(factors.START, name)
        group += [name] * n
        step += [by] * n
        chance += [share] * n
        active += range(start, start + n)
    group, step, chance, active = np.array(group), np.array(step), np.array(chance), np.array(active)
    base, kept = factors.flat(START).copy(), None
    for number in range(rounds):
        compiled = CompiledMatch(match_of("garrison@elite3", SEED + number), TOSSED)
        counts, wins = np.zeros((2, len(active), 3), np.int64)
        for first in range(0, games, PIECE):
            compiled.run(first, PIECE, base, step, chance, active, np.zeros_like(active), counts, wins)
        moves, kept = moved(group, counts, wins, kept)
        base[active] = np.round(base[active] * (1 + step) ** moves, 2)
        print(f"round {number + 1}: {wins.sum() / counts.sum():.1%} won\n{text_of(base)}", flush=True)


def moved(group, counts, wins, kept):
    """Return the changes of the factors in steps, and the updated estimates for the next round.

    The estimates are the slope, its variance, the curvature and its variance.
    """
    rate, n = wins / counts, counts.astype(float)
    each = (wins.sum() / counts.sum()) * (1 - wins.sum() / counts.sum())
    slope, bend = (rate[:, 2] - rate[:, 0]) / 2, 2 * rate[:, 1] - rate[:, 2] - rate[:, 0]
    of_slope, of_bend = (
        each * (1 / n[:, 2] + 1 / n[:, 0]) / 4,
        each * (1 / n[:, 2] + 1 / n[:, 0] + 4 / n[:, 1]),
    )
    if kept is not None:
        slope, of_slope = pooled(slope, of_slope, kept[0], kept[1])
        bend, of_bend = pooled(bend, of_bend, kept[2], kept[3])
    moves, bends = np.zeros_like(slope), np.zeros_like(slope)
    for name in STEPS:
        own = group == name
        spread = max((slope[own] ** 2 - of_slope[own]).mean(), 1e-8)
        mean = max(np.average(bend[own], weights=1 / of_bend[own]), LEAST_CURVATURE)
        between = max(((bend[own] - mean) ** 2 - of_bend[own]).mean(), 0.0)
        bends[own] = np.maximum(mean + (bend[own] - mean) * between / (between + of_bend[own]), mean / 2)
        shrunk = slope[own] * spread / (spread + of_slope[own])
        moves[own] = np.clip(DAMPING * shrunk / bends[own], -FARTHEST, FARTHEST)
    after = of_slope + (0.4 * bends * moves) ** 2 + 4e-8
    return moves, (slope - bends * moves, after, bend, 1.2 * of_bend)


def pooled(a, of_a, b, of_b):
    return (a / of_a + b / of_b) / (1 / of_a + 1 / of_b), 1 / (1 / of_a + 1 / of_b)


def text_of(table: np.ndarray) -> str:
    """Return a table as in policies/itter/sentinel.py. Factors of 1 at the end of a group are left out."""
    lines, between = [], ",\n        "
    for name, shape in factors.SHAPES.items():
        start = getattr(factors.START, name)
        values = np.trim_zeros(table[start : start + int(np.prod(shape))] - 1, "b") + 1
        row = shape[1] if len(shape) > 1 else 12
        rows = [", ".join(f"{one:g}" for one in values[i : i + row]) for i in range(0, len(values), row)]
        if rows:
            lines.append(f'    "{name}": [{between.join(rows)}],')
    return "\n".join(["{", *lines, "}"])


def check(games: int) -> str:
    """Compare `sentinel` with `garrison@elite3` on common random numbers.

    Returns win rates, their difference, and games per second of processor time, as text.
    """
    won, speed = [], []
    for policy in ("garrison@elite3", "sentinel"):
        match = match_of(policy, 4703)
        next(iter(play_games(match, range(500))))
        began = process_time()
        won.append(
            np.concatenate([rows["winner"] == 0 for rows in play_games(match, range(games))]).astype(float)
        )
        speed.append(games / (process_time() - began))
    gain = 100 * (won[1] - won[0])
    half = 1.96 * gain.std(ddof=1) / games**0.5
    low, high = gain.mean() - half, gain.mean() + half
    return (
        f"sentinel {100 * won[1].mean():.2f} %, garrison@elite3 {100 * won[0].mean():.2f} %, "
        f"{gain.mean():+.2f} ({low:.2f} to {high:.2f}), {games:,} games; "
        f"{speed[1]:.0f} and {speed[0]:.0f} games/s"
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=300_000, help="games of each round")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--check", type=int, default=0, help="fresh games")
    given = parser.parse_args()
    if given.check:
        print(check(given.check))
    else:
        find(given.games, given.rounds)
