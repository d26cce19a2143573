"""Interactions of cards: games as dealt, without one kind, without another, and without both.

The interaction of two kinds is the value of one in the presence of the other minus its value in the absence
of the other. It is computed game by game on common random numbers: wins as dealt, minus wins without each
kind, plus wins without both. Above 0, the two kinds reinforce each other; below 0, one replaces the other. It
is the two-factor interaction of a 2 x 2 design, in which main effects cancel (Box, Hunter & Hunter 2005).

A reader looks at the largest of many pairs. Therefore the intervals of all listed pairs are simultaneous
(Bonferroni), and a pair is named only if its interval excludes 0. If there are many pairs, a screening
chooses the pairs to measure. The measurement uses other games, so the choice does not bias the result.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations
from math import inf
from typing import Any

import numpy as np

from bartizan.analyses.document import Document
from bartizan.analyses.experiments.trials import Condition, Trial, play, truncated
from bartizan.analyses.experiments.without import NotPlayable, Removal, removals, together
from bartizan.analyses.records.comparison import LENGTH, headline, is_by_player
from bartizan.analyses.records.seating import LineUp
from bartizan.analyses.statistics.intervals import Interval, proportion
from bartizan.analyses.statistics.paired import Values, largest_of, snapped
from bartizan.analyses.statistics.testing import holm, jointly
from bartizan.simcore.arrays import Floats, Ints
from bartizan.simcore.compile.rules import TRUNCATED
from bartizan.simcore.errors import ScenarioError
from bartizan.simcore.play.batch import Source
from bartizan.simcore.reporting import CONFIDENCE

REINFORCE, REPLACE = "reinforce each other", "replace each other"
SCREENED_ABOVE = 30  # pairs
PROBE_GAMES = 5  # test games before a pair counts as removable; `trials.asked` covers later failures
KEPT = 10  # pairs that a screening selects
SCREEN_SHARE = 4  # games of the measurement for each game of the screening
METHOD = (
    "games without one kind, without the other and without both, paired with the games as dealt on common "
    "random numbers: interaction of a 2 x 2 design, Student's t, or exact tails (Blaker 2000) if fewer than "
    "100 games differ; intervals simultaneous over all listed pairs (Bonferroni), so the largest may be "
    "quoted; p adjusted for all listed pairs (Holm 1979); intervals for single kinds are not simultaneous"
)
RESTS_ON = (
    "Whether two cards reinforce each other depends on how these policies combine them: a combination that "
    "they do not look for appears worthless"
)
Way = tuple[int, ...]  # kinds that are left out together


class CardPair(Document):
    """Interaction of two kinds of card. Effects are on wins or on the score, as given by `CardPairs.by`."""

    cards: list[str]
    pairs: int  # game numbers, each played in four ways
    interaction: Interval  # simultaneous over all pairs
    se: float | None
    p: float
    p_adjusted: float  # Holm
    alone: list[Interval]  # value of each kind if the other is in the deck; not simultaneous
    both: Interval  # value of both kinds together; not simultaneous
    differing: Interval  # share of games with an interaction
    capped: int  # truncated games, summed over the four ways
    verdict: str = ""  # REINFORCE or REPLACE; "" if the games show neither


class PairNotPlayable(Document):
    cards: list[str]
    reason: str


class CardPairs(Document):
    """Interactions of pairs of kinds of card, in descending order.

    If there are many pairs, these are only the pairs that a screening selected.
    """

    whose: str  # `one seat` or `everybody`
    games: int  # in each way
    first_game: int  # after those of the screening
    by: str  # `wins`, or `score` if nobody or everybody wins
    as_dealt: Interval  # wins
    pairs: list[CardPair]
    compared: int  # pairs examined, including those of the screening
    screened: int  # game numbers of the screening; 0: no screening
    refused: list[PairNotPlayable]
    method: str = METHOD

    @property
    def named(self) -> list[CardPair]:
        """Pairs for which these games show that the kinds reinforce or replace each other."""
        return [pair for pair in self.pairs if pair.verdict]


# ------------------------------------------------------------------- one pair


@dataclass(frozen=True)
class PlayedWays:
    """Outcomes of the same games played in several ways. The first way is as dealt.

    low, high: float64 [game, 1 + way], equal except for truncated games; cut: int64 [1 + way], number of
    truncated games.
    """

    low: Floats
    high: Floats
    cut: Ints
    wins: Values  # as dealt
    span: tuple[float, float] | None  # limits of one game's result; None: unbounded
    by: str = "wins"


def interaction(outcomes: PlayedWays, one: int, other: int, both: int) -> Values:
    """Return the interaction per game of two kinds of card.

    It is the result as dealt, minus the results without each kind, plus the result without both kinds.

    one, other, both: columns of `outcomes`.
    """
    return contrast(outcomes, plus=(0, both), minus=(one, other))


def contrast(outcomes: PlayedWays, plus: Sequence[int], minus: Sequence[int]) -> Values:
    """Return the sum of the columns `plus` minus the sum of the columns `minus`, per game."""
    low, high = outcomes.low, outcomes.high
    added, taken = list(plus), list(minus)
    least: Floats = low[:, added].sum(axis=1) - high[:, taken].sum(axis=1)
    most: Floats = high[:, added].sum(axis=1) - low[:, taken].sum(axis=1)
    if outcomes.span is None:  # scores, which may be fractions
        least, most = snapped([least, most], largest_of(low, high))
    ends, counts = np.unique(np.column_stack([least, most]), axis=0, return_counts=True)
    span = None
    if outcomes.span:
        lowest, highest = outcomes.span
        span = (len(plus) * lowest - len(minus) * highest, len(plus) * highest - len(minus) * lowest)
    return Values(ends[:, 0], ends[:, 1], counts.astype(np.float64), span)


def joint_interaction(values: Values, together: int, cut: int = 0) -> Interval:
    """Return the interval of an interaction, simultaneous over all pairs.

    together: number of pairs. cut: number of truncated games.
    """
    return jointly(partial(values.interval, truncated=cut), together)


# ------------------------------------------------------------------- all pairs

# (ways, games, first game) -> outcomes
Played = Callable[[Sequence[Way], int, int], PlayedWays]


def ways_of(pairs: Sequence[tuple[int, int]]) -> list[Way]:
    """Return the combinations of kinds to remove for these pairs: each kind alone, then each pair."""
    return [(kind,) for kind in sorted({kind for pair in pairs for kind in pair})] + list(pairs)


def is_screened(pairs: int) -> bool:
    return pairs > SCREENED_ABOVE


def screening(games: int) -> int:
    """Return the number of screening games for `games` measured games."""
    return max(games // SCREEN_SHARE, 1)


def analyze(
    played: Played,
    kinds: Mapping[int, str],
    pairs: Sequence[tuple[int, int]],
    whose: str,
    games: int,
    refused: Sequence[PairNotPlayable] = (),
) -> CardPairs:
    """Measure the interactions of all pairs or, if there are many, of the pairs that a screening selects.

    pairs: at least one pair. The screening uses other games.
    """
    screened, chosen = 0, list(pairs)
    if is_screened(len(pairs)):
        screened = screening(games)
        chosen = _most_striking(played(ways_of(pairs), screened, 0), pairs)
    outcomes = played(ways := ways_of(chosen), games, screened)
    column = {way: 1 + index for index, way in enumerate(ways)}
    columns = [(column[one,], column[other,], column[one, other]) for one, other in chosen]
    values = [interaction(outcomes, *three) for three in columns]
    adjusted = holm([one.estimate(CONFIDENCE).p for one in values])
    found = [
        _pair(outcomes, [kinds[kind] for kind in pair], three, one, p, len(chosen))
        for pair, three, one, p in zip(chosen, columns, values, adjusted, strict=True)
    ]
    return CardPairs(
        whose=whose,
        games=games,
        first_game=screened,
        by=outcomes.by,
        as_dealt=outcomes.wins.interval(CONFIDENCE, int(outcomes.cut[0])),
        pairs=sorted(found, key=lambda pair: -pair.interaction.estimate),
        compared=len(pairs),
        screened=screened,
        refused=list(refused),
    )


def _most_striking(outcomes: PlayedWays, pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the KEPT pairs with the largest interactions in standard errors, in the order of `pairs`."""
    column = {way: 1 + index for index, way in enumerate(ways_of(pairs))}

    def away(pair: tuple[int, int]) -> float:
        one, other = pair
        found = interaction(outcomes, column[one,], column[other,], column[pair]).estimate(CONFIDENCE)
        if found.se is None:
            return inf if found.interval.estimate else 0.0
        return abs(found.interval.estimate) / found.se

    kept = sorted(pairs, key=away, reverse=True)[:KEPT]
    return [pair for pair in pairs if pair in kept]


def _pair(
    outcomes: PlayedWays,
    names: list[str],
    columns: tuple[int, int, int],
    values: Values,
    p: float,
    together: int,
) -> CardPair:
    one, other, both = columns
    cut = int(outcomes.cut[[0, *columns]].sum())
    estimate, interval = values.estimate(CONFIDENCE, cut), joint_interaction(values, together, cut)
    changed = ((values.low != 0) | (values.high != 0)) @ values.n
    worth = [contrast(outcomes, (0,), (column,)).interval(CONFIDENCE, cut) for column in (one, other, both)]
    return CardPair(
        cards=names,
        pairs=values.games,
        interaction=interval,
        se=estimate.se,
        p=estimate.p,
        p_adjusted=p,
        alone=worth[:2],
        both=worth[2],
        differing=proportion(int(changed), values.games),
        capped=cut,
        verdict=REINFORCE if interval.low > 0 else REPLACE if interval.high < 0 else "",
    )


# ------------------------------------------------------------- removal of the cards


def of_one_seat(winners: Ints, seat: int) -> PlayedWays:
    """Return the outcomes of games in which one seat plays without some kinds.

    winners: int8 [game, 1 + way], the joined chunks of `simcore.play.without.Without.play`.
    """
    won, cut = winners == seat, winners == TRUNCATED
    low, high = won.astype(np.float64), (won | cut).astype(np.float64)
    outcomes = PlayedWays(low, high, cut.sum(axis=0), _UNKNOWN, (0.0, 1.0))
    return replace(outcomes, wins=contrast(outcomes, (0,), ()))


_UNKNOWN = Values(np.zeros(1), np.zeros(1), np.ones(1))


@dataclass(frozen=True)
class DeckPairs:
    """Pairs of kinds that can be removed together.

    values: maps each way to its changed scenario values, by path.
    """

    kinds: dict[int, str]
    pairs: list[tuple[int, int]]
    values: dict[Way, dict[str, Any]]
    refused: list[PairNotPlayable]


def pairs_of_deck(condition: Condition, paths: Mapping[str, str]) -> DeckPairs:
    """Return the pairs of kinds that can be removed together, and the rejected kinds and pairs.

    paths: maps each kind to the path of its number of copies. A kind is rejected if the game cannot be played
    without it. A pair is rejected if the game cannot be played without both, or if one kind would replace the
    other.
    """
    single: dict[int, Removal] = {}
    refused: list[PairNotPlayable] = []
    for number, one in enumerate(removals(condition, paths)):
        if isinstance(one, NotPlayable):
            refused.append(PairNotPlayable(cards=[one.card], reason=one.reason))
        else:
            single[number] = one
    values: dict[Way, dict[str, Any]] = {(number,): dict(one.values) for number, one in single.items()}
    pairs, probe = [], replace(condition, games=min(condition.games, PROBE_GAMES))
    for a, b in combinations(single, 2):
        one, other = single[a], single[b]
        try:
            both = together(one, other)
            probe.load_playable(both)
        except ScenarioError as error:
            refused.append(_refused(condition, one, other, error))
            continue
        values[a, b] = both
        pairs.append((a, b))
    return DeckPairs({number: one.card for number, one in single.items()}, pairs, values, refused)


def _refused(condition: Condition, one: Removal, other: Removal, error: ScenarioError) -> PairNotPlayable:
    reason = condition.refusal(one.path, 0, error).reason
    return PairNotPlayable(cards=[one.card, other.card], reason=reason)


def of_everybody(
    condition: Condition,
    deck: DeckPairs,
    has_score: bool,
    source: Source,
    ways: Sequence[Way],
    first_game: int,
) -> PlayedWays:
    """Simulate games with the unchanged deck and with each change of the deck, and return the outcomes."""
    games = condition.games
    source.expect(games * len(condition.seatings()) * (1 + len(ways)))

    def trials() -> Iterator[Trial]:
        for way in [(), *ways]:
            matches = condition.matches(condition.load(deck.values[way] if way else {}))
            name = " and ".join(deck.kinds[kind] for kind in way)
            tables = [[source.ready(match) for match in matches]]
            yield Trial(
                way, tables, range(first_game, first_game + games), f"without {name}" if way else "as dealt"
            )

    rows = [_numbers(line_up, has_score) for _, line_up in play(condition, trials(), source)]
    wins, scores = (np.stack([row[which] for row in rows], axis=2) for which in (0, 1))
    cut = np.array([row[2] for row in rows])
    outcomes = PlayedWays(wins[0], wins[1], cut, _UNKNOWN, (0.0, 1.0))
    outcomes = replace(outcomes, wins=contrast(outcomes, (0,), ()))
    # a truncated game has no final score
    if has_score and wins[0, :, 0].mean() in (0, 1) and not np.isnan(scores).any():
        return replace(outcomes, low=scores[0], high=scores[1], span=None, by="score")
    return outcomes


def _numbers(line_up: LineUp, has_score: bool) -> tuple[Floats, Floats, int]:
    """Return wins and scores, each float64 [low and high, game], and the number of truncated games."""
    measure = headline(line_up, is_by_player(line_up))
    measures = [measure, line_up.column("score")] if has_score else [measure, measure]
    columns = {f"{end}_{i}": getattr(one, end) for i, one in enumerate(measures) for end in ("low", "high")}
    frame = line_up.scan((LENGTH, *(["score"] * has_score))).select("game", **columns).sort("game").collect()
    wins, scores = (
        frame.select(f"low_{i}", f"high_{i}").to_numpy().astype(np.float64).T for i in range(len(measures))
    )
    return wins, scores, truncated(line_up)
