"""Coverage: items that occur in the games of some policies, and items that never do.

All items are known before the simulation, so an item that never occurs also has a row. To test whether a
ruling or a number came up, the same games are simulated with each of its other values
(`analyses.experiments.trials`) on common random numbers. The ruling or number came up in a game if one of
these values changes a decision or the record of the game. A value that never came up has no effect on these
games.

Frequent values need few games, and rare values need many. Therefore every value is tested in FIRST_LOOK
games, and in all games only if it came up in none of these. An interval may come from either look, so each
look has half of the error rate (Bonferroni). The result "in none of n games" is possible only after the
second look. Its interval has the exact upper limit of Clopper and Pearson, which is near 3 / n (the rule of
three).
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl

from bartizan.analyses.document import Document, optional
from bartizan.analyses.experiments.trials import Condition, Refused, variations
from bartizan.analyses.statistics.intervals import Interval, limit_of_none, proportion
from bartizan.simcore.arrays import Bools
from bartizan.simcore.compile.rules import HOUSE, NOBODY, TRUNCATED
from bartizan.simcore.errors import EngineError, PolicyError, ScenarioError
from bartizan.simcore.game import Topic
from bartizan.simcore.play.coverage import (
    ACTION,
    CHOICES,
    CHUNK_GAMES,
    OFFERS,
    RECORD,
    WORDS,
    CoveredMatch,
    NotedGames,
)
from bartizan.simcore.play.match import Jobs, Match, chunks_of, in_order, played_by, threads_of
from bartizan.simcore.play.replay import OneGame, replay
from bartizan.simcore.reporting import CONFIDENCE
from bartizan.simcore.scenario.loading import Scenario
from bartizan.simcore.scenario.parameters import Parameter, plain
from bartizan.simcore.watch import Watch

# ----------------------------- kinds of action, topics and endings: games with each, and occurrences per game

ACTIONS, ENDS, WINNERS = "kinds of action", "ends", "winners"
CAUSES, TIERS, MARKS, FIRSTS = "causes of a loss", "tiers", "marks", "first times"
KEY = ["what", "a", "b", "c"]


class Encounter(Document):
    """An item that can occur in a game, and the number of games in which it occurred."""

    name: str
    games: int  # games in which it occurred
    share: Interval  # of all games
    times_a_game: float | None = optional()  # occurrences per game; None: at most one, or not counted
    legal: int | None = optional()  # for a kind of action: games in which one was legal
    words: str | None = optional()  # for a kind of action: its description

    @property
    def came_up(self) -> int:
        return self.games

    @property
    def label(self) -> str:
        return f"{self.name}: {self.words}" if self.words else self.name


class EncounterGroup(Document):
    """All items of one kind, including items that never occurred."""

    title: str
    found: list[Encounter]


class Encounters:
    """Integer counts over chunks of games, so that the order of the chunks does not matter."""

    def __init__(self, match: Match):
        self.match, self.games, self.capped = match, 0, 0
        engine, scenario = match.engine, match.scenario
        self.topics = [(topic, topic.names(scenario)) for topic in engine.topics]
        # (group, name) -> [games, times]: all items, in the order of the groups
        self.counts = {(ACTIONS, name): [0, 0] for name in engine.acts}
        self.counts |= {
            (topic.title, name): [0, 0] for topic, names in self.topics for name in names.values()
        }
        self.offered = np.zeros(1 + max(engine.acts.values(), default=0), np.int64)
        empty = dict(self._ends_of(np.zeros(0, engine.record_dtype)))
        self.ends = {key: [0, 0] for key in empty}
        # items that occur at most once per game
        self.once = {key for key, of in empty.items() if of.dtype == bool}
        self._known: dict[tuple[Any, ...], list[Any]] = {}
        self._acts = {kind: name for name, kind in engine.acts.items()}
        self._numbers = {item: number for number, item in enumerate(self.counts)}

    def add(self, noted: NotedGames) -> None:
        """Add the counts of further games."""
        self.games += len(noted.notes)
        self.capped += int((noted.notes["record"]["winner"] == TRUNCATED).sum())
        self.offered += noted.notes["offered"].sum(axis=0, dtype=np.int64)
        self._add_log(noted.log)
        for key, times in self._ends_of(noted.notes["record"]):
            self.ends[key][0] += int((times > 0).sum())
            self.ends[key][1] += int(times.sum())

    def groups(self) -> Iterator[EncounterGroup]:
        """Return the groups: kinds of action, the game's topics, then the endings."""
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
        """Return the indices of the items to which a log entry belongs."""
        if key not in self._known:
            self._known[key] = [self._numbers[item] for item in self._items(*key) if item in self._numbers]
        return self._known[key]

    def _items(self, what: int, a: int, b: int, c: int) -> Iterator[tuple[str, str]]:
        if what == ACTION:
            kind, argument = divmod(a, self.match.engine.arguments)
            name = self._acts.get(kind, "")
            yield ACTIONS, name
            yield from self._of_topics(lambda topic: topic.actions.get(name), argument, b)
        else:
            yield from self._of_topics(lambda topic: topic.events.get(what), a, b, c)

    def _of_topics(
        self, reads: Callable[[Topic], Callable[..., Any] | None], *numbers: int
    ) -> Iterator[tuple[str, str]]:
        for topic, names in self.topics:
            if read := reads(topic):
                yield from (
                    (topic.title, names.get(int(number), "")) for number in np.atleast_1d(read(*numbers))
                )

    # ------------------------------------------------------------ ends

    def _ends_of(self, rows: np.ndarray) -> Iterator[tuple[tuple[str, str], np.ndarray]]:
        """Yield (group, name) and an array [game] for every item in a record.

        A bool array states whether the item occurred; an integer array counts its occurrences.
        """
        engine = self.match.engine
        for code, name in engine.end_reasons.items():
            yield (ENDS, name), rows["end_reason"] == code
        roles = self.match.game.roles_in(self.match.scenario)
        winners = dict(enumerate(roles)) | {NOBODY: "nobody: a draw"}
        winners |= {HOUSE: "the game"} if len(roles) == 1 else {}
        for code, name in winners.items():
            yield (WINNERS, name), rows["winner"] == code
        tiers = sorted(engine.tiers(self.match.scenario).items(), key=lambda tier: -tier[1])
        scored = rows["score"] != engine.nulls.get("score", np.iinfo(np.int64).min)
        scored &= rows["winner"] != TRUNCATED  # a truncated game has no final score
        above = np.zeros(len(rows), bool)
        for name, least in tiers:
            reached = scored & (rows["score"] >= least)
            yield (TIERS, name), reached & ~above
            above |= reached
        for column, labels in engine.labels.items():
            title = CAUSES if column == engine.cause_column else plain(column)
            for value, name in labels(self.match.scenario).items():
                yield (title, str(name)), rows[column] == value
        yield from self._reported(rows)

    def _reported(self, rows: np.ndarray) -> Iterator[tuple[tuple[str, str], np.ndarray]]:
        """Yield (group, name) and an array [game] for each mark, first time and count (see `_ends_of`)."""
        if not (reporting := self.match.engine.reporting):
            return
        for column, mark in reporting.marks.items():
            yield (MARKS, mark), rows[column] != 0
        for column, first in reporting.firsts.items():
            yield (FIRSTS, first), rows[column] != self.match.engine.nulls.get(column, 0)
        for group in reporting.groups:
            for column, counts in group.columns.items():
                yield (group.title, counts), rows[column].astype(np.int64)


# ---------------------------------------- rulings and numbers: values that came up, and values that never did

FIRST_LOOK = 100  # games
LOOKS = 2
RULINGS, NUMBERS = "rulings", "numbers"
METHOD = (
    "a ruling or a number came up in a game if another of its values, on common random numbers, changes a "
    f"decision or the record of the game; {FIRST_LOOK} games for each value, and all games for values that "
    "came up in none of these; intervals: Wilson, with fewer than 15 games on either side Clopper-Pearson, "
    "two "
    "looks (Bonferroni); 0 of n: upper 95 % limit of Clopper and Pearson, one-sided"
)
Track = Callable[[Iterable[Any], int, int, str], Iterable[Any]]  # see `simcore.watch.Watch.track`
UNWATCHED: Track = Watch().track


class ChangedValue(Document):
    """Effect on the games of setting a value to each of its other values."""

    path: str
    key: str  # the last word of the path
    sort: str  # RULINGS or NUMBERS
    what: str  # the value in words; for a ruling, also its key in the rules
    value: Any
    to: list[Any]  # other values that were tried
    games: int  # games examined
    came_up: int  # games in which a decision or the record differs
    share: Interval  # share of the games examined
    ended: int  # games whose record differs
    legal: int  # games in which the legal actions differ

    @property
    def label(self) -> str:
        return self.what


class Coverage(Document):
    """Items that occurred in some games, and items that did not."""

    games: int
    capped: int = 0  # truncated games; their actions and events count
    actions: dict[str, int]  # kind of action -> games in which one was chosen
    rulings: dict[str, int]  # key -> games in which it came up
    numbers: dict[str, int]  # path -> games in which it came up
    below: float  # one-sided upper limit of the share of games affected by a value that never came up
    met: list[EncounterGroup]
    changed: list[ChangedValue]
    unvaried: list[str]  # paths without a rule for variations, or without another valid value
    refused: list[Refused]
    method: str = METHOD

    def changed_of(self, sort: str) -> list[ChangedValue]:
        return [value for value in self.changed if value.sort == sort]


def analyze(
    condition: Condition,
    scenario: Scenario,
    knobs: Sequence[Parameter],
    jobs: Jobs = 1,
    track: Track = UNWATCHED,
) -> Coverage:
    """Simulate the games, then simulate them again with each value of `knobs` changed.

    The result does not depend on `jobs`. The seats are not rotated.
    """
    words: list[np.ndarray] = []
    covered = CoveredMatch(_match(condition, scenario))
    chunks = covered.pieces(covered.noted, range(condition.games), CHUNK_GAMES, jobs)
    encounters = Encounters(_match(condition, scenario))
    for noted in track(chunks, condition.games, CHUNK_GAMES, "playing"):
        words.append(noted.notes["words"])
        encounters.add(noted)
    met = list(encounters.groups())
    looks = Looks(condition, np.concatenate(words), jobs, track)
    changed = list(looks.at(knobs))
    varied = {value.path for value in changed}
    actions = [encounter for group in met if group.title == ACTIONS for encounter in group.found]
    return Coverage(
        games=condition.games,
        capped=encounters.capped,
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


def share_after_looks(games: int, of: int, confidence: float = CONFIDENCE) -> Interval:
    """Return the share of games in which a changed value had an effect.

    The interval is valid after either look (Bonferroni).
    """
    interval = proportion(games, of, 1 - (1 - confidence) / LOOKS)
    return replace(interval, level=confidence, method=f"{interval.method}, {LOOKS} looks (Bonferroni)")


class Looks:
    """Comparison of the unchanged games with the same games under changed values.

    words: uint64 [game, WORDS], fingerprints of the unchanged games.
    """

    def __init__(self, condition: Condition, words: np.ndarray, jobs: Jobs, track: Track):
        self.condition, self.words, self.jobs, self.track = condition, words, jobs, track
        self.refused: dict[tuple[str, str], Refused] = {}  # by path and value

    def at(self, knobs: Sequence[Parameter]) -> Iterator[ChangedValue]:
        """Yield the result for each value that can be changed, in order."""
        games = range(len(self.words))
        first = self._differing(knobs, games[:FIRST_LOOK])
        idle = [knob for knob in knobs if knob.path in first and not _came_up(first[knob.path]).any()]
        rest = self._differing(idle, games[FIRST_LOOK:])
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

    def _differing(self, knobs: Sequence[Parameter], games: range) -> dict[str, np.ndarray]:
        """Map each path to a bool array [game, WORDS] of the aspects of a game that the value affects.

        An element is True if any of the other values changes this aspect.
        """
        differences: dict[str, np.ndarray] = {}
        if not games:
            return differences
        total = len(games) * sum(len(variations(knob)) for knob in knobs)
        played = in_order(self._words, self._chunks(knobs, games), threads_of(self.jobs))
        for path, part, words in self.track(played, total, CHUNK_GAMES, "changing values"):
            differs = differences.setdefault(path, np.zeros((len(games), WORDS), bool))
            differs[part.start - games.start : part.stop - games.start] |= (
                words != self.words[part.start : part.stop]
            )
        return differences

    def _words(
        self, path: str, value: Any, covered: CoveredMatch, games: range
    ) -> tuple[str, range, np.ndarray]:
        """Return (path, games, words) for one value: the fingerprints of the games with this value.

        If the rules or policies of a user's game fail with the value, record the reason, and return the
        fingerprints of the unchanged games.
        """
        try:
            return path, games, played_by(self.jobs, covered.words, games)
        except (EngineError, PolicyError) as error:
            if self.condition.game.is_builtin:
                raise
            refusal = self.condition.refusal(path, value, ScenarioError(str(error)))
            self.refused[path, repr(value)] = refusal
            return path, games, self.words[games.start : games.stop]

    def _chunks(self, knobs: Sequence[Parameter], games: range) -> Iterator[tuple[Any, ...]]:
        for knob in knobs:
            for value in variations(knob):
                try:
                    scenario = self.condition.load({knob.path: value})
                except ScenarioError as error:
                    self.refused[knob.path, repr(value)] = self.condition.refusal(knob.path, value, error)
                    continue
                covered = CoveredMatch(_match(self.condition, scenario))
                covered.prepare(self.jobs)
                for chunk in chunks_of(games, CHUNK_GAMES):
                    yield knob.path, value, covered, *chunk


def _came_up(differs: Bools) -> Bools:
    """Return a bool array [game]: whether a decision or the record differs."""
    either: Bools = differs[:, CHOICES] | differs[:, RECORD]
    return either


# ------------------------------------------------- uses of an option per game, with and without a restriction

OPTION_GAMES = 20


class OptionUse(Document):
    """Uses of an option per game by the first seat."""

    games: int
    free: float  # without the restriction
    forced: float  # with the option forbidden: no other action was legal
    insisted: float = 0.0  # with the option forbidden: still chosen, and replaced by a random action


def option_use(
    free: Match, restricted: Match, insisting: Match, kinds: Collection[str], games: int = OPTION_GAMES
) -> OptionUse:
    """Return the number of uses per game with and without the restriction.

    `kinds`: kinds of action that the first seat of `restricted` chooses only if forced. `insisting`: the same
    match, but the policy's forbidden choices are not replaced.
    """

    engine = free.engine
    used = {engine.acts[kind] for kind in kinds}
    plies = (ply for number in range(games) for ply in replay(free, number))
    uses = sum(ply.seat == 0 and ply.action // engine.arguments in used for ply in plies)
    counts = [_forced_and_insisted(restricted, insisting, used, number) for number in range(games)]
    forced, insisted = map(sum, zip(*counts, strict=True))
    return OptionUse(games=games, free=uses / games, forced=forced / games, insisted=insisted / games)


def _forced_and_insisted(
    restricted: Match, insisting: Match, omitted: Collection[int], number: int
) -> tuple[int, int]:
    """Count the first seat's uses and its free choices of omitted kinds of action in one game.

    A choice is free if several other actions were legal.
    """
    one, asked, arguments = OneGame(restricted), OneGame(insisting), restricted.engine.arguments
    for game in (one, asked):
        game.begin(restricted.seed, number)
    forced = insisted = 0
    while not one.is_over:
        others = sum(action // arguments not in omitted for action in one.legal().tolist())
        if one.seat == 0 and others > 1:
            asked.go_on_from(one.moment(), one.plies)
            insisted += asked.choice() // arguments in omitted
        seat, action = one.seat, one.choice()
        forced += seat == 0 and action // arguments in omitted
        one.play(action)
    return forced, insisted
