"""What does a change do, the luck of both sides taken out?

The same game numbers on common luck, each result less what luck gave
(`analyses.experiments.luck_adjustment`).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from bartizan.analyses.document import Document
from bartizan.analyses.experiments.luck_adjustment import (
    PILOT_GAMES,
    SAMPLES,
    Guess,
    Pilot,
    bounds,
    guess_for,
    played,
)
from bartizan.analyses.statistics.intervals import Interval
from bartizan.simcore.play.match import Match, Player
from bartizan.simcore.play.rules import TRUNCATED


class AdjustedDifference(Document):
    """`changed` minus `base`, of the share that `compare` has as its headline."""

    difference: Interval
    # variance of the difference of independent games as they came out, over that of these pairs; None when no
    # pair differs
    pairing_factor: float | None
    n: int  # game numbers, each played in every seating of both sides
    samples: int  # outcomes of a chance event
    pilots: list[Pilot]  # one a seating of either side


@dataclass(frozen=True)
class _Side:
    """The headline of each game number, as it came out (a game cut off as its least and greatest) and less
    the luck.
    """

    low: np.ndarray
    high: np.ndarray
    luck: np.ndarray
    guesses: tuple[Guess, ...]


def analyze(
    base: Sequence[Match],
    changed: Sequence[Match],
    by_player: bool,
    games: int,
    samples: int = SAMPLES,
    pilot_games: int = PILOT_GAMES,
    jobs: int = 1,
) -> AdjustedDifference:
    """base, changed: the same players in every seating that counts. by_player: the share of the player named
    first, for each seat it took; else that of the first seat.
    """
    a, b = (_side(side, by_player, games, samples, pilot_games, jobs) for side in (base, changed))
    least, most = b.low - b.luck - (a.high - a.luck), b.high - b.luck - (a.low - a.luck)
    cut_off = int((most > least).sum())
    method = "Student t, paired on common luck, luck-adjusted" + (
        f", bounds over {cut_off} pairs with a cut-off game" if cut_off else ""
    )
    spread = float(np.var((least + most) / 2))
    apart = sum(float(np.var((side.low + side.high) / 2)) for side in (a, b))
    return AdjustedDifference(
        difference=bounds(least, most, method),
        pairing_factor=apart / spread if spread else None,
        n=games,
        samples=samples,
        pilots=[Pilot.model_validate(guess) for guess in (*a.guesses, *b.guesses)],
    )


def _side(
    matches: Sequence[Match], by_player: bool, games: int, samples: int, pilot_games: int, jobs: int
) -> _Side:
    """The mean over the seatings."""
    first, parts = _who(matches[0].players[0]), []
    for match in matches:
        taken = len(match.game.roles_in(match.scenario))
        guess = guess_for(match, taken, samples, pilot_games, jobs)
        winners, given = played(match, guess.model, samples, games, jobs)
        seats = [seat for seat in range(taken) if _who(match.players[seat]) == first] if by_player else [0]
        won = np.isin(winners, seats) / len(seats)
        cut_off = (winners == TRUNCATED) / len(seats)
        luck = sum(guess.shares[seat] * given[:, seat] for seat in seats) / len(seats)
        parts.append((won, won + cut_off, luck, guess))
    lows, highs, lucks, guesses = zip(*parts, strict=True)
    return _Side(np.mean(lows, axis=0), np.mean(highs, axis=0), np.mean(lucks, axis=0), guesses)


def _who(player: Player) -> tuple:
    return player.name, player.weights, player.source_hash
