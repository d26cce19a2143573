"""What comes up in the games of some players, and what never does?

What is met is counted (`analyses.experiments.encounters`). Whether a ruling or a number came up is asked by
changing it: each is put to its other values (`analyses.experiments.variations`), and the same games are
played on common luck. It came up in a game when under one of those values a decision of the game is another,
or its record is. A value that came up in none has no effect on these games: another one would have played
every one of them alike.

What came up at once needs few games to be seen, what never did needs many: every value is looked at in
FIRST_LOOK games, and those that came up in none of them in all. The interval of a share is read off after the
one look or the other, so each look has half of the error (Bonferroni). "In none of n games" can only be said
after the second, with the exact upper limit of Clopper and Pearson, which is near 3 / n (the rule of three).
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from bartizan.analyses.experiments.encounters import EncounterGroup, counted
from bartizan.analyses.experiments.trials import Condition, Refused
from bartizan.analyses.experiments.variations import variations
from bartizan.analyses.statistics.intervals import CONFIDENCE, Interval, proportion
from bartizan.simcore.errors import ScenarioError
from bartizan.simcore.play.coverage import (
    CHOICES,
    CHUNK_GAMES,
    OFFERS,
    RECORD,
    WORDS,
    CoveredMatch,
    NotedGames,
)
from bartizan.simcore.play.match import Match, chunks_of, in_order
from bartizan.simcore.scenario.loading import Scenario
from bartizan.simcore.scenario.parameters import Parameter
from bartizan.simcore.watch import Watch

FIRST_LOOK = 100  # games
METHOD = (
    "a ruling or a number came up in a game when, put to another of its values on common luck, a decision of "
    f"the game or its record is another; {FIRST_LOOK} games for each value, all of them for those that came "
    "up in none of these; intervals: Wilson, with fewer than 10 games on either side Clopper-Pearson, two "
    "looks (Bonferroni); 0 of n: upper 95 % limit of Clopper and Pearson, one-sided"
)
Track = Callable[[Iterable, int, int, str], Iterable]  # see `simcore.watch.Watch.track`
UNWATCHED: Track = Watch().track


@dataclass(frozen=True)
class ChangedValue:
    """What putting one value to all its others does to the games."""

    knob: Parameter
    values: tuple  # it was put to
    games: int  # looked at
    came_up: int  # games in which a decision or the record is another
    ended: int  # games whose record is another
    offers: int  # games in which what is legal is another

    @property
    def is_ruling(self) -> bool:
        return self.knob.path.startswith("rulings.")


@dataclass(frozen=True)
class CoveredGames:
    """What came up in some games, and what did not."""

    games: int
    groups: tuple[EncounterGroup, ...]
    changed: tuple[ChangedValue, ...]
    unvaried: tuple[Parameter, ...]  # no rule varies them, or the scenario takes no other value
    refused: tuple[Refused, ...]


def share(games: int, of: int, looks: int = 1) -> Interval:
    """Of games in which something came up; looks: at which it might have been read off."""
    interval = proportion(games, of, 1 - (1 - CONFIDENCE) / looks)
    return (
        replace(interval, level=CONFIDENCE, method=f"{interval.method}, {looks} looks (Bonferroni)")
        if looks > 1
        else interval
    )


def analyze(
    condition: Condition,
    scenario: Scenario,
    knobs: Sequence[Parameter],
    jobs: int = 1,
    track: Track = UNWATCHED,
) -> CoveredGames:
    """Play the games, and play them again with every value of `knobs` changed.

    The answer does not depend on `jobs`. The players sit as they are named.
    """
    words: list[np.ndarray] = []
    encounters = counted(_match(condition, scenario), _noted(condition, scenario, words, jobs, track))
    looks = Looks(condition, np.concatenate(words), jobs, track)
    changed = tuple(looks.at(knobs))
    seen = {one.knob.path for one in changed}
    return CoveredGames(
        condition.games,
        tuple(encounters.groups()),
        changed,
        tuple(knob for knob in knobs if knob.path not in seen),
        tuple(looks.refused.values()),
    )


def _match(condition: Condition, scenario: Scenario) -> Match:
    return Match(condition.game, scenario, condition.players, condition.seed)


def _noted(
    condition: Condition, scenario: Scenario, words: list[np.ndarray], jobs: int, track: Track
) -> Iterator[NotedGames]:
    """The games as they are. Appends their words to `words`."""
    covered = CoveredMatch(_match(condition, scenario))
    chunks = in_order(covered.noted, chunks_of(condition.games, 0, CHUNK_GAMES), jobs)
    for noted in track(chunks, condition.games, CHUNK_GAMES, "playing"):
        words.append(noted.notes["words"])
        yield noted


class Looks:
    """Values changed, and the games that differ then. words: of the games as they are."""

    def __init__(self, condition: Condition, words: np.ndarray, jobs: int, track: Track):
        self.condition, self.words, self.jobs, self.track = condition, words, jobs, track
        self.refused: dict[tuple[str, str], Refused] = {}  # by path and value

    def at(self, knobs: Sequence[Parameter]) -> Iterator[ChangedValue]:
        """Each value that can be changed, in order."""
        games = len(self.words)
        first = self._differing(knobs, 0, min(FIRST_LOOK, games))
        idle = [knob for knob in knobs if knob.path in first and not _came_up(first[knob.path]).any()]
        rest = self._differing(idle, FIRST_LOOK, games - FIRST_LOOK)
        for knob in knobs:
            if knob.path in first:
                parts = [looks[knob.path] for looks in (first, rest) if knob.path in looks]
                yield self._changed(knob, np.concatenate(parts))

    def _changed(self, knob: Parameter, differs: np.ndarray) -> ChangedValue:
        values = tuple(value for value in variations(knob) if (knob.path, repr(value)) not in self.refused)
        ended, offers = differs[:, RECORD].sum(), differs[:, OFFERS].sum()
        return ChangedValue(knob, values, len(differs), int(_came_up(differs).sum()), int(ended), int(offers))

    def _differing(self, knobs: Sequence[Parameter], first: int, games: int) -> dict[str, np.ndarray]:
        """path -> bool [game, WORDS]: does the game differ there with any of the other values?"""
        differences: dict[str, np.ndarray] = {}
        if games <= 0:
            return differences
        total = games * sum(len(variations(knob)) for knob in knobs)
        played = in_order(_words, self._chunks(knobs, first, games), self.jobs)
        for path, start, words in self.track(played, total, CHUNK_GAMES, "changing values"):
            differs = differences.setdefault(path, np.zeros((games, WORDS), bool))
            differs[start - first : start - first + len(words)] |= (
                words != self.words[start : start + len(words)]
            )
        return differences

    def _chunks(self, knobs: Sequence[Parameter], first: int, games: int) -> Iterator[tuple]:
        for knob in knobs:
            for value in variations(knob):
                try:
                    scenario = self.condition.load({knob.path: value})
                except ScenarioError as error:
                    self.refused[knob.path, repr(value)] = self.condition.refusal(knob.path, value, error)
                    continue
                covered = CoveredMatch(_match(self.condition, scenario))
                for chunk in chunks_of(games, first, CHUNK_GAMES):
                    yield knob.path, covered, *chunk


def _words(path: str, covered: CoveredMatch, games: int, first: int) -> tuple[str, int, np.ndarray]:
    return path, first, covered.words(games, first)


def _came_up(differs: np.ndarray) -> np.ndarray:
    """bool [game]: is a decision another, or the record?"""
    return differs[:, CHOICES] | differs[:, RECORD]
