"""`newcomer`: a model of a first-time player, for every game.

It follows the Intuitive Gamer of Collins et al. 2025 (arXiv 2510.11503), which matched first games and first
judgements of over 1,000 people: very few simulated futures, no deep search, a simple goal, softmax. Bartizan
uses only the form of that model, not its numbers. `newcomer@people` has the temperature and the lapse rate of
302 people in first plays of small board games; the goal of each game's newcomer remains assumed
(docs/newcomer.md).

A few futures of each legal action are simulated. In each future, dice are rolled again, hidden cards are
redealt, all players make a few random decisions, and a simple goal scores the position. An action is drawn
with a probability that increases with its mean score.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import numpy as np

from bartizan.policies.futures import (
    LONGEST,
    begin_future,
    check_can_determinize,
    maker,
    play_some,
    scratch_dtype,
)
from bartizan.policies.protocol import RANDOM, Policy, as_player, compiled_policy
from bartizan.policies.trial import GAMES, note, tried
from bartizan.simcore.compile.jit import compiled, jit
from bartizan.simcore.compile.rules import PLAYING, goal_of, new_scratch, new_trials, value_of
from bartizan.simcore.game import Game
from bartizan.simcore.play.step import write_row
from bartizan.simcore.play.worth import compiled_aim, compiled_goal, is_weighed
from bartizan.simcore.reporting import Reporting
from bartizan.simcore.rng import policy_below
from bartizan.simcore.scenario.loading import Scenario

NAME = "newcomer"
SETTINGS = {
    "samples": 4.0,  # futures simulated per action
    "horizon": 2.0,  # decisions simulated in each; without a goal, to the end of the game
    "temperature": 0.1,  # steps of the goal that make an action e times as likely
    "win": 10.0,  # steps of the goal between a lost game and a won one
    # 1: a temperature is in standard deviations of the values of the available actions, not in steps
    "relative": 0.0,
    "slip": 0.0,  # probability of a random action
}
LIMITS = {"samples": (1, 1e6), "horizon": (0, LONGEST), "temperature": (1e-3, 1e9), "win": (0, 1e9)}
LIMITS |= {"relative": (0, 1), "slip": (0, 1)}
SAMPLES, HORIZON, TEMPERATURE, WIN, RELATIVE, SLIP, COUNTED = range(7)  # from COUNTED: those of the goal
ALIKE = 1e-12  # actions with a smaller difference have the same value
WHOLE = 1 << 31


def choose(state, tables, legal, n_legal, weights):
    if n_legal == 1:
        return legal[0]
    if weights[SLIP] > 0.0 and policy_below(state, 1, WHOLE) < weights[SLIP] * WHOLE:
        return legal[policy_below(state, 2, n_legal)]
    return imagined(state, tables, legal, n_legal, weights, new_trials(), new_scratch())


def imagined(state, tables, legal, n_legal, weights, trials, scratch):
    """Return an action drawn with a probability that increases with the scores of its futures.

    Modifies `trials` and `scratch`.
    """
    work, samples = scratch[0], int(weights[SAMPLES])
    for i in range(n_legal):
        work.total[i] = 0.0
        for k in range(samples):
            begin_future(state, tables, legal[i], trials, k)
            work.total[i] += looks(trials[0], tables, weights, work, state.to_move)
    heat = weights[TEMPERATURE] * samples
    if weights[RELATIVE] > 0.0:
        heat = weights[TEMPERATURE] * max(spread(work.total, n_legal), ALIKE)
    return legal[drawn(state, work.total, n_legal, heat)]


def looks(trial, tables, weights, work, seat):
    """Simulate a few more decisions, and return the score of this future for a seat.

    Modifies `trial` and `work`.
    """
    plies = play_some(trial, tables, weights, work.legal[:], int(weights[HORIZON]), np.inf)
    worth = goal_of(trial, tables, seat, weights[COUNTED:])
    if trial.end_reason != PLAYING:
        write_row(trial, tables, plies, work.record)
        worth += weights[WIN] * (value_of(work.record, seat) - 0.5)
    return worth


def spread(worth, n):
    """Return the standard deviation of the first `n` numbers.

    Compiling this function takes less time than compiling `np.std`, which gives the same result.
    """
    mean, squares = 0.0, 0.0
    for i in range(n):
        mean += worth[i]
    mean /= n
    for i in range(n):
        squares += (worth[i] - mean) * (worth[i] - mean)
    return (squares / n) ** 0.5


def drawn(state, worth, n, heat):
    """Return an index below n, drawn with probabilities proportional to exp(worth / heat)."""
    best, total = 0, 0.0
    for i in range(n):
        if worth[i] > worth[best]:
            best = i
    for i in range(n):
        total += np.exp((worth[i] - worth[best]) / heat)
    left = total * (policy_below(state, 0, WHOLE) / WHOLE)
    for i in range(n):
        left -= np.exp((worth[i] - worth[best]) / heat)
        if left < 0.0:
            return i
    return best  # in case of rounding errors


@dataclass(frozen=True, eq=False)
class Newcomer(Policy):
    """A first-time player, created by `newcomer`."""

    goal: Callable | None = None

    def _demands(self):
        yield from super()._demands()
        for name, (least, most) in LIMITS.items():
            value = self.weights[name]
            yield least <= value <= most, f"{name}={value:g}: write a number from {least:g} to {most:,.0f}"

    @property
    def source(self) -> Path:
        """File of the goal, which differs between newcomers."""
        return Path((self.goal or self.choose).__code__.co_filename)

    def decided_by(self) -> tuple[Callable, ...]:
        return (self.goal or self.choose, choose)

    def learn(self, game: Game, scenario: Scenario, seat: int) -> np.ndarray:
        """Return an empty array, because a newcomer learns no numbers.

        In a game that is not built in, first run a trial, and report a newcomer that makes no progress.
        """
        if not game.is_builtin:
            note_idle(self, game, scenario, seat)
        return np.zeros(0)

    def compiled_for(self, engine):
        check_can_determinize(self.name, engine)
        return compiled_newcomer(self.goal, engine)


_tried: set[tuple] = set()  # a trial takes a second, and one question has many matches


def note_idle(policy: Newcomer, game: Game, scenario: Scenario, seat: int) -> None:
    """Warn if a newcomer plays significantly worse than random, or always has one score, unlike random play.

    A newcomer looks only a few decisions ahead, so it may never start anything that costs points at first.
    """
    place = 0 if game.alike else seat
    # the goal is another function once its file has been edited
    key = (
        game.name,
        game.source_hash,
        scenario.hash,
        place,
        policy.name,
        policy.goal,
        *policy.weights.items(),
    )
    if key in _tried:
        return
    _tried.add(key)
    seats = len(game.roles_in(scenario))
    chance = as_player(game, RANDOM)
    own, random = (
        tried(game, scenario, tuple(one if i == seat else chance for i in range(seats)), seat)
        for one in (replace(as_player(game, policy), learn=None), chance)
    )
    reporting = game.compiled.reporting or Reporting()
    column = next(iter(reporting.seat_scores(seats)[seat : seat + 1]), "score" if seats == 1 else "")
    what = []
    if column and reporting.has_score:
        scores = own.rows[column]
        if np.ptp(scores) == 0 < np.ptp(random.rows[column]):
            what.append(f"every one of its games ends with score {reporting.in_points(scores[0]):.12g}")
    if own.is_clearly_below(random):
        what.append(f"its mean result per game is {own.mean:.2f}, that of random play {random.mean:.2f}")
    if what:
        note(
            f"{policy.name}: in {GAMES} trial games {' and '.join(what)}: its horizon of "
            f"{policy.weights['horizon']:g} decisions may be too short for it to make progress; use a "
            f"longer one ({policy.name}:horizon=20), or declare its goal, aim(s, n, who)"
        )


def unweighed(state, tables, seat, weights):
    """Return the value of a goal without weights. `weights` is ignored."""
    return goal_of(state, tables, seat)


def newcomer(goal: Callable | None = None, counts: str = "", **weights: float) -> Newcomer:
    """Return a first-time player of a game.

    goal: a plain function (state, tables, seat) that returns a number: the value of a position to someone who
    has just read the rules, in units such as one card or one counter. None: futures are simulated to the end,
    and only the result counts. counts: description of what the goal counts. weights: named weights of the
    goal, which receives them as a fourth parameter, an array in this order. Users can change them like other
    weights.
    """
    settings = SETTINGS if goal else SETTINGS | {"horizon": float(LONGEST)}
    return Newcomer(
        NAME,
        choose,
        "a model of a first-time player: simulates a few futures of each action with random play and "
        f"counts {counts or 'who wins them'}; its parameters are not yet calibrated by plays of this "
        "game",
        settings | weights,
        goal=goal,
    )


@cache
def compiled_newcomer(goal: Callable | None, engine):
    from bartizan.simcore.compile.loops import bound, compiled_rules, policy_signature

    counted = compiled_goal(goal, engine)
    if not is_weighed(goal):
        counted = jit(bound(unweighed, {"goal_of": counted}))
    rules = compiled_rules(engine) | {
        "answer": compiled_policy(RANDOM.choose, engine),
        "goal_of": counted,
        "value_of": compiled_aim(None, engine),
        "new_trials": maker(engine.state_dtype),
        "new_scratch": maker(scratch_dtype(engine)),
    }
    return compiled(bound(choose, rules), policy_signature(engine))
