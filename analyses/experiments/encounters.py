"""What is met in games: kinds of action, what a game's topics name (cards, spaces), and how games end. In how
many games each came up, and how often.

All there is to be met is known before a game is played: what comes up in none has a row too.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property

import numpy as np
import polars as pl

from bartizan.analyses.document import Document, optional
from bartizan.analyses.statistics.intervals import Interval, proportion
from bartizan.simcore.compile.rules import HOUSE, NOBODY
from bartizan.simcore.game import Topic
from bartizan.simcore.play.coverage import ACTION, NotedGames
from bartizan.simcore.play.match import Match
from bartizan.simcore.scenario.parameters import plain

ACTIONS, ENDS, WINNERS = "kinds of action", "ends", "winners"
CAUSES, TIERS, MARKS, FIRSTS = "causes of a loss", "tiers", "marks", "first times"
KEY = ["what", "a", "b", "c"]


class Encounter(Document):
    """Something that a game can meet."""

    name: str
    games: int  # in which it came up
    share: Interval  # of all games
    times_a_game: float | None = optional()  # None: once a game, or not counted
    legal: int | None = optional()  # of a kind of action: games in which one was legal
    words: str | None = optional()  # of a kind of action: what it is

    @property
    def came_up(self) -> int:
        return self.games

    @property
    def label(self) -> str:
        return f"{self.name}: {self.words}" if self.words else self.name


class EncounterGroup(Document):
    """Everything of one sort, met or not."""

    title: str
    found: list[Encounter]


class Encounters:
    """Counts over chunks of games; whole numbers, so that their order does not matter."""

    def __init__(self, match: Match):
        self.match, self.games = match, 0
        engine, scenario = match.engine, match.scenario
        self.topics = [(topic, topic.names(scenario)) for topic in engine.topics]
        # (group, name) -> [games, times]: all there is, in the order of the groups
        self.counts = {(ACTIONS, name): [0, 0] for name in engine.acts}
        self.counts |= {
            (topic.title, name): [0, 0] for topic, names in self.topics for name in names.values()
        }
        self.offered = np.zeros(1 + max(engine.acts.values(), default=0), np.int64)
        empty = dict(self._ends_of(np.zeros(0, engine.record_dtype)))
        self.ends = {key: [0, 0] for key in empty}
        self.once = {key for key, of in empty.items() if of.dtype == bool}  # what comes up once a game
        self._known: dict[tuple, list] = {}

    def add(self, noted: NotedGames) -> None:
        """Count some more games."""
        self.games += len(noted.notes)
        self.offered += noted.notes["offered"].sum(axis=0, dtype=np.int64)
        self._add_log(noted.log)
        for key, times in self._ends_of(noted.notes["record"]):
            self.ends[key][0] += int((times > 0).sum())
            self.ends[key][1] += int(times.sum())

    def groups(self) -> Iterator[EncounterGroup]:
        """Kinds of action, the game's topics, then how games end."""
        legal = {name: int(self.offered[kind]) for name, kind in self.match.engine.acts.items()}
        words = self.match.engine.act_words
        groups: dict[str, list[Encounter]] = {}
        for key, (games, times) in (self.counts | self.ends).items():
            group, name = key
            is_action = group == ACTIONS
            encounter = Encounter(
                name=name,
                games=games,
                share=proportion(games, self.games),
                times_a_game=None if key in self.once else times / self.games,
                legal=legal[name] if is_action else None,
                words=words.get(name, "") if is_action else None,
            )
            groups.setdefault(group, []).append(encounter)
        return (EncounterGroup(title=title, found=of_group) for title, of_group in groups.items())

    # ------------------------------------------------------------ actions and events

    def _add_log(self, log: np.ndarray) -> None:
        entries = pl.DataFrame(log, schema=["game", *KEY]).group_by(["game", *KEY]).len()
        keys = entries.select(KEY).unique(maintain_order=True).rows()
        named = [(*key, index) for key in keys for index in self._named(key)]
        met = pl.DataFrame(named, schema=dict.fromkeys(KEY, pl.Int32) | {"item": pl.Int64}, orient="row")
        counted = (
            entries.join(met, on=KEY).group_by("item").agg(pl.col("game").n_unique(), pl.col("len").sum())
        )
        items = list(self.counts.values())
        for item, games, times in counted.rows():
            items[item][0] += games
            items[item][1] += times

    def _named(self, key: tuple[int, int, int, int]) -> list[int]:
        """The items that an entry of the log names, as numbers."""
        if key not in self._known:
            self._known[key] = [self._numbers[item] for item in self._items(*key) if item in self._numbers]
        return self._known[key]

    @cached_property
    def _numbers(self) -> dict[tuple[str, str], int]:
        return {item: number for number, item in enumerate(self.counts)}

    def _items(self, what: int, a: int, b: int, c: int) -> Iterator[tuple[str, str]]:
        if what == ACTION:
            kind, argument = divmod(a, self.match.engine.arguments)
            name = self._acts.get(kind, "")
            yield ACTIONS, name
            yield from self._of_topics(lambda topic: topic.actions.get(name), argument, b)
        else:
            yield from self._of_topics(lambda topic: topic.events.get(what), a, b, c)

    def _of_topics(
        self, reads: Callable[[Topic], Callable | None], *numbers: int
    ) -> Iterator[tuple[str, str]]:
        for topic, names in self.topics:
            if read := reads(topic):
                yield from ((topic.title, names.get(int(one), "")) for one in np.atleast_1d(read(*numbers)))

    @cached_property
    def _acts(self) -> dict[int, str]:
        return {kind: name for name, kind in self.match.engine.acts.items()}

    # ------------------------------------------------------------ ends

    def _ends_of(self, rows: np.ndarray) -> Iterator[tuple[tuple[str, str], np.ndarray]]:
        """((group, name), in which games: true or false, or how often) of all that a record tells."""
        engine = self.match.engine
        for code, name in engine.end_reasons.items():
            yield (ENDS, name), rows["end_reason"] == code
        for code, name in self._winners().items():
            yield (WINNERS, name), rows["winner"] == code
        yield from self._tiers_of(rows)
        for column, labels in engine.labels.items():
            title = CAUSES if column == engine.cause_column else plain(column)
            for value, name in labels(self.match.scenario).items():
                yield (title, str(name)), rows[column] == value
        yield from self._reported(rows)

    def _winners(self) -> dict[int, str]:
        roles = self.match.game.roles_in(self.match.scenario)
        return (
            dict(enumerate(roles))
            | {NOBODY: "nobody: a draw"}
            | ({HOUSE: "the game"} if len(roles) == 1 else {})
        )

    def _tiers_of(self, rows: np.ndarray) -> Iterator[tuple[tuple[str, str], np.ndarray]]:
        tiers = sorted(self.match.engine.tiers(self.match.scenario).items(), key=lambda tier: -tier[1])
        scored = rows["score"] != self.match.engine.nulls.get("score", np.iinfo(np.int64).min)
        above = np.zeros(len(rows), bool)
        for name, least in tiers:
            reached = scored & (rows["score"] >= least)
            yield (TIERS, name), reached & ~above
            above |= reached

    def _reported(self, rows: np.ndarray) -> Iterator[tuple[tuple[str, str], np.ndarray]]:
        """What the game's reports count in a record."""
        if not (reporting := self.match.engine.reporting):
            return
        for column, mark in reporting.marks.items():
            yield (MARKS, mark), rows[column] != 0
        for column, first in reporting.firsts.items():
            yield (FIRSTS, first), rows[column] != self.match.engine.nulls.get(column, 0)
        for group in reporting.groups:
            for column, counts in group.columns.items():
                yield (group.title, counts), rows[column].astype(np.int64)


def counted(match: Match, chunks: Iterable[NotedGames]) -> Encounters:
    encounters = Encounters(match)
    for noted in chunks:
        encounters.add(noted)
    return encounters
