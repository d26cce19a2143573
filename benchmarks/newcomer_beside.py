"""Other models and variants for the plays of `newcomer_fit`, tested on held-out games.

The models are uniform choice, the player of the paper (Collins et al. 2026) with its published parameters,
and Bartizan's policies with a probability of random actions. This probability is fitted to the other half of
the games.
"""

from collections.abc import Iterator

import numpy as np
from scipy.optimize import minimize, minimize_scalar

from bartizan.benchmarks import newcomer_fit as fit
from bartizan.examples.rows import rows
from bartizan.policies.registry import find_player
from bartizan.simcore import rng
from bartizan.simcore.arrays import as_records
from bartizan.simcore.play.batch import Batch
from bartizan.simcore.play.match import Match
from bartizan.simcore.scenario.loading import load_scenario

POLICIES = ("newcomer", "newcomer@people:horizon=0", "lookahead:base=random,plays=16")
EVERY, DRAWS, MATCHES = 16, 8, 40  # policies: test one move in EVERY, with DRAWS draws; MATCHES per game
SHIFTS = np.arange(-1.2, 1.25, 0.1)  # of the logarithm of a person's temperature
PENALTY = 0.002  # on the squares of the weights of games where a row loses: few moves


def models(plays: fit.Plays, half: np.ndarray) -> Iterator[tuple[str, np.ndarray, np.ndarray | None]]:
    """Yield (name, log likelihood of each move, results of each game as in `played_out`).

    The likelihood is nan for a move that was not tested.
    """
    sizes = np.diff(plays.first)
    yield "uniform", -np.log(sizes), played_out(plays, np.full(len(half), 12.0), papers=True)
    worth = plays.features[:, fit.PAPERS]
    fitted = np.empty((2, len(half)))
    for k in (0, 1):
        seen = half[plays.game] != k

        def loss(heat, seen=seen):
            return -papers(worth, plays, heat)[seen & (plays.loses == 0)].mean()

        fitted[:, half == k] = minimize_scalar(loss, bounds=(-3, 5), method="bounded").x
    for name, heats in (
        ("the paper's player, temperature 1", np.zeros(len(half))),
        ("the paper's player, temperature fitted", fitted[0]),
    ):
        yield name, papers(worth, plays, heats[plays.game]), played_out(plays, heats, papers=True)


def papers(worth: np.ndarray, plays: fit.Plays, heat: np.ndarray | float) -> np.ndarray:
    """Return the log likelihood of each move under the player model of Collins et al. (2026).

    heat: logarithm of the temperature, either one number or one per move.
    """
    sizes, start = np.diff(plays.first), plays.first[:-1]
    scaled = worth / np.exp(np.repeat(heat, sizes) if np.ndim(heat) else heat)
    scaled -= np.repeat(np.maximum.reduceat(scaled, start), sizes)
    return scaled[start + plays.chosen] - np.log(np.add.reduceat(np.exp(scaled), start))


def played_out(plays: fit.Plays, heats: np.ndarray, papers: bool) -> np.ndarray:
    """Return shares won by the first and the second player and drawn, and mean pieces: float64 [game, 4].

    heats: logarithms of temperatures, one per game.
    """
    found = np.empty((len(heats), 4))
    for game, heat in enumerate(heats):
        theta = np.array([heat, *fit.START[1:]])
        states = as_records(np.zeros(3, rows.STATE))
        found[game, :3], found[game, 3] = fit.self_play(
            states, plays.tables[game], theta, fit.MATCHES // 2, 1, papers
        )
    return found


def policies(plays: fit.Plays, half: np.ndarray) -> Iterator[tuple[str, np.ndarray, np.ndarray]]:
    """Yield the same tuples as `models`, for policies with random actions.

    The probability of a random action is fitted to the other half of the games.
    """
    sizes, asked = np.diff(plays.first), np.arange(0, len(plays.chosen), EVERY)
    for name in POLICIES:
        share = np.array([agreed(plays, move, name) for move in asked])
        held, noises = np.full(len(sizes), np.nan), np.zeros(len(half))
        for k in (0, 1):
            seen = (half[plays.game[asked]] != k) & (plays.loses[asked] == 0)

            def loss(noise, seen=seen, share=share):
                return -np.log((1 - noise) * share[seen] + noise / sizes[asked][seen]).mean()

            noises[half == k] = minimize_scalar(loss, bounds=(0.001, 1), method="bounded").x
        noise = noises[plays.game[asked]]
        held[asked] = np.log((1 - noise) * share + noise / sizes[asked])
        found = np.array([matches_of(plays, game, name, noises[game]) for game in range(len(half))])
        yield f"{name}, noise {noises.min():.2f} to {noises.max():.2f}", held, found


def agreed(plays: fit.Plays, move: int, name: str) -> float:
    """Return the share of DRAWS draws in which a policy chooses the recorded action."""
    engine, legal = rows.GAME.compiled, np.zeros(rows.MOST**2, np.int32)
    match = match_of(plays, plays.game[move], name)
    states = as_records(np.zeros(1, engine.state_dtype))
    states[0], function = plays.states[move], match.functions()[0]
    weights, times = match.workspace()["weights"][0, 0], 0
    for k in range(DRAWS):
        states[0].luck[rng.POLICY] = rng.mix(np.uint64(k))
        n = engine.legal_actions(states[0], plays.tables[plays.game[move]], legal)
        wanted = legal[plays.chosen[move]]
        times += function(states[0], plays.tables[plays.game[move]], legal, n, weights) == wanted
    return times / DRAWS


def matches_of(plays: fit.Plays, game: int, name: str, noise: float) -> np.ndarray:
    games = Batch(match_of(plays, game, f"{name}{',' if ':' in name else ':'}noise={noise:.3f}"))
    ends = games.play(range(MATCHES))
    return np.array([*((ends["winner"] == w).mean() for w in (0, 1, -1)), ends["score"].mean()])


def match_of(plays: fit.Plays, game: int, name: str) -> Match:
    player = find_player(rows.GAME, name)
    return Match(rows.GAME, load_scenario(rows.GAME, None, plays.names[game]), (player, player), 1)


# ---------------------------------------------------------------- what else was tried


def ways(plays: fit.Plays, half: np.ndarray) -> Iterator[tuple[str, np.ndarray]]:
    """Yield (name, held-out log likelihood of each move) of other variants."""
    sizes = np.diff(plays.first)
    rising, still, forced, person = np.empty((4, len(sizes)))
    lost, won = plays.features[:, 3] > 0, plays.features[:, 0] >= np.log(3)
    columns = np.column_stack([plays.features, lost, won & ~lost])
    for k in (0, 1):
        seen, rest = (half[plays.game] != k) & (plays.loses == 0), half[plays.game] == k
        mine, other = plays.moves(seen), plays.moves(rest)
        theta = fit.fitted(mine)
        rising[rest] = fit.log_likelihood(theta, *other)
        person[rest] = by_person(theta, mine, plays.who[seen], other, plays.who[rest])
        mine, other = ((*moves[:4], np.zeros(len(moves[4]))) for moves in (mine, other))
        still[rest] = fit.log_likelihood(fit.fitted(mine), *other)
        mine, other = plays.moves(seen, columns), plays.moves(rest, columns)
        theta = fit.fitted(mine, start=np.append(fit.START, [0.0, 0.0]))
        forced[rest] = fit.log_likelihood(theta, *other)
    yield "slips that rise with the pieces", rising
    yield "slips alike throughout", still
    yield "forced replies: a loss or a double threat next", forced
    yield "a temperature for each person", person
    own = rising.copy()
    own[plays.loses == 1] = losing(plays)
    yield "weights of their own where a row loses", own
    own[plays.loses == 0] = person[plays.loses == 0]
    yield "both of these", own


def by_person(theta, seen: tuple, who: np.ndarray, rest: tuple, whose: np.ndarray) -> np.ndarray:
    """Return the log likelihood of each move of `rest`, with a temperature per person.

    The likelihood is averaged over the posterior of the temperature given the moves in `seen`. The prior is
    normal, with the width of the highest likelihood.
    """
    shifts = [np.array([shift, *np.zeros(len(theta) - 1)]) for shift in SHIFTS]
    people = max(whose.max(), who.max()) + 1
    of_people = np.array([np.bincount(who, fit.log_likelihood(theta + h, *seen), people) for h in shifts])
    of_moves = np.array([fit.log_likelihood(theta + h, *rest) for h in shifts])
    priors = [-0.5 * (SHIFTS / width) ** 2 for width in (0.1, 0.2, 0.3, 0.4, 0.6)]
    priors = [prior - np.logaddexp.reduce(prior) for prior in priors]
    prior = max(priors, key=lambda one: np.logaddexp.reduce(of_people + one[:, None]).sum())
    weights = of_people + prior[:, None]
    weights -= np.logaddexp.reduce(weights)
    return np.logaddexp.reduce(of_moves + weights[:, whose])


def losing(plays: fit.Plays) -> np.ndarray:
    """Return the log likelihood of each move in games in which a row loses, with eight free weights.

    Each game is predicted from the other games.
    """
    features, first, chosen, _, _ = plays.moves(plays.loses == 1)
    games, sizes, start = plays.game[plays.loses == 1], np.diff(first), first[:-1]

    def likely(weights):
        worth = features[:, : fit.PAPERS] @ weights[:-2]
        spread = np.add.reduceat(worth**2, start) / sizes - (np.add.reduceat(worth, start) / sizes) ** 2
        worth *= np.repeat(np.exp(weights[-2]) / np.sqrt(np.maximum(spread, 1e-20)), sizes)
        odds = np.exp(worth - np.repeat(np.maximum.reduceat(worth, start), sizes))
        slip = 1 / (1 + np.exp(-weights[-1]))
        return np.log((1 - slip) * odds[start + chosen] / np.add.reduceat(odds, start) + slip / sizes)

    held = np.empty(len(chosen))
    for game in np.unique(games):

        def loss(weights, others=games != game):
            return -likely(weights)[others].mean() + PENALTY * (weights[:-1] ** 2).sum()

        weights = minimize(loss, [*np.full(fit.PAPERS, 0.1), 0.0, -3.0], method="L-BFGS-B").x
        held[games == game] = likely(weights)[games == game]
    return held
