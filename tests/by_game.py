"""Which worker runs which file: it stays with one game as long as there are files of it, and loads little compiled code.

A worker that has no more of its game goes on with the game of which most is left, at best one that nobody else has.
Files of no game, or of several, come last: they are short, so that all workers end together.
"""

import re
from collections import Counter
from functools import cache
from pathlib import Path

from xdist.scheduler import LoadFileScheduling

GAMES = re.compile("itter|colditz|castle|rampage")


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

    def _assign_work_unit(self, node) -> None:
        files = {file: game_of(str(self.root / file)) for file in self.workqueue}
        left = Counter(files.values())
        left[""] = 0  # last
        others = {game for other, game in self.playing.items() if other is not node}
        mine = self.playing.get(node)
        if mine not in files.values():
            mine = max(files.values(), key=lambda game: (game != "", game not in others, left[game]))
        self.playing[node] = mine
        self.workqueue.move_to_end(next(file for file in files if files[file] == mine), last=False)
        super()._assign_work_unit(node)
