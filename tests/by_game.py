"""Which worker runs which file: it stays with one game as long as there are files of it, and loads little compiled code.

A worker that has no more of its game goes on with the game of which most is left, at best one that nobody else has.
Files of no game, or of several, come last. Of each the longest comes first, so that all workers end together: as long
as it took in the last run in this clone (pytest's cache), before the first run as tests/seconds.json says, else by
the length of its text.
"""

import json
import re
from collections import Counter, defaultdict
from functools import cache
from pathlib import Path

from xdist.scheduler import LoadFileScheduling

from tests.costs import LONG

GAMES = re.compile("itter|colditz|castle|rampage")
SECONDS = "bartizan/seconds"  # file -> how long its tests took


@cache
def game_of(file: str) -> str:
    """The large game that a file of tests is about: in its name, or named by it more often than all others; "" for none."""
    in_name = GAMES.search(Path(file).stem)
    if in_name:
        return in_name[0]
    named = Counter(re.findall(rf'"({GAMES.pattern})"', Path(file).read_text(encoding="utf-8")))
    most = max(named, key=named.get, default="")
    return most if 2 * named[most] > named.total() else ""


class ByGame(LoadFileScheduling):
    def __init__(self, config, log):
        super().__init__(config, log)
        self.root, self.playing = Path(config.rootpath), {}
        known = json.loads(Path(__file__).with_name("seconds.json").read_text(encoding="utf-8"))
        self.seconds = known | last_run(config)

    def length(self, file: str) -> float:
        """In seconds; of a file that nobody has timed below LONG, more for a longer text."""
        return self.seconds.get(file) or LONG * min(1, (self.root / file).stat().st_size / 50_000)

    def _assign_work_unit(self, node) -> None:
        files = {file: game_of(str(self.root / file)) for file in self.workqueue}
        left = defaultdict(float)
        for file, game in files.items():
            left[game] += self.length(file)
        others = {game for other, game in self.playing.items() if other is not node}
        mine = self.playing.get(node)
        if mine not in files.values():
            mine = max(files.values(), key=lambda game: (game != "", game not in others, left[game]))
        self.playing[node] = mine
        longest = max((file for file in files if files[file] == mine), key=self.length)
        self.workqueue.move_to_end(longest, last=False)
        super()._assign_work_unit(node)


def last_run(config) -> dict[str, float]:
    """How long files took; nothing with `-p no:cacheprovider`."""
    return config.cache.get(SECONDS, {}) if hasattr(config, "cache") else {}


class Lengths:
    """Keeps how long the tests of each file took, for the next run."""

    def __init__(self, config):
        self.config, self.seconds = config, defaultdict(float)

    def pytest_runtest_logreport(self, report):
        self.seconds[report.nodeid.partition("::")[0]] += report.duration

    def pytest_sessionfinish(self):
        if hasattr(self.config, "cache"):
            now = {file: round(seconds, 1) for file, seconds in self.seconds.items()}
            self.config.cache.set(SECONDS, last_run(self.config) | now)
