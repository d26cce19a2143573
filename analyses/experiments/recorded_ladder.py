"""Strength of policies in recorded games, from the pairs of policies that met, on the scale of `ladder`.

In Luce's model (1959), two seats compare as in a two-player game. Given that one of them wins, the logit of a
win by the first is the difference in skill between the two policies plus the difference between their seats.
Each cell gives one such contest for every two seats with different policies. The bootstrap is over blocks of
game numbers, the same in all contests, so the errors account for the dependence within a game and for the
common random numbers of a seed.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np
import polars as pl

from bartizan.analyses.experiments.ladder import LEVEL, OPPONENT, POLICY, SEAT, Ladder, analyze
from bartizan.analyses.records.tally import NOBODY, TRUNCATED
from bartizan.analyses.statistics.rasch import BLOCKS, Contest, Entity, UndeterminedScaleError
from bartizan.simcore.arrays import Ints
from bartizan.simcore.sweep.store import Cell

# multiplication by it spreads game numbers over all blocks (Knuth, 6.4)
SPREAD = np.uint64(0x9E3779B97F4A7C15)


def recorded_ladder(cells: Sequence[Cell], alike: bool, seed: int = 1) -> Ladder:
    """Return the ladder of the policies in recorded games.

    alike: whether all seats have the same role, so that every policy may play every seat. Raises
    UndeterminedScaleError if the games do not determine all places, or have no contest.
    """
    found = [contest for cell in cells for contest in (_pairs(cell) if alike else _against(cell, cells))]
    if not (contests := [contest for contest in found if len(contest.won)]):
        raise UndeterminedScaleError
    kinds = (POLICY, SEAT) if alike else (OPPONENT, LEVEL)
    named = dict.fromkeys(entity for contest in contests for entity in contest.terms)
    anchors = [entity for entity in named if entity[0] in kinds and entity[0] != SEAT]
    anchors += [entity for entity in reversed(list(named)) if entity[0] == SEAT]
    return analyze(contests, anchors, seed=seed)


def _pairs(cell: Cell) -> Iterator[Contest]:
    """Yield a contest for every two seats with different policies.

    In a game with two seats, a draw counts as half a win for each; otherwise, draws are left out.
    """
    numbers, winners = _games(cell)
    roles = [policy["role"] for policy in cell.policies]
    for i, j in combinations(range(len(roles)), 2):
        mine, theirs = (cell.policies[seat]["name"] for seat in (i, j))
        if mine == theirs:
            continue
        draws = {NOBODY: 0.5} if len(roles) == 2 else {}
        terms: dict[Entity, float] = {(POLICY, mine): 1.0, (POLICY, theirs): -1.0}
        terms |= {(SEAT, roles[i]): 1.0, (SEAT, roles[j]): -1.0}
        yield _contest(terms, numbers, winners, {i: 1.0, j: 0.0, **draws})


def _against(cell: Cell, cells: Sequence[Cell]) -> Iterator[Contest]:
    """Yield one contest: the first role against the policy of the second role, if any, and the level.

    A draw is not a win.
    """
    names = zip((POLICY, OPPONENT), cell.policies, strict=False)
    terms: dict[Entity, float] = {
        (kind, policy["name"]): 1.0 if kind == POLICY else -1.0 for kind, policy in names
    }
    if len({other.difficulty for other in cells}) > 1:
        terms[LEVEL, cell.difficulty] = -1.0
    numbers, winners = _games(cell)
    others = {int(winner): 0.0 for winner in np.unique(winners) if winner != TRUNCATED}
    yield _contest(terms, numbers, winners, {**others, 0: 1.0})


def _games(cell: Cell) -> tuple[Ints, Ints]:
    found = cell.scan().select(pl.col("game").cast(pl.UInt64), "winner").collect(engine="streaming")
    return found["game"].to_numpy(), found["winner"].to_numpy()


def _contest(terms: dict[Entity, float], numbers: Ints, winners: Ints, worth: dict[int, float]) -> Contest:
    """Return the contest of some games.

    worth: value of a game by its winner. Games with other winners are left out, except truncated games, which
    are nan.
    """
    known = {**worth, TRUNCATED: np.nan}
    kept = np.isin(winners, list(known))
    won = np.full(len(winners), np.nan)
    for winner, value in known.items():
        won[winners == winner] = value
    block = ((numbers * SPREAD) >> np.uint64(40)) * np.uint64(BLOCKS) >> np.uint64(24)
    return Contest(terms, won[kept], block=block[kept].astype(np.uint16))
