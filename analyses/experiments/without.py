"""Effect of each card on wins: games without each kind of card in turn, compared with the games as dealt.

There are three ways to remove a card. If all seats are identical, removing a kind from all players changes no
win rate, so one player plays without it and gets another card of the pile instead (`simcore.play.without`).
In other games, the kind is removed from the deck, or replaced by copies of the commonest kind if the rules
require the same number of cards. If the number of copies is not a value of the scenario, a player who would
receive the kind gets another card (`taken_from_hands`).

Games are paired on common random numbers. All kinds share one baseline, and a reader looks at the largest
effect. Therefore intervals are simultaneous over all kinds (Bonferroni), and a kind is named only if its
interval excludes 0. If no card has an effect, at most 5 % of results name a kind. Wins and scores are two
families; they share the 5 %.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from bartizan.analyses.document import Document, optional
from bartizan.analyses.experiments.cards import effect_on_number, effect_on_wins
from bartizan.analyses.experiments.trials import Condition, Trial, play, truncated
from bartizan.analyses.records.comparison import LENGTH, headline, is_by_player
from bartizan.analyses.statistics.intervals import Interval
from bartizan.analyses.statistics.paired import Effect, compare
from bartizan.analyses.statistics.testing import holm, jointly
from bartizan.simcore.arrays import Ints
from bartizan.simcore.compile.rules import TRUNCATED
from bartizan.simcore.errors import ScenarioError
from bartizan.simcore.play.batch import Source
from bartizan.simcore.play.knockout import SCORE, TURNS, WINNER
from bartizan.simcore.scenario.parameters import find
from bartizan.simcore.short.knockout import GamePart

CARRIES, COSTS = "carries wins", "costs wins"
RAISES, LOWERS = "raises the score", "lowers the score"
PROBE_GAMES = 50  # test games before a kind counts as removable
ONE_SEAT, EVERYBODY = "one seat", "everybody"
METHOD = (
    "games without the kind, paired with the games as dealt on common random numbers: Student's t, or exact "
    "tails (Blaker 2000) if fewer than 100 games differ; intervals simultaneous over all kinds (Bonferroni), "
    "so the largest may be quoted; p adjusted for all kinds (Holm 1979)"
)
RESTS_ON = (
    "The effect of a card depends on how these policies use it, and on the cards in its place: a card that "
    "they misuse appears worthless"
)


class CardLeftOut(Document):
    """One kind of card, or one component. `worth`: share of wins with it minus the share without it."""

    card: str
    path: str = ""  # path of its number of copies in the scenario
    copies: int
    how: str  # its replacement
    pairs: int  # games
    base_wins: Interval  # as dealt
    wins: Interval  # without it
    worth: Interval  # effect on wins; simultaneous over all kinds
    se: float | None
    p: float
    p_adjusted: float  # Holm
    pairing_factor: float | None
    differing: Interval  # share of games that end differently
    capped: int  # truncated games with the card, plus those without it
    score: Interval | None = optional()  # effect on the score, if the game has one
    turns: Interval | None = optional()  # effect on the length
    verdict: str = ""  # CARRIES or COSTS, for scores RAISES or LOWERS; "" if the games show neither

    @property
    def is_good(self) -> bool:
        return self.verdict in (CARRIES, RAISES)

    @property
    def is_bad(self) -> bool:
        return self.verdict in (COSTS, LOWERS)

    def ranked(self, by: str) -> Interval:
        return self.score if by == "score" and self.score is not None else self.worth


class NotPlayable(Document):
    card: str
    reason: str


class CardsWithout(Document):
    """Effects of all kinds, largest first."""

    whose: str  # ONE_SEAT or EVERYBODY
    games: int
    by: str  # basis of verdict and order: `wins`, or `score` if nobody or everybody wins
    cards: list[CardLeftOut]
    never: list[str]  # kinds whose removal changes no game's end
    refused: list[NotPlayable]
    method: str = METHOD
    of: str | None = optional()  # meaning of a row; absent: a kind of card


# ---------------------------------------------------------------- one seat plays without


def taken_from_one(
    outcomes: np.ndarray,
    seat: int,
    kinds: Mapping[int, str],
    copies: Mapping[str, int],
    paths: Mapping[int, str],
) -> CardsWithout:
    """Return the effects of each kind if one seat plays without it.

    outcomes: int8 [game, 1 + kind], the joined chunks of `simcore.play.without.Without.play`. copies: number
    of copies by name. paths: path of the number of copies, if any.
    """
    effects = {
        kind: effect_on_wins(outcomes[:, 0], outcomes[:, column], seat, name)
        for column, (kind, name) in enumerate(kinds.items(), 1)
    }
    cut = (outcomes == TRUNCATED).sum(axis=0)
    rows = [
        _Row(
            kinds[kind],
            paths.get(kind, ""),
            copies[kinds[kind]],
            IN_ITS_PLACE,
            [effect],
            int(cut[0] + cut[column]),
        )
        for column, (kind, effect) in enumerate(effects.items(), 1)
    ]
    return _left_out(ONE_SEAT, rows, len(outcomes), [], False)


IN_ITS_PLACE = "another card of the pile"


# ---------------------------------------------------------------- without a component of a game without cards

COMPONENT = "component"
COMPONENTS_REST_ON = (
    "The worth of a component depends on how these policies use it, and on what they do without it: they do "
    "not plan for its absence"
)


def knocked_out(
    base: Ints,
    without: Sequence[tuple[GamePart, Ints]],
    seat: int,
    is_one_seat: bool,
    refused: list[NotPlayable],
    has_score: bool,
) -> CardsWithout:
    """Return the effects of removing each component.

    base: games as dealt. without: each component and the games without it. Games are [game, 3], the joined
    chunks of `simcore.play.knockout.KnockedOut.play`, with scores in points.
    """
    rows = [
        _row(one.name, one.count, one.replacement, base, games, seat, has_score) for one, games in without
    ]
    result = _left_out(ONE_SEAT if is_one_seat else EVERYBODY, rows, len(base), refused, has_score)
    return result.model_copy(update={"of": COMPONENT, "method": METHOD.replace("kind", COMPONENT)})


def taken_from_hands(
    base: Ints, without: Mapping[str, Ints], copies: Mapping[str, int], seat: int
) -> CardsWithout:
    """Return the effects of each kind of card if no player receives it.

    without: games by the removed kind.
    """
    rows = [
        _row(name, copies[name], IN_ITS_PLACE, base, games, seat, False) for name, games in without.items()
    ]
    return _left_out(EVERYBODY, rows, len(base), [], False)


def _row(name: str, copies: int, how: str, base: Ints, games: Ints, seat: int, has_score: bool) -> "_Row":
    cut = cut_off(base) + cut_off(games)
    numbers = {"turn": TURNS} | ({"score": SCORE} if has_score else {})
    effects = [effect_on_wins(base[:, WINNER], games[:, WINNER], seat, name)]
    ended = (base[:, WINNER] != TRUNCATED) & (games[:, WINNER] != TRUNCATED)
    if ended.any():
        effects += [effect_on_number(base[ended, at], games[ended, at], name) for name, at in numbers.items()]
    return _Row(name, "", copies, how, effects, cut)


def cut_off(games: Ints) -> int:
    return int((games[:, WINNER] == TRUNCATED).sum())


# ---------------------------------------------------------------- everybody plays without


@dataclass(frozen=True)
class Removal:
    """A kind to remove from the deck. values: maps paths of the scenario to changed values."""

    card: str
    path: str
    copies: int
    how: str
    values: Mapping[str, Any]


def removals(condition: Condition, paths: Mapping[str, str]) -> Iterator[Removal | NotPlayable]:
    """Yield the removal of each kind, or the reason why the game cannot be played without it.

    The copies of a kind are left out or, if this is not valid, replaced by the commonest other kind of the
    deck. paths: maps each kind of the deck to the path of its number of copies, which is at least 1.
    """
    data, probe = condition.load({}).data, replace(condition, games=min(condition.games, PROBE_GAMES))
    copies = {name: int(find(data, path)) for name, path in paths.items()}
    for name, path in paths.items():
        fellows = [other for other in paths if _deck(paths[other]) == _deck(path) and other != name]
        ways = [("nothing", {path: 0})]
        if fellows:
            most = max(fellows, key=copies.__getitem__)
            ways.append((most, {path: 0, paths[most]: copies[most] + copies[name]}))
        reasons = []
        for how, values in ways:
            try:
                probe.load_playable(values)
            except ScenarioError as error:
                reasons.append(condition.refusal(path, 0, error).reason)
                continue
            yield Removal(name, path, copies[name], how, values)
            break
        else:
            yield NotPlayable(card=name, reason=reasons[0])


def together(one: Removal, other: Removal) -> dict[str, Any]:
    """Return the values that remove both kinds from the deck, each with its own replacement.

    Raises ScenarioError if one kind replaces the other.
    """
    for kind, fellow in ((one, other), (other, one)):
        if kind.how == fellow.card:
            raise ScenarioError(
                f"{fellow.card} replaces {kind.card}, so the deck cannot lack both; remove only one of them"
            )
    shared = (one.values.keys() & other.values.keys()) - {one.path, other.path}
    return {**one.values, **other.values, **{path: one.values[path] + other.copies for path in shared}}


def _deck(path: str) -> str:
    return path.split(".")[0]


def taken_from_all(
    condition: Condition, paths: Mapping[str, str], has_score: bool, source: Source
) -> CardsWithout:
    """Simulate games with the unchanged deck, then without each kind, and return the effects.

    paths: see `removals`.
    """
    refused: list[NotPlayable] = []
    games = len(condition.seatings()) * condition.games
    source.expect(games * (1 + len(paths)))

    def trials() -> Iterator[Trial]:
        yield _trial(condition, None, {}, source)
        for one in removals(condition, paths):
            if isinstance(one, NotPlayable):
                refused.append(one)
                source.progress.games_total -= games
            else:
                yield _trial(condition, one, one.values, source)

    played = play(condition, trials(), source)
    _, base = next(played)
    rows, scores = [], ["score"] if has_score else []
    for trial, line_up in played:
        one, by_player = trial.what, is_by_player(base)
        measures = [headline(base, by_player), *map(base.column, [LENGTH, *scores])]
        cut = truncated(base) + truncated(line_up)
        before, after = (side.scan((LENGTH, *scores)) for side in (base, line_up))
        effects = compare(before, after, measures, cut)
        rows.append(_Row(one.card, one.path, one.copies, one.how, effects, cut))
    return _left_out(EVERYBODY, rows, condition.games, refused, has_score)


def _trial(condition: Condition, what: Removal | None, values: Mapping[str, Any], source: Source) -> Trial:
    matches = condition.matches(condition.load(values))
    name = f"without {what.card}" if what else "as dealt"
    return Trial(what, [[source.ready(match) for match in matches]], range(condition.games), name)


# ---------------------------------------------------------------- both


@dataclass(frozen=True)
class _Row:
    """One row of results. effects: effects on wins and, if pairs of games ended, on turns and score."""

    card: str
    path: str
    copies: int
    how: str
    effects: Sequence[Effect]
    capped: int

    @property
    def wins(self) -> Effect:
        return self.effects[0]

    def effect(self, column: str) -> Effect | None:
        return next((effect for effect in self.effects[1:] if effect.measure.name == column), None)

    def ranked(self, by: str) -> Effect:
        """Return the effect by which the rows are ranked. by: "wins" or "score"."""
        return (by == "score" and self.effect("score")) or self.wins


def _left_out(
    whose: str, rows: Sequence[_Row], games: int, refused: list[NotPlayable], has_score: bool
) -> CardsWithout:
    families = max((len(row.effects) for row in rows), default=1)
    base = rows[0].wins.base.interval.estimate if rows else 0.0
    every_row_has_a_score = has_score and all(row.effect("score") for row in rows)
    by = "score" if every_row_has_a_score and base in (0, 1) else "wins"
    adjusted = holm([row.ranked(by).difference.p for row in rows], families)
    cards = [
        _card(row, p, len(rows), families, by)
        for row, p in zip(rows, adjusted, strict=True)
        if any(effect.differing.estimate for effect in row.effects)
    ]
    named = {card.card for card in cards}
    return CardsWithout(
        whose=whose,
        games=games,
        by=by,
        cards=sorted(cards, key=lambda card: -card.ranked(by).estimate),
        never=[row.card for row in rows if row.card not in named],
        refused=refused,
    )


def _card(row: _Row, adjusted: float, kinds: int, families: int, by: str) -> CardLeftOut:
    wins, ranked = row.wins, row.ranked(by)
    turns, score = (
        _worth(effect, kinds, families) if effect else None for effect in map(row.effect, (LENGTH, "score"))
    )
    card = CardLeftOut(
        card=row.card,
        path=row.path,
        copies=row.copies,
        how=row.how,
        pairs=wins.n,
        base_wins=wins.base.interval,
        wins=wins.changed.interval,
        worth=_worth(wins, kinds, families),
        se=ranked.difference.se,
        p=ranked.difference.p,
        p_adjusted=adjusted,
        pairing_factor=ranked.factor,
        differing=ranked.differing,
        capped=row.capped,
        turns=turns,
        score=score,
    )
    interval = card.ranked(by)
    good, bad = (RAISES, LOWERS) if by == "score" else (CARRIES, COSTS)
    verdict = good if interval.low > 0 else bad if interval.high < 0 else ""
    return card.model_copy(update={"verdict": verdict})


def _worth(effect: Effect, kinds: int, families: int) -> Interval:
    """Return the effect of the card: the number with it minus the number without it.

    The interval is simultaneous over all kinds and families.
    """
    assert effect.at
    one = jointly(effect.at, kinds, families)
    return Interval(-one.estimate, -one.high, -one.low, one.level, one.method)
