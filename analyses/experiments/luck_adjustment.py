"""Luck-adjusted win rate: an estimate with the luck of each game removed, and its gain in effective games.

Each chance event of a game (the set-up, or the outcome of an action) gives a seat some luck: the estimated
win probability after the event, minus the mean estimate over other outcomes of the same event. Subtracting
the luck of all events from the result of the game gives a number with the same mean and less variance
(AIVAT). See Burch, Schmid, Moravcik, Morrill, Bowling, "AIVAT: A New Variance Reduction Technique for Agent
Evaluation in Imperfect Information Games" (AAAI 2018). No estimate changes the mean; a better estimate
reduces the variance more. The estimate is fitted on pilot games of another seed and then fixed, because
fitting it on the adjusted games would also remove effects other than luck.

The mean over other outcomes is not enumerated. It is the mean of a few random outcomes
(`simcore.play.luck_adjusted.expect_action`). These have the same distribution as the actual outcome, so the
adjustment has mean 0 for any number of outcomes. It is valid for policies that do not use hidden information.

The share of the deal comes from a two-level model: result = mean + deal + rest. The variance between deals is
(MSB - MSW) / plays, the usual one-way ANOVA estimator; its share of the whole is the intraclass correlation.
Its limits are the outer limits of two methods. The limits of the F distribution (Searle 1971) treat the mean
of a deal as normal. They cover only 70 % if a seat wins one game in ten and the deal has a large effect. The
limits of the jackknife of the logarithm of MSB / MSW (Arvesen 1969) are wide with few deals.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import inf
from time import perf_counter
from typing import Any, TypeVar

import numpy as np

from bartizan.analyses.document import Document, optional
from bartizan.analyses.statistics import special
from bartizan.analyses.statistics.intervals import (
    EXACT_BELOW,
    NO_LIMITS,
    Interval,
    mean_of,
    over_truncated,
    proportion,
    with_truncated,
    without_limits,
)
from bartizan.simcore.arrays import Floats
from bartizan.simcore.compile.rules import TRUNCATED
from bartizan.simcore.play import luck_adjusted
from bartizan.simcore.play.match import Jobs, Match, Player
from bartizan.simcore.play.rollouts import Deals
from bartizan.simcore.reporting import CONFIDENCE
from bartizan.simcore.rng import mix

Amount = TypeVar("Amount", float, Floats)  # a number, or one number for each omitted deal

PILOT_SEED = 0x10CC  # mixed into the seed of the run, so that pilot games and games of the run differ
PILOT_GAMES = 16_000
SAMPLES = 32
# ratio of pilot games that fit the model to pilot games that determine the share of luck to subtract
TUNING = 5
HELD_OUT = 0.2  # fraction of the pilot games that is held out to evaluate the fit
PENALTY = 1e-3
TINY = 1e-9  # replaces a variance or mean square of 0 before taking its logarithm
JACKKNIFE = "jackknife of the logarithm"
ROUGH_WORTH = f"{JACKKNIFE}, rough since few games are won, or lost"
# standard deviation of a game's luck (change of win probability), below which it is rounding error
LEAST_LUCK = 1e-6
MOST_TAKEN = 2.0  # a larger slope of the control variate is a chance result


@dataclass(frozen=True, eq=False)
class Guess:
    """A win-probability model over the visible features of a state, with weights for each seat.

    r2: explained share of the variance in held-out pilot games. shares: share of luck to remove, by seat.
    """

    model: np.ndarray  # see `simcore.play.luck_adjusted.guess`
    games: int
    seed: int
    # share of the variance of results that the model explains, over states of held-out pilot games
    r2: float
    numbers: int  # number of features that the model uses; 0: the game has none
    # by seat: share of the luck that is subtracted; 1 until `with_shares`
    shares: tuple[float, ...] = ()


class PilotModel(Document):
    """The games to which the win-probability model was fitted."""

    seed: int
    games: int
    r2: float  # on held-out states
    numbers: int  # number of features that the model uses; 0: the game has none
    shares: list[float]  # by seat: share of the luck that is subtracted


class Rates(Document):
    """One seat's win rate: luck-adjusted and raw."""

    seat: int | None = optional()
    role: str | None = optional()
    estimate: float
    low: float
    high: float
    level: float
    method: str
    raw_estimate: float
    raw_low: float
    raw_high: float
    raw_level: float
    raw_method: str
    games: int
    effective_games: float  # number of unadjusted games with the same precision
    # variance of the results divided by the variance of the adjusted results: effective games per game
    multiplier: float
    multiplier_interval: Interval

    @property
    def adjusted(self) -> Interval:
        return Interval(self.estimate, self.low, self.high, self.level, self.method)

    @property
    def raw(self) -> Interval:
        return Interval(self.raw_estimate, self.raw_low, self.raw_high, self.raw_level, self.raw_method)


@dataclass(frozen=True)
class LuckAdjusted:
    """Luck-adjusted win rates of all seats, and the model that estimates luck."""

    seats: tuple[Rates, ...]
    samples: int
    guess: Guess
    seconds: float  # duration of the adjusted games, without compilation and pilot


# ---------------------------------------------------------------- the guess, from pilot games


def fit_guess(match: Match, seats: int, games: int = PILOT_GAMES, jobs: Jobs = 1) -> Guess:
    """Fit a logistic regression with an L2 penalty to pilot games, and return the model.

    The effect of a feature may change with the elapsed time, which is feature 0. A share HELD_OUT of the
    games is left out of the fit to measure `r2`. seats: number of seats.
    """
    pilot_match = replace(match, seed=pilot_seed(match.seed))
    pilot = luck_adjusted.play_pilot_games(pilot_match, range(games), jobs)
    model = luck_adjusted.new_model(match)
    kept = _standardise(model, pilot.seen)
    fitted = pilot.game < round(games * (1 - HELD_OUT))
    errors = []
    for seat in range(seats):
        won = (pilot.winners == seat).astype(float)[pilot.game]
        weights = _logistic(kept[fitted], won[fitted])
        model["weight"][0, seat], model["constant"][0, seat] = weights[:-1].reshape(3, -1), weights[-1]
        errors.append(_explained(special.expit(kept[~fitted] @ weights[:-1] + weights[-1]), won[~fitted]))
    return Guess(model, games, pilot_match.seed, float(np.mean(errors)), luck_adjusted.numbers(match))


def with_shares(guess: Guess, match: Match, seats: int, samples: int, jobs: Jobs = 1) -> Guess:
    """Return the model with the share of luck to remove.

    The share is the regression slope of results on luck in held-out pilot games.

    This is a control variate (Lavenberg and Welch 1981). The share is below 1 if the model overestimates
    short-lived effects or there are few samples, and 0 if the pilot games show no luck. Any share leaves the
    mean unchanged.
    """
    games = range(guess.games, guess.games + max(guess.games // TUNING, 2))
    winners, given = played(replace(match, seed=guess.seed), guess.model, samples, games, jobs)
    return replace(guess, shares=tuple(_slope(given[:, seat], winners == seat) for seat in range(seats)))


def _slope(given: np.ndarray, won: np.ndarray) -> float:
    """Return the regression slope of wins on luck, clipped to 0..MOST_TAKEN.

    Returns 0 if the luck is as small as rounding errors, which would give an arbitrary slope.
    """
    spread = float(np.var(given))
    if spread < LEAST_LUCK**2:
        return 0.0
    return float(np.clip(np.mean((given - given.mean()) * won) / spread, 0.0, MOST_TAKEN))


def bytes_of(seats: int) -> int:
    """Return the bytes of memory per game: each seat's luck, and working memory for one seat at a time."""
    return 8 * seats + 64


def played(
    match: Match, model: np.ndarray, samples: int, games: range, jobs: Jobs
) -> tuple[np.ndarray, np.ndarray]:
    """Return the winner of each game (int8), and the luck of each seat (float64 [game, seat])."""
    chunks = luck_adjusted.play_adjusted_games(match, model, samples, games, jobs)
    winners, given = (np.concatenate(column) for column in zip(*chunks, strict=True))
    return winners, given


def guess_for(
    match: Match, seats: int, samples: int = SAMPLES, pilot_games: int = PILOT_GAMES, jobs: Jobs = 1
) -> Guess:
    """Simulate pilot games, fit the model, and determine the share of luck to subtract."""
    luck_adjusted.AdjustedGames(match, luck_adjusted.new_model(match), samples).prepare(
        jobs
    )  # before the pilot
    return with_shares(fit_guess(match, seats, pilot_games, jobs), match, seats, samples, jobs)


def pilot_seed(seed: int) -> int:
    """Return the seed of the pilot games, derived from the seed of the run."""
    with np.errstate(over="ignore"):
        return int(mix(np.uint64(seed) ^ np.uint64(PILOT_SEED))) >> 1


def _standardise(model: np.ndarray, seen: np.ndarray) -> np.ndarray:
    """Return the standardised features and their products with elapsed time and with lateness, side by side.

    Constant features are 0. Sets `centre` and `scale` of `model`.
    """
    centre, sd = seen.mean(axis=0, dtype=np.float64), seen.std(axis=0, dtype=np.float64)
    model["centre"], model["scale"] = centre, np.divide(1.0, sd, out=np.zeros_like(sd), where=sd > 1e-6)
    kept = np.clip(
        (seen - model["centre"][0]) * model["scale"][0], -luck_adjusted.FAR_OUT, luck_adjusted.FAR_OUT
    )
    gone = np.clip(seen[:, :1], 0, 1)
    return np.hstack([kept, kept * (2 * gone - 1), kept * luck_adjusted.lateness(gone)])


def _logistic(seen: np.ndarray, won: np.ndarray) -> np.ndarray:
    """Return penalised maximum-likelihood weights with the constant last."""
    from scipy.optimize import minimize  # a fifth of a second to import, and every `run` imports this module

    seen = np.column_stack([seen, np.ones(len(seen))])

    def loss(weights: Floats) -> tuple[float, Floats]:
        logit = seen @ weights
        slope: Floats = seen.T @ (special.expit(logit) - won) / len(won)
        misfit = np.mean(np.logaddexp(0, logit) - won * logit)
        return float(misfit + PENALTY / 2 * weights @ weights), slope + PENALTY * weights

    start = np.zeros(seen.shape[1])
    found: Floats = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": 200}).x
    return found


def _explained(guessed: np.ndarray, won: np.ndarray) -> float:
    spread = np.var(won)
    return 1 - float(np.mean((won - guessed) ** 2) / spread) if spread else 0.0


# ---------------------------------------------------------------- the estimate


def adjust_luck(
    match: Match, games: int, samples: int = SAMPLES, pilot_games: int = PILOT_GAMES, jobs: Jobs = 1
) -> LuckAdjusted:
    """Return the luck-adjusted win rate of each seat, over the games of a plain run with the same seed."""
    seats = len(match.game.roles_in(match.scenario))
    guess = guess_for(match, seats, samples, pilot_games, jobs)
    since = perf_counter()
    winners, given = played(match, guess.model, samples, range(games), jobs)
    seconds = perf_counter() - since
    rates = tuple(adjusted(winners, guess.shares[seat] * given[:, seat], seat) for seat in range(seats))
    return LuckAdjusted(rates, samples, guess, seconds)


def adjusted(winners: np.ndarray, given: np.ndarray, seat: int) -> Rates:
    """Return the raw and the luck-adjusted win rate of a seat.

    winners: int8 [game]. given: float64 [game], the amount removed from each game for the luck of this seat.
    """
    won, truncated = (winners == seat).astype(float), winners == TRUNCATED
    raw = with_truncated(int(won.sum()), int(truncated.sum()), len(won))
    few = min(int(won.sum()), int((~(won + truncated).astype(bool)).sum())) < EXACT_BELOW
    rough = ", rough since few games are won, or lost" if few else ""
    method = f"Student t, luck-adjusted{rough}{over_truncated(int(truncated.sum()))}"
    estimate = bounds(won - given, won + truncated - given, method)
    # the adjusted values are equal, so the interval comes from the number of games won
    if not estimate.has_limits:
        estimate = raw
    worth = multiplier(won + truncated / 2, won + truncated / 2 - given)
    return Rates(
        **estimate.to_dict(),
        **{f"raw_{key}": value for key, value in raw.to_dict().items()},
        games=len(won),
        effective_games=len(won) * worth.estimate,
        multiplier=worth.estimate,
        multiplier_interval=worth,
    )


def bounds(least: np.ndarray, most: np.ndarray, method: str, confidence: float = CONFIDENCE) -> Interval:
    """Return the mean of one number per game, with its interval.

    least, most: float64 [game], bounds of the number; they differ only for truncated games.
    """
    low, high = (
        mean_of(values).interval(confidence) or without_limits(float(values.mean()), len(values), confidence)
        for values in (least, most)
    )
    return Interval((low.estimate + high.estimate) / 2, low.low, high.high, confidence, method)


def multiplier(raw: np.ndarray, without_luck: np.ndarray) -> Interval:
    """Return Var(raw) / Var(adjusted), with jackknife limits of its logarithm (Arvesen 1969).

    The interval is 0 to infinity for fewer than 3 games, and if no two raw or no two adjusted values differ.
    """
    games, spreads = len(raw), (float(np.var(raw)), float(np.var(without_luck)))
    ratio = spreads[0] / spreads[1] if spreads[1] else 1.0
    if games < 3 or min(spreads) < TINY:
        return Interval(1.0, 0.0, inf, CONFIDENCE, f"{NO_LIMITS}: no two games differ")
    without_one = np.subtract(*(_log_variances(values) for values in (raw, without_luck)))
    pseudo = games * np.log(ratio) - (games - 1) * without_one
    reach = special.stdtrit(games - 1, (1 + CONFIDENCE) / 2) * pseudo.std(ddof=1) / np.sqrt(games)
    most = np.log(games)  # one game has at most the information of all games
    low, high = np.exp(np.clip(pseudo.mean() + np.array([-reach, reach]), -most, most))
    method = ROUGH_WORTH if min(raw.sum(), (1 - raw).sum()) < EXACT_BELOW else JACKKNIFE
    return Interval(ratio, min(float(low), ratio), max(float(high), ratio), CONFIDENCE, method)


def _log_variances(values: Floats) -> Floats:
    """Return the logarithm of the variance with each value left out in turn."""
    off, n = values - values.mean(), len(values)
    squares, total = (off**2).sum() - off**2, -off
    logarithms: Floats = np.log(np.maximum(squares / (n - 1) - (total / (n - 1)) ** 2, TINY))
    return logarithms


# ----------------- effect of a change, luck-adjusted on both sides: the same game numbers and random numbers


class AdjustedDifference(Document):
    """Luck-adjusted difference, `changed` minus `base`, of the share that is the headline of `compare`."""

    difference: Interval
    # variance of the unadjusted difference of independent games, divided by that of these pairs; None if no
    # pair differs
    pairing_factor: float | None
    n: int  # game numbers, each played in every seating of both sides
    samples: int  # sampled outcomes per chance event
    pilots: list[PilotModel]  # one per seating of either side


@dataclass(frozen=True)
class _Side:
    """The headline of each game number (bounds for a truncated game), and its luck."""

    low: np.ndarray
    high: np.ndarray
    luck: np.ndarray
    guesses: tuple[Guess, ...]


def luck_difference(
    base: Sequence[Match],
    changed: Sequence[Match],
    by_player: bool,
    games: int,
    samples: int = SAMPLES,
    pilot_games: int = PILOT_GAMES,
    jobs: Jobs = 1,
    confidence: float = CONFIDENCE,
) -> AdjustedDifference:
    """Return the luck-adjusted difference, `changed` minus `base`.

    base, changed: the same players, in every seating. by_player: use the share of the first player over its
    seats, instead of the first seat's. confidence: confidence of the interval, above 95 % at a later look at
    games of the same seed.
    """
    a, b = (_side(side, by_player, games, samples, pilot_games, jobs) for side in (base, changed))
    least, most = b.low - b.luck - (a.high - a.luck), b.high - b.luck - (a.low - a.luck)
    truncated = int((most > least).sum())
    method = "Student t, paired on common luck, luck-adjusted" + (
        f", bounds over {truncated} pairs with a truncated game" if truncated else ""
    )
    spread = float(np.var((least + most) / 2))
    apart = sum(float(np.var((side.low + side.high) / 2)) for side in (a, b))
    return AdjustedDifference(
        difference=bounds(least, most, method, confidence),
        pairing_factor=apart / spread if spread else None,
        n=games,
        samples=samples,
        pilots=[PilotModel.model_validate(guess) for guess in (*a.guesses, *b.guesses)],
    )


def _side(
    matches: Sequence[Match], by_player: bool, games: int, samples: int, pilot_games: int, jobs: Jobs
) -> _Side:
    """Return one side of the comparison, averaged over its seatings."""
    first, parts = _who(matches[0].players[0]), []
    for match in matches:
        taken = len(match.game.roles_in(match.scenario))
        guess = guess_for(match, taken, samples, pilot_games, jobs)
        winners, given = played(match, guess.model, samples, range(games), jobs)
        seats = [seat for seat in range(taken) if _who(match.players[seat]) == first] if by_player else [0]
        won = np.isin(winners, seats) / len(seats)
        truncated = (winners == TRUNCATED) / len(seats)
        luck = sum(guess.shares[seat] * given[:, seat] for seat in seats) / len(seats)
        parts.append((won, won + truncated, luck, guess))
    lows, highs, lucks, guesses = zip(*parts, strict=True)
    return _Side(np.mean(lows, axis=0), np.mean(highs, axis=0), np.mean(lucks, axis=0), guesses)


def _who(player: Player) -> tuple[Any, ...]:
    return player.name, player.weights, player.source_hash


# -------------------- share of the deal in a result: each deal is played many times, with new random numbers

DEAL_METHOD = (
    "each deal simulated with new random numbers; share of the variance between deals: one-way ANOVA, 95 % "
    "limits "
    "the outer ones of the F distribution (Searle 1971) and of the jackknife (Arvesen 1969); win rate of the "
    "deal: Wilson, below 15 wins or losses Clopper-Pearson"
)


ANOVA, FEW_WON = "one-way ANOVA", "one-way ANOVA, rough since few deals are won, or lost"


@dataclass(frozen=True)
class Share:
    """Share of a result's variance that is between deals, from 0 to 1."""

    estimate: float
    low: float
    high: float
    deals: int
    plays: int  # of each deal
    method: str = ANOVA

    def fewer(self, plays: int) -> int:
        """Return the number of plays on known deals, at least 1, that is as informative as `plays`.

        plays: number of plays on unknown deals.
        """
        return max(1, int(np.ceil(plays * (1 - self.estimate))))


@dataclass(frozen=True)
class Dealt:
    """Results per deal.

    rate: win rate of the requested deal. overall: win rate over all deals. rates: win rate of each deal.
    """

    seat: int
    rate: Interval
    overall: float
    rates: np.ndarray
    share: Share


def shares(wins: np.ndarray, plays: int) -> Share:
    """Return the share of the results' variance that is between deals.

    wins: int [deal], wins in `plays` plays of each deal. Raises ValueError with fewer than 2 deals or plays.
    """
    deals = len(wins)
    if deals < 2 or plays < 2:
        raise ValueError(f"{deals} deals of {plays} plays: use at least two deals and two plays")
    rates = wins / plays
    method = FEW_WON if min(rates.sum(), (1 - rates).sum()) < EXACT_BELOW else ANOVA
    between, within = _variances(rates.sum(), (rates**2).sum(), deals, plays)
    if not between:  # all deals have the same win rate; they have no information if it is 0 or 1
        return Share(0.0, 0.0, 1.0 if not within else _limits(rates, plays)[1], deals, plays, method)
    if not within:  # each deal is always or never won: compute as if one play had the other result
        other = rates.copy()
        other[0] = abs(other[0] - 1 / plays)
        return Share(1.0, _limits(other, plays)[0], 1.0, deals, plays, method)
    estimate, *ends = (_share(between / within, plays), *_limits(rates, plays))
    return Share(estimate, min(ends[0], estimate), max(ends[1], estimate), deals, plays, method)


def _variances(total: Amount, squares: Amount, deals: int, plays: int) -> tuple[Amount, Amount]:
    """Return the mean squares between and within deals.

    total, squares: sums over deals of the win rates and of their squares.
    """
    between: Amount = np.maximum(plays * (squares - total**2 / deals) / (deals - 1), 0.0)
    within: Amount = np.maximum(plays * (total - squares) / (deals * (plays - 1)), 0.0)
    return between, within


def _share(ratio: float, plays: int) -> float:
    return float(np.clip((ratio - 1) / (ratio + plays - 1), 0.0, 1.0))


def _limits(rates: np.ndarray, plays: int) -> tuple[float, float]:
    """Return the outer limits of the share, by the F distribution and the jackknife."""
    deals, tail = len(rates), (1 - CONFIDENCE) / 2
    total, squares = rates.sum(), (rates**2).sum()
    between, within = _variances(total, squares, deals, plays)
    quantiles = special.fdtri(deals - 1, deals * (plays - 1), [1 - tail, tail])
    ratios = [*(between / within / quantiles)]
    if deals > 2:
        both = _variances(total - rates, squares - rates**2, deals - 1, plays)
        without_one = np.log(np.maximum(both[0], TINY) / np.maximum(both[1], TINY))
        whole = np.log(max(between, TINY) / within)
        pseudo = deals * whole - (deals - 1) * without_one
        reach = special.stdtrit(deals - 1, 1 - tail) * pseudo.std(ddof=1) / np.sqrt(deals)
        ratios += [*np.exp(np.clip(pseudo.mean() + np.array([-reach, reach]), -500, 500))]
    return float(_share(min(ratios), plays)), float(_share(max(ratios), plays))


def dealt(match: Match, number: int, deals: int, plays: int, seat: int = 0, jobs: Jobs = 1) -> Dealt:
    """Evaluate the deal of game `number`, and the first `deals` deals of the seed for comparison.

    plays: number of games per deal. seat: the seat whose wins count.
    """
    games = Deals(match, plays)
    (own,) = games.play(range(number, number + 1))
    wins = np.concatenate(list(games.play(range(deals), jobs)))[:, seat]
    rate, overall = proportion(int(own[0, seat]), plays), float(wins.mean() / plays)
    return Dealt(seat, rate, overall, wins / plays, shares(wins, plays))
