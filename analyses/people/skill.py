"""How well do people play, on the policies' scale? The log of plays laid against the yardstick.

Rulings (docs/adr/0030-people-on-the-scale.md). A play of a solo or co-operative game is one observation of
the table: the mean skill of those who are named there. Plays without any name, of one file, are one
tester's: nobody knows better, and as many testers would claim more than is known. A draw is no win. What is
unknown is left out and counted.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import polars as pl
from scipy import special

from bartizan.analyses.document import Document
from bartizan.analyses.people.yardstick import Yardstick
from bartizan.analyses.statistics import latent_skill
from bartizan.analyses.statistics.equivalence import against_known
from bartizan.analyses.statistics.intervals import Interval, proportion
from bartizan.analyses.statistics.latent_skill import (
    CALIBRATION,
    CREDIBLE,
    SKILL,
    Draws,
    LeftOut,
    Posterior,
    Prior,
    TableResult,
    interval_of,
    leave_one_level_out,
)

FIRST = 1.0  # spread of what a first play costs, in logits: where both kinds of plays are marked
MARGIN = 0.1  # of "the same for practical purposes"
NEWCOMER, EXPERT = 0.1, 0.9  # quantiles of skill among people like these


@dataclass(frozen=True)
class PeoplePlay:
    """One play at one table."""

    people: tuple[str, ...]
    level: str
    won: bool
    first: float | None  # share of first plays; None: nobody wrote it down
    score: float | None
    turns: float | None
    ending: str
    when: str  # date and row, to be put in order; "" where there is no date


@dataclass(frozen=True)
class Joined:
    """Plays that can be laid against the scale, and why others cannot."""

    plays: tuple[PeoplePlay, ...]
    left_out: Mapping[str, int]  # reason -> plays


def join(log: pl.DataFrame, game: str, levels: Sequence[str], all_levels: Sequence[str]) -> Joined:
    """Of one game. levels: those on the scale; all_levels: those the game has."""
    rows = log.filter((pl.col("game") == game) & pl.col("kept"))
    plays, left = [], Counter[str]()
    for _, table in rows.sort("play_id", "row").group_by("play_id", maintain_order=True):
        play = _play(table.to_dicts(), levels, all_levels)
        if isinstance(play, str):
            left[play] += 1
        else:
            plays.append(play)
    return Joined(tuple(plays), dict(sorted(left.items())))


def _play(seats: list[dict], levels: Sequence[str], all_levels: Sequence[str]) -> PeoplePlay | str:
    """One play, or why it is left out."""
    results = {seat["result"] for seat in seats} - {"unknown", None}
    level = _first(seats, "level") or (all_levels[0] if len(all_levels) == 1 else None)
    if len(results) != 1:
        return "several results at one table" if results else "result unknown"
    if level is None:
        return "level unknown"
    if level not in levels:
        return f"level {level} is not on the scale"
    firsts = [seat["first_play"] for seat in seats if seat["first_play"] is not None]
    named = sorted({seat["player_key"] for seat in seats if seat["player_key"]})
    date = _first(seats, "date")
    return PeoplePlay(
        tuple(named) or (f"unnamed, {seats[0]['source']}",),
        level,
        results == {"win"},
        sum(firsts) / len(firsts) if firsts else None,
        _first(seats, "score"),
        _first(seats, "rounds"),
        _first(seats, "ending") or "",
        f"{date} {seats[0]['row']:>9}" if date else "",
    )


def _first(seats: list[dict], column: str):
    return next((seat[column] for seat in seats if seat[column] is not None), None)


# ---------------------------------------------------------------- what is told of them


class EquivalenceTest(Document):
    """Exact, of the plays alone."""

    margin: float
    p: float
    method: str


class AtLevel(Document):
    """People beside the policy, at one level. Win rates as shares."""

    level: str
    plays: int
    wins: int
    seen: Interval | None  # of the plays there
    these: Interval  # predicted for these people
    new_tester: Interval  # for people like them
    newcomer: Interval  # at the 10 % quantile of skill
    expert: Interval  # at the 90 % quantile
    policy: float  # the policy itself wins, by the scale
    within_margin: float  # chance that these people win as often as the policy, within the margin
    equivalence: EquivalenceTest | None  # of the win rate with the policy's, on the plays there


@dataclass(frozen=True, eq=False)
class PeopleSkill:
    """Everything that the plays say of people's skill."""

    yardstick: Yardstick
    joined: Joined
    results: tuple[TableResult, ...]
    posterior: Posterior
    draws: Draws
    levels: tuple[AtLevel, ...]
    left_out: tuple[LeftOut, ...]  # each level predicted from the others
    calibration: Posterior | None  # None: plays at one level only
    margin: float

    @cached_property
    def noise(self) -> Interval:
        """Where the mean skill of these people is on the dial."""
        return interval_of(self.yardstick.noise_of(self.draws.skill()))

    @cached_property
    def beyond(self) -> tuple[float, float]:
        """Chance that they are above the strongest rung, below the weakest."""
        skill = self.draws.skill()
        rungs = self.yardstick.skills[np.arange(len(skill)) % len(self.yardstick.skills)]
        return float((skill > rungs[:, 0]).mean()), float((skill < rungs[:, -1]).mean())

    @property
    def people(self) -> int:
        return len(self.draws.people)

    @property
    def has_first(self) -> bool:
        return len(np.unique(self.posterior.points.first)) > 1

    @property
    def flatter(self) -> float | None:
        """Chance that levels are less far apart for people than for policies."""
        if self.calibration is None:
            return None
        weight, slope = self.calibration.weight, self.calibration.points.slope
        return float(weight[slope < 1 - 1e-9].sum()) + 0.5 * float(weight[np.abs(slope - 1) <= 1e-9].sum())


def results_of(plays: Sequence[PeoplePlay], levels: Sequence[str]) -> tuple[TableResult, ...]:
    """Plays of the same people at the same level together. A play of which nobody wrote whether it was the
    first counts as the others do on average.
    """
    known = [play.first for play in plays if play.first is not None]
    usual = sum(known) / len(known) if known else 0.0
    counts: dict[tuple, list[int]] = {}
    for play in plays:
        first = usual if play.first is None else play.first
        count = counts.setdefault((play.people, levels.index(play.level), first), [0, 0])
        count[0] += 1
        count[1] += play.won
    return tuple(
        TableResult(people, level, plays, wins, first)
        for (people, level, first), (plays, wins) in counts.items()
    )


def analyze(joined: Joined, yardstick: Yardstick, margin: float = MARGIN, seed: int = 1) -> PeopleSkill:
    """Needs a play. All intervals hold with probability CREDIBLE."""
    results = results_of(joined.plays, yardstick.levels)
    marked = {result.first for result in results}
    prior = Prior(first=FIRST) if len(marked) > 1 else SKILL
    posterior = latent_skill.fit(results, yardstick.eases, prior)
    draws = posterior.draw(seed)
    played = sorted({result.level for result in results})
    reference = yardstick.skills[:, :1] + yardstick.eases
    calibration = latent_skill.fit(results, reference, CALIBRATION) if len(played) > 1 else None
    levels = tuple(
        _at_level(index, name, results, draws, reference, margin)
        for index, name in enumerate(yardstick.levels)
    )
    left = tuple(leave_one_level_out(results, yardstick.eases, prior, seed))
    return PeopleSkill(yardstick, joined, results, posterior, draws, levels, left, calibration, margin)


def _at_level(
    index: int, name: str, results: Sequence[TableResult], draws: Draws, reference: np.ndarray, margin: float
) -> AtLevel:
    mine = [result for result in results if result.level == index]
    plays, wins = sum(result.plays for result in mine), sum(result.wins for result in mine)
    these, policy = draws.of_these(index), special.expit(reference[:, index])
    rate = float(policy.mean())
    equal = against_known(wins, plays, rate, margin) if plays else None
    return AtLevel(
        level=name,
        plays=plays,
        wins=wins,
        seen=proportion(wins, plays, CREDIBLE) if plays else None,
        these=interval_of(these),
        new_tester=interval_of(draws.of_a_new_tester(index)),
        newcomer=interval_of(draws.at_quantile(index, NEWCOMER)),
        expert=interval_of(draws.at_quantile(index, EXPERT)),
        policy=rate,
        within_margin=float((np.abs(these - policy[np.arange(len(these)) % len(policy)]) < margin).mean()),
        equivalence=EquivalenceTest(margin=margin, p=equal.p, method=equal.method) if equal else None,
    )
