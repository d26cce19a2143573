"""`newcomer` fitted to the moves of people, half of their games held out in turn: docs/newcomer.md, ADR 43.

    python benchmarks/newcomer_fit.py FOLDER

FOLDER: `final_agg.json`, as published by Collins et al. 2026 (MIT) in github.com/collinskatie/
intuitive-game-reasoning under human-data/play-exp/human-v-human/final-play. Prints JSON. Each play is first
replayed on examples/rows/rows.py.
"""

import json
import sys
from itertools import pairwise
from pathlib import Path

import numpy as np
from numba import njit
from scipy.optimize import minimize

from bartizan.examples.rows import rows
from bartizan.simcore.scenario.loading import load_scenario

NAMES = ("temperature", "fades", "feared", "centre", "win", "slip", "later")
START = np.array([-0.2, -1.3, 1.0, 0.1, 3.0, -2.7, 0.7])
MATCHES = 400  # of self-play in each game
RATE = 10.0  # pieces on the board that `later` counts as one
Z90 = 1.645


def variant_of(text: str) -> str:
    """`5.0*5.0*4 pieces in a row wins. ...` -> `5x5-4-...`."""
    height, width, rule = text.split("*", 2)
    row = next(int(word) for word in rule.split() if word.isdigit())
    ends = {
        "loses": "-loses",
        "a player cannot win by making a diagonal": "-straight",
        "a player can only win by making a diagonal": "-diagonal",
        "The first player cannot win by": "-first-straight",
        "The first player can only win by": "-first-diagonal",
        "The second player can place 2": "-second-two",
        "The first player can place 2": "-first-two",
        "the second player only needs": f"-{row - 1}",
    }
    return f"{int(float(height))}x{int(float(width))}-{row}" + next(
        (end for said, end in ends.items() if said in rule), ""
    )


@njit
def look(state, tables, action, trial, lines, features):
    """What an action leads to: own lines, the other's, who has won, the middle. Modifies the last three."""
    seat = state.to_move
    trial[0] = state
    rows.apply(trial[0], tables, action)
    rows.count_lines(trial[0], tables, lines)
    for k in range(3):
        features[k], features[3 + k] = np.log1p(lines[seat, k]), np.log1p(lines[1 - seat, k])
    features[6] = 0.0 if trial[0].winner < 0 else 1.0 if trial[0].winner == seat else -1.0
    features[7] = rows.centrality(tables, action)


@njit
def decision(state, tables, trial, lines, legal, features):
    n = rows.legal_actions(state, tables, legal)
    for i in range(n):
        look(state, tables, legal[i], trial, lines, features[i])
    return n


@njit
def worth_of(features, theta, loses):
    """[action]: in steps of the goal; where a row loses, lines count the other way."""
    fades, worth = np.exp(theta[1]), np.zeros(len(features))
    for k in range(3):
        worth += fades**k * (features[:, k] - np.exp(theta[2]) * features[:, 3 + k])
    return (-worth if loses else worth) + theta[3] * features[:, 7] + theta[4] * features[:, 6]


@njit
def chance_of(features, theta, loses, pieces, relative):
    """[action]: of being chosen."""
    worth, n = worth_of(features, theta, loses), len(features)
    step = max(np.std(worth), 1e-12) if relative else 1.0
    odds = np.exp((worth - worth.max()) / (np.exp(theta[0]) * step))
    slip = 1.0 / (1.0 + np.exp(-theta[5] - theta[6] * pieces / RATE))
    return (1.0 - slip) * odds / odds.sum() + slip / n


@njit
def log_likelihood(theta, features, first, chosen, loses, pieces, relative=True):
    """[move]: the logarithm of the chance of what was played."""
    found = np.empty(len(chosen))
    for i in range(len(chosen)):
        chances = chance_of(features[first[i] : first[i + 1]], theta, loses[i], pieces[i], relative)
        found[i] = np.log(chances[chosen[i]])
    return found


@njit
def self_play(states, tables, theta, matches, seed):
    """Matches won by the first, by the second, drawn; mean pieces on the board at the end."""
    np.random.seed(seed)
    trial, lines, legal = states[1:2], np.zeros((2, 3)), np.zeros(100, np.int32)
    features, counts, pieces = np.zeros((100, 8)), np.zeros(3), 0.0
    for _ in range(matches):
        states[0] = states[2]
        rows.reset(states[0], tables)
        while states[0].end_reason == 0:
            n = decision(states[0], tables, trial, lines, legal, features)
            chances = np.cumsum(chance_of(features[:n], theta, tables.loses, states[0].pieces, True))
            i = min(np.searchsorted(chances, np.random.random() * chances[-1]), n - 1)
            rows.apply(states[0], tables, legal[i])
        counts[states[0].winner] += 1.0
        pieces += states[0].pieces
    return counts / matches, pieces / matches


class Plays:
    """Recorded plays replayed on the engine; moves with more than one legal action."""

    def __init__(self, folder: Path):
        raw = json.loads((folder / "final_agg.json").read_text(encoding="utf-8"))
        self.names, self.odd, self.results, self.tables = [], [], [], []
        features, first, chosen, columns, people = [], [0], [], [], {}
        room, lines, legal = np.zeros((100, 8)), np.zeros((2, 3)), np.zeros(100, np.int32)
        for number, (text, games) in enumerate(raw.items()):
            variant = variant_of(text)
            self.names.append(variant)
            self.tables.append(
                rows.build_tables(load_scenario(rows.GAME, None, variant)).view(np.recarray)[0]
            )
            tables, results = self.tables[-1], []
            for i, boards in enumerate(games["boards"]):
                boards = np.array(json.loads(boards) if isinstance(boards, str) else boards)
                seats, outcome = games["order2player"][i], games["outcome"][i]
                winner = next((int(seat) - 1 for seat, who in seats.items() if who == outcome), -1)
                states = np.zeros(2, rows.STATE)
                states = states.view(np.recarray)
                state = states[0]
                rows.reset(state, tables)
                results.append((winner, 0))
                for before, after in pairwise(boards):
                    new = np.flatnonzero(before != after)  # two at once where a snapshot was missed
                    while len(new):
                        mine = [square for square in new if after.flat[square] == state.to_move + 1]
                        if not mine or state.end_reason:
                            self.odd.append((variant, i, "a move out of turn"))
                            break
                        n = decision(state, tables, states[1:2], lines, legal, room)
                        if n > 1:
                            features.append(room[:n].copy())
                            first.append(first[-1] + n)
                            chosen.append(int(np.flatnonzero(legal[:n] == mine[0])[0]))
                            who = people.setdefault(seats[str(state.to_move + 1)], len(people))
                            columns.append((number, who, int(state.pieces), int(tables.loses)))
                        rows.apply(state, tables, np.int32(mine[0]))
                        new = new[new != mine[0]]
                results[-1] = (winner, int(state.pieces))
                if not len(boards):
                    self.odd.append((variant, i, "no board recorded"))
                elif state.end_reason and state.winner != winner:
                    self.odd.append(
                        (variant, i, f"the board says winner {state.winner}, the record {winner}")
                    )
            self.results.append(np.array(results))
        self.features, self.first, self.chosen = np.concatenate(features), np.array(first), np.array(chosen)
        self.game, self.who, self.pieces, self.loses = np.array(columns).T

    def moves(self, mask: np.ndarray) -> tuple:
        index = np.flatnonzero(mask)
        spans = [self.features[self.first[i] : self.first[i + 1]] for i in index]
        first = np.concatenate([[0], np.cumsum([len(span) for span in spans])])
        return np.concatenate(spans), first, self.chosen[index], self.loses[index], self.pieces[index]


def fitted(moves: tuple, relative: bool = True) -> np.ndarray:
    """The likeliest numbers; `later` is held where slips neither vanish nor fill a game."""
    bounds = [(None, None)] * 6 + [(-1.0, 3.0)]
    return minimize(
        lambda theta: -log_likelihood(theta, *moves, relative).mean(), START, method="L-BFGS-B", bounds=bounds
    ).x


def errors(theta: np.ndarray, moves: tuple, who: np.ndarray) -> np.ndarray:
    """Standard errors that take the moves of one person as dependent (sandwich, clusters of people)."""
    step = 1e-3 * np.eye(len(theta))
    slopes = np.array(
        [(log_likelihood(theta + h, *moves) - log_likelihood(theta - h, *moves)) / 2e-3 for h in step]
    )
    by_person = np.array([np.bincount(who, row) for row in slopes])

    def slope(at):
        return [(log_likelihood(at + h, *moves) - log_likelihood(at - h, *moves)).sum() / 2e-3 for h in step]

    second = [(np.array(slope(theta + h)) - np.array(slope(theta - h))) / 2e-3 for h in step]
    curvature = np.linalg.inv(second)
    return np.sqrt(np.diag(curvature @ (by_person @ by_person.T) @ curvature))


def correlation(people: np.ndarray, model: np.ndarray, seed: int = 1) -> list[float]:
    """Pearson, with a 95 % percentile interval of 2,000 bootstraps over games."""
    rng, n = np.random.default_rng(seed), len(people)
    drawn = [rng.integers(0, n, n) for _ in range(2000)]
    limits = np.quantile([np.corrcoef(people[i], model[i])[0, 1] for i in drawn], (0.025, 0.975))
    return [float(x) for x in np.round((np.corrcoef(people, model)[0, 1], *limits), 3)]


def main(folder: Path) -> dict:
    plays = Plays(folder)
    half = np.zeros(len(plays.names), int)
    half[np.random.default_rng(0).permutation(len(half))[::2]] = 1
    wins, sizes = plays.loses == 0, np.diff(plays.first)
    held, steps, model, halves = np.zeros(len(sizes)), np.zeros(len(sizes)), {}, []
    for k in (0, 1):
        theta = fitted(plays.moves((half[plays.game] != k) & wins))
        halves.append(theta.round(3).tolist())
        rest = half[plays.game] == k
        own = fitted(plays.moves(~rest & wins), relative=False)
        steps[rest] = log_likelihood(own, *plays.moves(rest), False)
        held[rest] = log_likelihood(theta, *plays.moves(rest))
        for g in np.flatnonzero(half == k):
            model[g] = self_play(
                np.zeros(3, rows.STATE).view(np.recarray), plays.tables[g], theta, MATCHES, 1
            )
    gain = np.array([(held + np.log(sizes))[plays.game == g].mean() for g in range(len(half))])
    standard = np.array([not table.loses for table in plays.tables])
    people = np.array([[np.mean(r[:, 0] == w) for w in (0, 1, -1)] + [r[:, 1].mean()] for r in plays.results])
    played = np.array([[*model[g][0], model[g][1]] for g in range(len(half))])
    said = {
        which: {
            "games": int(mask.sum()),
            "payoff": correlation((people[:, 0] - people[:, 1])[mask], (played[:, 0] - played[:, 1])[mask]),
            "draws": correlation(people[mask, 2], played[mask, 2]),
            "pieces": correlation(people[mask, 3], played[mask, 3]),
            "mean error of first wins, draws": np.abs(people - played)[mask][:, [0, 2]]
            .mean(0)
            .round(3)
            .tolist(),
        }
        for which, mask in (("a row wins", standard), ("all", np.ones(len(half), bool)))
    }
    theta, moves = fitted(plays.moves(wins)), plays.moves(wins)
    error = errors(theta, moves, plays.who[wins])
    exp = (True, True, True, False, False, False, False)
    numbers = {
        name: [
            float(np.round(np.exp(x) if log else x, 3))
            for x in (theta[i], theta[i] - Z90 * error[i], theta[i] + Z90 * error[i])
        ]
        for i, (name, log) in enumerate(zip(NAMES, exp, strict=True))
    }
    slips = 1 / (1 + np.exp(-theta[5] - theta[6] * plays.pieces[wins] / RATE))
    return {
        "plays": sum(map(len, plays.results)),
        "moves": len(sizes),
        "people": len(set(plays.who)),
        "not as recorded": plays.odd,
        "log likelihood a move, held out": {
            "uniform": rounded(-np.log(sizes[wins]).mean()),
            "newcomer": rounded(held[wins].mean()),
            "temperature in steps of the goal": rounded(steps[wins].mean()),
            "all games, uniform": rounded(-np.log(sizes).mean()),
            "all games, newcomer": rounded(held.mean()),
        },
        "games that gain half a nat": [int((gain >= 0.5).sum()), len(gain)],
        "least gains": {plays.names[g]: rounded(gain[g]) for g in np.argsort(gain)[:10]},
        "self-play, held out": said,
        "numbers, 90 %": numbers,
        "mean slip": rounded(slips.mean()),
        "halves": halves,
    }


def rounded(value: float) -> float:
    return round(float(value), 3)


if __name__ == "__main__":
    print(json.dumps(main(Path(sys.argv[1])), indent=1))
