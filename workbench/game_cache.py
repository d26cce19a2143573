"""Games that were played for the page, kept in memory by what was played: an undo, a pin or a second tab
finds them again.
"""

from collections import OrderedDict
from os import cpu_count
from pathlib import Path
from threading import Lock
from time import perf_counter

import polars as pl

from bartizan.analyses.records.tally import Tally, tally
from bartizan.policies.registry import find_player
from bartizan.simcore.play.batch import BATCH, Source, Stretch
from bartizan.simcore.play.match import Match
from bartizan.simcore.sweep.manifest import MemoryCell, frame_of, make_ready, manifest
from bartizan.simcore.sweep.plan import Plan, expand
from bartizan.simcore.sweep.store import Sweep, sweep_of
from bartizan.workbench.offer import OfferedGame
from bartizan.workbench.setting import PageSetting

FIRST_BATCH, LARGEST_BATCH = 64, 16_384  # games
BATCH_SECONDS = 0.15  # after which a change of mind is heard
MOST_KEPT, GAMES_KEPT = 40, 1_500_000  # settings; games of all of them, half a gigabyte of a large game


class CachedGames:
    """The games 0, 1, 2, ... of one setting, as many as were wanted so far. Compiles what is not compiled."""

    def __init__(self, setting: PageSetting, seed: int):
        self.setting, self.seed = setting, seed
        self.sweep, match = _planned(setting, seed)
        self.source = Source(cpu_count() or 1)
        self.batch = self.source.ready(match)
        self.size, self._lock = FIRST_BATCH, Lock()
        self._frames: list[pl.DataFrame] = []
        self._told: tuple[int, tuple[MemoryCell, Tally]] | None = None
        self.games = 0

    def play_to(self, games: int) -> None:
        """Play on until there are so many."""
        with self._lock:
            missing = games - self.games
            if missing <= 0:
                return
            since = perf_counter()
            ((_, rows),) = self.source.play([Stretch(self.batch, missing, self.games)])
            self._frames.append(frame_of(rows, self.batch.match.engine))
            self.games = games
            self._pace(missing, perf_counter() - since)

    def _pace(self, games: int, seconds: float) -> None:
        """The next batch takes about BATCH_SECONDS."""
        wanted = games * BATCH_SECONDS / max(seconds, 1e-6)
        self.size = int(min(max(wanted, 1), self.size * 4, LARGEST_BATCH))

    def cell(self, games: int) -> MemoryCell:
        """The first so many, as a cell of a sweep."""
        with self._lock:
            if len(self._frames) > 1:
                self._frames = [pl.concat(self._frames)]
            frame = self._frames[0].head(games) if self._frames else pl.DataFrame()
        return MemoryCell(**vars(self.sweep.cells[0]), frame=frame)

    def told(self, games: int) -> tuple[MemoryCell, Tally]:
        """The same, counted; counted once for each number of games that is asked for in a row."""
        there = self._told  # once: whoever draws asks from another thread
        if there is None or there[0] != games:
            cell = self.cell(games)
            self._told = there = games, (cell, tally(cell.scan(), cell))
        return there[1]


def _planned(setting: PageSetting, seed: int) -> tuple[Sweep, Match]:
    """What a sweep of this one setting would say of itself, and what it would play."""
    request = setting.request
    sets = {path: [value] for path, value in request.values.items()}
    cells = expand([setting.level] if setting.level else [], [setting.seated], sets)
    plan = Plan(request.named, request.scenario, tuple(cells), 1, seed)
    (ready,) = make_ready(plan, request.game, find_player)
    said = manifest(plan, request.game, [ready]) | {"precision": 0.01}  # watched: it holds at every look
    return sweep_of(Path(), said), ready.match


COMPILED: set[OfferedGame] = set()  # whoever was found so stays it


def is_compiled(setting: PageSetting) -> bool:
    """Is the game's loop in the cache already?"""
    game = setting.offer.game
    if setting.offer not in COMPILED and BATCH.is_compiled(game.compiled, len(game.roles)):
        COMPILED.add(setting.offer)
    return setting.offer in COMPILED


class GameCache:
    """Kept games by setting; those that nobody asked for in a long while are dropped."""

    def __init__(self, seed: int = 1):
        self.seed = seed
        self._kept: OrderedDict[str, CachedGames] = OrderedDict()
        self._lock = Lock()

    def games_of(self, setting: PageSetting) -> CachedGames:
        with self._lock:  # compiled once, whoever asks
            if setting.key not in self._kept:
                self._kept[setting.key] = CachedGames(setting, self.seed)
            self._kept.move_to_end(setting.key)
            while len(self._kept) > MOST_KEPT or (len(self._kept) > 8 and self._games() > GAMES_KEPT):
                self._kept.popitem(last=False)
            return self._kept[setting.key]

    def _games(self) -> int:
        return sum(kept.games for kept in self._kept.values())
