"""Go now or wait? What a Do or Die at once is worth beside playing on, at the moments where a player had the choice.

Games are played through; every moment at which an Allied player may stake a POW and nobody has escaped yet is noted with the exact chance of his best POW (card
drawn blind). What became of the game says what playing on was worth there: at least one escape, or an ordinary one. One moment a game and span of rounds, the first,
so that the moments of a row are independent.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from analyses.intervals import Interval, proportion
from simcore.batch import Match
from simcore.colditz.components import ALLIED, TEAM, Stage
from simcore.colditz.rules.escaping import next_stake, stake_distance
from simcore.replay import replay

SPANS = ((0, 0), (1, 2), (3, 5), (6, 10), (11, 20), (21, 40), (41, 400))  # rounds left after this one


@dataclass(frozen=True)
class Moment:
    """A player could have staked a POW."""

    game: int
    rounds_left: int
    distance: int  # of the best POW, steps
    chance: float  # exact, card drawn blind


@dataclass(frozen=True)
class Span:
    """All first moments of the games within a span of rounds left."""

    fewest: int
    most: int
    moments: int
    distance: float  # mean
    now: float  # mean chance that the stake succeeds
    escape: Interval  # playing on: somebody escapes, by Do or Die or not (no loss; a win in the race to one)
    win: Interval  # playing on: somebody escapes in the ordinary way (a win by 10.2)

    @property
    def verdict(self) -> str:
        """Go when the stake is better than all of the interval of playing on (which includes a later stake), wait when it is worse."""
        if self.most == 0:
            return "now or never"
        if self.now > self.escape.high:
            return "go"
        return "wait" if self.now < self.escape.low else "even"


def moments(match: Match, game: int) -> tuple[list[Moment], int, int]:
    """(moments, ordinary escapes, Do or Die escapes) of one game."""
    tables = match.tables()
    found, state = [], None
    for ply in replay(match, game):
        state = ply.state
        if state.stage == Stage.START and state.to_move == ALLIED and not state.escaped.sum() and not state.staked_out.sum():
            found += _choice(state, tables, game)
    return found, int(state.escaped.sum()), int(state.staked_out.sum())


def _choice(state, tables, game: int) -> Iterator[Moment]:
    """The stake with the best chance, if there is one."""
    p = int(state.player)
    w, distances = next_stake(state, tables, p, p * TEAM), []
    while w >= 0:
        distances.append(int(stake_distance(state, tables, w)))
        w = next_stake(state, tables, p, w + 1)
    if distances:
        least = min(distances)
        yield Moment(game, int(tables["rounds"]) - int(state["round"]), least, float(tables.stake[min(least, len(tables.stake) - 1)]))


def stake_or_wait(match: Match, games: int) -> list[Span]:
    """One row a span of rounds left, most rounds first; spans nobody had a choice in are left out."""
    first: dict[tuple[int, int], list[tuple[Moment, int, int]]] = {span: [] for span in SPANS}
    for game in range(games):
        found, ordinary, staked = moments(match, game)
        for span in SPANS:
            inside = [m for m in found if span[0] <= m.rounds_left <= span[1]]
            if inside:
                first[span].append((inside[0], ordinary, staked))
    return [_row(span, rows) for span, rows in reversed(first.items()) if rows]


def _row(span: tuple[int, int], rows: list[tuple[Moment, int, int]]) -> Span:
    n = len(rows)
    escape = proportion(sum(ordinary + staked > 0 for _, ordinary, staked in rows), n)
    win = proportion(sum(ordinary > 0 for _, ordinary, _ in rows), n)
    return Span(*span, n, sum(m.distance for m, _, _ in rows) / n, sum(m.chance for m, _, _ in rows) / n, escape, win)
