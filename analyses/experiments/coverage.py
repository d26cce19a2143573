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
from dataclasses import replace
from typing import Any

import numpy as np

from bartizan.analyses.document import Document
from bartizan.analyses.experiments.encounters import ACTIONS, EncounterGroup, counted
from bartizan.analyses.experiments.trials import Condition, Refused
from bartizan.analyses.experiments.variations import variations
from bartizan.analyses.statistics.intervals import CONFIDENCE, Interval, limit_of_none, proportion
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
from bartizan.simcore.scenario.parameters import Parameter, plain
from bartizan.simcore.watch import Watch

FIRST_LOOK = 100  # games
LOOKS = 2
RULINGS, NUMBERS = "rulings", "numbers"
METHOD = (
    "a ruling or a number came up in a game when, put to another of its values on common luck, a decision of "
    f"the game or its record is another; {FIRST_LOOK} games for each value, all of them for those that came "
    "up in none of these; intervals: Wilson, with fewer than 10 games on either side Clopper-Pearson, two "
    "looks (Bonferroni); 0 of n: upper 95 % limit of Clopper and Pearson, one-sided"
)
Track = Callable[[Iterable, int, int, str], Iterable]  # see `simcore.watch.Watch.track`
UNWATCHED: Track = Watch().track


class ChangedValue(Document):
    """What putting a value to all its others does to the games."""

    path: str
    key: str  # the last word of the path
    sort: str  # RULINGS or NUMBERS
    what: str  # the value in words; of a ruling its key in the rules too
    value: Any
    to: list[Any]  # values that it was put to
    games: int  # looked at
    came_up: int  # games in which a decision or the record is another
    share: Interval  # of the games looked at
    ended: int  # games whose record is another
    legal: int  # games in which what is legal is another

    @property
    def label(self) -> str:
        return self.what


class Coverage(Document):
    """What came up in some games, and what did not."""

    games: int
    actions: dict[str, int]  # kind of action -> games in which one was chosen
    rulings: dict[str, int]  # key -> games in which it came up
    numbers: dict[str, int]  # path -> games in which it came up
    below: float  # one-sided upper limit of the share of games in which what never came up may come up
    met: list[EncounterGroup]
    changed: list[ChangedValue]
    unvaried: list[str]  # paths that no rule varies, or that the scenario takes no other value of
    refused: list[Refused]
    method: str = METHOD

    def changed_of(self, sort: str) -> list[ChangedValue]:
        return [value for value in self.changed if value.sort == sort]


def analyze(
    condition: Condition,
    scenario: Scenario,
    knobs: Sequence[Parameter],
    jobs: int = 1,
    track: Track = UNWATCHED,
) -> Coverage:
    """Play the games, and play them again with every value of `knobs` changed.

    The answer does not depend on `jobs`. The players sit as they are named.
    """
    words: list[np.ndarray] = []
    noted = _noted(condition, scenario, words, jobs, track)
    met = list(counted(_match(condition, scenario), noted).groups())
    looks = Looks(condition, np.concatenate(words), jobs, track)
    changed = list(looks.at(knobs))
    varied = {value.path for value in changed}
    actions = [encounter for group in met if group.title == ACTIONS for encounter in group.found]
    return Coverage(
        games=condition.games,
        actions={action.name: action.games for action in actions},
        rulings={value.key: value.came_up for value in changed if value.sort == RULINGS},
        numbers={value.path: value.came_up for value in changed if value.sort == NUMBERS},
        below=limit_of_none(condition.games),
        met=met,
        changed=changed,
        unvaried=[knob.path for knob in knobs if knob.path not in varied],
        refused=list(looks.refused.values()),
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


def share_after_looks(games: int, of: int) -> Interval:
    """Share of games in which a changed value came up; the interval holds after either look (Bonferroni)."""
    interval = proportion(games, of, 1 - (1 - CONFIDENCE) / LOOKS)
    return replace(interval, level=CONFIDENCE, method=f"{interval.method}, {LOOKS} looks (Bonferroni)")


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
        key = knob.path.rpartition(".")[2]
        is_ruling = knob.path.startswith("rulings.")
        came_up = int(_came_up(differs).sum())
        return ChangedValue(
            path=knob.path,
            key=key,
            sort=RULINGS if is_ruling else NUMBERS,
            what=f"{knob.source.partition(':')[0]} {plain(key)}" if is_ruling else knob.what,
            value=knob.value,
            to=[value for value in variations(knob) if (knob.path, repr(value)) not in self.refused],
            games=len(differs),
            came_up=came_up,
            share=share_after_looks(came_up, len(differs)),
            ended=int(differs[:, RECORD].sum()),
            legal=int(differs[:, OFFERS].sum()),
        )

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
