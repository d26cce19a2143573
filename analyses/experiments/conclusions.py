"""Which conclusions stand whatever the values are?

A conclusion is a statement about a sign, looked at under every case.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

from bartizan.analyses.experiments import trials
from bartizan.analyses.experiments.cases import Case, PlayedCase
from bartizan.analyses.records.comparison import headline
from bartizan.analyses.records.line_ups import LineUp
from bartizan.analyses.statistics.paired import Estimate, Measure, compare, estimates
from bartizan.simcore.game import Game

HALF, SIDES, DUEL, FIRST_SEAT, LEVELS = "half", "sides", "duel", "first seat", "levels"


@dataclass(frozen=True)
class Statement:
    """A number whose sign is a conclusion.

    kind: `half` share of wins less 1/2; `sides` wins of the first side less the second's; `duel` the same of
    two players, a seat; `first seat` its wins less its equal part of the games won by anybody; `levels` wins
    at the first level less those at the second.
    """

    kind: str
    names: tuple[str, ...] = ()  # of sides, players or levels, in that order


@dataclass(frozen=True)
class Robustness:
    """How a conclusion fares under several cases."""

    stands: int
    open: tuple[Case, ...]  # the interval holds the line
    reversed: tuple[Case, ...]  # the whole interval lies on the other side

    @property
    def looks(self) -> int:
        return self.stands + len(self.open) + len(self.reversed)


@dataclass(frozen=True)
class Conclusion:
    """A claim with the sign it has at the baseline."""

    claim: Statement
    baseline: Estimate  # by itself
    strict: Estimate  # the same as one of all looks
    single: Robustness
    joint: Robustness

    @property
    def is_positive(self) -> bool:
        return self.baseline.interval.estimate >= 0

    @property
    def is_open(self) -> bool:
        """Even the baseline does not settle it."""
        return not self.baseline.is_clear

    @property
    def is_weak(self) -> bool:
        """The baseline settles it, but with too few games to do so once more under every look."""
        return self.baseline.is_clear and not self.strict.is_clear

    @property
    def always_stands(self) -> bool:
        """At the baseline, under every variation and in every draw."""
        return not any(
            (self.is_open, self.single.open, self.single.reversed, self.joint.open, self.joint.reversed)
        )


def claims(game: Game, line_up: LineUp, levels: Sequence[str]) -> list[Statement]:
    """What can be concluded from games like these."""
    between = [Statement(LEVELS, pair) for pair in pairwise(levels)]
    if game.alike:
        duels = (
            [] if line_up.is_mirror else [Statement(DUEL, pair) for pair in combinations(line_up.names, 2)]
        )
        return [*duels, Statement(FIRST_SEAT), *between]
    sides = {1: [Statement(HALF)], 2: [Statement(SIDES, tuple(game.roles))]}
    return sides.get(line_up.seats, []) + between


def claimed(claims: list[Statement], played: PlayedCase, confidence: float) -> dict[Statement, Estimate]:
    """Of each claim the number whose sign it is about; without those of levels that cannot be played."""
    within = [claim for claim in claims if claim.kind != LEVELS]
    found = dict(
        zip(
            within,
            estimates(
                played.scan(), [_measure(claim, played.main) for claim in within], played.capped, confidence
            ),
            strict=True,
        )
    )
    for claim in claims:
        if claim.kind == LEVELS and all(name in played.levels for name in claim.names):
            easier, harder = (played.levels[name] for name in claim.names)
            (effect,) = compare(
                harder.scan(),
                easier.scan(),
                [headline(easier, False)],
                trials.capped(harder) + trials.capped(easier),
                confidence,
            )
            found[claim] = effect.difference
    return found


def _measure(claim: Statement, line_up: LineUp) -> Measure:
    if claim.kind == DUEL:
        return line_up.skill(*map(line_up.names.index, claim.names))
    if claim.kind == FIRST_SEAT:
        return line_up.seat_advantage(0)
    mine = line_up.seat_share(0)
    if claim.kind == HALF:
        return Measure(HALF, mine.name, mine.low - 0.5, mine.high - 0.5, (-0.5, 0.5))
    theirs = line_up.seat_share(1)
    return Measure(SIDES, mine.name, mine.low - theirs.high, mine.high - theirs.low, (-1.0, 1.0))


def conclusion(
    claim: Statement,
    baseline: Estimate,
    strict: Estimate,
    looks: list[tuple[Case, dict[Statement, Estimate]]],
) -> Conclusion:
    sign = 1 if baseline.interval.estimate >= 0 else -1
    seen = [(case, estimate[claim]) for case, estimate in looks if claim in estimate]
    single, joint = (
        [(case, estimate) for case, estimate in seen if bool(case.draw) == is_joint]
        for is_joint in (False, True)
    )
    return Conclusion(claim, baseline, strict, _standing(single, sign), _standing(joint, sign))


def _standing(seen: list[tuple[Case, Estimate]], sign: int) -> Robustness:
    is_open = tuple(case for case, estimate in seen if not estimate.is_clear)
    is_reversed = tuple(
        case for case, estimate in seen if estimate.is_clear and estimate.interval.estimate * sign < 0
    )
    return Robustness(len(seen) - len(is_open) - len(is_reversed), is_open, is_reversed)
