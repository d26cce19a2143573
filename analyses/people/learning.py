"""Learning of people: skill as a function of the number of times that a person has played the game.

logit P(win) = skill of the group + ease of the level + trend x log2(number of the play). This is the model of
`analyses/statistics/latent_skill.py` with the logarithm instead of the indicator of a first play. Each person
has a separate skill, so people who return are not compared with people who do not. Stopping after a win or a
loss does not bias the trend, because the reason for stopping is in the data.
"""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from bartizan.analyses.document import Document
from bartizan.analyses.people.skill import PeoplePlay, Yardstick
from bartizan.analyses.statistics import latent_skill, special
from bartizan.analyses.statistics.intervals import Interval
from bartizan.analyses.statistics.latent_skill import Prior, TableResult, interval_of
from bartizan.analyses.statistics.testing import joint_level
from bartizan.simcore.reporting import CONFIDENCE

PRIOR = Prior(first=1.0, is_fine=True)  # logits for each doubling; 50 plays are 5.6 doublings
FEWEST_PEOPLE, FEWEST_PLAYS = 5, 20  # minimum numbers of returning people, and of their plays, for a trend
STEPS = (1, 2, 5, 10, 20, 50)  # numbers of plays that may become rungs
EDGE = 0.5  # probability of being beyond the scale from which no noise is reported
REACHED = 3  # minimum number of people with this number of plays, for a rung
METHOD = "trend by play, posterior on a grid"


class LearningRung(Document):
    """Prediction for the whole group at each person's play number `play`.

    It contains the win rate per level, and the noise on the scale of the policies.
    """

    play: int  # 1 is the first
    people: int  # people with at least this number of plays
    noise: Interval | None  # their noise on the scale; None: probably beyond its ends
    beyond: str = ""  # "stronger" or "weaker" than the whole scale
    win_rates: dict[str, Interval]  # level -> share of games won


class Learning(Document):
    """Result of the learning model.

    `trend` is None if there are too few plays or returning people. There are rungs only if the trend is
    significantly above 0.
    """

    plays: int  # dated plays by people whose first play is among them
    people: int
    repeaters: int  # people with at least two such plays
    most: int  # maximum number of plays by one person
    left_out: dict[str, int]  # reason -> plays
    numbered: bool = False  # whether every number is counted from a play that is marked as the first
    trend: Interval | None = None  # logits for each doubling of plays
    shown: bool = False  # whether it is significantly above 0, adjusted for the answer's other comparisons
    rungs: list[LearningRung] = []
    method: str = METHOD


@dataclass(frozen=True)
class Numbered:
    """Plays with their numbers. The number of a group's play is averaged over its people, in logarithms."""

    results: tuple[TableResult, ...]
    counts: Counter[str]  # person -> plays
    left_out: Counter[str]  # reason -> plays
    are_marked: bool


def numbered(plays: Sequence[PeoplePlay], levels: Sequence[str]) -> Numbered:
    """Number the plays in order of date. Plays that cannot be numbered are counted by reason."""
    left, counts, practised, results, marks = Counter[str](), Counter[str](), set[str](), [], []
    dated = sorted((play for play in plays if play.when), key=lambda play: play.when)
    if len(plays) > len(dated):
        left["without a date"] = len(plays) - len(dated)
    for play in dated:
        if any(person.startswith("unnamed, ") for person in play.people):
            left["without names"] += 1
            continue
        new = [person for person in play.people if not counts[person]]
        if new and play.first == 0:
            practised.update(new)
        counts.update(play.people)
        if practised & set(play.people):
            left["by people who had played before"] += 1
            continue
        marks += [play.first is not None] if new else []
        number = float(np.mean([np.log2(counts[person]) for person in play.people]))
        results.append(TableResult(play.people, levels.index(play.level), 1, int(play.won), number))
    for person in practised:
        del counts[person]
    seen = {person for result in results for person in result.people}
    counts = Counter({person: number for person, number in counts.items() if person in seen})
    return Numbered(_together(results), counts, left, bool(marks) and all(marks))


def _together(results: Sequence[TableResult]) -> tuple[TableResult, ...]:
    """Return one result for all plays of the same people at the same level with the same play number."""
    wins: dict[tuple[tuple[str, ...], int, float], list[int]] = defaultdict(lambda: [0, 0])
    for result in results:
        count = wins[result.people, result.level, result.first]
        count[0], count[1] = count[0] + 1, count[1] + result.wins
    return tuple(
        TableResult(people, level, count[0], count[1], first)
        for (people, level, first), count in wins.items()
    )


def analyze(plays: Sequence[PeoplePlay], yard: Yardstick, seed: int = 1, families: int = 1) -> Learning:
    """Estimate the trend of skill over plays.

    families: see `testing.holm`. The scale's own error is ignored, because it hardly affects a trend within
    people.
    """
    those = numbered(plays, yard.levels)
    again = {person for person, number in those.counts.items() if number > 1}
    about = Learning(
        plays=sum(result.plays for result in those.results),
        people=len(those.counts),
        repeaters=len(again),
        most=max(those.counts.values(), default=0),
        left_out=dict(sorted(those.left_out.items())),
        numbered=those.are_marked,
    )
    repeated = sum(result.plays for result in those.results if again & set(result.people))
    if len(again) < FEWEST_PEOPLE or repeated < FEWEST_PLAYS:
        return about
    posterior = latent_skill.fit(those.results, yard.eases.mean(axis=0), PRIOR)
    trend = replace(posterior.interval("first", CONFIDENCE), method=METHOD)
    shown = posterior.interval("first", joint_level(1, families=families)).low > 0
    rungs = _rungs(those, posterior.draw(seed), yard) if shown else []
    return about.model_copy(update={"trend": trend, "shown": shown, "rungs": rungs})


def _rungs(those: Numbered, draws: latent_skill.Draws, yard: Yardstick) -> list[LearningRung]:
    """Return predicted win rates up to the play number that several people have reached."""
    reached = {step: sum(number >= step for number in those.counts.values()) for step in STEPS}
    eases = yard.eases.mean(axis=0)
    rungs = []
    for step in (step for step in STEPS if reached[step] >= REACHED):
        gain = draws.points.first * np.log2(step)
        skills = draws.skills + gain[:, None]
        rates = {
            level: interval_of(special.expit(skills + ease).mean(axis=1))
            for level, ease in zip(yard.levels, eases, strict=True)
        }
        place = _on_dial(draws.skill() + gain, yard)
        rungs.append(LearningRung(play=step, people=reached[step], win_rates=rates, **place))
    return rungs


def _on_dial(skill: np.ndarray, yard: Yardstick) -> dict[str, Any]:
    """Return the fields `noise` (None beyond the ends of the skill scale) and `beyond`.

    skill: array [draw].
    """
    skills = yard.skills[np.arange(len(skill)) % len(yard.skills)]
    ends = {"stronger": (skill > skills[:, 0]).mean(), "weaker": (skill < skills[:, -1]).mean()}
    beyond = next((name for name, share in ends.items() if share > EDGE), "")
    return {"noise": None if beyond else interval_of(yard.noise_of(skill)), "beyond": beyond}
