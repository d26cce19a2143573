"""What is played next while the page is open: the setting that is looked at and the pinned one on the same
luck, in turns; the other levels now and then.
"""

from collections.abc import Iterator
from time import perf_counter

from bartizan.simcore.errors import BartizanError
from bartizan.workbench.game_cache import CachedGames, GameCache
from bartizan.workbench.setting import PageSetting

MOST, LONGEST = 100_000, 60.0  # games, and seconds of play, after which it rests until it is told to go on
FIRST = 2.0  # seconds that belong to the setting alone
BEHIND = 4  # other levels get a game for so many


class PairedGames:
    """A setting, and the pinned one beside it unless they are the same, on the same game numbers."""

    def __init__(self, game_cache: GameCache, now: PageSetting, pinned: PageSetting | None):
        self.now = game_cache.games_of(now)
        is_same = pinned is None or pinned.key == now.key
        self.pinned = None if is_same or pinned is None else game_cache.games_of(pinned)

    @property
    def sides(self) -> tuple[CachedGames, ...]:
        return (self.now,) if self.pinned is None else (self.now, self.pinned)

    @property
    def games(self) -> int:
        """Game numbers that are played on every side."""
        return min(side.games for side in self.sides)

    def play(self, most: int) -> None:
        """One batch more, on each side that has not got so far yet."""
        wanted = min(self.games + min(side.size for side in self.sides), most)
        for side in self.sides:
            side.play_to(wanted)


class Live:
    """What one open page has played for it. patience: how often it was told to go on."""

    def __init__(
        self, game_cache: GameCache, now: PageSetting, pinned: PageSetting | None, patience: int = 0
    ):
        self.game_cache, self.now, self.pinned = game_cache, now, pinned
        self.most, self.longest = MOST * (1 + patience), LONGEST * (1 + patience)
        self.pair: PairedGames | None = None
        self.others: dict[str, PairedGames] = {}
        self.refused: dict[str, str] = {}  # level -> why it cannot be played with these values
        self.seconds = 0.0
        self._open = iter(level for level in now.levels if level != now.loaded.difficulty)

    def prepare(self) -> None:
        """Compiles what is not compiled."""
        self.pair = PairedGames(self.game_cache, self.now, self.pinned)

    def step(self) -> bool:
        """Play one batch; False: there is nothing left to play."""
        assert self.pair
        since = perf_counter()
        pair, most = self._next()
        if pair is not None:
            pair.play(most)
        self.seconds += perf_counter() - since
        return pair is not None

    def _next(self) -> tuple[PairedGames | None, int]:
        """Who plays next, and up to how many games."""
        assert self.pair
        share = min(self.pair.games, self.most) // BEHIND
        is_rested = self.pair.games >= self.most or self.seconds > self.longest
        if self.seconds >= FIRST or is_rested:
            self._open_one()
            behind = [pair for pair in self.others.values() if pair.games < share]
            if behind:
                return min(behind, key=lambda pair: pair.games), share
        return (None, 0) if is_rested and not self._has_more() else (self.pair, self.most)

    def _has_more(self) -> bool:
        """Are there levels that nobody has opened yet? They come at the next step."""
        return len(self.others) + len(self.refused) < len(self.now.levels) - 1

    def _open_one(self) -> None:
        """One more level; where these values cannot be played it says why."""
        level = next(self._open, None)
        if level is None:
            return
        try:
            pinned = self.pinned.at(level) if self.pinned and level in self.pinned.levels else None
            self.others[level] = PairedGames(self.game_cache, self.now.at(level), pinned)
        except BartizanError as error:
            self.refused[level] = str(error)

    def pairs(self) -> Iterator[tuple[str, PairedGames]]:
        """Every level that has games, in the game's order."""
        assert self.pair
        there = {self.now.loaded.difficulty: self.pair, **self.others}
        return ((level, there[level]) for level in self.now.levels if level in there and there[level].games)
