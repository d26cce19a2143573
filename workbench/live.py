"""Games that are simulated while the page is open. They stay in memory for an undo or a second tab."""

from collections import OrderedDict
from collections.abc import Iterator
from os import cpu_count
from pathlib import Path
from threading import Lock
from time import perf_counter
from typing import Any

import polars as pl

from bartizan.analyses.records.tally import Tally, tally
from bartizan.policies.registry import find_player
from bartizan.simcore.compile.loops import functions_of
from bartizan.simcore.compile.meter import Compilation
from bartizan.simcore.errors import BartizanError, UsageError
from bartizan.simcore.play.batch import BATCH, Source, Stretch
from bartizan.simcore.sweep.manifest import MemoryCell, frame_of, make_ready, manifest
from bartizan.simcore.sweep.plan import Plan, expand
from bartizan.simcore.sweep.store import sweep_of
from bartizan.workbench.setting import OfferedGame, PageSetting

FIRST_BATCH, LARGEST_BATCH = 64, 16_384  # games
BATCH_SECONDS = 0.15  # seconds between checks for changes by the user
MOST_KEPT, GAMES_KEPT = 40, 1_500_000  # settings; games of all settings, half a gigabyte for a large game


class CachedGames:
    """The games 0, 1, 2, ... of one setting, as many as have been requested. Compiles code when necessary."""

    def __init__(self, setting: PageSetting, seed: int):
        self.setting, self.seed = setting, seed
        # the manifest entry and the match of this setting
        request = setting.request
        sets = {path: [value] for path, value in request.values.items()}
        cells = expand([setting.level] if setting.level else [], [setting.seated], sets)
        plan = Plan(request.named, request.scenario, tuple(cells), 1, seed)
        (ready,) = make_ready(plan, request.game, find_player)
        document = manifest(plan, request.game, [ready]) | {
            "precision": 0.01
        }  # confidence sequences: valid at every look
        self.sweep = sweep_of(Path(), document)
        self.source = Source(cpu_count() or 1)
        self.batch = self.source.ready(ready.match)
        self.size, self._lock = FIRST_BATCH, Lock()
        self._frames: list[pl.DataFrame] = []
        self._counted: tuple[int, tuple[MemoryCell, Tally]] | None = None
        self.games = 0

    def play_to(self, games: int) -> None:
        """Simulate games until there are this many in total."""
        with self._lock:
            missing = range(self.games, games)
            if not missing:
                return
            since = perf_counter()
            ((_, rows),) = self.source.play([Stretch(self.batch, missing)])
            self._frames.append(frame_of(rows, self.batch.match.engine))
            self.games = games
            pace = len(missing) / max(perf_counter() - since, 1e-6)  # games per second
            self.size = int(min(max(pace * BATCH_SECONDS, 1), self.size * 4, LARGEST_BATCH))

    def cell(self, games: int) -> MemoryCell:
        """Return the first `games` games as a cell of a sweep."""
        with self._lock:
            if len(self._frames) > 1:
                self._frames = [pl.concat(self._frames)]
            frame = self._frames[0].head(games) if self._frames else pl.DataFrame()
        return MemoryCell(**vars(self.sweep.cells[0]), frame=frame)

    def counted(self, games: int) -> tuple[MemoryCell, Tally]:
        """Return the first `games` games as a cell, with its counts.

        The counts of the latest request are cached.
        """
        there = self._counted  # read once, because drawing runs in another thread
        if there is None or there[0] != games:
            cell = self.cell(games)
            self._counted = there = games, (cell, tally(cell.scan(), cell))
        return there[1]


COMPILED: set[OfferedGame] = set()  # once compiled, a game stays compiled


def is_compiled(setting: PageSetting) -> bool:
    """Return whether the compiled loop of the setting's game is in the cache already."""
    game = setting.offer.game
    if setting.offer not in COMPILED and BATCH.is_compiled(game.compiled, len(game.roles)):
        COMPILED.add(setting.offer)
    return setting.offer in COMPILED


def compilation_of(setting: PageSetting) -> Compilation:
    """Return the compilation that a setting needs: of the game or, if this is compiled, of its policies."""
    game = setting.offer.game
    if is_compiled(setting):
        return Compilation(f"{game.name} players")
    return Compilation(f"{game.name} {BATCH.kernel.__name__}", functions_of(game.compiled, []))


def compilation_document(compilation: Compilation) -> dict[str, Any]:
    """Return the progress of a compilation as a document.

    `first`: whether the loop of the game was also missing. `last`: the final state of the previous
    compilation.
    """
    return {**compilation.state(), "first": compilation.expected > 0, "last": compilation.last}


class GameCache:
    """Games by setting. The least recently used settings are dropped."""

    def __init__(self, seed: int = 1):
        self.seed = seed
        self._kept: OrderedDict[str, CachedGames] = OrderedDict()
        self._lock = Lock()

    def games_of(self, setting: PageSetting) -> CachedGames:
        with self._lock:  # compiled once for all callers
            if setting.key not in self._kept:
                self._kept[setting.key] = CachedGames(setting, self.seed)
            self._kept.move_to_end(setting.key)
            games = sum(kept.games for kept in self._kept.values())
            while len(self._kept) > MOST_KEPT or (len(self._kept) > 8 and games > GAMES_KEPT):
                games -= self._kept.popitem(last=False)[1].games
            return self._kept[setting.key]


# ---------------------------------------------------------------- the next games


MOST, LONGEST = 100_000, 60.0  # games, and seconds of simulation, until the simulation pauses for the user
FIRST = 2.0  # seconds reserved for the setting itself
BEHIND = 4  # games of this level for each game of another level


class PairedGames:
    """The games of a setting and of the pinned setting, with the same game numbers.

    If the two settings are equal or nothing is pinned, there is only one side.
    """

    def __init__(self, game_cache: GameCache, now: PageSetting, pinned: PageSetting | None):
        self.now = game_cache.games_of(now)
        is_same = pinned is None or pinned.key == now.key
        self.pinned = None if is_same or pinned is None else game_cache.games_of(pinned)

    @property
    def sides(self) -> tuple[CachedGames, ...]:
        return (self.now,) if self.pinned is None else (self.now, self.pinned)

    @property
    def games(self) -> int:
        """Number of games that all sides have simulated."""
        return min(side.games for side in self.sides)

    def play(self, most: int) -> None:
        """Simulate one more batch on all sides, up to `most` games per side.

        A side that already has these games simulates none.
        """
        wanted = min(self.games + min(side.size for side in self.sides), most)
        for side in self.sides:
            side.play_to(wanted)


class Live:
    """The games of one open page. patience: number of times that the user has asked for more games."""

    def __init__(
        self, game_cache: GameCache, now: PageSetting, pinned: PageSetting | None, patience: int = 0
    ):
        self.game_cache, self.now, self.pinned = game_cache, now, pinned
        self.most, self.longest = MOST * (1 + patience), LONGEST * (1 + patience)
        self.pair: PairedGames | None = None
        self.others: dict[str, PairedGames] = {}
        self.refused: dict[str, str] = {}  # level -> reason why it does not support these values
        self.seconds = 0.0
        self._open = iter(level for level in now.levels if level != now.loaded.difficulty)

    def prepare(self) -> None:
        """Set up the games of both settings; compile their code if necessary. Call this before `step`."""
        self.pair = PairedGames(self.game_cache, self.now, self.pinned)

    def step(self) -> bool:
        """Simulate one batch. Returns False if there are no more games to simulate."""
        assert self.pair
        since = perf_counter()
        pair, most = self._next()
        if pair is not None:
            pair.play(most)
        self.seconds += perf_counter() - since
        return pair is not None

    def _next(self) -> tuple[PairedGames | None, int]:
        """Return the pair to simulate next and its target number of games; (None, 0) if no games are left."""
        assert self.pair
        share = min(self.pair.games, self.most) // BEHIND
        is_rested = self.pair.games >= self.most or self.seconds > self.longest
        if self.seconds >= FIRST or is_rested:
            self._open_one()
            behind = [pair for pair in self.others.values() if pair.games < share]
            if behind:
                return min(behind, key=lambda pair: pair.games), share
        # levels that are not open yet follow in the next steps
        has_more = len(self.others) + len(self.refused) < len(self.now.levels) - 1
        return (None, 0) if is_rested and not has_more else (self.pair, self.most)

    def _open_one(self) -> None:
        """Start the next level. If it does not support the changed values, record the reason."""
        level = next(self._open, None)
        if level is None:
            return
        try:
            if (
                self.now.offer.as_now() is not self.now.offer
            ):  # its values would differ from the other levels'
                raise UsageError("the game's files were edited; change a value to simulate the new version")
            pinned = self.pinned.at(level) if self.pinned and level in self.pinned.levels else None
            self.others[level] = PairedGames(self.game_cache, self.now.at(level), pinned)
        except BartizanError as error:
            self.refused[level] = str(error)

    def pairs(self) -> Iterator[tuple[str, PairedGames]]:
        """Yield (level, games) for each level with simulated games, in the game's order of levels."""
        assert self.pair
        there = {self.now.loaded.difficulty: self.pair, **self.others}
        return ((level, there[level]) for level in self.now.levels if level in there and there[level].games)
