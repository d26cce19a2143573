"""Probabilities of a throw in Escape from Colditz, and the effect of staking a POW now.

simcore/kit/dice.py computes the exact probabilities. It follows chains of doubles until the remaining
probability is below 1e-18. Probabilities are fractions of 1, distances are in steps. `cap`: maximum number of
rolls per throw; None: a double is always rolled again (ruling Q2).

For each row of the table, one position per game is drawn at random. It is a position in which a player may
stake a POW and nobody has escaped yet. From there, the game is simulated twice with the same random numbers
and policies. In one version, the player's best POW is staked; in the other, no POW is staked in this turn,
but POWs may be staked later. Both versions of a row have the same positions, so their difference is the
effect of the stake. A row has one position per game, so the positions within a row are independent. Positions
in different rows are not.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from math import ceil, inf
from typing import Any

import numpy as np
import polars as pl

from bartizan.analyses.document import Document
from bartizan.analyses.statistics.intervals import Interval, excess_width, proportion
from bartizan.analyses.statistics.paired import Effect, Measure, compare
from bartizan.analyses.statistics.pairs import FEW
from bartizan.simcore.arrays import Record
from bartizan.simcore.colditz import odds
from bartizan.simcore.colditz.actions import argument_of, kind_of
from bartizan.simcore.colditz.components import ALLIED, TEAM, Act
from bartizan.simcore.colditz.rules.escaping import stake_distance
from bartizan.simcore.compile.rules import NOBODY, TRUNCATED
from bartizan.simcore.errors import UsageError
from bartizan.simcore.kit.dice import at_least, convolve, shot_distribution, throw_distribution
from bartizan.simcore.play.choices import BothWays, Choices
from bartizan.simcore.play.match import Match
from bartizan.simcore.play.position import GamePosition
from bartizan.simcore.reporting import CONFIDENCE

# ------------------------------- throws: exact probabilities, and simulated ones that check the engine's dice

ANY = "any"  # key of a random Do or Die card


@dataclass(frozen=True)
class StakeOdds:
    """Probabilities by case ("3" to "7" and "any" for Do or Die cards; one case for everything else)."""

    cap: int | None
    exact: dict[str, float]
    simulated: dict[str, Interval]
    attempts: int  # simulated, for each case


def reach(distance: int, n_throws: int, cap: int | None = None, sides: int = 6) -> float:
    """Return the probability that n throws add up to the distance or more."""
    return _tail(_total(n_throws, sides, cap), distance)


@cache
def _total(n_throws: int, sides: int, cap: int | None) -> np.ndarray:
    """Return the distribution of the sum of n throws, which is computed from that of n - 1 throws."""
    if not n_throws:
        return np.ones(1)
    return convolve(_total(n_throws - 1, sides, cap), throw_distribution(sides, cap))


def do_or_die(
    distance: int, cards: Iterable[int], cap: int | None = None, sides: int = 6
) -> dict[str, float]:
    """Map each Do or Die card (its number of throws) to the probability of success (5.4).

    The key ANY has the probability for a random card.
    """
    cards = list(cards)
    by_card = {n: reach(distance, n, cap, sides) for n in sorted(set(cards))}
    return {str(n): chance for n, chance in by_card.items()} | {
        ANY: sum(by_card[n] for n in cards) / len(cards)
    }


def appel(distance: int, cap: int | None = None, sides: int = 6) -> float:
    """Return the probability that an Appel, whose range is one throw, reaches the distance (9.1)."""
    return reach(distance, 1, cap, sides)


def shoot_to_kill(distance: int, talisman: bool = False, cap: int | None = None, sides: int = 6) -> float:
    """Return the probability that a shot reaches the distance (9.4).

    The first roll counts twice, or once with a Talisman (9.12).
    """
    return appel(distance, cap, sides) if talisman else _tail(shot_distribution(sides, cap), distance)


def _tail(distribution: np.ndarray, distance: int) -> float:
    # rounding may make a sum of many floats slightly greater than 1
    return min(float(at_least(distribution, distance + 1)[distance]), 1.0)


def do_or_die_odds(
    tables: np.ndarray,
    distance: int,
    cap: int | None,
    attempts: int,
    seed: int,
    only: Iterable[int] | None = None,
) -> StakeOdds:
    """Return the odds of reaching a distance for each Do or Die card.

    Dice and cards are those of `tables`; the limit on re-rolls is `cap`. only: the cards to include. Raises
    UsageError for unknown cards.
    """
    tables = _with_cap(tables, cap)
    exact = do_or_die_chances(tables, distance, cap, only)

    def totals_of(case: str, first: int) -> np.ndarray:
        throws = odds.ANY_CARD if case == ANY else int(case)
        return odds.simulate_totals(tables, throws, attempts, seed, first)

    return _odds(exact, totals_of, distance, cap, attempts)


def do_or_die_chances(
    tables: np.ndarray, distance: int, cap: int | None, only: Iterable[int] | None = None
) -> dict[str, float]:
    """Return the exact probabilities by card. Arguments and errors are those of `do_or_die_odds`."""
    cards = tables["stake_cards"][0, : int(tables["n_stakes"][0])].tolist()
    exact = do_or_die(distance, cards, cap, _sides(tables))
    for card in only or ():
        if str(card) not in exact:
            raise UsageError(
                f"--card {card}: no Do or Die card gives this number of throws; choose from: "
                f"{', '.join(case for case in exact if case != ANY)}"
            )
    return {str(card): exact[str(card)] for card in only} if only else exact


def stake_chance(position: GamePosition, action: int) -> float | None:
    """Return the exact probability that a staked POW escapes; None for every other action.

    It is averaged over the remaining Do or Die cards (5.4).
    """
    s, tables = position.state, position.match.tables()
    if kind_of(action) != Act.STAKE:
        return None
    pow_ = int(s.player) * TEAM + int(argument_of(action))
    steps = int(stake_distance(s, tables, pow_))  # type: ignore[no-untyped-call]
    left = s.stakes[s.stakes_next : s.stakes_size].tolist()
    cards = left or tables.stake_cards[: tables.n_stakes].tolist()
    return do_or_die(steps, cards, int(tables.roll_cap) or None, int(tables.die_sides))[ANY]


def throws_odds(
    tables: np.ndarray, case: str, distance: int, n_throws: int, cap: int | None, attempts: int, seed: int
) -> StakeOdds:
    """Return the odds that n throws reach a distance: the Staff Car (9.11) or, with one throw, an Appel."""
    tables = _with_cap(tables, cap)
    exact = {case: reach(distance, n_throws, cap, _sides(tables))}

    def totals_of(_: str, first: int) -> np.ndarray:
        return odds.simulate_totals(tables, n_throws, attempts, seed, first)

    return _odds(exact, totals_of, distance, cap, attempts)


def shot_odds(
    tables: np.ndarray, case: str, distance: int, talisman: bool, cap: int | None, attempts: int, seed: int
) -> StakeOdds:
    """Return the odds of a Shoot to Kill against a distance."""
    tables = _with_cap(tables, cap)

    def ranges_of(_: str, first: int) -> np.ndarray:
        totals, first_rolls = odds.simulate_ranges(tables, attempts, seed, first)
        return totals if talisman else totals + first_rolls

    exact = {case: shoot_to_kill(distance, talisman, cap, _sides(tables))}
    return _odds(exact, ranges_of, distance, cap, attempts)


def _odds(
    exact: dict[str, float],
    totals_of: Callable[[str, int], np.ndarray],
    distance: int,
    cap: int | None,
    attempts: int,
) -> StakeOdds:
    """Return the exact probabilities, each with the share of attempts that reach the distance.

    totals_of: function (case, first) that returns int64 [attempts], using random numbers from number `first`
    on.
    """
    simulated = {
        case: proportion(int((totals_of(case, index * attempts) >= distance).sum()), attempts)
        for index, case in enumerate(exact)
    }
    return StakeOdds(cap, exact, simulated, attempts)


def _with_cap(tables: np.ndarray, cap: int | None) -> np.ndarray:
    tables = tables.copy()
    tables["roll_cap"] = cap or 0
    return tables


def _sides(tables: np.ndarray) -> int:
    return int(tables["die_sides"][0])


# ----------------------------------------- stake now or wait: both choices, simulated from the same positions

FAR = 400  # upper end of an open range
LEFT = ((0, 0), (1, 2), (3, 5), (6, 10), (11, 20), (21, FAR))  # rounds left after this one
STEPS = ((0, 40), (41, 50), (51, 60), (61, FAR))
WITHIN = 3  # steps: "at this distance"
DRAW = 0.5  # a draw is worth half a win
STAKE, WAIT, INCONCLUSIVE = "stake", "wait", "cannot tell"
HOPELESS = 100  # if more than this multiple of the positions is needed, no number is reported
RESULT, WIN, ESCAPE, OWN = "result", "win", "any_escape", "own_escapes"  # compared measures
MEASURES = [
    Measure("column", name, pl.col(f"{name}_low"), pl.col(f"{name}_high"), (0.0, most))
    for name, most in ((RESULT, 1.0), (WIN, 1.0), (ESCAPE, 1.0), (OWN, float(TEAM)))
]
METHOD = (
    "future luck and hidden cards are redrawn, identically for both; differences per position, Student's t, "
    "or exact tails (Blaker) if few positions differ"
)


@dataclass(frozen=True)
class Situation:
    """Filter for positions. A field that is None matches any position.

    steps: distance, plus or minus `within` steps. ropes, cutters: numbers of cards held. left: rounds left.
    """

    steps: int | None = None
    ropes: int | None = None
    cutters: int | None = None
    left: int | None = None
    within: int = WITHIN

    def rows(self) -> np.ndarray:
        """Return the rows for `simcore.colditz.odds`: int64 [row, number].

        They are sorted by distance and, within a distance, from the latest round to the earliest.
        """
        held = [odds.ANY if number is None else number for number in (self.ropes, self.cutters)]
        near = (
            STEPS if self.steps is None else ((max(self.steps - self.within, 0), self.steps + self.within),)
        )
        late = LEFT if self.left is None else ((self.left, self.left),)
        return np.array([[*rounds, *steps, *held] for steps in near for rounds in late], np.int64)


class StakeEffect(Document):
    """One measure, with and without the stake, and its difference."""

    stake: Interval
    wait: Interval
    difference: Interval
    p: float
    pairing_factor: float | None


class Moments(StakeEffect):
    """All positions whose rounds left and steps to go are in given ranges, with the effect of a stake."""

    rounds_left: tuple[int, int]
    steps: tuple[int, int]
    met: int  # positions in the simulated games
    moments: int  # positions with simulated futures, one per game
    distance: float  # steps, mean over the positions with futures
    now: float  # exact probability that the stake succeeds with a random card: mean over these positions
    verdict: str  # from the interval of the difference in the Allies' result
    # whether the verdict depends on the value of a draw (fewer wins and fewer losses, or more of both)
    hangs_on_draws: bool
    # positions still needed; None: conclusive, too many to report, or too few to estimate
    more_moments: int | None
    outcomes: dict[str, StakeEffect]  # WIN, ESCAPE, OWN


def crossroads(match: Match, situation: Situation, futures: int) -> Choices:
    return Choices(match, odds.crossroads, odds.NUMBERS, situation.rows(), futures)


def analyze(question: Choices, chunks: Sequence[BothWays]) -> list[Moments]:
    """Compare staking with waiting in each row of the question.

    chunks: the chunks of `question.play`. Each kind of interval is simultaneous over the rows, but not over
    the measures. Rows without positions are omitted.
    """
    met, moments, records = (
        np.concatenate([getattr(chunk, name) for chunk in chunks]) for name in ("met", "moments", "records")
    )
    tables = question.match.tables()
    rows = [row for row in range(len(question.rows)) if met[:, row].any()]
    each = 1 - (1 - CONFIDENCE) / max(len(rows), 1)
    return [
        _row(question.rows[row], met[:, row], moments[:, row], records[:, row], tables, each) for row in rows
    ]


def _row(
    bounds: np.ndarray,
    met: np.ndarray,
    moments: np.ndarray,
    records: np.ndarray,
    tables: Record,
    confidence: float,
) -> Moments:
    games = np.flatnonzero(met)
    moments, records = moments[games], records[games]
    steps = moments[:, odds.STEPS]
    chance = tables.stake[np.minimum(steps, len(tables.stake) - 1)]
    truncated = int((records["winner"] == TRUNCATED).sum())
    staked, waited = (
        _frame(games, records[:, :, way], moments[:, odds.PLAYER]) for way in (odds.STAKE, odds.NOT_NOW)
    )
    effects = compare(waited, staked, MEASURES, truncated, confidence)
    least_left, most_left, least_steps, most_steps = map(int, bounds[:4])
    by_name = {effect.measure.name: effect for effect in effects}
    difference = by_name[RESULT].difference.interval
    win, escape = (by_name[name].difference.interval for name in (WIN, ESCAPE))
    verdict = STAKE if difference.low > 0 else WAIT if difference.high < 0 else INCONCLUSIVE
    return Moments(
        **_effect(by_name[RESULT]),
        rounds_left=(least_left, most_left),
        steps=(least_steps, most_steps),
        met=int(met.sum()),
        moments=by_name[RESULT].n,
        distance=float(steps.mean()),
        now=float(chance.mean()),
        verdict=verdict,
        hangs_on_draws=win.high < 0 < escape.low or escape.high < 0 < win.low,
        more_moments=_more(difference, by_name[RESULT].n) if verdict == INCONCLUSIVE else None,
        outcomes={name: StakeEffect(**_effect(by_name[name])) for name in (WIN, ESCAPE, OWN)},
    )


def _effect(effect: Effect) -> dict[str, Any]:
    return {
        "stake": effect.changed.interval,
        "wait": effect.base.interval,
        "difference": effect.difference.interval,
        "p": effect.difference.p,
        "pairing_factor": effect.factor,
    }


def _more(difference: Interval, moments: int) -> int | None:
    """Return the number of additional positions needed for significance if the estimate were true.

    Half-widths fall with the square root of n. Returns None for too few positions, or if far too many are
    needed.
    """
    wider = excess_width(difference, 0.0, inf, difference.estimate, difference.estimate)
    if moments < FEW or not difference.estimate or wider**2 >= HOPELESS:
        return None
    return max(ceil(moments * wider**2) - moments, 1)


def _frame(games: np.ndarray, records: np.ndarray, player: np.ndarray) -> pl.LazyFrame:
    """Return one row per position, with the mean of each measure over the position's futures.

    Truncated games give a lower and an upper bound. records: array [position, future].
    """
    winner, truncated = records["winner"], records["winner"] == TRUNCATED
    own = np.stack([records[f"escapes_{p + 1}"] for p in range(5)])[player, np.arange(len(player))]
    low = {
        RESULT: (winner == ALLIED) + DRAW * (winner == NOBODY),
        WIN: winner == ALLIED,
        ESCAPE: records["score"] > 0,
        OWN: own,
    }
    high = {
        RESULT: low[RESULT] + truncated,
        WIN: low[WIN] | truncated,
        ESCAPE: low[ESCAPE] | truncated,
        OWN: np.where(truncated, TEAM, own),
    }
    ends = {
        f"{name}_{end}": value.mean(axis=1)
        for end, values in (("low", low), ("high", high))
        for name, value in values.items()
    }
    return pl.LazyFrame({"game": games, **ends})
