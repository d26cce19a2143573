"""Fit `newcomer` to people's moves, with each half of the games held out in turn: docs/newcomer.md, ADR 9.

    python benchmarks/newcomer_fit.py FOLDER
    python benchmarks/newcomer_fit.py FOLDER --beside --coverage 200 --hanabi FOLDER    all figures

FOLDER contains `final_agg.json`, as published by Collins et al. 2026 (MIT) in github.com/collinskatie/
intuitive-game-reasoning under human-data/play-exp/human-v-human/final-play. The script prints JSON. Each play
is first replayed on examples/rows/rows.py.
"""

import argparse
import json
from itertools import pairwise
from pathlib import Path

import numpy as np
from numba import njit

from bartizan.examples.rows import rows
from bartizan.simcore.arrays import as_records
from bartizan.simcore.scenario.loading import load_scenario

PAPERS, COLUMNS = 8, 9  # features of an action: column of its value in the paper, number of columns
ALIKE = 1e-12  # a standard deviation of values up to this counts as 0
NAMES = ("temperature", "fades", "feared", "centre", "win", "slip", "later")
USUAL = len(NAMES)
START = np.array([-0.2, -1.3, 1.0, 0.1, 3.0, -2.7, 0.7])
SCALE = np.array([0.03, 0.04, 0.05, 0.02, 0.2, 0.3, 0.2])  # about the standard errors
MATCHES = 400  # of self-play in each game
RATE = 10.0  # pieces on the board that `later` counts as one
Z90 = 1.645


def variant_of(text: str) -> str:
    """Return the name of a variant, such as `5x5-4`, for `5.0*5.0*4 pieces in a row wins. ...`."""
    height, width, rule = text.split("*", 2)
    row = next(int(word) for word in rule.split() if word.isdecimal())
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
def chain(state, tables, square, seat):
    """Return the length of a player's longest unbroken row through a square if the player occupied it.

    The length is 0 if no row through the square can be completed.
    """
    longest = 0
    for d in range(4):
        dr, dc = rows.DIRECTIONS[d]
        pieces, room = 1, 1
        for turned in (1, -1):
            r, c = square // tables.columns + turned * dr, square % tables.columns + turned * dc
            whole = True
            while 0 <= r < tables.rows and 0 <= c < tables.columns:
                at = state.square[r * tables.columns + c]
                if at == 2 - seat:
                    break
                whole = whole and at == seat + 1
                pieces, room = pieces + whole, room + 1
                r, c = r + turned * dr, c + turned * dc
        if tables.counts[seat, d] and room >= tables.row[seat]:
            longest = max(longest, pieces)
    return longest


@njit
def intuition(state, tables, square):
    """Return the value of a square by Collins et al. 2026: its centrality, and its own and blocked rows."""
    seat = state.to_move
    own, other = chain(state, tables, square, seat), chain(state, tables, square, 1 - seat)
    worth = 2.0 ** rows.centrality(tables, square)
    if own >= 2:
        worth += 2.0 ** (tables.row[seat] + 1 if own >= tables.row[seat] else own)
    if other >= 2:
        worth += 2.0 ** (tables.row[1 - seat] if other >= tables.row[1 - seat] else other - 0.5)
    return worth


@njit
def look(state, tables, action, trial, lines, features):
    """Write the features of an action into `features`. `trial` and `lines` are working memory.

    The features are the player's lines, the opponent's lines, the winner, the centrality, and the value by
    the paper's player.
    """
    seat = state.to_move
    trial[0] = state
    rows.apply(trial[0], tables, action)
    rows.count_lines(trial[0], tables, lines)
    for k in range(3):
        features[k], features[3 + k] = np.log1p(lines[seat, k]), np.log1p(lines[1 - seat, k])
    features[6] = 0.0 if trial[0].winner < 0 else 1.0 if trial[0].winner == seat else -1.0
    features[7] = rows.centrality(tables, action)
    features[PAPERS] = intuition(state, tables, action)


@njit
def decision(state, tables, trial, lines, legal, features):
    n = rows.legal_actions(state, tables, legal)
    for i in range(n):
        look(state, tables, legal[i], trial, lines, features[i])
    return n


@njit
def worth_of(features, theta, loses):
    """Return the value of each action.

    In games in which a row loses, lines count with the opposite sign. Elements of `theta` beyond the usual
    ones are weights of additional columns.
    """
    fades, worth = np.exp(theta[1]), np.zeros(len(features))
    for k in range(3):
        worth += fades**k * (features[:, k] - np.exp(theta[2]) * features[:, 3 + k])
    worth = (-worth if loses else worth) + theta[3] * features[:, 7] + theta[4] * features[:, 6]
    for k in range(len(theta) - USUAL):
        worth += theta[USUAL + k] * features[:, PAPERS + 1 + k]
    return worth


@njit
def write_slopes(span, theta, loses, slopes):
    """Write the derivatives of the value into `slopes` [action, parameter]."""
    fades, feared, sign = np.exp(theta[1]), np.exp(theta[2]), -1.0 if loses else 1.0
    for i in range(len(span)):
        slopes[i, 0] = slopes[i, 1] = slopes[i, 2] = slopes[i, 5] = slopes[i, 6] = 0.0
        for k in range(3):
            weight = sign * fades**k
            slopes[i, 1] += k * weight * (span[i, k] - feared * span[i, 3 + k])
            slopes[i, 2] -= weight * feared * span[i, 3 + k]
        slopes[i, 3], slopes[i, 4] = span[i, 7], span[i, 6]
        for k in range(USUAL, len(theta)):
            slopes[i, k] = span[i, PAPERS + 1 + k - USUAL]


@njit
def slip_of(theta, pieces):
    return 1.0 / (1.0 + np.exp(-theta[5] - theta[6] * pieces / RATE))


@njit
def softmax(worth):
    odds = np.exp(worth - worth.max())
    return odds / odds.sum()


@njit
def step_of(worth, relative):
    """Return the unit of the temperature: if `relative`, the standard deviation of the values, otherwise 1.

    If the standard deviation is 0, the unit is also 1.
    """
    step = np.std(worth) if relative else 1.0
    return step if step > ALIKE else 1.0


@njit
def chance_of(features, theta, loses, pieces, relative):
    """Return the probability of each action."""
    worth = worth_of(features, theta, loses)
    slip = slip_of(theta, pieces)
    return (1.0 - slip) * softmax(worth / (np.exp(theta[0]) * step_of(worth, relative))) + slip / len(worth)


@njit
def scored(theta, features, first, chosen, loses, pieces, relative=True):
    """Return the log likelihood of each move, and its derivatives [move, parameter]."""
    found, scores = np.empty(len(chosen)), np.zeros((len(chosen), len(theta)))
    room = np.zeros((100, len(theta)))
    for m in range(len(chosen)):
        span, c = features[first[m] : first[m + 1]], chosen[m]
        n, slopes = len(span), room[: len(span)]
        worth = worth_of(span, theta, loses[m])
        write_slopes(span, theta, loses[m], slopes)
        step, slip, mean = step_of(worth, relative), slip_of(theta, pieces[m]), worth.mean()
        heat = np.exp(theta[0]) * step
        share = softmax(worth / heat)
        chance = (1.0 - slip) * share[c] + slip / n
        found[m] = np.log(chance)
        likely = (1.0 - slip) * share[c] / chance
        middle = np.sum(share * worth)
        scores[m, 0] = -likely * (worth[c] - middle) / heat
        for j in range(1, len(theta)):
            stretch = rise = 0.0
            for i in range(n):
                stretch += (worth[i] - mean) * slopes[i, j]
                rise += share[i] * slopes[i, j]
            stretch *= relative / (n * step)
            scores[m, j] = likely * (slopes[c, j] - rise - (worth[c] - middle) * stretch / step) / heat
        scores[m, 5] = slip * (1.0 - slip) * (1.0 / n - share[c]) / chance
        scores[m, 6] = scores[m, 5] * pieces[m] / RATE
    return found, scores


def log_likelihood(theta, *moves) -> np.ndarray:
    return scored(theta, *moves)[0]


@njit
def self_play(states, tables, theta, matches, seed, papers=False):
    """Return shares of matches (won by the first, won by the second, drawn), and mean pieces at the end.

    papers: simulate the paper's player, at the temperature exp(theta[0]).
    """
    np.random.seed(seed)
    trial, lines, legal = states[1:2], np.zeros((2, 3)), np.zeros(100, np.int32)
    features, counts, pieces = np.zeros((100, COLUMNS)), np.zeros(3), 0.0
    for _ in range(matches):
        states[0] = states[2]
        rows.reset(states[0], tables)
        while states[0].end_reason == 0:
            n = decision(states[0], tables, trial, lines, legal, features)
            if papers:
                chances = softmax(features[:n, PAPERS] / np.exp(theta[0]))
            else:
                chances = chance_of(features[:n], theta, tables.loses, states[0].pieces, True)
            rows.apply(states[0], tables, legal[drawn(chances)])
        counts[states[0].winner] += 1.0
        pieces += states[0].pieces
    return counts / matches, pieces / matches


@njit
def drawn(chances):
    """Return a random index with these probabilities."""
    return min(np.searchsorted(np.cumsum(chances), np.random.random() * chances.sum()), len(chances) - 1)


class Plays:
    """Recorded plays, replayed on the engine, and their moves with more than one legal action."""

    def __init__(self, folder: Path):
        raw = json.loads((folder / "final_agg.json").read_text(encoding="utf-8"))
        self.names, self.odd, self.results, self.tables, self.met, self.states = [], [], [], [], [], []
        features, first, chosen, columns, people = [], [0], [], [], {}
        room, lines, legal = np.zeros((100, COLUMNS)), np.zeros((2, 3)), np.zeros(100, np.int32)
        for number, (text, games) in enumerate(raw.items()):
            variant = variant_of(text)
            self.names.append(variant)
            self.tables.append(as_records(rows.build_tables(load_scenario(rows.GAME, None, variant)))[0])
            tables, results = self.tables[-1], []
            for i, boards in enumerate(games["boards"]):
                boards = np.array(json.loads(boards) if isinstance(boards, str) else boards)
                seats, outcome = games["order2player"][i], games["outcome"][i]
                winner = next((int(seat) - 1 for seat, who in seats.items() if who == outcome), -1)
                states = np.zeros(2, rows.STATE)
                states = as_records(states)
                state = states[0]
                rows.reset(state, tables)
                results.append((winner, 0))
                both = (people.setdefault(seats[seat], len(people)) for seat in ("1", "2"))
                self.met.append((number, *both))
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
                            self.states.append(states[0].copy())
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

    def moves(self, mask: np.ndarray, features: np.ndarray | None = None) -> tuple:
        index, features = np.flatnonzero(mask), self.features if features is None else features
        spans = [features[self.first[i] : self.first[i + 1]] for i in index]
        first = np.concatenate([[0], np.cumsum([len(span) for span in spans])])
        return np.concatenate(spans), first, self.chosen[index], self.loses[index], self.pieces[index]


def fitted(moves: tuple, relative: bool = True, start: np.ndarray = START) -> np.ndarray:
    """Return the maximum likelihood estimate.

    `later` is bounded, because otherwise lapses could vanish or become certain during a game.
    """
    from scipy.optimize import minimize

    scale = np.concatenate([SCALE, np.full(len(start) - USUAL, 0.1)])  # few steps lead there
    bounds = [(None, None)] * len(start)
    bounds[6] = tuple((np.array([-1.0, 3.0]) - start[6]) / scale[6])

    def loss(steps):
        found, scores = scored(start + scale * steps, *moves, relative)
        return -found.sum(), -scores.sum(0) * scale

    none = np.zeros(len(start))
    options = {"ftol": 1e-11}
    best = minimize(loss, none, jac=True, method="L-BFGS-B", bounds=bounds, options=options)
    return start + scale * best.x


def errors(theta: np.ndarray, moves: tuple, who: np.ndarray) -> np.ndarray:
    """Return standard errors by the sandwich estimator, clustered by person."""
    by_person = np.array([np.bincount(who, column) for column in scored(theta, *moves)[1].T])
    slope = by_person.sum(1)
    second = [(scored(theta + h, *moves)[1].sum(0) - slope) / 1e-5 for h in 1e-5 * np.eye(len(theta))]
    curvature = np.linalg.inv(second)
    return np.sqrt(np.diag(curvature @ (by_person @ by_person.T) @ curvature.T))


def correlation(people: np.ndarray, model: np.ndarray, seed: int = 1) -> list[float]:
    """Return Pearson's correlation with a 95 % percentile interval of 2,000 bootstraps over games."""
    rng, n = np.random.default_rng(seed), len(people)
    drawn = [rng.integers(0, n, n) for _ in range(2000)]
    limits = np.quantile([np.corrcoef(people[i], model[i])[0, 1] for i in drawn], (0.025, 0.975))
    return [float(x) for x in np.round((np.corrcoef(people, model)[0, 1], *limits), 3)]


def halves_of(plays: Plays) -> np.ndarray:
    """Return the half of each game, 0 or 1: int [game]."""
    half = np.zeros(len(plays.names), int)
    half[np.random.default_rng(0).permutation(len(half))[::2]] = 1
    return half


def newcomer(plays: Plays, half: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, list]:
    """Return held-out log likelihoods, simulated results, and the parameters fitted to each half.

    The log likelihoods of each move are with relative and with absolute temperature. The results of each game
    are shares won by the first, won by the second and drawn, and mean pieces.
    """
    held, steps, played, numbers = *np.zeros((2, len(plays.chosen))), np.zeros((len(half), 4)), []
    for k in (0, 1):
        seen, rest = (half[plays.game] != k) & (plays.loses == 0), half[plays.game] == k
        theta = fitted(plays.moves(seen))
        own = fitted(plays.moves(seen), relative=False)
        numbers.append(theta.round(3).tolist())
        held[rest] = log_likelihood(theta, *plays.moves(rest))
        steps[rest] = log_likelihood(own, *plays.moves(rest), False)
        for game in np.flatnonzero(half == k):
            states = as_records(np.zeros(3, rows.STATE))
            played[game, :3], played[game, 3] = self_play(states, plays.tables[game], theta, MATCHES, 1)
    return held, steps, played, numbers


def gains_of(plays: Plays, held: np.ndarray) -> np.ndarray:
    """Return the gain over uniform choice in nats per move, for each game. nan: not tested."""
    gain = held + np.log(np.diff(plays.first))
    return np.array([gain[(plays.game == game) & ~np.isnan(gain)].mean() for game in range(len(plays.names))])


def summary(plays: Plays, held: np.ndarray, played: np.ndarray | None = None) -> dict:
    """Return the accuracy of a model's predictions of moves and of results."""
    gain, wins = gains_of(plays, held), plays.loses == 0
    told = {
        "nats a move where a row wins": rounded(np.nanmean(held[wins])),
        "nats a move": rounded(np.nanmean(held)),
        "games that gain half a nat": [int((gain >= 0.5).sum()), len(gain)],
    }
    if played is None:
        return told
    people = np.array([[np.mean(r[:, 0] == w) for w in (0, 1, -1)] + [r[:, 1].mean()] for r in plays.results])
    mask = np.array([not table.loses for table in plays.tables])
    return told | {
        "payoff": correlation((people[:, 0] - people[:, 1])[mask], (played[:, 0] - played[:, 1])[mask]),
        "draws": correlation(people[mask, 2], played[mask, 2]),
        "pieces": correlation(people[mask, 3], played[mask, 3]),
        "mean error of first wins, draws": np.abs(people - played)[mask][:, [0, 2]].mean(0).round(3).tolist(),
    }


def numbers_of(plays: Plays) -> tuple[np.ndarray, dict]:
    """Return the parameters fitted to all games in which a row wins, and 90 % intervals as JSON data."""
    wins = plays.loses == 0
    moves = plays.moves(wins)
    theta = fitted(moves)
    error = errors(theta, moves, plays.who[wins])
    ends = np.array([theta, theta - Z90 * error, theta + Z90 * error])
    ends[:, :3] = np.exp(ends[:, :3])  # they are logarithms
    told = {name: ends[:, i].round(3).tolist() for i, name in enumerate(NAMES)}
    return theta, told | {"mean slip": rounded(slip_of(theta, plays.pieces[wins]).mean())}


def main(asked: argparse.Namespace) -> dict:
    plays = Plays(asked.folder)
    half = halves_of(plays)
    held, steps, played, halves = newcomer(plays, half)
    theta, numbers = numbers_of(plays)
    gain = gains_of(plays, held)
    told = {
        "plays": sum(map(len, plays.results)),
        "moves": len(plays.chosen),
        "people": len(set(plays.who)),
        "not as recorded": plays.odd,
        "held out": {
            "newcomer": summary(plays, held, played),
            "temperature in steps of the goal": summary(plays, steps),
        },
        "least gains": {plays.names[g]: rounded(gain[g]) for g in np.argsort(gain)[:11]},
        "numbers, 90 %": numbers,
        "halves": halves,
    }
    if asked.beside:
        from bartizan.benchmarks import newcomer_beside as beside

        models = [*beside.models(plays, half), *beside.policies(plays, half)]
        told["held out"] |= {name: summary(plays, *of) for name, *of in models}
        told["also tried"] = {name: summary(plays, one) for name, one in beside.ways(plays, half)}
    if asked.coverage:
        from bartizan.benchmarks.newcomer_coverage import coverage, schedule_of

        told["coverage"] = coverage(schedule_of(plays), theta, asked.coverage, jobs=asked.jobs)
    if asked.hanabi:
        from bartizan.benchmarks import hanabi_first_play

        told["Hanabi"] = {
            "people": hanabi_first_play.main(asked.hanabi),
            "models": hanabi_first_play.models(),
        }
    return told


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Fit `newcomer` to published plays of people.")
    parser.add_argument("folder", type=Path, help="folder that contains final_agg.json")
    parser.add_argument("--beside", action="store_true", help="other models too, and what else was tried")
    parser.add_argument("--coverage", type=int, default=0, metavar="N", help="fit N simulated schedules too")
    parser.add_argument("--jobs", type=int, default=1, help="processes of --coverage")
    parser.add_argument("--hanabi", type=Path, metavar="FOLDER", help="first plays of Hanabi too")
    return parser.parse_args()


def rounded(value: float) -> float:
    return round(float(value), 3)


if __name__ == "__main__":
    print(json.dumps(main(options()), indent=1))
